//! The conflicts between a change and the repository around it.

use review::Reference;
use syntax::semantics::symbols::borrowed::Borrowed;

use super::absent_member::AbsentMember;
use super::lost::Lost;
use super::not_imported::NotImported;
use crate::facts::{Break, Offer, Use};
use crate::keys::ReadKey;

/// Something in a change that may not fit the repository around it. The rules judge it.
#[derive(Debug, Clone, Copy)]
pub enum Conflict<'a> {
    /// A name that other files can no longer use as before, with its uses there by path.
    Broken(&'a Break, &'a [Use]),
    /// A file or a key that the change removes, with the references in other files by path.
    Lost(Lost<'a>, &'a [Use]),
    /// A key that nothing defines, with the definition of another key that is read in the same way.
    UnknownKey(&'a ReadKey, &'a Reference),
    /// An import that the change adds or alters, or the use of an imported name, with the file that it leads to.
    Import(&'a Borrowed, Import<'a>),
    /// A member that its type certainly lacks.
    AbsentMember(AbsentMember<'a>),
    /// A name that the file certainly does not import.
    NotImported(NotImported<'a>),
}

/// The file that an import refers to.
#[derive(Debug, Clone, Copy)]
pub enum Import<'a> {
    /// It does not exist: one of these files must exist, and none does.
    NoFile(&'a [String]),
    /// The file at this path, with the names that it exports.
    Of(&'a str, &'a Offer),
}
