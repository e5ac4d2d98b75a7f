//! Merges the candidates of all batches into one list that contains each defect once.
//!
//! Two candidates are the same defect if they make the same claim ([`Claim`]) about the same line, or if they have the
//! same category, are near each other in one hunk, and mention the same identifiers. One of them is kept unchanged: a
//! text merged from two is worse than either.

use std::collections::BTreeSet;

use review::claim::Claim;

use super::names::named;
use super::quota::is_protected;
use crate::locate::Located;
use crate::prompt_batch::Position;

/// Maximum distance in lines between two reports of one defect.
const NEAR: usize = 20;
/// Minimum number of identifiers that two reports of one defect share.
const SHARED: usize = 2;

/// A candidate of any batch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pooled {
    /// The index of the part of the change that it was found in.
    pub(crate) part: usize,
    /// Its line, counted over the whole change.
    pub(crate) position: Position,
    pub(crate) found: Located,
}

/// A defect and the report of it that is kept so far.
struct Group {
    kept: Pooled,
    claim: Claim,
    names: BTreeSet<String>,
}

impl Group {
    fn new(kept: Pooled) -> Self {
        let (claim, names) = (Claim::of(&kept.found.summary), named(&kept.found.summary));
        Self { kept, claim, names }
    }

    /// Whether a candidate in the same hunk is the same defect.
    fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.kept, &other.kept);
        let is_near = a.position.line.abs_diff(b.position.line) <= NEAR;
        let names = || self.names.intersection(&other.names).count();
        a.position == b.position && self.claim.is_same(&other.claim)
            || is_near && a.found.category == b.found.category && names() >= SHARED
    }

    /// Adds another report of the same defect, and returns the one of the two that is not kept.
    fn join(&mut self, mut other: Self) -> Pooled {
        let place = self.kept.found.place.min(other.kept.found.place);
        if strength(&other.kept.found) < strength(&self.kept.found) {
            std::mem::swap(self, &mut other);
        }
        self.kept.found.place = place;
        other.kept
    }
}

/// Sort key: the better of two comes first.
fn strength(found: &Located) -> impl Ord {
    (
        found.standing,
        found.priority,
        !is_protected(found),
        found.evidence,
    )
}

/// Splits the candidates of all batches into those that are kept, in the order of the change, and their duplicates.
pub(crate) fn dedupe(mut pool: Vec<Pooled>) -> (Vec<Pooled>, Vec<Pooled>) {
    // Stable sort: within a hunk, the order of the batches and their finders is kept.
    pool.sort_by_key(|one| one.position.hunk);
    let mut groups: Vec<Group> = Vec::new();
    let mut lost = Vec::new();
    for one in pool {
        let start = groups.partition_point(|group| group.kept.position.hunk < one.position.hunk);
        let new = Group::new(one);
        match groups
            .iter_mut()
            .skip(start)
            .find(|group| group.is_same(&new))
        {
            Some(group) => lost.push(group.join(new)),
            None => groups.push(new),
        }
    }
    let mut kept: Vec<Pooled> = groups.into_iter().map(|group| group.kept).collect();
    kept.sort_by_key(|one| one.position);
    (kept, lost)
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Pooled, dedupe};
    use crate::locate::Located;
    use crate::prompt_batch::Position;
    use crate::reply::Evidence;

    /// A candidate on a line of the first hunk.
    fn on(line: usize, found: Located) -> Pooled {
        Pooled {
            part: 0,
            position: Position { hunk: (0, 0), line },
            found,
        }
    }

    fn bug(line: usize) -> Pooled {
        on(line, Located::sample(line, "The order may be absent."))
    }

    fn naming(line: usize, summary: &str) -> Pooled {
        on(line, Located::sample(line, summary))
    }

    /// The lines that are kept, and those of the duplicates.
    fn lines(pool: Vec<Pooled>) -> (Vec<usize>, Vec<usize>) {
        let (kept, lost) = dedupe(pool);
        let lines = |all: Vec<Pooled>| all.iter().map(|one| one.position.line).collect();
        (lines(kept), lines(lost))
    }

    #[test]
    fn the_same_claim_about_the_same_line_is_one_defect_across_batches() {
        assert_eq!(lines(vec![bug(4), bug(20), bug(4)]), (vec![4, 20], vec![4]));
        assert_eq!(
            lines(vec![bug(4), Pooled { part: 1, ..bug(4) }]),
            (vec![4], vec![4])
        );
    }

    #[test]
    fn findings_nearby_that_mention_the_same_code_are_one_defect() {
        let first = naming(3, "`ledger.entries` fails for an order without a ledger.");
        let second = Pooled {
            part: 1,
            ..naming(9, "Iterating over ledger.entries crashes.")
        };
        assert_eq!(
            lines(vec![first.clone(), second.clone()]),
            (vec![3], vec![9])
        );
        let far = Pooled {
            position: Position {
                hunk: (0, 0),
                line: 24,
            },
            ..second.clone()
        };
        let other_hunk = Pooled {
            position: Position {
                hunk: (0, 1),
                line: 3,
            },
            ..second.clone()
        };
        let other_chunk = Pooled {
            position: Position {
                hunk: (1, 0),
                line: 3,
            },
            ..second.clone()
        };
        let concurrency = Located {
            category: Category::Concurrency,
            ..second.found.clone()
        };
        let other_kind = Pooled {
            found: concurrency,
            ..second
        };
        let one_name = naming(9, "`ledger` is never released.");
        for other in [far, other_hunk, other_chunk, other_kind, one_name] {
            assert_eq!(dedupe(vec![first.clone(), other]).0.len(), 2);
        }
    }

    #[test]
    fn two_claims_about_one_line_are_two_defects() {
        assert_eq!(
            dedupe(vec![bug(1), naming(1, "The lock is never released.")])
                .0
                .len(),
            2
        );
        assert_eq!(dedupe(vec![bug(1), bug(2)]).0.len(), 2);
        let other_category = Located {
            category: Category::DataIntegrity,
            ..bug(1).found
        };
        assert_eq!(dedupe(vec![bug(1), on(1, other_category)]).0.len(), 1);
    }

    #[test]
    fn the_more_serious_and_better_supported_report_is_kept() {
        let minor = Located {
            priority: Priority::P2,
            place: 1,
            ..bug(1).found
        };
        let depends = Located {
            evidence: Evidence::Depends,
            fix: Some("x".to_owned()),
            ..bug(1).found
        };
        let security = Located {
            category: Category::Security,
            place: 5,
            ..bug(1).found
        };
        let kept = |all: [&Located; 2]| {
            dedupe(all.map(|one| on(1, one.clone())).to_vec())
                .0
                .remove(0)
                .found
        };
        let bug = Located {
            place: 5,
            ..bug(1).found
        };
        assert_eq!(
            (kept([&minor, &bug]).priority, kept([&minor, &bug]).place),
            (Priority::P1, 1)
        );
        assert_eq!(kept([&depends, &bug]).fix, None);
        assert_eq!(kept([&bug, &security]).category, Category::Security);
    }
}
