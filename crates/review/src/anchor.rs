//! The only constructor of findings: a candidate becomes one if its line is a line of a hunk of its file.
//!
//! A candidate is first located, which copies no text of the diff. Only what remains after merging becomes a [`Finding`]
//! with path, header and fingerprint.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::budget::{Budget, Spent};
use crate::candidate::{Candidate, LOWERED_IN_TEST_CODE, MAX_RELATED};
use crate::diff::{Diff, FileDiff, Hunk, Line, LineKind, Side};
use crate::finding::{Finding, RelatedPlace};
use crate::fingerprint::{HASHED_BYTES, normalized, of_normalized};
use crate::mask::{FindingCode, TextMask, around};
use crate::span::{Place, Replacement, Span};
use crate::visible::visible;

/// Maximum length of a replacement's text, in characters.
const REPLACEMENT_CHARS: usize = 10_000;

/// Maximum length of a returned summary or suggested fix, in characters.
pub(crate) const TEXT_CHARS: usize = 2_000;

/// Locates candidates on one diff. The lines of a file are indexed on its first candidate, so the cost is linear in the
/// diff, however many candidates there are.
pub struct Anchor<'d> {
    diff: &'d Diff<'d>,
    files: HashMap<usize, Index>,
    mask: TextMask,
}

/// A candidate with its line in the diff.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Located {
    pub(crate) candidate: Candidate,
    pub(crate) hunk: usize,
    pub(crate) line: usize,
}

/// Line number, hunk index and index in the hunk, sorted by line number.
type Places = Vec<(u32, u32, u32)>;

/// The lines of a file, by side.
#[derive(Default)]
struct Index {
    new: Places,
    old: Places,
}

impl<'d> Anchor<'d> {
    /// Creates an anchor for one diff. The texts of its findings are masked with `mask`.
    #[must_use]
    pub fn new(diff: &'d Diff<'d>, mask: TextMask) -> Self {
        Self {
            diff,
            files: HashMap::new(),
            mask,
        }
    }

    /// Finds a candidate's hunk and its line in it; `None` if the line is not in its file's hunks.
    ///
    /// # Errors
    /// The budget has ended.
    pub(crate) async fn find(
        &mut self,
        of: &Candidate,
        budget: &Budget,
    ) -> Result<Option<(usize, usize)>, Spent> {
        self.find_place(of.place(), budget).await
    }

    async fn find_place(
        &mut self,
        of: Place,
        budget: &Budget,
    ) -> Result<Option<(usize, usize)>, Spent> {
        budget.draw_and_yield(1).await?;
        let Some(file) = self.diff.files.get(of.file) else {
            return Ok(None);
        };
        let index = match self.files.entry(of.file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(Index::new(file, budget).await?),
        };
        Ok(index.find(of.side, of.line))
    }

    /// Keeps the related places that are lines of the diff, without duplicates and without the candidate's own line. When the
    /// budget ends, the rest is dropped.
    pub(crate) async fn relate(
        &mut self,
        located: Option<Located>,
        budget: &Budget,
    ) -> Option<Located> {
        let mut located = located?;
        let own = located.candidate.place();
        let related = std::mem::take(&mut located.candidate.related);
        for place in related.into_iter().take(MAX_RELATED) {
            let is_new = place != own && !located.candidate.related.contains(&place);
            if is_new && matches!(self.find_place(place, budget).await, Ok(Some(_))) {
                located.candidate.related.push(place);
            }
        }
        Some(located)
    }

    /// The candidate's span, if it lies within the hunk of its line.
    fn span(&self, of: &Located, lines: &mut Lengths) -> Option<Span> {
        let span = of.candidate.span?;
        self.fits(
            (of.candidate.file, of.hunk, of.candidate.side),
            of.candidate.line,
            span,
            lines,
        )?
        .then_some(span)
    }

