//! Which file of the repository an import, an include or a project file leads to, by the paths alone.

pub(crate) mod families;
mod modules;
mod references;
pub(crate) mod templates;
mod versions;

pub(crate) use families::Family;
pub(crate) use modules::{Modules, SCRIPTS, Target, folder, is_around, last};
pub(crate) use references::{Gone, Remaining, references, references_in};
pub(crate) use versions::{FILES, declarations};
pub use versions::{declared_in, version};
