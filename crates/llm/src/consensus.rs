//! From what several finders said of one part to one list.
//!
//! They say the same when they name the same line and category and their texts make the same claim ([`Claim`]). Each finder
//! has one vote for a defect, however often it names it.

use review::DropCause;
use review::claim::Claim;

use crate::cache::Lost;
use crate::locate::Located;

/// What is believed less than this after the vote is left out.
const LEAST: f32 = 0.3;

/// What the finders said, taken together: what is believed, and what is not.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Consensus {
    pub(crate) found: Vec<Located>,
    pub(crate) dropped: Vec<Lost>,
}

/// A defect, and who saw it.
struct Group {
    kept: Located,
    claim: Claim,
    /// The confidence of each finder that saw it, and the last of them.
    votes: Vec<f32>,
    last: usize,
}

impl Group {
    fn is_same(&self, located: &Located, claim: &Claim) -> bool {
        (self.kept.at, self.kept.category) == (located.at, located.category) && self.claim.is_same(claim)
    }

    /// A finder's vote; says which finding it makes superfluous, if it is the finder's second for this defect.
    fn vote(&mut self, finder: usize, located: Located) -> Option<Located> {
        let is_repeated = self.last == finder && !self.votes.is_empty();
        if is_repeated {
            return Some(located);
        }
        self.last = finder;
        self.votes.push(located.confidence);
        if located.confidence > self.kept.confidence {
            self.kept = located;
        }
        None
    }

    /// A defect that only some of the finders saw is believed less: by up to a half.
    fn weighed(self, finders: usize) -> Located {
        let mean = self.votes.iter().sum::<f32>() / self.votes.len().max(1) as f32;
        let share = self.votes.len() as f32 / finders as f32;
        Located { confidence: mean * (0.5 + 0.5 * share), ..self.kept }
    }
}

/// Takes together what the finders said.
pub(crate) fn merge(results: Vec<Vec<Located>>) -> Consensus {
    let finders = results.len();
    let mut groups: Vec<Group> = Vec::new();
    let mut dropped = Vec::new();
    for (finder, result) in results.into_iter().enumerate() {
        for located in result {
            let claim = Claim::of(&located.summary);
            let repeated = match groups.iter_mut().find(|group| group.is_same(&located, &claim)) {
                Some(group) => group.vote(finder, located),
                None => {
                    let votes = vec![located.confidence];
                    groups.push(Group { kept: located, claim, votes, last: finder });
                    None
                }
            };
            dropped.extend(repeated.map(|repeated| Lost::of(DropCause::Duplicate, repeated)));
        }
    }
    let weighed = groups.into_iter().map(|group| group.weighed(finders));
    let (mut found, unsure): (Vec<_>, Vec<_>) = weighed.partition(|located| finders < 2 || located.confidence >= LEAST);
    dropped.extend(unsure.into_iter().map(|located| Lost::of(DropCause::LowConfidence, located)));
    found.sort_by_key(|located| located.at);
    Consensus { found, dropped }
}

#[cfg(test)]
mod tests {
    use review::{Category, DropCause, Priority};

    use super::{Consensus, Located, merge};

    fn located(line: usize, summary: &str, confidence: f32) -> Located {
        let (priority, category) = (Priority::P1, Category::LogicBug);
        Located { at: (0, 0, line), priority, category, summary: summary.to_owned(), fix: None, confidence }
    }

    fn bug(line: usize, confidence: f32) -> Located {
        located(line, "The order may be absent.", confidence)
    }

    fn lines(consensus: &Consensus) -> Vec<(usize, f32)> {
        consensus.found.iter().map(|located| (located.at.2, located.confidence)).collect()
    }

    fn causes(consensus: &Consensus) -> Vec<DropCause> {
        consensus.dropped.iter().map(|lost| lost.cause).collect()
    }

    #[test]
    fn what_all_saw_keeps_its_confidence_and_what_one_saw_loses_some() {
        let merged = merge(vec![vec![bug(4, 0.8), bug(20, 0.8)], vec![bug(4, 0.8)]]);
        assert_eq!((lines(&merged), causes(&merged)), (vec![(4, 0.8), (20, 0.6)], vec![]));
    }

    #[test]
    fn a_guess_that_nobody_shares_is_left_out_and_counted() {
        let results = [vec![bug(1, 0.4)], vec![], vec![], vec![]];
        let merged = merge(results.to_vec());
        assert_eq!((lines(&merged), causes(&merged)), (vec![], vec![DropCause::LowConfidence]));
        assert_eq!(merge(results[..1].to_vec()).found.len(), 1, "with one finder there is no vote");
    }

    #[test]
    fn a_finder_that_repeats_itself_has_one_vote() {
        let merged = merge(vec![vec![bug(1, 0.6), bug(1, 0.9)], vec![]]);
        assert_eq!((lines(&merged), causes(&merged)), (vec![(1, 0.45000002)], vec![DropCause::Duplicate]));
    }

    #[test]
    fn what_says_something_else_or_is_on_another_line_is_another_defect() {
        let other = located(1, "The lock is never released.", 0.9);
        let kind = Located { category: Category::Security, ..bug(1, 0.9) };
        for other in [other, kind, bug(2, 0.9)] {
            assert_eq!(merge(vec![vec![bug(1, 0.9)], vec![other]]).found.len(), 2);
        }
    }
}
