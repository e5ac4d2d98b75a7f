//! What kind of value a PHP expression surely has, as far as the text in sight says it: literals, `new`, casts, declared
//! parameters, the library's best known functions, and variables whose last setting stands before them in any case.
//!
//! `None` means "not known here".

mod classes;
mod fits;
mod mentions;
mod origins;
mod texts;
mod value;
mod values;

use crate::tree::Node;

pub(crate) use self::classes::own_function;
pub use self::classes::{family, is_no_array, only_class};
pub use self::fits::fits;
pub(crate) use self::mentions::reads_only;
pub use self::texts::{is_word, literal_text, source_of};
pub use self::value::{Value, plain};
use self::values::known;

/// How many times a question leads to another one.
const DEPTH: u32 = 6;

/// The kind of value of an expression.
pub fn value_of(node: Node<'_>) -> Option<Value<'_>> {
    known(node, DEPTH)
}
