//! Applies replacements to the content of a file.

use std::ops::Range;

use review::output::json::ReplacementBody;
use review::{Hunk, Side, byte_offset};

/// A file with its replacements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edited {
    pub(super) content: Vec<u8>,
    /// The number of replacements.
    pub(super) applied: usize,
    /// The lines of replacements whose hunk no longer matches the file.
    pub(super) stale: Vec<u32>,
}

/// Applies the replacements in order of their places. One that overlaps an earlier one is left for the next pass. All
/// other bytes are unchanged, in any encoding. New lines get the line ending of the line that they begin on.
pub(super) fn edit(
    content: &[u8],
    hunks: &[Hunk<'_>],
    replacements: &[&ReplacementBody],
) -> Edited {
    let lines = Lines::of(content);
    let mut sorted = replacements.to_vec();
    sorted.sort_by_key(|edit| {
        (
            edit.start_line, edit.start_column, edit.end_line, edit.end_column,
        )
    });
    let (mut out, mut end) = (Vec::with_capacity(content.len()), 0);
    let (mut applied, mut stale) = (0, Vec::new());
    for replacement in sorted {
        let Some(range) = hunks.iter().find_map(|hunk| lines.range(hunk, replacement)) else {
            stale.push(replacement.start_line);
            continue;
        };
        if range.start < end {
            continue;
        }
        out.extend_from_slice(content.get(end..range.start).unwrap_or_default());
        out.extend_from_slice(lines.with_line_ends(replacement).as_bytes());
        end = range.end;
        applied += 1;
    }
    out.extend_from_slice(content.get(end..).unwrap_or_default());
    Edited {
        content: out,
        applied,
        stale,
    }
}

/// The lines of a file.
struct Lines<'c> {
    content: &'c [u8],
    /// The offset of each line, and the end of the content.
    starts: Vec<usize>,
}

impl<'c> Lines<'c> {
    fn of(content: &'c [u8]) -> Self {
        let after = content
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(after).collect();
        if starts.last() != Some(&content.len()) {
            starts.push(content.len());
        }
        Self { content, starts }
    }

    /// The offset of a line, and its bytes with the line ending.
    fn line(&self, number: u32) -> Option<(usize, &'c [u8])> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let (start, end) = (*self.starts.get(index)?, *self.starts.get(index + 1)?);
        Some((start, self.content.get(start..end)?))
    }

    /// The bytes that a replacement replaces; `None` if it is not within this hunk or the file has changed.
    fn range(&self, hunk: &Hunk<'_>, of: &ReplacementBody) -> Option<Range<usize>> {
        let mut new = hunk.lines.iter().filter(|line| line.side() == Side::New);
        let contains = |number| {
            hunk.lines
                .iter()
                .any(|line| line.side() == Side::New && line.new == Some(number))
        };
        let is_unchanged = new.all(|line| {
            let own = line.new.and_then(|number| self.line(number));
            let text = line.text.strip_suffix('\r').unwrap_or(line.text);
            // Diffs are decoded in the same way.
            own.is_some_and(|(_, own)| String::from_utf8_lossy(without_line_end(own)) == text)
        });
        if !is_unchanged || !contains(of.start_line) || !contains(of.end_line) {
            return None;
        }
        let (start, end) = (
            self.offset(of.start_line, of.start_column)?,
            self.offset(of.end_line, of.end_column)?,
        );
        (start <= end).then_some(start..end)
    }

    /// The byte offset of a column.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let (start, bytes) = self.line(line)?;
        let text = str::from_utf8(without_line_end(bytes)).ok()?;
        Some(start + byte_offset(text, column)?)
    }

    fn with_line_ends(&self, of: &ReplacementBody) -> String {
        let is_crlf = self
            .line(of.start_line)
            .is_some_and(|(_, line)| line.ends_with(b"\r\n"));
        if is_crlf {
            of.text.replace('\n', "\r\n")
        } else {
            of.text.clone()
        }
    }
}

fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use review::Diff;
    use review::output::json::ReplacementBody;

    use super::{Edited, edit};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n é = 1\n+os.chmod(é, 644)\n c\n@@ -9 +10,2 @@\n+d\n e\n";
    const FILE: &str = "é = 1\nos.chmod(é, 644)\nc\n4\n5\n6\n7\n8\n9\nd\ne\n";

    fn replacement(line: u32, columns: (u32, u32), text: &str) -> ReplacementBody {
        let (start_column, end_column) = columns;
        ReplacementBody {
            start_line: line,
            start_column,
            end_line: line,
            end_column,
            text: text.to_owned(),
        }
    }

    fn edited(content: &[u8], replacements: &[ReplacementBody]) -> Edited {
        edit(
            content,
            &Diff::parse(DIFF).unwrap().files[0].hunks,
            &replacements.iter().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn columns_are_characters_and_other_text_is_unchanged() {
        let result = edited(FILE.as_bytes(), &[replacement(2, (13, 16), "0o644")]);
        assert_eq!(
            String::from_utf8(result.content).unwrap(),
            FILE.replace("644", "0o644")
        );
        assert_eq!((result.applied, result.stale), (1, vec![]));
    }

    #[test]
    fn line_endings_and_invalid_utf8_are_preserved() {
        let file = [FILE.replace('\n', "\r\n").as_bytes(), b"\xff\xfe no UTF-8"].concat();
        let result = edited(&file, &[replacement(2, (1, 17), "a\nb")]);
        let expected = FILE
            .replace("os.chmod(é, 644)", "a\nb")
            .replace('\n', "\r\n");
        assert_eq!(
            result.content,
            [expected.as_bytes(), b"\xff\xfe no UTF-8"].concat()
        );
    }

    #[test]
    fn an_overlapping_replacement_waits_for_the_next_pass() {
        let result = edited(
            FILE.as_bytes(),
            &[replacement(2, (1, 9), "f"), replacement(2, (4, 12), "g")],
        );
        assert_eq!(result.content, FILE.replace("os.chmod", "f").into_bytes());
        assert_eq!((result.applied, result.stale), (1, vec![]));
    }

    #[test]
    fn a_hunk_that_is_no_longer_in_the_file_is_left_alone() {
        let changed = FILE.replace("c\n", "C\n");
        let result = edited(
            changed.as_bytes(),
            &[
                replacement(2, (13, 16), "0o644"),
                replacement(10, (1, 2), "D"),
            ],
        );
        assert_eq!(
            result.content,
            changed.replace("d\n", "D\n").into_bytes(),
            "the other hunk is unchanged"
        );
        assert_eq!((result.applied, result.stale), (1, vec![2]));
        let shorter = edited(b"x\n", &[replacement(10, (1, 2), "D")]);
        assert_eq!(
            (shorter.content, shorter.stale),
            (b"x\n".to_vec(), vec![10])
        );
    }

    #[test]
    fn a_place_outside_the_hunks_is_left_alone() {
        for place in [
            replacement(4, (1, 2), "x"),
            replacement(2, (1, 99), "x"),
            replacement(2, (0, 2), "x"),
        ] {
            let result = edited(FILE.as_bytes(), &[place]);
            assert_eq!(
                (result.content, result.applied),
                (FILE.as_bytes().to_vec(), 0)
            );
        }
    }

    proptest! {
        #[test]
        fn no_input_panics_and_skipped_edits_change_nothing(
            file in proptest::collection::vec(any::<u8>(), 0..80),
            edits in proptest::collection::vec((0u32..12, 0u32..20, 0u32..12, 0u32..20), 0..4),
        ) {
            let edits: Vec<_> = edits.into_iter().map(|(start_line, start_column, end_line, end_column)| {
                ReplacementBody { start_line, start_column, end_line, end_column, text: "t".into() }
            }).collect();
            for content in [file.as_slice(), FILE.as_bytes()] {
                let result = edited(content, &edits);
                prop_assert!(result.applied > 0 || result.content == content);
            }
        }
    }
}