    /// The candidate's replacement, if it lies within the hunk of its line and its text can be written to a file.
    fn replacement(&self, of: &Located, lines: &mut Lengths) -> Option<Replacement> {
        let replacement = of.candidate.replacement.as_ref()?;
        let Replacement { line, span, text } = replacement;
        let is_text = text
            .chars()
            .all(|c| matches!(c, '\n' | '\t') || visible(c) == c);
        let is_short = text.chars().nth(REPLACEMENT_CHARS).is_none();
        let fits = self.fits((of.candidate.file, of.hunk, Side::New), *line, *span, lines)?;
        (is_text && is_short && fits).then(|| replacement.clone())
    }

    /// Whether a span from a line lies within the lines of a side of a hunk; `None` if one of its lines does not exist.
    fn fits(
        &self,
        (file, hunk, side): (usize, usize, Side),
        line: u32,
        span: Span,
        lines: &mut Lengths,
    ) -> Option<bool> {
        let index = self.files.get(&file)?;
        let find = |number| {
            index
                .find(side, number)
                .filter(|found| found.0 == hunk)
                .map(|found| found.1)
        };
        let (start, end) = (find(line)?, find(span.end_line)?);
        let mut length = |line| lines.of(self.diff, (file, hunk, line));
        let starts = (1..=length(start)?.checked_add(1)?).contains(&span.start_column);
        let ends = (1..=length(end)?.checked_add(1)?).contains(&span.end_column);
        let in_order = (line, span.start_column) <= (span.end_line, span.end_column);
        Some(starts && ends && in_order)
    }

    fn related(&self, of: &Candidate, builder: &mut Builder) -> Vec<RelatedPlace> {
        let places = of.related.iter().take(MAX_RELATED);
        let related = places.filter_map(|place| {
            let file_path = builder.path(self.diff.files.get(place.file)?, place.file, place.side);
            Some(RelatedPlace {
                file_path,
                line_number: place.line,
                line_side: place.side,
            })
        });
        related.collect()
    }

    /// A finding without the secrets in its texts. A replacement with a secret is removed.
    fn masked(&self, hunk: &Hunk<'_>, mut finding: Finding) -> Finding {
        let lines = around(hunk, finding.line);
        let path = Arc::clone(&finding.file_path);
        let code = FindingCode {
            category: finding.category,
            path: &path,
            lines: &lines,
        };
        let mut replaced = finding
            .replacement
            .as_ref()
            .map(|replacement| replacement.text.clone());
        let reason = finding
            .suppression
            .as_mut()
            .map(|suppression| &mut suppression.reason);
        let texts = [
            Some(&mut finding.summary),
            finding.suggested_fix.as_mut(),
            reason,
            replaced.as_mut(),
        ];
        (self.mask.0)(code, &mut texts.into_iter().flatten().collect::<Vec<_>>());
        finding.replacement = finding
            .replacement
            .filter(|replacement| replaced.as_ref() == Some(&replacement.text));
        finding
    }

    /// Builds the findings of located candidates, in the same order. When the budget ends, the remaining ones are
    /// dropped.
    pub(crate) async fn findings(&self, located: Vec<Located>, budget: &Budget) -> Vec<Finding> {
        let mut builder = Builder::default();
        let mut findings: Vec<Option<Finding>> = located.iter().map(|_| None).collect();
        for (place, slot) in in_order(located, &mut findings) {
            let Some(file) = self.diff.files.get(place.candidate.file) else {
                continue;
            };
            let Some(hunk) = file.hunks.get(place.hunk) else {
                continue;
            };
            let Some(line) = hunk.lines.get(place.line) else {
                continue;
            };
            if budget
                .draw_and_yield(builder.steps(file, line, &place))
                .await
                .is_err()
            {
                break;
            }
            let fingerprint = builder.fingerprint(file, line, &place);
            let (span, related) = (
                self.span(&place, &mut builder.lengths),
                self.related(&place.candidate, &mut builder),
            );
            let replacement = self.replacement(&place, &mut builder.lengths);
            let made = builder.finding(file, hunk, line, place);
            *slot = Some(self.masked(
                hunk,
                Finding {
                    fingerprint,
                    span,
                    related,
                    replacement,
                    ..made
                },
            ));
        }
        findings.into_iter().flatten().collect()
    }
}

