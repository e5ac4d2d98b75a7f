//! Renamed names. A rename removes nothing.
//!
//! The lines of a block with as many removed as added lines are compared pairwise. If two lines differ only in words,
//! each pair of words is a vote. A word is renamed if it is not on the file's new side, the other word did not exist
//! before, no vote contradicts, and the new name is declared somewhere in the change. The last condition excludes a
//! call that was replaced in several places.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use review::{Chunk, Line, LineKind};

/// Maximum number of compared lines in a block.
const LONGEST_RUN: usize = 400;
/// Maximum number of compared words in a line.
const LONGEST_LINE: usize = 200;

/// The renamed names of a file.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    now: HashMap<String, String>,
}

#[derive(Default)]
struct Votes<'t> {
    /// By old word: the new words and their numbers of occurrences.
    by_old: HashMap<&'t str, Vec<(&'t str, usize)>>,
    declared: HashSet<&'t str>,
}

impl Renames {
    /// Finds the renames of a file.
    pub(crate) fn of(file: &Chunk<'_>) -> Self {
        let lines = || file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let mut votes = Votes::default();
        for hunk in &file.hunks {
            for run in hunk
                .lines
                .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
            {
                votes.count(run);
            }
        }
        let mut found = votes.unambiguous();
        if found.is_empty() {
            return Self::default();
        }
        for line in lines() {
            for word in words(line.text) {
                if line.kind != LineKind::Removed {
                    found.retain(|old, _| *old != word);
                }
                if line.kind != LineKind::Added {
                    found.retain(|_, new| *new != word);
                }
            }
        }
        Self {
            now: found
                .into_iter()
                .map(|(old, new)| (old.to_owned(), new.to_owned()))
                .collect(),
        }
    }

    /// The current form of an old word.
    pub(crate) fn now<'t>(&'t self, old: &'t str) -> &'t str {
        if self.now.is_empty() {
            old
        } else {
            self.now.get(old).map_or(old, String::as_str)
        }
    }

    /// An old text with the new names.
    pub(crate) fn in_text<'t>(&self, old: &'t str) -> Cow<'t, str> {
        if self.now.is_empty() || !words(old).any(|word| self.now.contains_key(word)) {
            return Cow::Borrowed(old);
        }
        let mut text = String::with_capacity(old.len());
        let mut rest = old;
        while let Some(word) = words(rest).next() {
            let at = word.as_ptr() as usize - rest.as_ptr() as usize;
            text.push_str(rest.get(..at).unwrap_or_default());
            text.push_str(self.now(word));
            rest = rest.get(at + word.len()..).unwrap_or_default();
        }
        text.push_str(rest);
        Cow::Owned(text)
    }
}

impl<'t> Votes<'t> {
    /// Compares the removed and the added lines of a block pairwise.
    fn count(&mut self, run: &[Line<'t>]) {
        let of = |kind| {
            run.iter()
                .filter(move |line| line.kind == kind)
                .map(|line| line.text)
        };
        let (old, new): (Vec<&str>, Vec<&str>) = (
            of(LineKind::Removed).collect(),
            of(LineKind::Added).collect(),
        );
        if old.len() != new.len() || old.len() > LONGEST_RUN {
            return;
        }
        for (old, new) in old.into_iter().zip(new) {
            let (before, after): (Vec<&str>, Vec<&str>) = (
                words(old).take(LONGEST_LINE).collect(),
                words(new).take(LONGEST_LINE).collect(),
            );
            if before.len() != after.len() || !between(old).eq(between(new)) {
                continue;
            }
            for (old, now) in before
                .into_iter()
                .zip(after)
                .filter(|(old, now)| old != now)
            {
                let seen = self.by_old.entry(old).or_default();
                match seen.iter_mut().find(|(word, _)| *word == now) {
                    Some((_, count)) => *count += 1,
                    None => seen.push((now, 1)),
                }
                if is_declared(new, now) {
                    self.declared.insert(now);
                }
            }
        }
    }

    /// The pairs that occurred at least twice and were never contradicted.
    fn unambiguous(self) -> HashMap<&'t str, &'t str> {
        let mut takers = HashMap::<&str, usize>::new();
        for (new, _) in self.by_old.values().flatten() {
            *takers.entry(new).or_default() += 1;
        }
        let clear = self
            .by_old
            .iter()
            .filter_map(|(old, new)| match new.as_slice() {
                [(new, count)] if *count >= 2 && takers.get(new) == Some(&1) => Some((*old, *new)),
                _ => None,
            });
        clear
            .filter(|(old, new)| is_name(old) && is_name(new) && self.declared.contains(new))
            .collect()
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The words and numbers of a line.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word_char(c))
        .filter(|word| !word.is_empty())
}

/// The text between the words, without white space.
fn between(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_word_char)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn is_name(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "true", "false", "True", "False", "null", "None", "nil", "and", "or", "not", "is", "in",
        "if", "while", "return", "await", "async", "const", "let", "var", "static", "public",
        "private", "protected", "unless", "until", "continue", "break",
    ];
    !word.starts_with(|c: char| c.is_ascii_digit()) && !KEYWORDS.contains(&word)
}

