//! From what several engines found to the list that the caller gets: one per defect, ranked, capped.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::anchor::Located;
use crate::budget::Budget;
use crate::finding::Category;
use crate::shortlist::permille;

/// Lines apart that two reviewers may be and still mean the same defect.
pub const SAME_DEFECT_LINES: usize = 3;

/// What is returned, and how many were left out.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Merged {
    pub(crate) kept: Vec<Located>,
    pub(crate) cut: usize,
}

/// Merges and ranks what was found, and keeps the `limit` most important. Where the budget ends, what is less important
/// than what was looked at by then is left out.
pub(crate) async fn merge(located: Vec<Located>, limit: usize, budget: &Budget) -> Merged {
    let mut merged = merge_defects(located, budget).await;
    merged.kept.sort_by(order);
    merged.cut += merged.kept.len().saturating_sub(limit);
    merged.kept.truncate(limit);
    merged
}

/// Priority, then file order of the diff, then line; the rest makes the order total.
fn order(a: &Located, b: &Located) -> Ordering {
    let key = |of: &Located| (of.candidate.priority, of.place(), certainty(of));
    let texts =
        |of: &Located, other: &Located| (&of.rule, &of.candidate.summary).cmp(&(&other.rule, &other.candidate.summary));
    key(a).cmp(&key(b)).then_with(|| texts(a, b))
}

fn certainty(of: &Located) -> Reverse<u32> {
    Reverse(permille(of.candidate.confidence))
}

/// One per defect. Strongest first, so that what is kept does not depend on the engines' order.
async fn merge_defects(mut located: Vec<Located>, budget: &Budget) -> Merged {
    located.sort_by(|a, b| {
        let strength = |of: &Located| (of.candidate.priority, certainty(of));
        strength(a).cmp(&strength(b)).then_with(|| order(a, b))
    });
    let mut known = Known::default();
    let mut rest = located.into_iter();
    let mut compared = 1;
    while budget.turn(compared).await.is_ok() {
        let Some(next) = rest.next() else { break };
        compared = 1 + known.add(next);
    }
    Merged { kept: known.kept, cut: rest.len() }
}

/// What was kept, by where it is: a defect is looked for on the few lines around, not among all others.
#[derive(Default)]
struct Known {
    kept: Vec<Located>,
    /// File, hunk, line and category → indices in `kept`: one for a rule and one for a model at most.
    by_place: HashMap<(usize, usize, usize, Category), Vec<usize>>,
}

impl Known {
    /// Adds one, and says with how many it was compared.
    fn add(&mut self, next: Located) -> u64 {
        let near = self.near(&next);
        let same = near.iter().copied().filter(|at| self.kept.get(*at).is_some_and(|kept| is_same(kept, &next))).min();
        match same.and_then(|at| self.kept.get_mut(at)) {
            Some(kept) => boost_confidence(kept, next),
            None => {
                let (file, hunk, line) = next.place();
                self.by_place.entry((file, hunk, line, next.candidate.category)).or_default().push(self.kept.len());
                self.kept.push(next);
            }
        }
        u64::try_from(near.len()).unwrap_or(u64::MAX)
    }

    /// Those that may mean the same.
    fn near(&self, next: &Located) -> Vec<usize> {
        let (file, hunk, line) = next.place();
        let around = line.saturating_sub(SAME_DEFECT_LINES)..=line.saturating_add(SAME_DEFECT_LINES);
        let places = around.filter_map(|line| self.by_place.get(&(file, hunk, line, next.candidate.category)));
        places.flatten().copied().collect()
    }
}

/// Nearness, hunk and category are given. A rule and a model may be a few lines apart; two of a kind may not.
fn is_same(a: &Located, b: &Located) -> bool {
    a.rule.is_some() != b.rule.is_some() || a.line == b.line
}

