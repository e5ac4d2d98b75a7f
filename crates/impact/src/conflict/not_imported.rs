//! A name that a file uses without importing it.

/// A type of another package, or a package of Go, that a changed file uses and certainly does not import.
#[derive(Debug, Clone, Copy)]
pub struct NotImported<'a> {
    /// The name.
    pub name: &'a str,
    /// The first line that uses it, or the first added one.
    pub line: u32,
    /// The change adds that use.
    pub is_added: bool,
    /// The package of the file.
    pub package: &'a str,
    /// The package that has the name; for Go, its folder.
    pub home: &'a str,
    /// The file and line of the repository that define it.
    pub defined: Option<(&'a str, u32)>,
    /// The change removes the import.
    pub is_lost: bool,
}
