//! Code quoted in sentences: short, on one line, and without secrets.

use review::Category;

use super::redact::{redacted, without_literals};

/// A sentence with the secrets in its quoted code masked.
pub fn shown(category: Category, text: &str) -> String {
    if category == Category::SecretExposure {
        without_literals(text)
    } else {
        redacted(text).into_owned()
    }
}

/// Code quoted in a sentence: one line, at most 60 characters, no control characters, no secrets.
#[must_use]
pub fn quote(code: &str) -> String {
    const LONGEST: usize = 60;
    let mut words = code.split_whitespace();
    let mut text = words.next().unwrap_or_default().to_owned();
    for word in words {
        text.push(' ');
        text.push_str(word);
        if text.len() > 4 * LONGEST {
            break;
        }
    }
    // Before the text is truncated, because half a secret is not recognized.
    text.truncate(text.floor_char_boundary(20 * LONGEST));
    let text = redacted(&text);
    let mut shown: String = text
        .chars()
        .filter(|c| !c.is_control())
        .take(LONGEST)
        .collect();
    if text.chars().count() > LONGEST {
        shown.pop();
        shown.push('…');
    }
    shown
}