/// Two engines that agree are surer than either alone.
fn boost_confidence(kept: &mut Located, other: Located) {
    if kept.rule.is_some() != other.rule.is_some() {
        kept.rule = kept.rule.take().or(other.rule);
        let (kept, other) = (&mut kept.candidate, other.candidate);
        kept.confidence = 1.0 - (1.0 - kept.confidence) * (1.0 - other.confidence);
        kept.suggested_fix = kept.suggested_fix.take().or(other.suggested_fix);
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::{Merged, merge};
    use crate::anchor::{Anchor, Located};
    use crate::budget::Budget;
    use crate::candidate::{Candidate, Origin};
    use crate::diff::{Diff, Side};
    use crate::finding::{Category, Finding, Priority};

    const DIFF: &str = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,6 @@\n+a\n+a\n+b\n+c\n+d\n+e\n";

    fn candidate(line: u32, rule: Option<&str>, priority: Priority, confidence: f32) -> Candidate {
        Candidate {
            file: 0,
            side: Side::New,
            line,
            origin: rule.map_or(Origin::Model, |rule| Origin::Rule(rule.into())),
            priority,
            category: Category::LogicBug,
            summary: format!("{rule:?}"),
            suggested_fix: None,
            confidence,
            scope: None,
        }
    }

    fn place(diff: &Diff<'_>, candidates: impl IntoIterator<Item = Candidate>) -> Vec<Located> {
        let (mut anchor, budget) = (Anchor::new(diff), Budget::new(u64::MAX, 0));
        candidates.into_iter().map(|one| block_on(anchor.locate(one, &budget)).unwrap().unwrap()).collect()
    }

    /// The findings that candidates on [`DIFF`] become, and how many were cut.
    fn merged(candidates: Vec<Candidate>, limit: usize) -> (Vec<Finding>, usize) {
        let diff = Diff::parse(DIFF).unwrap();
        let budget = Budget::of_bytes(0);
        let Merged { kept, cut } = block_on(merge(place(&diff, candidates), limit, &budget));
        (block_on(Anchor::new(&diff).findings(kept, &budget)), cut)
    }

    #[test]
    fn two_engines_near_each_other_become_one_surer_finding() {
        let all = vec![candidate(3, Some("r"), Priority::P2, 0.5), candidate(5, None, Priority::P1, 0.5)];
        let (merged, _) = merged(all, 10);
        assert_eq!(merged.len(), 1);
        assert_eq!(
            (merged[0].priority(), merged[0].rule_id(), merged[0].confidence()),
            (Priority::P1, Some("r"), 0.75)
        );
    }

    #[test]
    fn two_engines_far_apart_and_two_of_a_kind_near_each_other_stay_two() {
        let far = vec![candidate(1, Some("r"), Priority::P2, 0.5), candidate(5, None, Priority::P1, 0.5)];
        assert_eq!(merged(far, 10).0.len(), 2);
        let near = vec![candidate(1, Some("r"), Priority::P2, 0.5), candidate(2, Some("s"), Priority::P1, 0.5)];
        assert_eq!(merged(near, 10).0.len(), 2);
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
        assert_eq!(forward.iter().map(Finding::line_number).collect::<Vec<_>>(), [2, 1, 6]);
    }

    #[test]
    fn equal_lines_get_different_fingerprints() {
        let all = vec![candidate(1, Some("r"), Priority::P2, 0.5), candidate(2, Some("r"), Priority::P2, 0.5)];
        let (merged, _) = merged(all, 10);
        assert_eq!(merged.len(), 2);
        assert_ne!(merged[0].fingerprint(), merged[1].fingerprint());
    }

    #[test]
    fn the_cap_keeps_the_most_important_and_counts_what_it_cut() {
        let all = vec![candidate(1, Some("r"), Priority::P3, 0.9), candidate(2, Some("r"), Priority::P0, 0.1)];
        let (merged, cut) = merged(all, 1);
        assert_eq!((merged[0].priority(), cut), (Priority::P0, 1));
    }

    #[test]
    fn where_the_budget_ends_the_most_important_were_looked_at() {
        let diff = Diff::parse(DIFF).unwrap();
        let all = (1..=6).map(|line| candidate(line, Some("r"), Priority::P2, line as f32 / 10.0));
        let Merged { kept, cut } = block_on(merge(place(&diff, all), 10, &Budget::new(2, 0)));
        assert_eq!((kept.iter().map(|one| one.candidate.line).collect::<Vec<_>>(), cut), (vec![5, 6], 4));
    }

    /// A hunk of so many lines with a finding on each, half of them of a model.
    fn crowd(lines: u32) -> (String, Vec<Candidate>) {
        let diff = format!("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,{lines} @@\n{}", "+a\n".repeat(lines as usize));
        let rule = |line: u32| Some("r").filter(|_| (line / 8).is_multiple_of(2));
        (diff, (1..=lines).map(|line| candidate(line, rule(line), Priority::P2, 0.5)).collect())
    }

    #[test]
    fn a_hunk_full_of_findings_costs_what_they_cost_one_by_one() {
        let (text, candidates) = crowd(20_000);
        let diff = Diff::parse(&text).unwrap();
        let located = place(&diff, candidates);
        // Each is compared with those of the few lines around it.
        let budget = Budget::new(located.len() as u64 * 9, 0);
        let merged = block_on(merge(located, usize::MAX, &budget));
        assert_eq!(merged.cut, 0);
        let places: std::collections::BTreeSet<_> = merged.kept.iter().map(Located::place).collect();
        assert_eq!(places.len(), merged.kept.len());
    }
}