/// In diff order, so that common parts of findings on a line are computed once; each with the slot for its finding.
fn in_order<T>(located: Vec<Located>, slots: &mut [T]) -> Vec<(Located, &mut T)> {
    let mut all: Vec<_> = located.into_iter().zip(slots).collect();
    all.sort_by_key(|(one, _)| one.place());
    all
}

impl Index {
    async fn new(file: &FileDiff<'_>, budget: &Budget) -> Result<Self, Spent> {
        let mut index = Self::default();
        for (hunk, lines) in (0u32..).zip(file.hunks.iter().map(|hunk| &hunk.lines)) {
            for (at, line) in (0u32..).zip(lines) {
                let Some(number) = line.number() else {
                    continue;
                };
                match line.side() {
                    Side::New => index.new.push((number, hunk, at)),
                    Side::Old => index.old.push((number, hunk, at)),
                }
            }
            budget
                .draw_and_yield(u64::try_from(lines.len()).unwrap_or(u64::MAX))
                .await?;
        }
        index.new.sort_unstable();
        index.old.sort_unstable();
        Ok(index)
    }

    /// The hunk and the line in it. If several lines have the number, the last one.
    fn find(&self, side: Side, number: u32) -> Option<(usize, usize)> {
        let places = match side {
            Side::New => &self.new,
            Side::Old => &self.old,
        };
        let after = places.partition_point(|(own, ..)| *own <= number);
        let (own, hunk, line) = places.get(after.checked_sub(1)?)?;
        let index = |at: u32| usize::try_from(at).ok();
        (*own == number).then_some((index(*hunk)?, index(*line)?))
    }
}

impl Located {
    /// Locates a candidate; `None` when its summary is empty.
    pub(crate) fn new(mut candidate: Candidate, (hunk, line): (usize, usize)) -> Option<Self> {
        candidate.summary = tidy(&candidate.summary)?;
        candidate.suggested_fix = candidate.suggested_fix.as_deref().and_then(tidy);
        candidate.confidence = candidate.confidence.clamp(0.0, 1.0);
        Some(Self {
            candidate,
            hunk,
            line,
        })
    }

    /// File index in the diff, hunk index in the file, line index in the hunk.
    pub(crate) fn place(&self) -> (usize, usize, usize) {
        (self.candidate.file, self.hunk, self.line)
    }

    /// The origin as used in the fingerprint.
    fn source(&self) -> &str {
        self.candidate
            .rule_id()
            .unwrap_or_else(|| self.candidate.category.as_str())
    }
}

/// Builds findings in diff order and reuses common parts of consecutive ones.
#[derive(Default)]
struct Builder {
    paths: HashMap<(usize, Side), Arc<str>>,
    headers: HashMap<(usize, usize), Arc<str>>,
    /// The last line, normalized for the fingerprint.
    line: Option<((usize, usize, usize), String)>,
    lengths: Lengths,
}

/// Lengths of lines in characters, each computed once.
#[derive(Default)]
struct Lengths(HashMap<(usize, usize, usize), u32>);

impl Lengths {
    /// The length without the line end.
    fn of(&mut self, diff: &Diff<'_>, place: (usize, usize, usize)) -> Option<u32> {
        if let Some(known) = self.0.get(&place) {
            return Some(*known);
        }
        let line = diff
            .files
            .get(place.0)?
            .hunks
            .get(place.1)?
            .lines
            .get(place.2)?;
        let count = u32::try_from(line.text.trim_end_matches('\r').chars().count()).ok()?;
        self.0.insert(place, count);
        Some(count)
    }
}

