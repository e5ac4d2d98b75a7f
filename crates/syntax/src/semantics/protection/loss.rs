//! The loss of a protection.

use crate::tree::Node;

/// A protection that is gone.
pub struct Loss<'t> {
    /// The protection that is gone.
    pub kind: Kind<'t>,
    /// Where to report it: the old protection, or the new code without it.
    pub at: Node<'t>,
    /// The new code that has lost it.
    pub now: Node<'t>,
}

/// The kind of a protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'t> {
    /// The call was awaited.
    Awaited(&'t str),
    /// A construct closed the result of the call.
    Closed(&'t str),
    /// This field was used under a lock.
    Locked(&'t str),
    /// The call was part of a transaction.
    Transaction(&'t str),
    /// A check with this name came first.
    Check(&'t str),
    /// The owner was compared with the caller.
    Owner(&'t str),
    /// This function made a value safe.
    Escape(&'t str),
    /// A value was limited by this name.
    Limit(&'t str),
}
