//! Code in sentences: short, on one line, and without the secrets in it.

use review::Category;

use super::redact::{redacted, without_literals};

/// A sentence as it may be shown: what it quotes may hold a secret.
pub fn shown(category: Category, text: &str) -> String {
    if category == Category::SecretExposure {
        without_literals(text)
    } else {
        redacted(text).into_owned()
    }
}

/// A piece of code for a sentence: one line, at most 60 characters, no control characters, no secrets.
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
    // Before it is cut: half a secret is not recognised as one.
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
