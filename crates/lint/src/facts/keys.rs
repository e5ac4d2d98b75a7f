//! Keys: names that are strings, such as events, translations, settings and routes, where they are defined and where they are read.
//!
//! Files are read as lines of text, so templates and languages without a grammar count too. Each step takes linear time.

mod definitions;
mod kinds;
mod lost;
mod namespaces;
mod nested;
mod text;
mod uses;

pub use kinds::KeyKind;
pub(crate) use kinds::ends_with_call;
pub(crate) use lost::lost_keys;
pub use lost::{LostKey, LostKeys};
pub(crate) use text::{Quoted, code_lines, extension, quoted};
pub(crate) use uses::{KeyUse, Wanted};
