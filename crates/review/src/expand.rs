//! Writes a diff with all lines of its files, for a reviewer that cannot read them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::diff::{Diff, FileDiff, Line, LineKind, Status};
use crate::whole_file::{starts_file, whole_file};

/// The prefix of the line that begins a file in the output of `git diff`. No line of a file's content begins like that.
const START: &str = "diff --git ";

/// The room for a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Maximum size, in bytes.
    pub bytes: usize,
    /// Maximum number of lines.
    pub lines: usize,
}

/// The text of a diff of `git diff` in which one hunk contains all of a file, for each file whose text after the change
/// is known (by its index in the diff) and that fits. In the result, a single hunk that begins on the first line
/// contains its whole file; `None` if that is not possible.
#[must_use]
pub fn expand(
    text: &str,
    diff: &Diff<'_>,
    texts: &HashMap<usize, String>,
    room: Room,
) -> Option<String> {
    let sections = sections(text);
    if !text.starts_with(START) || sections.len() != diff.files.len() {
        return None;
    }
    let mut left = Room {
        bytes: room.bytes.checked_sub(text.len())?,
        lines: room.lines.checked_sub(text.lines().count())?,
    };
    let mut expanded = String::new();
    for (index, (section, file)) in sections.into_iter().zip(&diff.files).enumerate() {
        let whole = texts
            .get(&index)
            .and_then(|text| whole_section(section, file, text));
        match whole.and_then(|whole| Some((left.less(section, &whole)?, whole))) {
            Some((rest, whole)) => {
                left = rest;
                expanded.push_str(&whole);
            }
            None if seems_whole(file) => return None,
            None => expanded.push_str(section),
        }
    }
    Some(expanded)
}

/// Whether the hunks of a file look as if they contained all of it, although they may not.
#[must_use]
pub fn seems_whole(file: &FileDiff<'_>) -> bool {
    let is_shown = matches!(file.status, Status::Added | Status::Removed);
    !is_shown && matches!(file.hunks.as_slice(), [only] if starts_file(only))
}

impl Room {
    /// The room that is left if a longer section replaces another.
    fn less(self, section: &str, longer: &str) -> Option<Self> {
        let more = |count: fn(&str) -> usize| count(longer).saturating_sub(count(section));
        Some(Self {
            bytes: self.bytes.checked_sub(more(str::len))?,
            lines: self.lines.checked_sub(more(|text| text.lines().count()))?,
        })
    }
}

/// The parts of a diff that begin with [`START`].
fn sections(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(START) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .filter_map(|(start, end)| text.get(*start..end))
        .collect()
}

/// The section of a file, with all of its lines in one hunk.
fn whole_section(section: &str, file: &FileDiff<'_>, text: &str) -> Option<String> {
    let header = section.find("\n@@ ")? + 1;
    let lines = whole_file(file, text)?;
    let count = |without: LineKind| lines.iter().filter(|line| line.kind != without).count();
    let (old, new) = (count(LineKind::Added), count(LineKind::Removed));
    let start = |count: usize| usize::from(count > 0);
    let mut whole = section.get(..header)?.to_owned();
    writeln!(whole, "@@ -{},{old} +{},{new} @@", start(old), start(new)).ok()?;
    for Line {
        kind,
        text,
        terminated,
        ..
    } in &lines
    {
        whole.push(match kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        });
        whole.push_str(text);
        whole.push_str(if *terminated {
            "\n"
        } else {
            "\n\\ No newline at end of file\n"
        });
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Room, expand};
    use crate::diff::Diff;

    const ROOM: Room = Room {
        bytes: 10_000,
        lines: 1_000,
    };
    const TEXT: &str = "one\ntwo\n3\nfour\nfive\nsix\n7";
    const DIFF: &str = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -3 +3 @@ two\n-three\n+3\n@@ -7 +7 @@\n-seven\n\\ No newline at end of file\n+7\n\\ No newline at end of file\n";
    const ADDED: &str = "diff --git a/b.py b/b.py\nnew file mode 100644\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+x\n";
    const TOP: &str =
        "diff --git a/c.md b/c.md\n--- a/c.md\n+++ b/c.md\n@@ -1,2 +1,3 @@\n+x\n y\n z\n";

    fn expanded(text: &str, texts: &[(usize, &str)], room: Room) -> Option<String> {
        let texts: HashMap<usize, String> = texts
            .iter()
            .map(|(at, text)| (*at, (*text).to_owned()))
            .collect();
        let expanded = expand(text, &Diff::parse(text).unwrap(), &texts, room)?;
        let diff = Diff::parse(&expanded).unwrap();
        assert_eq!(diff.files.len(), Diff::parse(text).unwrap().files.len());
        Some(expanded)
    }

    #[test]
    fn one_hunk_contains_all_lines_of_a_file() {
        let expected = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,7 +1,7 @@\n one\n two\n-three\n+3\n four\n five\n six\n-seven\n\\ No newline at end of file\n+7\n\\ No newline at end of file\n";
        assert_eq!(
            expanded(DIFF, &[(0, TEXT)], ROOM).as_deref(),
            Some(expected)
        );
        let both = format!("{ADDED}{DIFF}");
        assert_eq!(
            expanded(&both, &[(1, TEXT)], ROOM),
            Some(format!("{ADDED}{expected}"))
        );
    }

    #[test]
    fn a_file_that_is_not_known_or_does_not_fit_keeps_its_hunks() {
        let both = format!("{DIFF}{ADDED}");
        assert_eq!(expanded(&both, &[], ROOM), Some(both.clone()));
        assert_eq!(
            expanded(&both, &[(0, "another text")], ROOM),
            Some(both.clone())
        );
        for room in [
            Room {
                bytes: both.len() + 5,
                ..ROOM
            },
            Room {
                lines: both.lines().count() + 2,
                ..ROOM
            },
        ] {
            assert_eq!(
                expanded(&both, &[(0, TEXT)], room),
                Some(both.clone()),
                "{room:?}"
            );
        }
        assert_eq!(expanded(&both, &[], Room { bytes: 10, ..ROOM }), None);
    }

    #[test]
    fn a_hunk_that_would_pass_for_a_whole_file_prevents_the_expansion() {
        assert_eq!(expanded(TOP, &[], ROOM), None);
        assert_eq!(
            expanded(TOP, &[(0, "x\ny\nz\nend\n")], ROOM).as_deref(),
            Some(
                "diff --git a/c.md b/c.md\n--- a/c.md\n+++ b/c.md\n@@ -1,3 +1,4 @@\n+x\n y\n z\n end\n"
            )
        );
    }
}
