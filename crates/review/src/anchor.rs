//! The only maker of findings: a candidate becomes one when its line is a line of a hunk of its file.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::diff::{Diff, FileDiff, Line, Side};
use crate::engine::Candidate;
use crate::finding::Finding;

/// Longest summary and suggested fix that are returned, in characters.
const TEXT_CHARS: usize = 2_000;

/// Places candidates on one diff. It indexes the lines of a file when the first candidate for it comes, so that the
/// cost stays linear in the diff however many candidates there are.
pub struct Anchor<'d> {
    diff: &'d Diff<'d>,
    files: HashMap<usize, Index>,
}

/// Side and number of a line → index of its hunk and its index in the hunk.
type Index = HashMap<(Side, u32), (usize, usize)>;

impl<'d> Anchor<'d> {
    /// Of this diff.
    #[must_use]
    pub fn new(diff: &'d Diff<'d>) -> Self {
        Self { diff, files: HashMap::new() }
    }

    /// The finding that a candidate becomes; `None` when its line is not a line of its file's hunks.
    pub fn anchor(&mut self, candidate: Candidate) -> Option<Finding> {
        let file = self.diff.files.get(candidate.file)?;
        let index = self.files.entry(candidate.file).or_insert_with(|| index(file));
        let (hunk, line) = *index.get(&(candidate.side, candidate.line))?;
        let in_hunk = file.hunks.get(hunk)?;
        let on = in_hunk.lines.get(line)?;
        Some(Finding {
            file: candidate.file,
            hunk,
            line,
            file_path: file.path_on(on.side()).to_owned(),
            line_number: candidate.line,
            line_side: on.side(),
            old_line_number: on.old,
            hunk_header: in_hunk.header.to_owned(),
            fingerprint: fingerprint(file, on, &candidate),
            priority: candidate.priority,
            category: candidate.category,
            summary: tidy(&candidate.summary)?,
            suggested_fix: candidate.suggested_fix.as_deref().and_then(tidy),
            rule_id: candidate.rule_id,
            confidence: candidate.confidence.clamp(0.0, 1.0),
        })
    }
}

fn index(file: &FileDiff<'_>) -> Index {
    let mut index = Index::new();
    for (hunk, lines) in file.hunks.iter().map(|hunk| &hunk.lines).enumerate() {
        for (at, line) in lines.iter().enumerate() {
            if let Some(number) = line.number() {
                index.insert((line.side(), number), (hunk, at));
            }
        }
    }
    index
}

/// The same for the same defect when unrelated lines move: it holds no line number and no white space.
fn fingerprint(file: &FileDiff<'_>, line: &Line<'_>, candidate: &Candidate) -> String {
    let mut hash = Sha256::new();
    let text: String = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kind = candidate.rule_id.as_deref().unwrap_or_else(|| candidate.category.as_str());
    for part in [kind, file.path(), candidate.scope.as_deref().unwrap_or_default(), &text] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// A fingerprint that also tells apart the second, third … of several equal ones.
pub(crate) fn nth_fingerprint(first: &str, n: usize) -> String {
    let mut hash = Sha256::new();
    hash.update(first);
    hash.update(u64::try_from(n).unwrap_or(u64::MAX).to_le_bytes());
    hex(&hash.finalize())
}

/// 128 bits in hexadecimal.
fn hex(digest: &[u8]) -> String {
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Text for people: no control characters, not endless; `None` when nothing is left.
fn tidy(text: &str) -> Option<String> {
    let clean = text.trim().chars().filter(|c| !c.is_control() || *c == '\n').take(TEXT_CHARS).collect::<String>();
    (!clean.is_empty()).then_some(clean)
}

#[cfg(test)]
mod tests {
    use super::Anchor;
    use crate::diff::{Diff, Side};
    use crate::engine::Candidate;
    use crate::finding::{Category, Finding, Priority};
    use proptest::prelude::*;

    const DIFF: &str =
        "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@ def f():\n a\n-b\n+B\n c\n@@ -10,2 +10,3 @@\n d\n+e\n f\n";

    fn anchor(diff: &Diff<'_>, candidate: Candidate) -> Option<Finding> {
        Anchor::new(diff).anchor(candidate)
    }

    fn candidate(side: Side, line: u32) -> Candidate {
        Candidate {
            file: 0,
            side,
            line,
            rule_id: Some("python/x".into()),
            priority: Priority::P1,
            category: Category::LogicBug,
            summary: "s".into(),
            suggested_fix: None,
            confidence: 0.5,
            scope: None,
        }
    }

    #[test]
    fn a_line_of_the_diff_is_found_with_its_numbers_and_header() {
        let diff = Diff::parse(DIFF).unwrap();
        let added = anchor(&diff, candidate(Side::New, 11)).unwrap();
        assert_eq!((added.old_line_number(), added.hunk_header()), (None, "@@ -10,2 +10,3 @@"));
        let removed = anchor(&diff, candidate(Side::Old, 2)).unwrap();
        assert_eq!((removed.old_line_number(), removed.hunk_header()), (Some(2), "@@ -1,3 +1,3 @@ def f():"));
        let context = anchor(&diff, candidate(Side::New, 12)).unwrap();
        assert_eq!(context.old_line_number(), Some(11));
    }

    #[test]
    fn the_old_side_holds_removed_lines_only() {
        let diff = Diff::parse(DIFF).unwrap();
        assert!(anchor(&diff, candidate(Side::Old, 1)).is_none(), "a context line is on the new side");
        assert!(anchor(&diff, Candidate { file: 1, ..candidate(Side::New, 1) }).is_none());
        assert!(anchor(&diff, Candidate { summary: " \u{7}".into(), ..candidate(Side::New, 1) }).is_none());
    }

    #[test]
    fn the_fingerprint_survives_moved_lines_and_reindentation() {
        let moved = DIFF.replace("+e", "+   e").replace("@@ -10,2 +10,3 @@", "@@ -110,2 +110,3 @@");
        let (one, two) = (Diff::parse(DIFF).unwrap(), Diff::parse(&moved).unwrap());
        let first = anchor(&one, candidate(Side::New, 11)).unwrap();
        let second = anchor(&two, candidate(Side::New, 111)).unwrap();
        assert_eq!(first.fingerprint(), second.fingerprint());
        assert_ne!(first.fingerprint(), anchor(&one, candidate(Side::New, 12)).unwrap().fingerprint());
    }

    proptest! {
        #[test]
        fn a_finding_is_always_on_a_line_of_the_diff(line in 0u32..20, old in any::<bool>(), file in 0usize..2) {
            let diff = Diff::parse(DIFF).unwrap();
            let side = if old { Side::Old } else { Side::New };
            if let Some(found) = anchor(&diff, Candidate { file, ..candidate(side, line) }) {
                let (file, hunk, at) = found.place();
                let on = &diff.files[file].hunks[hunk].lines[at];
                prop_assert_eq!(on.number(), Some(line));
                prop_assert_eq!(on.side(), side);
            }
        }
    }
}
