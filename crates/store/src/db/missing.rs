//! Databases that do not exist yet.

/// The reaction to a database that does not exist or has no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    Create,
    Refuse,
}
