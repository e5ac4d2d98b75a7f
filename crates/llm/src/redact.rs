//! Masks secrets in everything that a model is shown.
//!
//! The function that finds secrets is passed in. This module decides what it sees: each side of a file separately, hunk
//! by hunk, with the heading as the line above. The result is [`Masked`], which only this module can create; prompts
//! accept no other text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use review::repository::shortened;
use review::{Chunk, ChunkHunk, LineKind};

/// Finds the positions of secrets in the lines of passages of a file, given the file's path.
type Find = dyn Fn(&str, &[&[&str]]) -> Vec<Vec<Vec<Range<usize>>>> + Send + Sync;

/// Replaces a secret.
const HIDDEN: &str = "…";

/// Masks secrets. Clones share the same function.
#[derive(Clone)]
pub struct Redactor(Arc<Find>);

/// A text whose secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Masked<'a>(Cow<'a, str>);

impl<'a> Masked<'a> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it contained a secret.
    pub(crate) fn is_changed(&self) -> bool {
        matches!(self.0, Cow::Owned(_))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn into_owned(self) -> Masked<'static> {
        Masked(Cow::Owned(self.0.into_owned()))
    }

    /// The text cut to at most this many bytes, on a character boundary.
    pub(crate) fn cut(self, bytes: usize) -> Masked<'static> {
        let mut text = self.0.into_owned();
        text.truncate(text.floor_char_boundary(bytes));
        Masked(Cow::Owned(text))
    }
}

/// A hunk whose secrets are masked.
pub(crate) struct MaskedHunk<'a> {
    pub(crate) heading: Masked<'a>,
    pub(crate) lines: Vec<Masked<'a>>,
}

/// A file whose secrets are masked. It is masked as a whole, because a part does not show what is secret in it: the name
/// of a value may be on the line above.
pub(crate) struct MaskedFile<'a>(Vec<Masked<'a>>);

impl MaskedFile<'_> {
    /// Some lines, from this number, joined by line breaks. Long ones are cut.
    pub(crate) fn lines(&self, first: usize, count: usize) -> Masked<'static> {
        let lines = self.0.iter().skip(first.saturating_sub(1)).take(count);
        let lines: Vec<String> = lines.map(|line| shortened(line.as_str())).collect();
        Masked(Cow::Owned(lines.join("\n")))
    }
}

impl Redactor {
    /// A redactor that hides what this function finds. For each line of each passage it returns the ranges of secrets:
    /// in order, without overlaps, on character boundaries. A passage is a text without gaps. An empty path means that
    /// the text is not from a file. Lines for which it returns nothing are hidden.
    #[must_use]
    pub fn new(
        find: impl Fn(&str, &[&[&str]]) -> Vec<Vec<Vec<Range<usize>>>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }

    /// A text that is not from a file: a path, a sentence about the code, a guideline.
    pub(crate) fn text<'a>(&self, text: &'a str) -> Masked<'a> {
        let lines = self.passage("", &text.split('\n').collect::<Vec<_>>());
        if lines.iter().any(Masked::is_changed) {
            joined(&lines)
        } else {
            Masked(Cow::Borrowed(text))
        }
    }

    /// The lines of a whole file.
    pub(crate) fn file<'a>(&self, path: &str, text: &'a str) -> MaskedFile<'a> {
        MaskedFile(self.passage(path, &text.lines().collect::<Vec<_>>()))
    }

    /// The lines of one passage.
    fn passage<'a>(&self, path: &str, lines: &[&'a str]) -> Vec<Masked<'a>> {
        let mut places = (self.0)(path, &[lines])
            .pop()
            .unwrap_or_default()
            .into_iter();
        lines
            .iter()
            .map(|line| masked(line, places.next()))
            .collect()
    }

    /// The hunks of a file.
    pub(crate) fn hunks<'a>(&self, file: &'a Chunk<'_>) -> Vec<MaskedHunk<'a>> {
        let mut places: Vec<Places> = file.hunks.iter().map(Places::of).collect();
        for (hidden, shown) in [
            (LineKind::Added, LineKind::Removed),
            (LineKind::Removed, LineKind::Added),
        ] {
            let sides: Vec<Vec<(usize, &str)>> = file
                .hunks
                .iter()
                .map(|hunk| side(hunk, hidden, shown))
                .collect();
            let texts: Vec<Vec<&str>> = sides
                .iter()
                .map(|side| side.iter().map(|(_, text)| *text).collect())
                .collect();
            let passages: Vec<&[&str]> = texts.iter().map(Vec::as_slice).collect();
            let mut found = (self.0)(&file.path, &passages).into_iter();
            for (side, places) in sides.iter().zip(&mut places) {
                let mut found = found.next().unwrap_or_default().into_iter();
                side.iter().for_each(|(at, text)| {
                    places.add(*at, found.next().unwrap_or_else(|| whole(text)))
                });
            }
        }
        file.hunks
            .iter()
            .zip(places)
            .map(|(hunk, places)| places.mask(hunk))
            .collect()
    }
}

