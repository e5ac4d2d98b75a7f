//! Identifiers: in code, and in prose about code.

use std::collections::BTreeSet;

/// Shorter words are loop variables, units and articles.
const SHORTEST: usize = 3;

/// The identifiers in a line of code, in lower case.
pub(crate) fn identifiers(code: &str) -> impl Iterator<Item = String> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_name =
        |word: &&str| word.len() >= SHORTEST && !word.starts_with(|c: char| c.is_ascii_digit());
    words.filter(is_name).map(str::to_lowercase)
}

/// The identifiers in back ticks in a text.
pub(crate) fn in_back_ticks(text: &str) -> BTreeSet<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.flat_map(identifiers).collect()
}

/// The identifiers in a text, in back ticks or in a form that only code has.
pub(crate) fn named(text: &str) -> BTreeSet<String> {
    let mut names = in_back_ticks(text);
    names.extend(
        text.split_whitespace()
            .filter(|word| is_code(word))
            .flat_map(identifiers),
    );
    names
}

/// Whether a word has a form that only code has: `a_b`, `aB`, `a.b`, `a::b`, `a->b` or `a()`.
fn is_code(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '(' | ')'));
    let mut pairs = word.chars().zip(word.chars().skip(1));
    let is_hump = |(a, b): (char, char)| {
        a.is_lowercase() && b.is_uppercase() || b == '(' && a.is_alphanumeric()
    };
    let has_dot = || {
        word.split_once('.').is_some_and(|(before, after)| {
            before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
        })
    };
    word.contains('_')
        || word.contains("::")
        || word.contains("->")
        || pairs.any(is_hump)
        || has_dot()
}

#[cfg(test)]
mod tests {
    use super::{identifiers, in_back_ticks, named};

    #[test]
    fn an_identifier_is_a_word_of_some_length() {
        let found: Vec<_> = identifiers("for i in order.lineItems: sum += 0x10").collect();
        assert_eq!(found, ["for", "order", "lineitems", "sum"]);
    }

    #[test]
    fn words_in_back_ticks_or_in_the_form_of_code_are_identifiers() {
        let text = "When `order` is absent, ledger.entries and add_all fail, e.g. in loadAll(): see fetch().";
        assert_eq!(
            in_back_ticks(text).into_iter().collect::<Vec<_>>(),
            ["order"]
        );
        let all: Vec<_> = named(text).into_iter().collect();
        assert_eq!(
            all,
            ["add_all", "entries", "fetch", "ledger", "loadall", "order"]
        );
        assert!(named("The check is gone. Callers break.").is_empty());
    }
}