/// Whether a line assigns a value, a type or a body to a name.
fn is_declared(line: &str, name: &str) -> bool {
    const OPENERS: &[&str] = &[
        "def", "let", "const", "var", "val", "fn", "func", "function", "for", "auto", "local",
        "my", "mut", "as", "class",
    ];
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (
            line.get(..at).unwrap_or_default(),
            line.get(at + name.len()..).unwrap_or_default(),
        );
        if before.ends_with(is_word_char) || after.starts_with(is_word_char) {
            return false;
        }
        let next = after.trim_start();
        let set = next.starts_with('=') && !next.starts_with("==") && !next.starts_with("=>");
        let typed = next.starts_with(':') && !next.starts_with("::");
        let previous = before
            .trim_end()
            .rsplit(|c: char| !is_word_char(c))
            .next()
            .unwrap_or_default();
        let is_typed_by_word = before.ends_with(' ')
            && is_name(previous)
            && !previous.is_empty()
            && next.starts_with([';', ',', ')', '{']);
        (set && !before.ends_with('.'))
            || (typed && !before.contains('?'))
            || OPENERS.contains(&previous)
            || is_typed_by_word
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use review::{Chunk, ChunkHunk, Language, Status};

    use super::Renames;
    use crate::change::testing::lines;

    fn renames(rows: &[&'static str]) -> Renames {
        let hunk = ChunkHunk {
            heading: Cow::Borrowed(""),
            lines: Cow::Owned(lines(rows)),
        };
        Renames::of(&Chunk {
            index: 0,
            is_test: false,
            is_complete: true,
            version: None,
            around: review::Around::Unknown,
            hidden: None,
            by_tool: false,
            path: Cow::Borrowed("a.js"),
            language: Language::find("JavaScript"),
            status: Status::Modified,
            hunks: vec![hunk],
        })
    }

    #[test]
    fn a_name_changed_everywhere_is_a_rename() {
        let renames = renames(&[
            "-let size = 1;", "-use(size);", "+let width = 1;", "+use(width);",
        ]);
        assert_eq!(renames.now("size"), "width");
        assert_eq!(
            renames.in_text("if (size > max.size)"),
            "if (width > max.width)"
        );
        assert_eq!(renames.in_text("sizes"), "sizes");
    }

    #[test]
    fn remaining_and_existing_names_are_not_renames() {
        let still = renames(&[
            "-let size = 1;", "-use(size);", "+let width = 1;", "+use(width);", " show(size);",
        ]);
        assert_eq!(still.now("size"), "size");
        let before = renames(&[
            "-let size = 1;", "-use(size);", "+let width = 1;", "+use(width);", " show(width);",
        ]);
        assert_eq!(before.now("size"), "size");
    }

    #[test]
    fn a_single_place_or_a_replaced_call_is_not_a_rename() {
        assert_eq!(
            renames(&["-let size = 1;", "+let width = 1;"]).now("size"),
            "size"
        );
        let exchanged = renames(&["-copy(a);", "-copy(b);", "+move(a);", "+move(b);"]);
        assert_eq!(exchanged.now("copy"), "copy");
    }
}
