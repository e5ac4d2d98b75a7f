//! Words, replaced lines and the wording of findings. Nothing here is parsed.

mod hash;
mod occurrences;
mod replacement;
mod wording;

pub use hash::hash;
pub use occurrences::is_word_char;
pub(crate) use occurrences::occurrences;
pub use replacement::Edits;
pub use wording::{counted_calls, shown_path, with_places};
