//! A kind of diff that can be generated in any size.

use std::fmt::Write as _;

/// Lines, files and bytes slightly below the service's limits (`GET /v1/limits`).
const LINES: usize = 99_000;
pub(super) const FILES: usize = 1_000;

/// A kind of diff.
pub(super) struct Case {
    /// Unique; the parts are separated by `/`.
    pub(super) name: String,
    /// Generates a diff of about this many bytes.
    pub(super) diff: Box<dyn Fn(usize) -> String + Send + Sync>,
    /// Larger sizes add no information, or the service rejects them.
    pub(super) largest: usize,
    /// Skipped in the small run, because a similar case suffices.
    pub(super) only_full: bool,
}

impl Case {
    pub(super) fn new(
        name: impl Into<String>,
        diff: impl Fn(usize) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            diff: Box::new(diff),
            largest: usize::MAX,
            only_full: false,
        }
    }

    /// Limits the size.
    pub(super) fn up_to(self, largest: usize) -> Self {
        Self { largest, ..self }
    }

    /// Excludes it from the small run if `condition` is true.
    pub(super) fn only_full_if(self, only_full: bool) -> Self {
        Self { only_full, ..self }
    }

    /// The sizes to generate.
    pub(super) fn sizes(&self, sizes: &[usize]) -> Vec<usize> {
        sizes
            .iter()
            .copied()
            .filter(|size| *size <= self.largest)
            .collect()
    }
}

/// The side of the diff that a text is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// All lines are added.
    Added,
    /// All lines are removed.
    Removed,
    /// Each line is removed and, directly after, added in another version.
    Changed,
    /// All lines are removed, and then all are added in another version.
    Replaced,
}

impl On {
    pub(super) const ALL: [Self; 4] = [Self::Added, Self::Removed, Self::Changed, Self::Replaced];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Replaced => "replaced",
        }
    }

    /// Bytes of diff per byte of text.
    pub(super) fn copies(self) -> usize {
        if matches!(self, Self::Added | Self::Removed) {
            1
        } else {
            2
        }
    }

    /// The lines of a hunk, from the old and the new text.
    pub(super) fn lines(self, old: &str, new: &str) -> Vec<String> {
        let signed = |sign: char, text: &str| {
            text.lines()
                .map(|line| format!("{sign}{line}"))
                .collect::<Vec<_>>()
        };
        match self {
            Self::Added => signed('+', new),
            Self::Removed => signed('-', old),
            Self::Changed => signed('-', old)
                .into_iter()
                .zip(signed('+', new))
                .flat_map(|(old, new)| [old, new])
                .collect(),
            Self::Replaced => [signed('-', old), signed('+', new)].concat(),
        }
    }
}

/// A git diff, built file by file.
#[derive(Default)]
pub(super) struct Diff {
    text: String,
    lines: usize,
}

impl Diff {
    /// A file with one hunk of these lines.
    pub(super) fn file(mut self, path: &str, lines: &[String]) -> Self {
        self.head(path);
        self.hunk(1, "", lines);
        self
    }

    pub(super) fn head(&mut self, path: &str) {
        let _infallible = writeln!(
            self.text,
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}"
        );
    }

    /// A hunk that starts at this line. Lines beyond the limit are omitted.
    pub(super) fn hunk(&mut self, start: usize, heading: &str, lines: &[String]) {
        let lines = lines
            .get(..lines.len().min(LINES.saturating_sub(self.lines)))
            .unwrap_or_default();
        self.lines += lines.len();
        let count = |other: char| {
            lines
                .iter()
                .filter(|line| !line.starts_with(other) && !line.starts_with('\\'))
                .count()
        };
        let (old, new) = (count('+'), count('-'));
        // For an empty side, the number is that of the line before it: 0.
        let at = |count: usize| {
            if count == 0 {
                start.saturating_sub(1)
            } else {
                start
            }
        };
        let heading = if heading.is_empty() {
            String::new()
        } else {
            format!(" {heading}")
        };
        let _infallible = writeln!(
            self.text,
            "@@ -{},{old} +{},{new} @@{heading}",
            at(old),
            at(new)
        );
        for line in lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

/// Concatenates `one(0)`, `one(1)`, … up to this many bytes.
pub(super) fn until(bytes: usize, mut one: impl FnMut(usize) -> String) -> String {
    let mut text = String::with_capacity(bytes + 100);
    for number in 0.. {
        text.push_str(&one(number));
        if text.len() >= bytes {
            break;
        }
    }
    text
}

/// These lines, repeated.
pub(super) fn times(lines: &[String], count: usize) -> Vec<String> {
    std::iter::repeat_n(lines, count)
        .flatten()
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Diff, On};

    #[test]
    fn hunk_headers_have_the_right_counts() {
        let diff = Diff::default()
            .file("a.py", &On::Changed.lines("a\nb\n", "c\nd\n"))
            .text();
        assert_eq!(
            diff,
            "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a\n+c\n-b\n+d\n"
        );
        let diff = Diff::default()
            .file("a.py", &On::Added.lines("", "c\nd\n"))
            .text();
        assert!(diff.contains("@@ -0,0 +1,2 @@\n+c\n+d\n"), "{diff}");
        assert!(review::Diff::parse(&diff).is_ok(), "{diff}");
    }
}
