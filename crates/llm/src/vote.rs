//! From what several finders said of one part to one list.

use review::merge::SAME_DEFECT_LINES;

use crate::place::Placed;

/// What is believed less than this after the vote is left out.
const LEAST: f32 = 0.3;

/// Unites what the finders said. A defect that only some of them saw is believed less: by up to a half.
pub(crate) fn unite(ballots: Vec<Vec<Placed>>) -> Vec<Placed> {
    let finders = ballots.len();
    if finders < 2 {
        return ballots.into_iter().flatten().collect();
    }
    let mut groups: Vec<(Placed, Vec<f32>)> = Vec::new();
    for ballot in ballots {
        // A finder has one vote for a defect, however often it names it.
        let mut voted = vec![false; groups.len()];
        for placed in ballot {
            match groups.iter().position(|(kept, _)| same(kept, &placed)) {
                Some(at) if voted.get(at) == Some(&false) => {
                    voted[at] = true;
                    let (kept, votes) = &mut groups[at];
                    votes.push(placed.confidence);
                    if placed.confidence > kept.confidence {
                        *kept = placed;
                    }
                }
                Some(_) => {}
                None => {
                    groups.push((placed.clone(), vec![placed.confidence]));
                    voted.push(true);
                }
            }
        }
    }
    let mut united: Vec<Placed> = groups.into_iter().map(|(kept, votes)| weighed(kept, &votes, finders)).collect();
    united.retain(|placed| placed.confidence >= LEAST);
    united.sort_by_key(|placed| placed.at);
    united
}

fn same(a: &Placed, b: &Placed) -> bool {
    let ((file, hunk, line), (other_file, other_hunk, other)) = (a.at, b.at);
    (file, hunk, a.category) == (other_file, other_hunk, b.category) && line.abs_diff(other) <= SAME_DEFECT_LINES
}

fn weighed(kept: Placed, votes: &[f32], finders: usize) -> Placed {
    let mean = votes.iter().sum::<f32>() / votes.len() as f32;
    let share = votes.len() as f32 / finders as f32;
    Placed { confidence: mean * (0.5 + 0.5 * share), ..kept }
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Placed, unite};

    fn placed(line: usize, category: Category, confidence: f32) -> Placed {
        Placed { at: (0, 0, line), priority: Priority::P1, category, summary: String::new(), fix: None, confidence }
    }

    fn lines(placed: &[Placed]) -> Vec<(usize, f32)> {
        placed.iter().map(|placed| (placed.at.2, placed.confidence)).collect()
    }

    #[test]
    fn what_all_saw_keeps_its_confidence_and_what_one_saw_loses_some() {
        let bug = |line, confidence| placed(line, Category::LogicBug, confidence);
        let united = unite(vec![vec![bug(4, 0.8), bug(20, 0.8)], vec![bug(5, 0.8)]]);
        assert_eq!(lines(&united), [(4, 0.8), (20, 0.6)]);
    }

    #[test]
    fn a_guess_that_nobody_shares_is_left_out() {
        let ballots = [vec![placed(1, Category::LogicBug, 0.4)], vec![], vec![], vec![]];
        assert!(unite(ballots.to_vec()).is_empty());
        assert_eq!(unite(ballots[..1].to_vec()).len(), 1, "with one finder there is no vote");
    }

    #[test]
    fn a_finder_that_repeats_itself_has_one_vote() {
        let twice = vec![placed(1, Category::Security, 0.6), placed(2, Category::Security, 0.6)];
        assert_eq!(lines(&unite(vec![twice, vec![]])), [(1, 0.45000002)]);
        let apart = vec![vec![placed(1, Category::Security, 0.9)], vec![placed(1, Category::LogicBug, 0.9)]];
        assert_eq!(unite(apart).len(), 2, "two kinds of defect are two defects");
    }
}