impl Builder {
    /// The cost of the next finding: bytes of the diff to copy and hash, and its own texts.
    fn steps(&self, file: &FileDiff<'_>, line: &Line<'_>, of: &Located) -> u64 {
        let same_line = self
            .line
            .as_ref()
            .is_some_and(|(place, _)| *place == of.place());
        let text = if same_line {
            line.text.len().min(HASHED_BYTES)
        } else {
            line.text.len()
        };
        let bytes = file.path().len() + text + of.candidate.summary.len();
        u64::try_from(1 + bytes / 64).unwrap_or(u64::MAX)
    }

    fn finding(
        &mut self,
        file: &FileDiff<'_>,
        hunk: &Hunk<'_>,
        line: &Line<'_>,
        located: Located,
    ) -> Finding {
        let place = located.place();
        let side = line.side();
        let file_path = self.path(file, place.0, side);
        let header = self
            .headers
            .entry((place.0, place.1))
            .or_insert_with(|| Arc::from(hunk.header));
        let hunk_header = Arc::clone(header);
        let Located {
            candidate,
            hunk,
            line: at,
            ..
        } = located;
        let rule_id = candidate.origin.rule().cloned();
        Finding {
            file: candidate.file,
            hunk,
            line: at,
            file_path,
            line_number: candidate.line,
            line_side: side,
            // In a merge, a line that only some parents have also counts as added.
            old_line_number: line.old.filter(|_| line.kind != LineKind::Added),
            hunk_header,
            fingerprint: String::new(),
            priority: candidate.priority,
            category: candidate.category,
            summary: summary(candidate.summary, candidate.lowered_in_test_code),
            suggested_fix: candidate.suggested_fix,
            rule_id,
            confidence: candidate.confidence,
            span: None,
            related: Vec::new(),
            references: candidate.references.into_iter().take(MAX_RELATED).collect(),
            replacement: None,
            suppression: candidate.suppression,
        }
    }

    fn path(&mut self, file: &FileDiff<'_>, index: usize, side: Side) -> Arc<str> {
        Arc::clone(
            self.paths
                .entry((index, side))
                .or_insert_with(|| Arc::from(file.path_on(side))),
        )
    }

    fn fingerprint(&mut self, file: &FileDiff<'_>, line: &Line<'_>, located: &Located) -> String {
        let place = located.place();
        let text = match self.line.take() {
            Some((known, text)) if known == place => text,
            _ => normalized(line.text),
        };
        let fingerprint = of_normalized(located.source(), file.path(), &text);
        self.line = Some((place, text));
        fingerprint
    }
}

/// The summary of a finding. The reason for its priority is added only here, because findings are merged by their summaries.
fn summary(mut text: String, lowered_in_test_code: bool) -> String {
    if lowered_in_test_code {
        let room = TEXT_CHARS.saturating_sub(LOWERED_IN_TEST_CODE.len());
        if let Some((end, _)) = text.char_indices().nth(room) {
            text.truncate(end);
        }
        text.push_str(LOWERED_IN_TEST_CODE);
    }
    text
}

/// Cleans text for display: no control characters, bounded length; `None` when it is empty.
fn tidy(text: &str) -> Option<String> {
    let clean = text
        .trim()
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .take(TEXT_CHARS)
        .collect::<String>();
    (!clean.is_empty()).then_some(clean)
}

#[cfg(test)]
impl Anchor<'_> {
    pub(crate) async fn locate(
        &mut self,
        candidate: Candidate,
        budget: &Budget,
    ) -> Result<Option<Located>, Spent> {
        let located = self
            .find(&candidate, budget)
            .await?
            .and_then(|place| Located::new(candidate, place));
        Ok(self.relate(located, budget).await)
    }
}

/// Builds the findings of candidates one by one, for tests of later stages.
#[cfg(test)]
pub(crate) fn findings(diff: &Diff<'_>, candidates: Vec<Candidate>) -> Vec<Finding> {
    use futures_executor::block_on;
    let (mut anchor, budget) = (Anchor::new(diff, TextMask::default()), Budget::of_bytes(0));
    let mut located = Vec::new();
    for candidate in candidates {
        located.extend(block_on(anchor.locate(candidate, &budget)).unwrap());
    }
    block_on(anchor.findings(located, &budget))
}

