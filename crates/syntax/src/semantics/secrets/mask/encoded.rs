//! Credentials in Base64: service account keys, Docker logins, PEM keys.

use std::ops::Range;

use crate::semantics::secrets::coding::base64;

/// Minimum number of bytes of such a text.
const SHORTEST: usize = 24;
/// The start of such a credential, encoded: `{"`, `{` and a line end, `-----BEGIN `.
const STARTS: &[&str] = &[
    "eyJ", "eyAi", "eyAg", "ewog", "ewoJ", "ewoi", "ewkJ", "ew0K", "LS0tLS1CRUdJTi",
];
/// Texts in the decoded credential, in lower case.
const HOLDS: &[&[u8]] = &[
    b"private", b"\"auth", b"password", b"secret", b"token", b"credential", b"apikey", b"api_key",
    b"\"key",
];

/// Adds the credentials of a line.
pub(super) fn find(line: &str, add: &mut dyn FnMut(Range<usize>)) {
    let is_code = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
    };
    let mut start = 0;
    for run in line.as_bytes().split(|byte| !is_code(byte)) {
        let range = start..start + run.len();
        start = range.end + 1;
        // A name and an equals sign may precede it.
        let text = line.get(range.clone()).unwrap_or_default();
        let Some(lead) = (text.len() >= SHORTEST)
            .then(|| STARTS.iter().filter_map(|mark| text.find(mark)).min())
            .flatten()
        else {
            continue;
        };
        let code = text.get(lead..).unwrap_or_default();
        if is_secret(code) {
            add(range.start + lead..range.end);
        }
    }
}

fn is_secret(code: &str) -> bool {
    let whole = code.trim_end_matches('=');
    let Some(inner) = base64(whole.split('=').next().unwrap_or(whole)) else {
        return false;
    };
    let lower = inner.to_ascii_lowercase();
    HOLDS
        .iter()
        .any(|word| memchr::memmem::find(&lower, word).is_some())
}
