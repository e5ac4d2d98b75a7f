//! Identifies a finding from one review to the next.
//!
//! A fingerprint is made from the rule or category, the path of the file and the text of the line. Line numbers,
//! indentation, the rest of the diff and the boundaries of hunks do not affect it. Two equal lines of a file with the
//! same defect therefore have the same fingerprint, and reviews are compared by counting them.

use sha2::{Digest, Sha256};

/// Longer lines are represented by their hash, which is computed once for all findings on the line.
pub(crate) const HASHED_BYTES: usize = 4_096;

/// The fingerprint of a finding: 128 bits in hexadecimal. `source` is the ID of its rule, or the name of its category if a
/// model found it; `path` is that of the changed file on the new side; `line` is the text of its line.
#[must_use]
pub fn fingerprint(source: &str, path: &str, line: &str) -> String {
    of_normalized(source, path, &normalized(line))
}

/// As [`fingerprint`], for a line that was [`normalized`].
pub(crate) fn of_normalized(source: &str, path: &str, line: &str) -> String {
    let mut hash = Sha256::new();
    for part in [source, path, line] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// A line's text without the parts that reformatting changes.
pub(crate) fn normalized(line: &str) -> String {
    let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() <= HASHED_BYTES {
        text
    } else {
        hex(&Sha256::digest(text))
    }
}

/// 128 bits in hexadecimal.
fn hex(digest: &[u8]) -> String {
    digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
