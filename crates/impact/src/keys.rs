//! Keys: names that are strings, such as events, translations, settings and routes, where they are defined and where they are read.
//!
//! Files are read as lines of text, so templates and languages without a grammar count too. Each step takes linear time.

mod catalogs;
mod columns;
mod definitions;
mod endpoints;
mod kinds;
mod lines;
mod lost;
mod namespaces;
mod nested;
mod reads;
mod renamed;
mod table;
mod text;
mod translations;
mod uses;
mod words;

pub(crate) use catalogs::Catalogs;
pub(crate) use endpoints::{Registered, members};
pub use kinds::KeyKind;
pub(crate) use kinds::{KeyUse, ends_with_call, last_part};
pub(crate) use lost::key_changes;
pub use lost::{KeyChanges, LostKey};
pub use reads::ReadKey;
pub use renamed::Renaming;
pub(crate) use text::{Quoted, code_lines, extension, quoted};
pub(crate) use translations::may_define_translations;
pub(crate) use uses::Wanted;
