//! Merges the findings of several engines into the returned list: deduplicated, ranked, limited.
//!
//! Two findings are duplicates if they are about the same line and have the same rule, or the same category and the same
//! claim ([`Claim`]). Everything else on or near a line is kept. Repeats on copies of one edit become one finding with
//! related places ([`repeats`]).

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::anchor::Located;
use crate::budget::Budget;
use crate::candidate::Candidate;
use crate::claim::Claim;
use crate::diff::Diff;
use crate::engine::DropCause;
use crate::finding::Category;
use crate::repeats;
use crate::shortlist::permille;

/// Maximum number of findings of one category on one line that are compared with each other.
const COMPARED: usize = 64;
/// Maximum confidence when two engines agree.
const MAX_AGREED: f32 = 0.99;

/// The returned findings, and the dropped ones.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Merged {
    pub(crate) kept: Vec<Located>,
    /// Duplicates and findings beyond the limit.
    pub(crate) dropped: Vec<(DropCause, Located)>,
    /// How many were not examined because the budget ended.
    pub(crate) cut: usize,
}

/// Merges and ranks findings and keeps the `limit` most important. When the budget ends, the less important unexamined
/// ones are dropped.
pub(crate) async fn merge(
    diff: &Diff<'_>,
    located: Vec<Located>,
    limit: usize,
    budget: &Budget,
) -> Merged {
    let mut merged = merge_defects(located, budget).await;
    let repeated = repeats::group(diff, std::mem::take(&mut merged.kept), budget).await;
    merged.kept = repeated.kept;
    merged.dropped.extend(
        repeated
            .unnamed
            .into_iter()
            .map(|one| (DropCause::Duplicate, one)),
    );
    merged.kept.sort_by(|a, b| {
        let may_be_cut = |of: &Located| !of.candidate.reports_hidden_code();
        may_be_cut(a).cmp(&may_be_cut(b)).then_with(|| order(a, b))
    });
    let beyond = merged.kept.split_off(limit.min(merged.kept.len()));
    merged
        .dropped
        .extend(beyond.into_iter().map(|one| (DropCause::Limit, one)));
    merged.kept.sort_by(order);
    merged
}

/// Priority, then file order of the diff, then line; the remaining keys make the order total.
fn order(a: &Located, b: &Located) -> Ordering {
    let key = |of: &Located| (of.candidate.priority, of.place(), certainty(of));
    let texts = |a: &Candidate, b: &Candidate| {
        (a.origin.rule(), &a.summary).cmp(&(b.origin.rule(), &b.summary))
    };
    let spans = |a: &Candidate, b: &Candidate| a.span.cmp(&b.span);
    let (one, two) = (&a.candidate, &b.candidate);
    key(a)
        .cmp(&key(b))
        .then_with(|| texts(one, two))
        .then_with(|| spans(one, two))
}

fn certainty(of: &Located) -> Reverse<u32> {
    Reverse(permille(of.candidate.confidence))
}

/// One finding per defect. Rules' findings come first, so that the kept one does not depend on models; then the strongest,
/// so that it does not depend on the order of engines.
async fn merge_defects(mut located: Vec<Located>, budget: &Budget) -> Merged {
    located.sort_by(|a, b| {
        let strength = |of: &Located| {
            let may_be_cut = !of.candidate.reports_hidden_code();
            (
                may_be_cut,
                !is_of_rule(of),
                of.candidate.priority,
                certainty(of),
            )
        };
        strength(a).cmp(&strength(b)).then_with(|| order(a, b))
    });
    let mut known = KeptFindings::default();
    let mut rest = located.into_iter();
    let mut compared = 1;
    while budget.draw_and_yield(compared).await.is_ok() {
        let Some(next) = rest.next() else { break };
        compared = 1 + known.add(next);
    }
    Merged {
        kept: known.kept,
        dropped: known.dropped,
        cut: rest.len(),
    }
}

/// Kept findings by location.
#[derive(Default)]
struct KeptFindings {
    kept: Vec<Located>,
    dropped: Vec<(DropCause, Located)>,
    /// Indices in `kept`, each with its claim.
    by_place: HashMap<Location, Vec<(usize, Claim)>>,
}

/// File, hunk, line and category.
type Location = (usize, usize, usize, Category);

