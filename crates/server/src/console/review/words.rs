//! The changed words of a line that replaces another one.

use std::ops::Range;

/// Cells of the table in which the words of two lines are compared. Longer differences are one change.
const CELLS: usize = 4_096;
/// A line with more changes is shown without them.
const CHANGES: usize = 40;

/// Ranges of bytes, in order.
type Ranges = Vec<Range<usize>>;

/// The ranges of bytes in which the two lines differ; `None` if they have so little in common that marks would say
/// nothing.
pub(super) fn changes(old: &str, new: &str) -> Option<(Ranges, Ranges)> {
    let (before, after) = (words(old), words(new));
    let start = common(before.iter(), after.iter());
    let (old_rest, new_rest) = (before.get(start..)?, after.get(start..)?);
    let end = common(old_rest.iter().rev(), new_rest.iter().rev());
    let old_middle = old_rest.get(..old_rest.len() - end)?;
    let new_middle = new_rest.get(..new_rest.len() - end)?;
    let (old_kept, new_kept) = kept(old_middle, new_middle);
    let (kept_start, kept_end) = (vec![true; start], vec![true; end]);
    let old_kept = [&kept_start[..], &old_kept, &kept_end].concat();
    let new_kept = [&kept_start[..], &new_kept, &kept_end].concat();
    let weight = |words: &[&str], kept: Option<&[bool]>| -> usize {
        let counts = |at: usize| kept.is_none_or(|kept| kept.get(at) == Some(&true));
        let counted = words.iter().enumerate().filter(|(at, _)| counts(*at));
        counted.map(|(_, word)| word.trim().len()).sum()
    };
    let longer = weight(&before, None).max(weight(&after, None));
    if weight(&before, Some(&old_kept)) * 3 < longer {
        return None;
    }
    let (old, new) = (ranges(&before, &old_kept), ranges(&after, &new_kept));
    (old.len() <= CHANGES && new.len() <= CHANGES).then_some((old, new))
}

/// Words, runs of white space, and other characters one by one. Concatenated, they are the whole text.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let bytes = match kind(first) {
            3 => first.len_utf8(),
            own => rest.find(|c| kind(c) != own).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(bytes);
        words.push(word);
        rest = after;
    }
    words
}

fn common<'a>(
    one: impl Iterator<Item = &'a &'a str>,
    other: impl Iterator<Item = &'a &'a str>,
) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// Which words belong to a longest common subsequence.
fn kept(old: &[&str], new: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut old_kept, mut new_kept) = (vec![false; old.len()], vec![false; new.len()]);
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || (old.len() + 1) * width > CELLS {
        return (old_kept, new_kept);
    }
    // The length of the longest common subsequence of the words from `i` and from `j`.
    let mut lengths = vec![0_u16; (old.len() + 1) * width];
    let length = |lengths: &[u16], i: usize, j: usize| {
        lengths.get(i * width + j).copied().unwrap_or_default()
    };
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let best = if a == b {
                length(&lengths, i + 1, j + 1) + 1
            } else {
                length(&lengths, i + 1, j).max(length(&lengths, i, j + 1))
            };
            if let Some(cell) = lengths.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (old.get(i), new.get(j)) {
        if a == b {
            if let (Some(a), Some(b)) = (old_kept.get_mut(i), new_kept.get_mut(j)) {
                (*a, *b) = (true, true);
            }
            (i, j) = (i + 1, j + 1);
        } else if length(&lengths, i + 1, j) >= length(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    (old_kept, new_kept)
}

/// The ranges of the words that were not kept. White space between two of them belongs to the change.
fn ranges(words: &[&str], kept: &[bool]) -> Ranges {
    let mut ranges = Ranges::new();
    let mut at = 0;
    // The end of the previous change, if only white space follows it so far.
    let mut open = None;
    for (word, is_kept) in words.iter().zip(kept) {
        let end = at + word.len();
        match ranges.last_mut() {
            _ if *is_kept => {
                if !word.trim().is_empty() {
                    open = None;
                }
            }
            Some(last) if open == Some(last.start) => last.end = end,
            _ => {
                ranges.push(at..end);
                open = Some(at);
            }
        }
        at = end;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::changes;

    /// The lines with their changes in brackets.
    fn marked(old: &str, new: &str) -> Option<(String, String)> {
        let (old_changes, new_changes) = changes(old, new)?;
        let mark = |text: &str, changes: Vec<std::ops::Range<usize>>| {
            let mut marked = text.to_owned();
            for change in changes.iter().rev() {
                marked.insert(change.end, ']');
                marked.insert(change.start, '[');
            }
            marked
        };
        Some((mark(old, old_changes), mark(new, new_changes)))
    }

    #[test]
    fn changed_words_are_found() {
        for (old, new, old_marked, new_marked) in [
            ("a = 1", "a = 2", "a = [1]", "a = [2]"),
            (
                "for i in 0..n {", "for i in 0..=n {", "for i in 0..n {", "for i in 0..[=]n {",
            ),
            (
                "if (Number.isNaN(quantity)) {", "if (quantity === NaN) {",
                "if ([Number.isNaN(]quantity[)]) {", "if (quantity[ === NaN]) {",
            ),
            ("f(é, b)", "f(ü, b)", "f([é], b)", "f([ü], b)"),
            (
                "return first second third", "return one two third", "return [first second] third",
                "return [one two] third",
            ),
            ("\tx = 1", "x = 1", "[\t]x = 1", "x = 1"),
            ("same", "same", "same", "same"),
        ] {
            assert_eq!(
                marked(old, new),
                Some((old_marked.to_owned(), new_marked.to_owned())),
                "{old} {new}"
            );
        }
    }

    #[test]
    fn lines_with_little_in_common_or_many_changes_are_not_marked() {
        assert_eq!(changes("import json", "def total(items):"), None);
        let list = |item: &str| format!("{item}, longer ").repeat(50);
        assert_eq!(changes(&list("a"), &list("b")), None);
    }

    #[test]
    fn long_lines_are_compared_at_both_ends_only() {
        let line = |middle: &str| {
            format!(
                "{}{}{}",
                "same ".repeat(900),
                format!("{middle} ").repeat(90),
                "end ".repeat(90)
            )
        };
        let (old, new) = changes(&line("a"), &line("b")).unwrap();
        assert_eq!((old.len(), new.len()), (1, 1));
    }
}
