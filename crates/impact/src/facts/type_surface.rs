//! Types as other files see them: plain data.

use serde::{Deserialize, Serialize};

use super::type_ref::TypeRef;

/// The types at the top of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surface {
    /// Its package or namespace, as the file names it.
    pub(crate) package: String,
    /// The types.
    pub(crate) types: Vec<TypeSurface>,
    /// The methods of types, by the names of the types.
    pub(crate) methods: Vec<(String, String)>,
    /// The name of the type that a default import is.
    pub(crate) default: Option<String>,
}

/// A type, as other files see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TypeSurface {
    pub(crate) name: String,
    pub(crate) line: u32,
    /// The types whose members it has as well.
    pub(crate) bases: Vec<TypeRef>,
    /// It may have members that the code of the repository does not show.
    pub(crate) is_open: bool,
    /// The fields of a Go struct with their types.
    pub(crate) fields: Vec<(String, TypeRef)>,
}

impl TypeSurface {
    /// The part of a Go package that is in one file. A package counts as a type without a name.
    pub(super) fn of_go_package() -> Self {
        Self {
            name: String::new(),
            line: 1,
            bases: Vec::new(),
            is_open: false,
            fields: Vec::new(),
        }
    }
}