impl KeptFindings {
    /// Adds a finding and returns the number of comparisons.
    fn add(&mut self, next: Located) -> u64 {
        let (file, hunk, line) = next.place();
        let claim = Claim::of(&next.candidate.summary);
        let here = self
            .by_place
            .entry((file, hunk, line, next.candidate.category))
            .or_default();
        let compared = here.len().min(COMPARED);
        let same = here.iter().take(COMPARED).find(|(at, known)| {
            let kept = self.kept.get(*at).map(|kept| &kept.candidate);
            kept.is_some_and(|kept| is_same_rule(kept, &next.candidate) || known.is_same(&claim))
        });
        let same = same.map(|(at, _)| *at);
        match same.and_then(|at| Some((at, self.kept.get_mut(at)?))) {
            Some((at, kept)) => {
                // Identical findings are one finding reported twice, so nothing is lost.
                let is_copy = kept.candidate.summary == next.candidate.summary;
                if agree(kept, &next) {
                    // A later finding that matches the model's claim also matches the rule's.
                    here.push((at, claim));
                }
                self.dropped
                    .extend((!is_copy).then_some((DropCause::Duplicate, next)));
            }
            None => {
                here.push((self.kept.len(), claim));
                self.kept.push(next);
            }
        }
        u64::try_from(compared).unwrap_or(u64::MAX)
    }
}

fn is_same_rule(a: &Candidate, b: &Candidate) -> bool {
    a.origin.rule().is_some() && a.origin == b.origin
}

fn is_of_rule(of: &Located) -> bool {
    of.candidate.origin.rule().is_some()
}

