//! What a finding is known by from one review to the next.
//!
//! A fingerprint is made from what found the defect, the path of the file and the text of the line, and from nothing else:
//! neither from line numbers and indentation, nor from what else is in the diff or where its hunks begin. So two equal
//! lines of a file with the same defect have the same fingerprint; comparing reviews means counting them.

use sha2::{Digest, Sha256};

/// A line of more bytes counts by its hash, which is made once however many findings are on it.
pub(crate) const HASHED_BYTES: usize = 4_096;

/// The fingerprint of a finding: 128 bits in hexadecimal. `source` is the ID of its rule, or the name of its category if a
/// model found it; `path` is that of the changed file on the new side; `line` is the text of its line.
#[must_use]
pub fn fingerprint(source: &str, path: &str, line: &str) -> String {
    of_normalized(source, path, &normalized(line))
}

/// As [`fingerprint`], for a line that [`normalized`] made.
pub(crate) fn of_normalized(source: &str, path: &str, line: &str) -> String {
    let mut hash = Sha256::new();
    for part in [source, path, line] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// A line's text without what reformatting changes.
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
