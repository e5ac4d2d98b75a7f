//! A changed file as a whole: the lines of its hunks and the unchanged lines around them.

use crate::diff::{Diff, FileDiff, Hunk, Line, LineKind};

/// All lines of a changed file, given its text after the change. `None` if the hunks do not match that text, for
/// example because the file has been changed since the diff was made.
pub(crate) fn whole_file<'a>(file: &FileDiff<'a>, text: &'a str) -> Option<Vec<Line<'a>>> {
    let mut reader = Reader {
        rest: text,
        new: 1,
        old: 1,
        drops_cr: drops_cr(file, text),
        lines: Vec::new(),
    };
    for hunk in &file.hunks {
        let first = hunk.lines.first()?;
        let gap = match (first.new, first.old) {
            (Some(new), _) => new.checked_sub(reader.new)?,
            (None, Some(old)) => old.checked_sub(reader.old)?,
            (None, None) => return None,
        };
        for _ in 0..gap {
            reader.unchanged()?;
        }
        for line in hunk.lines.iter() {
            reader.take(line)?;
        }
    }
    while !reader.rest.is_empty() {
        reader.unchanged()?;
    }
    Some(reader.lines)
}

/// A lower bound of the number of context lines (`git diff -U`) of a diff: no hunk has more before its first change,
/// and changes with more than twice as many between them are in two hunks.
pub(crate) fn context_lines(diff: &Diff<'_>) -> usize {
    let hunks = diff.files.iter().flat_map(|file| &file.hunks);
    hunks.map(least_context).max().unwrap_or_default()
}

fn least_context(hunk: &Hunk<'_>) -> usize {
    let is_context = |line: &Line<'_>| line.kind == LineKind::Context;
    let mut runs = hunk
        .lines
        .chunk_by(|a, b| is_context(a) == is_context(b))
        .enumerate()
        .peekable();
    let mut least = 0;
    while let Some((index, run)) = runs.next() {
        if run.first().is_some_and(is_context) {
            let is_last = runs.peek().is_none();
            least = least.max(if index == 0 {
                run.len()
            } else if is_last {
                0
            } else {
                run.len().div_ceil(2)
            });
        }
    }
    least
}

/// Whether a hunk begins on the first line of its file.
pub(crate) fn starts_file(hunk: &Hunk<'_>) -> bool {
    let first = hunk.lines.first();
    first.is_some_and(|line| line.old.unwrap_or(1) == 1 && line.new.unwrap_or(1) == 1)
}

/// Whether a hunk ends where its file ends, in a diff with at least this many context lines: it has fewer at its end,
/// or an unusual number of them.
pub(crate) fn shows_end(hunk: &Hunk<'_>, least: usize) -> bool {
    /// Diffs with fewer context lines may be written by hand, with any number of them.
    const SURE: usize = 10;
    const MANY: usize = 30;
    let count = hunk
        .lines
        .iter()
        .rev()
        .take_while(|line| line.kind == LineKind::Context)
        .count();
    let is_round = count % 10 == 0 || count % 25 == 0 || count.is_power_of_two();
    least >= SURE && count < least || count >= MANY && !is_round
}

/// Whether the text has CRLF where the diff has LF, as git converts line ends.
fn drops_cr(file: &FileDiff<'_>, text: &str) -> bool {
    let is_new = |line: &&Line<'_>| line.new.is_some();
    let shown = file
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .find(is_new);
    text.contains("\r\n") && shown.is_some_and(|line| !line.text.ends_with('\r'))
}

struct Reader<'a> {
    /// The text that has not been read.
    rest: &'a str,
    /// The numbers of the next line.
    new: u32,
    old: u32,
    drops_cr: bool,
    lines: Vec<Line<'a>>,
}

