//! The kind of value that a PHP expression certainly has, as far as the visible text shows it: literals, `new`, casts,
//! declared parameters, well-known library functions, and variables with a last assignment that always happens before
//! the use.
//!
//! `None` means "unknown".

mod classes;
mod fits;
mod mentions;
mod origins;
mod texts;
mod value;
mod values;

use crate::tree::Node;

pub use self::classes::{family, is_no_array, only_class};
pub(crate) use self::classes::{name_here, own_function};
pub use self::fits::fits;
pub(crate) use self::mentions::reads_only;
pub use self::texts::{is_word, literal_text, source_of};
pub use self::value::{Value, plain};
use self::values::known;

/// The maximum depth of nested queries.
const DEPTH: u32 = 6;

/// The kind of value of an expression.
pub fn value_of(node: Node<'_>) -> Option<Value<'_>> {
    known(node, DEPTH)
}
