//! Words of a line: runs of letters, digits, `_` and `$`.

/// Whether a character belongs to a word.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The byte offsets at which a text occurs as a whole word.
pub(super) fn occurrences<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| {
            let before = line
                .get(..*at)
                .and_then(|before| before.chars().next_back());
            let after = line
                .get(at + word.len()..)
                .and_then(|after| after.chars().next());
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
}

/// Whether a text contains a whole word.
#[must_use]
pub fn mentions_word(text: &str, word: &str) -> bool {
    occurrences(text, word).next().is_some()
}

/// The last word of a text, and the text before it.
pub(super) fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(text.len(), |(at, _)| at);
    text.split_at_checked(start)
        .map_or(("", text), |(before, word)| (word, before))
}

/// Shorter names are too common for a look-up.
const NAME_CHARS: usize = 4;

/// The names of at least four characters that precede an opening parenthesis.
pub fn called_names(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('(').filter_map(|(at, _)| {
        let before = line.get(..at)?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| is_name(*c))
            .last()?
            .0;
        before.get(start..).filter(|name| is_worth_a_look_up(name))
    })
}

/// The words of at least four characters.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_word(c))
        .filter(|word| is_worth_a_look_up(word))
}

fn is_worth_a_look_up(name: &str) -> bool {
    name.chars().nth(NAME_CHARS - 1).is_some() && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::mentions_word;

    #[test]
    fn a_word_is_found_between_other_characters() {
        for text in ["Owner", "(Owner)", "a.Owner,b", "FlatOwner Owner"] {
            assert!(mentions_word(text, "Owner"), "{text}");
        }
        for text in ["", "Owners", "FlatOwner", "_Owner", "owner"] {
            assert!(!mentions_word(text, "Owner"), "{text}");
        }
    }
}