impl<'a> Reader<'a> {
    /// The next line of the text, and whether a line feed ends it.
    fn next(&mut self) -> Option<(&'a str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, is_terminated) = match self.rest.split_once('\n') {
            Some((line, rest)) => {
                self.rest = rest;
                (line, true)
            }
            None => (std::mem::take(&mut self.rest), false),
        };
        let line = line
            .strip_suffix('\r')
            .filter(|_| self.drops_cr && is_terminated)
            .unwrap_or(line);
        Some((line, is_terminated))
    }

    /// Adds the next line of the text, which is in no hunk.
    fn unchanged(&mut self) -> Option<()> {
        let (text, terminated) = self.next()?;
        let (old, new) = (Some(self.old), Some(self.new));
        self.lines.push(Line {
            kind: LineKind::Context,
            old,
            new,
            text,
            terminated,
        });
        self.count(true, true)
    }

    /// Adds a line of a hunk.
    fn take(&mut self, line: &Line<'a>) -> Option<()> {
        let (is_old, is_new) = (line.kind != LineKind::Added, line.kind != LineKind::Removed);
        let has = |number: Option<u32>, expected: u32, is_there: bool| {
            number == is_there.then_some(expected)
        };
        if !has(line.old, self.old, is_old) || !has(line.new, self.new, is_new) {
            return None;
        }
        if is_new && self.next()?.0 != line.text {
            return None;
        }
        self.lines.push(*line);
        self.count(is_old, is_new)
    }

    fn count(&mut self, old: bool, new: bool) -> Option<()> {
        self.old = self.old.checked_add(u32::from(old))?;
        self.new = self.new.checked_add(u32::from(new))?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{context_lines, shows_end, whole_file};
    use crate::diff::{Diff, LineKind, Side};

    const DIFF: &str =
        "--- a/a.py\n+++ b/a.py\n@@ -2,2 +2,3 @@\n two\n-three\n+3\n+3.5\n@@ -6 +7 @@\n-six\n+6\n";
    const TEXT: &str = "one\ntwo\n3\n3.5\nfour\nfive\n6\nseven";

    fn sides(diff: &str, text: &str) -> Option<[String; 2]> {
        let diff = Diff::parse(diff).unwrap();
        let lines = whole_file(&diff.files[0], text)?;
        let side = |side: Side| {
            let shown = lines
                .iter()
                .filter(|line| line.side() == side || line.kind == LineKind::Context);
            let numbered = shown.enumerate().map(|(at, line)| {
                let number = if side == Side::Old {
                    line.old
                } else {
                    line.new
                };
                assert_eq!(number, Some(at as u32 + 1));
                format!("{}{}", line.text, if line.terminated { "\n" } else { "" })
            });
            numbered.collect()
        };
        Some([side(Side::Old), side(Side::New)])
    }

    #[test]
    fn the_lines_between_the_hunks_come_from_the_text() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven";
        assert_eq!(sides(DIFF, TEXT), Some([old.to_owned(), TEXT.to_owned()]));
        let removed = "--- a/a.py\n+++ b/a.py\n@@ -2 +1,0 @@\n-two\n";
        assert_eq!(
            sides(removed, "one\nthree\n"),
            Some(["one\ntwo\nthree\n".to_owned(), "one\nthree\n".to_owned()])
        );
        let crlf = TEXT.replace('\n', "\r\n");
        assert_eq!(
            sides(DIFF, &crlf),
            Some([old.to_owned(), TEXT.to_owned()]),
            "git converts line ends"
        );
    }

    /// Whether each file of a diff ends with its last hunk. A hunk is written as its marks.
    fn ends(files: &[&str]) -> Vec<bool> {
        let file = |marks: &&str| {
            let lines: String = marks.chars().map(|mark| format!("{mark}x\n")).collect();
            let count = |other: char| marks.chars().filter(|mark| *mark != other).count();
            format!(
                "--- a/a\n+++ b/a\n@@ -1,{} +1,{} @@\n{lines}",
                count('+'),
                count('-')
            )
        };
        let text: String = files.iter().map(file).collect();
        let diff = Diff::parse(&text).unwrap();
        let least = context_lines(&diff);
        diff.files
            .iter()
            .map(|file| shows_end(&file.hunks[0], least))
            .collect()
    }

    #[test]
    fn a_hunk_with_fewer_context_lines_than_others_ends_its_file() {
        let context = |count: usize| " ".repeat(count);
        assert_eq!(ends(&[&format!("{}+{}", context(12), context(11))]), [true]);
        assert_eq!(
            ends(&[&format!("{}+{}", context(12), context(12))]),
            [false]
        );
        assert_eq!(
            ends(&[&format!("{}+   ", context(9))]),
            [false],
            "made by hand"
        );
        assert_eq!(
            ends(&[&format!("+{}-{}", context(20), context(9)), "+     "]),
            [true, true]
        );
        assert_eq!(ends(&[&format!("+{}", context(37)), "+"]), [true, false]);
        for round in [32, 40, 50, 75, 100] {
            assert_eq!(ends(&[&format!("+{}", context(round))]), [false], "{round}");
        }
    }

    #[test]
    fn a_text_that_does_not_match_the_new_side_is_rejected() {
        for text in [
            "", "one\ntwo\n", "one\ntwo\n3\n3.5\nfour\n6\nseven", "two\n3\n3.5\nfour\nfive\n6\n",
            "one\ntwo\n3\n3.5\nx\nfive\n5\n",
        ] {
            assert_eq!(sides(DIFF, text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_and_any_diff_are_combined_or_rejected(text in "[a-c\n\r]{0,40}", diff in "(@@ -[0-4],[0-3] \\+[0-4],[0-3] @@\n([ +-][a-c]\n){0,5}){1,3}") {
            if let Ok(diff) = Diff::parse(&format!("--- a/a\n+++ b/a\n{diff}")) {
                for file in &diff.files {
                    let _ = whole_file(file, &text);
                }
            }
        }
    }
}
