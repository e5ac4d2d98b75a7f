//! A lack: something that all siblings have and new code has not.

use crate::parse::shorten;
use crate::tree::Node;

/// Something that all siblings have and new code lacks.
#[derive(Debug)]
pub struct Lack<'t> {
    /// The new code: a call, the name of a function or class, the registration of a route.
    pub at: Node<'t>,
    /// The name of the new function, class or route.
    pub name: &'t str,
    /// The missing thing.
    pub what: What<'t>,
    /// The siblings that have it, in document order.
    pub siblings: Vec<Sibling<'t>>,
}

/// A sibling that has what the new code lacks.
#[derive(Debug, Clone, Copy)]
pub struct Sibling<'t> {
    /// The name of the function or class; the path of a route.
    pub name: &'t str,
    /// The node that shows its line.
    pub node: Node<'t>,
}

/// The thing that new code lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What<'t> {
    /// A check whether the caller may do this: the name of the check.
    Authorization(&'t str),
    /// A comparison of a member of what a call returns with the caller: the call and the member.
    Owner {
        /// The call: `get_object_or_404(Check)`.
        call: String,
        /// The member that the siblings compare: `project_id`.
        member: &'t str,
    },
    /// A condition of a query that limits it to what belongs to the caller: the call and the name of the condition.
    Filter {
        /// The call.
        call: String,
        /// The name of the argument or field: `owner`.
        name: &'t str,
    },
    /// A test of what a call returns before it is used.
    Test {
        /// The call.
        call: String,
    },
    /// A call that validates, locks, drops what is cached or the like: the name of the function.
    Step(&'t str),
    /// A method that is called on the result in case that there is none, it fails or takes too long.
    FollowUp {
        /// The call.
        call: String,
        /// The method.
        method: &'t str,
    },
    /// The end of what a call opens.
    Close {
        /// The call.
        call: String,
    },
    /// A handler for an exception of a call.
    Handler {
        /// The call.
        call: String,
        /// The exception.
        exception: &'t str,
    },
}

/// The siblings as text: "`pause` (line 12) and `resume` (line 30)".
pub fn listed(siblings: &[Sibling<'_>]) -> String {
    let one = |sibling: &Sibling<'_>| {
        let name = shorten(sibling.name, MAX_NAME);
        match sibling.node.line() {
            Some(line) => format!("`{name}` (line {line})"),
            None => format!("`{name}`"),
        }
    };
    match siblings {
        [] => String::new(),
        [only] => one(only),
        [first, second] => format!("{} and {}", one(first), one(second)),
        [first, second, rest @ ..] => {
            format!("{}, {} and {} more", one(first), one(second), rest.len())
        }
    }
}

/// Maximum length of a name in a message.
const MAX_NAME: usize = 60;
/// The minimum number of siblings.
pub(super) const MIN_SIBLINGS: usize = 2;
/// A change that adds more functions than this next to others is a new part of the program, with habits of its own.
pub(super) const MAX_NEW: usize = 8;
/// Maximum number of siblings that are compared.
pub(super) const MAX_SIBLINGS: usize = 150;
