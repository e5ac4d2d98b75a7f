//! Distinguishes a real secret from a placeholder by the form of known tokens, their checksums, the code around them,
//! and the randomness of a text.
//!
//! Values are never shown. [`masked`] keeps only the few characters that identify the kind of token, and [`mask_texts`]
//! masks secrets in the texts of rules and models.

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
pub use lazy::{LazyPattern, compiled};
pub use mask::{Passage, secret_places};
pub use mask_texts::mask_texts;
pub use placeholder::{entropy, is_for_web_pages, is_placeholder, is_random};
pub use plausible::{is_random_secret, is_secret, named};
pub use quote::{quote, shown};
pub use redact::{masked, redacted, shown_code};
pub use scanner::{BLOCKS, GENERIC, Secret, TOKENS, secret_file};

#[cfg(test)]
mod tests;