/// Raises the confidence if a rule and a model agree, and returns whether they do. The rule's finding keeps its place, texts
/// and ID, so that it does not depend on whether a model is configured.
fn agree(kept: &mut Located, other: &Located) -> bool {
    if is_of_rule(kept) == is_of_rule(other) {
        return false;
    }
    let (one, two) = (&mut kept.candidate, &other.candidate);
    let agreed = 1.0 - (1.0 - one.confidence) * (1.0 - two.confidence);
    one.confidence = agreed.min(MAX_AGREED).max(one.confidence);
    one.priority = one.priority.min(two.priority);
    one.suggested_fix = one
        .suggested_fix
        .take()
        .or_else(|| two.suggested_fix.clone());
    true
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::{DropCause, Merged, merge};
    use crate::anchor::{Anchor, Located};
    use crate::budget::Budget;
    use crate::candidate::{Candidate, Origin};
    use crate::diff::{Diff, Side};
    use crate::finding::{Category, Finding, Priority};
    use crate::mask::TextMask;

    const DIFF: &str = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,6 @@\n+a\n+a\n+b\n+c\n+d\n+e\n";

    fn candidate(line: u32, rule: Option<&str>, priority: Priority, confidence: f32) -> Candidate {
        Candidate {
            file: 0,
            side: Side::New,
            line,
            origin: rule.map_or(Origin::Model, |rule| Origin::Rule(rule.into())),
            priority,
            category: Category::LogicBug,
            summary: "The order is never checked.".to_owned(),
            suggested_fix: None,
            confidence,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }

    fn place(diff: &Diff<'_>, candidates: impl IntoIterator<Item = Candidate>) -> Vec<Located> {
        let (mut anchor, budget) = (
            Anchor::new(diff, TextMask::default()),
            Budget::new(u64::MAX, 0),
        );
        candidates
            .into_iter()
            .map(|one| block_on(anchor.locate(one, &budget)).unwrap().unwrap())
            .collect()
    }

    /// The findings of candidates on [`DIFF`], and why others were dropped.
    fn merged(candidates: Vec<Candidate>, limit: usize) -> (Vec<Finding>, Vec<DropCause>) {
        let diff = Diff::parse(DIFF).unwrap();
        let budget = Budget::of_bytes(0);
        let Merged { kept, dropped, .. } =
            block_on(merge(&diff, place(&diff, candidates), limit, &budget));
        let causes = dropped.into_iter().map(|(cause, _)| cause).collect();
        (
            block_on(Anchor::new(&diff, TextMask::default()).findings(kept, &budget)),
            causes,
        )
    }

    fn with_summary(summary: &str, of: Candidate) -> Candidate {
        Candidate {
            summary: summary.to_owned(),
            ..of
        }
    }

    #[test]
    fn agreeing_engines_yield_one_more_confident_finding_of_the_rule() {
        let rule = || candidate(3, Some("r"), Priority::P2, 0.5);
        let model = with_summary(
            "Nobody checks the order before it is paid.",
            candidate(3, None, Priority::P1, 0.6),
        );
        let alone = merged(vec![rule()], 10).0;
        let (merged, dropped) = merged(vec![rule(), model], 10);
        assert_eq!((merged.len(), dropped), (1, vec![DropCause::Duplicate]));
        let (one, alone) = (&merged[0], &alone[0]);
        assert_eq!(
            (one.priority(), one.rule_id(), one.summary()),
            (Priority::P1, Some("r"), alone.summary())
        );
        assert_eq!(
            one.fingerprint(),
            alone.fingerprint(),
            "with a model or without"
        );
        assert!(one.confidence() > 0.6 && one.confidence() < 1.0);
    }

    #[test]
    fn agreement_never_yields_certainty() {
        let sure = |rule| candidate(3, rule, Priority::P2, 0.98);
        assert!(merged(vec![sure(Some("r")), sure(None)], 10).0[0].confidence() < 1.0);
    }

    #[test]
    fn different_claims_and_places_are_kept() {
        let rule = || candidate(3, Some("r"), Priority::P2, 0.5);
        let others = [
            candidate(4, None, Priority::P1, 0.5),
            with_summary(
                "The lock is held while the file is read.",
                candidate(3, None, Priority::P1, 0.5),
            ),
            Candidate {
                category: Category::Security,
                ..candidate(3, None, Priority::P1, 0.5)
            },
            with_summary(
                "A loop variable is captured.",
                candidate(3, Some("s"), Priority::P1, 0.5),
            ),
        ];
        for other in others {
            let (merged, dropped) = merged(vec![rule(), other], 10);
            assert_eq!((merged.len(), dropped), (2, vec![]));
        }
    }

    #[test]
    fn an_identical_finding_is_merged_without_a_drop() {
        let twice = vec![candidate(3, Some("r"), Priority::P2, 0.5); 2];
        let (merged, dropped) = merged(twice, 10);
        assert_eq!((merged.len(), dropped), (1, vec![]));
    }

    #[test]
    fn the_result_does_not_depend_on_the_order_of_the_input() {
        let all = [
            candidate(1, Some("r"), Priority::P2, 0.5),
            candidate(1, Some("s"), Priority::P2, 0.5),
            candidate(2, Some("r"), Priority::P0, 0.9),
            candidate(6, None, Priority::P3, 0.2),
        ];
        let forward = merged(all.to_vec(), 10).0;
        let backward = merged(all.iter().rev().cloned().collect(), 10).0;
        assert_eq!(forward, backward);
        assert_eq!(
            forward.iter().map(Finding::line_number).collect::<Vec<_>>(),
            [2, 1, 6]
        );
    }

    #[test]
    fn the_limit_keeps_the_most_important_and_counts_the_rest() {
        let all = vec![
            candidate(1, Some("r"), Priority::P3, 0.9),
            candidate(2, Some("r"), Priority::P0, 0.1),
        ];
        let (merged, dropped) = merged(all, 1);
        assert_eq!(
            (merged[0].priority(), dropped),
            (Priority::P0, vec![DropCause::Limit])
        );
    }

    #[test]
    fn the_most_important_findings_are_examined_before_the_budget_ends() {
        let diff = Diff::parse(DIFF).unwrap();
        let all = (1..=6).map(|line| candidate(line, Some("r"), Priority::P2, line as f32 / 10.0));
        let Merged { kept, cut, .. } =
            block_on(merge(&diff, place(&diff, all), 10, &Budget::new(2, 0)));
        assert_eq!(
            (
                kept.iter()
                    .map(|one| one.candidate.line)
                    .collect::<Vec<_>>(),
                cut
            ),
            (vec![5, 6], 4)
        );
    }

    /// A hunk of `lines` lines with a finding on each, half of them a model's.
    fn crowd(lines: u32) -> (String, Vec<Candidate>) {
        let diff = format!(
            "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,{lines} @@\n{}",
            "+a\n".repeat(lines as usize)
        );
        let rule = |line: u32| Some("r").filter(|_| (line / 8).is_multiple_of(2));
        (
            diff,
            (1..=lines)
                .map(|line| candidate(line, rule(line), Priority::P2, 0.5))
                .collect(),
        )
    }

    #[test]
    fn merging_a_crowded_hunk_takes_linear_time() {
        let (text, candidates) = crowd(20_000);
        let diff = Diff::parse(&text).unwrap();
        let located = place(&diff, candidates);
        // Each is compared only with findings on nearby lines.
        let budget = Budget::new(located.len() as u64 * 9, 0);
        let merged = block_on(merge(&diff, located, usize::MAX, &budget));
        assert_eq!(merged.cut, 0);
        let places: std::collections::BTreeSet<_> =
            merged.kept.iter().map(Located::place).collect();
        assert_eq!(places.len(), merged.kept.len());
    }
}
