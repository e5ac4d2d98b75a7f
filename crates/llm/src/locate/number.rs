//! Parses the line that a model states.

use review::Side;

/// The most characters that are examined.
const LENGTH: usize = 200;

/// A line as the model stated it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) side: Option<Side>,
    pub(super) number: u32,
}

/// Reads `NEW:42`, `42`, `L42`, `line 42`, `40-44`, `pay.py:42` or `removed line 41`. Of several numbers the first counts.
pub(super) fn stated(text: &str) -> Option<Stated> {
    let text: String = text.chars().take(LENGTH).collect();
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let (mut on, mut number) = (None, None);
    while let (None, Some(word)) = (number, words.next()) {
        on = on.or_else(|| side(word));
        number = digits(word);
    }
    number.map(|number| Stated {
        side: on.or_else(|| words.find_map(side)),
        number,
    })
}

fn side(word: &str) -> Option<Side> {
    let word = word
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .to_ascii_lowercase();
    match &*word {
        "new" | "right" | "added" | "after" => Some(Side::New),
        "old" | "left" | "removed" | "deleted" | "before" => Some(Side::Old),
        _ => None,
    }
}

/// The number in a word such as `42`, `L42` or `line42`.
fn digits(word: &str) -> Option<u32> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let name = word.strip_suffix(digits)?.to_ascii_lowercase();
    let is_line = ["", "l", "line", "lines", "ln", "new", "old"].contains(&&*name);
    is_line.then(|| digits.parse().ok()).flatten()
}
