//! A called member that its type does not have.

/// A member that added code calls on a type of another file, which certainly lacks it.
#[derive(Debug, Clone, Copy)]
pub struct AbsentMember<'a> {
    /// The name of the member.
    pub name: &'a str,
    /// The name of the type; empty for a Go package.
    pub owner: &'a str,
    /// The file that defines the type.
    pub path: &'a str,
    /// The line on which it does.
    pub line: u32,
    /// A similar member that the type or one of its bases has.
    pub similar: Option<&'a str>,
}
