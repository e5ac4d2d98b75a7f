//! From what several finders said of one part to one list, in which each defect stands once.
//!
//! Two findings are one defect when they make the same claim ([`Claim`]) of the same line, or when they are of one category, near
//! each other, and name the same identifiers. One of them is kept as it is: a text fused from two is worse than either. Each finder
//! has one vote for a defect, however often it names it.

use std::collections::BTreeSet;

use review::DropCause;
use review::claim::Claim;

use super::names::named;
use super::selector::is_protected;
use crate::cache::Lost;
use crate::locate::Located;

/// Lines between two findings of one defect, at most.
const NEAR: usize = 20;
/// Identifiers that two findings of one defect share, at least.
const SHARED: usize = 2;

/// One list of what all finders said, and what was left out of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Deduplicated {
    pub(crate) found: Vec<Located>,
    pub(crate) dropped: Vec<Lost>,
}

/// A defect, and which finders named it.
struct Group {
    kept: Located,
    claim: Claim,
    names: BTreeSet<String>,
    finders: BTreeSet<usize>,
}

impl Group {
    fn new(finder: usize, found: Located) -> Self {
        let (claim, names) = (Claim::of(&found.summary), named(&found.summary));
        Self { kept: found, claim, names, finders: BTreeSet::from([finder]) }
    }

    fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.kept, &other.kept);
        let is_near = (a.at.0, a.at.1) == (b.at.0, b.at.1) && a.at.2.abs_diff(b.at.2) <= NEAR;
        let names = || self.names.intersection(&other.names).count();
        a.at == b.at && self.claim.is_same(&other.claim) || is_near && a.category == b.category && names() >= SHARED
    }

    /// Takes in another mention of the same defect. Says which of the two is lost by that: not a finder's vote for the same line.
    fn join(&mut self, other: Self) -> Option<Located> {
        let is_vote = self.kept.at == other.kept.at && self.finders.is_disjoint(&other.finders);
        let place = self.kept.place.min(other.kept.place);
        let lost = if strength(&other.kept) < strength(&self.kept) {
            (self.claim, self.names) = (other.claim, other.names);
            std::mem::replace(&mut self.kept, other.kept)
        } else {
            other.kept
        };
        self.kept.place = place;
        self.finders.extend(other.finders);
        (!is_vote).then_some(lost)
    }
}

/// The better one of two comes first.
fn strength(found: &Located) -> impl Ord {
    (found.priority, !is_protected(found), found.evidence)
}

/// Makes one list of what each finder said.
pub(crate) fn dedupe(results: Vec<Vec<Located>>) -> Deduplicated {
    let mut groups: Vec<Group> = Vec::new();
    let mut dropped = Vec::new();
    for (finder, result) in results.into_iter().enumerate() {
        for found in result {
            let new = Group::new(finder, found);
            match groups.iter_mut().find(|group| group.is_same(&new)) {
                Some(group) => dropped.extend(group.join(new).map(|lost| Lost::of(DropCause::Duplicate, lost))),
                None => groups.push(new),
            }
        }
    }
    let of = |group: Group| Located { votes: group.finders.len(), ..group.kept };
    let mut found: Vec<Located> = groups.into_iter().map(of).collect();
    found.sort_by_key(|found| found.at);
    Deduplicated { found, dropped }
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Deduplicated, Located, dedupe};
    use crate::reply::Evidence;

    fn bug(line: usize) -> Located {
        Located::sample(line, "The order may be absent.")
    }

    fn naming(line: usize, summary: &str) -> Located {
        Located::sample(line, summary)
    }

    /// The lines with their votes, and the lines that were dropped.
    fn lines(all: &Deduplicated) -> (Vec<(usize, usize)>, Vec<usize>) {
        let found = all.found.iter().map(|found| (found.at.2, found.votes)).collect();
        (found, all.dropped.iter().filter_map(|lost| Some(lost.at?.2)).collect())
    }

    #[test]
    fn each_finder_has_one_vote_and_a_vote_is_no_loss() {
        let all = dedupe(vec![vec![bug(4), bug(20)], vec![bug(4)]]);
        assert_eq!(lines(&all), (vec![(4, 2), (20, 1)], vec![]));
        let all = dedupe(vec![vec![bug(1), bug(1)], vec![]]);
        assert_eq!(lines(&all), (vec![(1, 1)], vec![1]), "a finder that repeats itself");
    }

    #[test]
    fn what_names_the_same_code_nearby_is_one_defect_and_the_other_is_counted() {
        let first = naming(3, "`ledger.entries` fails for an order without a ledger.");
        let second = naming(9, "Iterating over ledger.entries crashes.");
        assert_eq!(lines(&dedupe(vec![vec![first.clone()], vec![second.clone()]])), (vec![(3, 2)], vec![9]));
        let far = Located { at: (0, 0, 24), ..second.clone() };
        let other_hunk = Located { at: (0, 1, 3), ..second.clone() };
        let other_kind = Located { category: Category::Concurrency, ..second };
        let one_name = naming(9, "`ledger` is never released.");
        for other in [far, other_hunk, other_kind, one_name] {
            assert_eq!(dedupe(vec![vec![first.clone(), other]]).found.len(), 2);
        }
    }

    #[test]
    fn two_claims_about_one_line_are_two_defects() {
        assert_eq!(dedupe(vec![vec![bug(1)], vec![naming(1, "The lock is never released.")]]).found.len(), 2);
        assert_eq!(dedupe(vec![vec![bug(1)], vec![bug(2)]]).found.len(), 2);
        let other_word_for_it = Located { category: Category::DataIntegrity, ..bug(1) };
        assert_eq!(dedupe(vec![vec![bug(1)], vec![other_word_for_it]]).found.len(), 1, "of one line it is one claim");
    }

    #[test]
    fn the_more_serious_and_better_founded_one_is_kept_as_it_is() {
        let minor = Located { priority: Priority::P2, ..bug(1) };
        let depends = Located { evidence: Evidence::Depends, fix: Some("x".to_owned()), ..bug(1) };
        let security = Located { category: Category::Security, ..bug(1) };
        let kept = |all: &[&Located]| dedupe(all.iter().map(|one| vec![(*one).clone()]).collect()).found.remove(0);
        assert_eq!(kept(&[&minor, &bug(1)]).priority, Priority::P1);
        assert_eq!(kept(&[&depends, &bug(1)]).fix, None);
        assert_eq!(kept(&[&bug(1), &security]).category, Category::Security);
    }
}