/// The lines of one side of a hunk, the heading first, with their indices; empty if the other side contains them all.
fn side<'a>(hunk: &'a ChunkHunk<'_>, hidden: LineKind, shown: LineKind) -> Vec<(usize, &'a str)> {
    let has = |kind: LineKind| hunk.lines.iter().any(|line| line.kind == kind);
    if !has(shown) && (has(hidden) || shown == LineKind::Removed) {
        return Vec::new();
    }
    let lines = hunk
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind != hidden);
    let heading = std::iter::once((0, &*hunk.heading));
    heading
        .chain(lines.map(|(at, line)| (at + 1, line.text)))
        .collect()
}

/// The ranges of secrets in the heading and the lines of a hunk.
struct Places(Vec<Option<Vec<Range<usize>>>>);

impl Places {
    fn of(hunk: &ChunkHunk<'_>) -> Self {
        Self(vec![None; hunk.lines.len() + 1])
    }

    fn add(&mut self, at: usize, places: Vec<Range<usize>>) {
        if let Some(known) = self.0.get_mut(at) {
            let mut all = known.take().unwrap_or_default();
            all.extend(places);
            *known = Some(all);
        }
    }

    fn mask<'a>(self, hunk: &'a ChunkHunk<'_>) -> MaskedHunk<'a> {
        let mut places = self.0.into_iter();
        let heading = masked(&hunk.heading, places.next().flatten());
        MaskedHunk {
            heading,
            lines: hunk
                .lines
                .iter()
                .map(|line| masked(line.text, places.next().flatten()))
                .collect(),
        }
    }
}

fn joined(lines: &[Masked<'_>]) -> Masked<'static> {
    Masked(Cow::Owned(
        lines
            .iter()
            .map(Masked::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
    ))
}

/// The range of a text that was not searched.
fn whole(text: &str) -> Vec<Range<usize>> {
    std::iter::once(0..text.len()).collect()
}

/// A text without these ranges, or fully hidden if it was not searched.
fn masked(text: &str, places: Option<Vec<Range<usize>>>) -> Masked<'_> {
    let mut places = places.unwrap_or_else(|| whole(text));
    places.retain(|range| !range.is_empty());
    if places.is_empty() {
        return Masked(Cow::Borrowed(text));
    }
    places.sort_unstable_by_key(|range| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in places {
        if range.start > done || done == 0 {
            out.push_str(text.get(done..range.start).unwrap_or_default());
            out.push_str(HIDDEN);
        }
        done = done.max(range.end);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Masked(Cow::Owned(out))
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

#[cfg(test)]
mod tests {
    use review::Diff;
    use review::chunk::{Sizes, plan};

    use super::Redactor;

    /// Hides `hunter2` except for four characters, and each line below one that contains `below`.
    fn redactor() -> Redactor {
        Redactor::new(|_, passages| {
            let line = |lines: &[&str], at: usize| {
                let is_below = at > 0 && lines[at - 1].contains("below");
                let known = lines[at]
                    .match_indices("hunter2")
                    .map(|(start, word)| start + 4..start + word.len());
                if is_below {
                    super::whole(lines[at])
                } else {
                    known.collect()
                }
            };
            passages
                .iter()
                .map(|lines| (0..lines.len()).map(|at| line(lines, at)).collect())
                .collect()
        })
    }

    fn shown(diff: &str) -> Vec<String> {
        let diff = Diff::parse(diff).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        let hunks = redactor().hunks(&plan.chunks[0]);
        hunks
            .iter()
            .flat_map(|hunk| std::iter::once(&hunk.heading).chain(&hunk.lines))
            .map(|line| line.as_str().to_owned())
            .collect()
    }

    #[test]
    fn each_side_is_searched_separately_below_the_heading() {
        let diff = "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@ all below\n first\n-below\n+new\n last hunter2 hunter2\n@@ -9,1 +9,2 @@\n x\n+hunter2\n";
        assert_eq!(
            shown(diff),
            ["all below", "…", "below", "new", "…", "", "x", "hunt…"]
        );
    }

    #[test]
    fn a_text_keeps_its_lines() {
        let redactor = redactor();
        assert_eq!(
            redactor.text("a\nbelow\nhunter2\n").as_str(),
            "a\nbelow\n…\n"
        );
        assert!(!redactor.text("a\nb").is_changed());
        assert_eq!(
            redactor.text("hunter2 é").cut(7).as_str(),
            "hunt…",
            "masked before it is cut"
        );
    }

    #[test]
    fn text_that_was_not_searched_is_hidden() {
        let blind = Redactor::new(|_, _| Vec::new());
        assert_eq!(blind.text("a\nb").as_str(), "…\n…");
    }
}
