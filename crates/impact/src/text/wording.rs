//! Wording that the summaries of several rules share.

use std::collections::BTreeSet;

use review::{MAX_RELATED, Reference};

/// Maximum length of a path in a summary, in bytes.
const PATH_BYTES: usize = 160;
/// The number of places that a summary names.
const NAMED: usize = 3;

/// A path in a summary. A long path is truncated at the start, because its end identifies the file.
pub fn shown_path(path: &str) -> String {
    let start = path.len().saturating_sub(PATH_BYTES);
    if start == 0 {
        return path.to_owned();
    }
    format!(
        "…{}",
        path.get(path.ceil_char_boundary(start)..)
            .unwrap_or_default()
    )
}

/// A summary that names the first of several places, and references to the places.
pub fn with_places(summary: &str, places: &BTreeSet<(&str, u32)>) -> (String, Vec<Reference>) {
    let named: Vec<String> = places
        .iter()
        .take(NAMED)
        .map(|(path, line)| format!("{}:{line}", shown_path(path)))
        .collect();
    let end = if places.len() > NAMED { ", …" } else { "." };
    let reference = |(path, line): &(&str, u32)| Reference {
        file_path: (*path).to_owned(),
        line_number: *line,
    };
    let references = places.iter().map(reference).take(MAX_RELATED).collect();
    (format!("{summary}: {}{end}", named.join(", ")), references)
}

/// A number of calls as the subject of a sentence: `1 call is`, `2 calls are`.
pub fn counted_calls(count: usize) -> String {
    match count {
        1 => "1 call is".to_owned(),
        _ => format!("{count} calls are"),
    }
}