#[cfg(test)]
mod tests {
    use super::{Anchor, TEXT_CHARS, findings};
    use crate::budget::Budget;
    use crate::candidate::{Candidate, Origin};
    use crate::diff::{Diff, Side};
    use crate::finding::{Category, Finding, Priority};
    use crate::mask::TextMask;
    use crate::span::{Place, Replacement, Span};
    use futures_executor::block_on;
    use proptest::prelude::*;

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@ def f():\n a\n-b\n+B\n c\n@@ -10,2 +10,3 @@\n d\n+e\n f\n";

    fn anchor(diff: &Diff<'_>, candidate: Candidate) -> Option<Finding> {
        findings(diff, vec![candidate]).pop()
    }

    fn candidate(side: Side, line: u32) -> Candidate {
        Candidate {
            file: 0,
            side,
            line,
            origin: Origin::Rule("python/x".into()),
            priority: Priority::P1,
            category: Category::LogicBug,
            summary: "s".into(),
            suggested_fix: None,
            confidence: 0.5,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }

    #[test]
    fn a_candidate_is_located_with_its_line_numbers_and_header() {
        let diff = Diff::parse(DIFF).unwrap();
        let added = anchor(&diff, candidate(Side::New, 11)).unwrap();
        assert_eq!(
            (added.old_line_number(), added.hunk_header()),
            (None, "@@ -10,2 +10,3 @@")
        );
        let removed = anchor(&diff, candidate(Side::Old, 2)).unwrap();
        assert_eq!(
            (removed.old_line_number(), removed.hunk_header()),
            (Some(2), "@@ -1,3 +1,3 @@ def f():")
        );
        let context = anchor(&diff, candidate(Side::New, 12)).unwrap();
        assert_eq!(context.old_line_number(), Some(11));
    }

    #[test]
    fn an_added_line_of_a_merge_has_no_old_number() {
        let merge = "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,3 -1,2 +1,4 @@@\n  a\n +b\n++c\n  d\n";
        let diff = Diff::parse(merge).unwrap();
        let numbers = |line| {
            let found = anchor(&diff, candidate(Side::New, line)).unwrap();
            (found.line_number(), found.old_line_number())
        };
        assert_eq!(
            [1, 2, 3, 4].map(numbers),
            [(1, Some(1)), (2, None), (3, None), (4, Some(3))]
        );
    }

    #[test]
    fn the_old_side_has_only_removed_lines() {
        let diff = Diff::parse(DIFF).unwrap();
        assert!(
            anchor(&diff, candidate(Side::Old, 1)).is_none(),
            "a context line is on the new side"
        );
        assert!(
            anchor(
                &diff,
                Candidate {
                    file: 1,
                    ..candidate(Side::New, 1)
                }
            )
            .is_none()
        );
        assert!(
            anchor(
                &diff,
                Candidate {
                    summary: " \u{7}".into(),
                    ..candidate(Side::New, 1)
                }
            )
            .is_none()
        );
    }

    #[test]
    fn the_fingerprint_survives_moved_lines_and_reindentation() {
        let moved = DIFF
            .replace("+e", "+   e")
            .replace("@@ -10,2 +10,3 @@", "@@ -110,2 +110,3 @@");
        let (one, two) = (Diff::parse(DIFF).unwrap(), Diff::parse(&moved).unwrap());
        let first = anchor(&one, candidate(Side::New, 11)).unwrap();
        let second = anchor(&two, candidate(Side::New, 111)).unwrap();
        assert_eq!(first.fingerprint(), second.fingerprint());
        assert_ne!(
            first.fingerprint(),
            anchor(&one, candidate(Side::New, 12))
                .unwrap()
                .fingerprint()
        );
    }

    /// A file with one hunk with a long heading and long lines, and a finding on each line.
    fn crowded(lines: usize, bytes: usize) -> (String, Vec<Candidate>) {
        let (heading, text) = ("h".repeat(bytes), "x ".repeat(bytes / 2));
        let lines = u32::try_from(lines).unwrap();
        let body: String = (0..lines).map(|at| format!("+{text}{at}\n")).collect();
        let diff = format!("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,{lines} @@ {heading}\n{body}");
        (
            diff,
            (1..=lines).map(|line| candidate(Side::New, line)).collect(),
        )
    }

    #[test]
    fn findings_below_one_long_heading_share_its_text() {
        let (text, candidates) = crowded(50, 100_000);
        let diff = Diff::parse(&text).unwrap();
        let found = findings(&diff, candidates);
        assert_eq!(found.len(), 50);
        assert!(
            found
                .iter()
                .all(|one| std::ptr::eq(one.hunk_header(), found[0].hunk_header()))
        );
        assert!(
            found
                .iter()
                .all(|one| std::ptr::eq(one.file_path(), found[0].file_path()))
        );
    }

    #[test]
    fn a_long_line_is_hashed_only_once() {
        let (text, _) = crowded(1, 1_000_000);
        let diff = Diff::parse(&text).unwrap();
        let steps = |count: u32| {
            let budget = Budget::of_bytes(text.len());
            let mut anchor = Anchor::new(&diff, TextMask::default());
            let of_rule = |n| Origin::Rule(format!("r{n}").as_str().into());
            let candidates = (0..count).map(|n| Candidate {
                origin: of_rule(n),
                ..candidate(Side::New, 1)
            });
            let located = candidates
                .filter_map(|one| block_on(anchor.locate(one, &budget)).unwrap())
                .collect();
            assert_eq!(
                block_on(anchor.findings(located, &budget)).len(),
                count as usize
            );
            budget.taken()
        };
        assert!(steps(400) < 4 * steps(40), "{} {}", steps(400), steps(40));
    }

    #[test]
    fn a_summary_ends_with_the_reason_for_a_lower_priority_within_its_length() {
        let diff = Diff::parse(DIFF).unwrap();
        let of = |priority, summary: &str| {
            let mut candidate = Candidate {
                priority,
                summary: summary.into(),
                ..candidate(Side::New, 2)
            };
            candidate.lower_in_test_code();
            let found = anchor(&diff, candidate).unwrap();
            (found.priority(), found.summary().to_owned())
        };
        let lowered = |summary: &str| format!("{summary} In test code, so one priority lower.");
        for (priority, lower) in [
            (Priority::P0, Priority::P1),
            (Priority::P1, Priority::P2),
            (Priority::P2, Priority::P3),
        ] {
            assert_eq!(of(priority, "Wrong."), (lower, lowered("Wrong.")));
        }
        assert_eq!(
            of(Priority::P3, "Wrong."),
            (Priority::P3, "Wrong.".to_owned())
        );
        let long = of(Priority::P1, &"é".repeat(TEXT_CHARS)).1;
        assert_eq!(long.chars().count(), TEXT_CHARS);
        assert!(long.ends_with("é In test code, so one priority lower."));
    }

    fn spanned(
        side: Side,
        line: u32,
        (start_column, end_line, end_column): (u32, u32, u32),
    ) -> Option<Span> {
        let diff = Diff::parse(SPANS).unwrap();
        let span = Some(Span {
            start_column,
            end_line,
            end_column,
        });
        let found = anchor(
            &diff,
            Candidate {
                span,
                ..candidate(side, line)
            },
        )
        .unwrap();
        assert!(found.span().is_none() || found.span() == span);
        found.span()
    }

    /// Multi-byte characters, a carriage return, and both sides.
    const SPANS: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n a\n-\u{e9}\u{1f642}\n-b\n+\u{e9}\u{1f642}b\r\n+c\n@@ -10 +10 @@\n-d\n+d\n";

    #[test]
    fn a_span_outside_the_hunk_or_side_is_dropped() {
        for good in [(1, 2, 4), (4, 2, 4), (4, 3, 1), (1, 3, 2)] {
            assert!(spanned(Side::New, 2, good).is_some(), "{good:?}");
        }
        for bad in [
            (0, 2, 1),
            (5, 2, 5),
            (1, 2, 0),
            (1, 2, 5),
            (3, 2, 2),
            (1, 1, 1),
            (1, 3, 3),
            (1, 10, 1),
            (1, 4, 1),
        ] {
            assert!(spanned(Side::New, 2, bad).is_none(), "{bad:?}");
        }
        assert!(spanned(Side::Old, 2, (1, 3, 2)).is_some());
        assert!(
            spanned(Side::Old, 2, (1, 1, 2)).is_none(),
            "an unchanged line is on the new side"
        );
    }

    #[test]
    fn a_replacement_outside_the_new_side_of_the_hunk_or_with_control_characters_is_dropped() {
        let diff = Diff::parse(SPANS).unwrap();
        let replaced = |line, (start_column, end_line, end_column), text: &str| {
            let span = Span {
                start_column,
                end_line,
                end_column,
            };
            let replacement = Some(Replacement {
                line,
                span,
                text: text.to_owned(),
            });
            let found = anchor(
                &diff,
                Candidate {
                    replacement: replacement.clone(),
                    ..candidate(Side::New, 2)
                },
            )
            .unwrap();
            found.replacement().is_some() && found.replacement() == replacement.as_ref()
        };
        assert!(replaced(2, (1, 2, 4), "x"));
        assert!(replaced(3, (1, 3, 2), "x\n\ty"), "another line of the hunk");
        assert!(!replaced(10, (1, 10, 2), "x"), "another hunk");
        assert!(!replaced(2, (1, 2, 5), "x"), "beyond the end of the line");
        assert!(!replaced(2, (3, 2, 2), "x"), "backwards");
        assert!(!replaced(2, (1, 2, 4), "\u{1b}[0m") && !replaced(2, (1, 2, 4), "x\r\n"));
    }

    #[test]
    fn related_places_are_distinct_other_lines_of_the_diff() {
        let diff = Diff::parse(SPANS).unwrap();
        let place = |file, side, line| Place { file, side, line };
        let related = [
            place(0, Side::New, 2),
            place(0, Side::New, 3),
            place(0, Side::New, 3),
            place(0, Side::New, 99),
            place(7, Side::New, 1),
            place(0, Side::Old, 10),
        ];
        let found = anchor(
            &diff,
            Candidate {
                related: related.to_vec(),
                ..candidate(Side::New, 2)
            },
        )
        .unwrap();
        let lines: Vec<_> = found
            .related()
            .iter()
            .map(|one| (one.line_side(), one.line_number()))
            .collect();
        assert_eq!(lines, [(Side::New, 3), (Side::Old, 10)]);
    }

    proptest! {
        #[test]
        fn a_span_is_always_within_its_lines(
            old in any::<bool>(), line in 2u32..4, columns in (0u32..6, 0u32..6), end_line in 0u32..12,
        ) {
            let side = if old { Side::Old } else { Side::New };
            if let Some(span) = spanned(side, line, (columns.0, end_line, columns.1)) {
                let diff = Diff::parse(SPANS).unwrap();
                let lines = &diff.files[0].hunks[0].lines;
                let length = |number| {
                    let line = lines.iter().find(|line| line.side() == side && line.number() == Some(number)).unwrap();
                    line.text.trim_end_matches('\r').chars().count() as u32
                };
                prop_assert!((1..=length(line) + 1).contains(&span.start_column));
                prop_assert!((1..=length(span.end_line) + 1).contains(&span.end_column));
                prop_assert!((line, span.start_column) <= (span.end_line, span.end_column));
            }
        }

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
