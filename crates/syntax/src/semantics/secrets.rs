//! What tells a real secret from a placeholder: the form of known tokens, their checksums, what stands around them, and
//! how random a text is.
//!
//! Values are never shown: [`masked`] keeps the few characters that say what kind of token it is, and [`mask_texts`] takes
//! secrets out of what rules and models say.

mod allow;
mod assigned;
mod coding;
mod detector;
mod detectors;
mod grade;
mod hide;
mod lazy;
mod mask;
mod mask_texts;
mod own;
mod placeholder;
mod plausible;
mod proof;
mod quote;
mod redact;
mod scanner;

pub use assigned::{Style, assigned};
pub use coding::base64;
pub use detector::Kind;
pub use detectors::{DetectorInfo, detectors};
pub use grade::{grade, is_document, is_example};
pub use lazy::compiled;
pub use mask::{Passage, secret_places};
pub use mask_texts::mask_texts;
pub use placeholder::{entropy, is_for_web_pages, is_placeholder, is_random};
pub use plausible::{is_random_secret, is_secret, named};
pub use quote::{quote, shown};
pub use redact::{masked, redacted, shown_code};
pub use scanner::{BLOCKS, GENERIC, Secret, TOKENS, secret_file};

#[cfg(test)]
mod tests;
