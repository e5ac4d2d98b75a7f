//! Occurrences of words in lines that are not parsed.

use crate::facts::is_word_char;

/// The parts of a line before and behind each occurrence of a word.
pub(super) fn occurrences<'t>(
    line: &'t str,
    word: &'t str,
) -> impl Iterator<Item = (&'t str, &'t str)> {
    line.match_indices(word).filter_map(move |(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.get(word.len()..)?;
        let is_whole = !before.ends_with(is_word_char) && !after.starts_with(is_word_char);
        is_whole.then_some((before, after))
    })
}
