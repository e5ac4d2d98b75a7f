//! Occurrences of words in lines that are not parsed.

/// The parts of a line before and behind each occurrence of a word. `is_word` decides which characters belong to a word.
pub(crate) fn occurrences<'t>(
    line: &'t str,
    word: &'t str,
    is_word: fn(char) -> bool,
) -> impl Iterator<Item = (&'t str, &'t str)> {
    line.match_indices(word).filter_map(move |(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.get(word.len()..)?;
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        is_whole.then_some((before, after))
    })
}

/// Whether a character can be part of a name.
#[must_use]
pub fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
