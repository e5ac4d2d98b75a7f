//! From what several finders said of one part to one list.

use review::merge::SAME_DEFECT_LINES;

use crate::locate::Located;

/// What is believed less than this after the vote is left out.
const LEAST: f32 = 0.3;

/// Unites what the finders said. A defect that only some of them saw is believed less: by up to a half.
pub(crate) fn merge(results: Vec<Vec<Located>>) -> Vec<Located> {
    let finders = results.len();
    if finders < 2 {
        return results.into_iter().flatten().collect();
    }
    let mut groups: Vec<(Located, Vec<f32>)> = Vec::new();
    for result in results {
        // A finder has one vote for a defect, however often it names it.
        let mut voted = vec![false; groups.len()];
        for located in result {
            match groups.iter().position(|(kept, _)| same(kept, &located)) {
                Some(at) if voted.get(at) == Some(&false) => {
                    voted[at] = true;
                    let (kept, votes) = &mut groups[at];
                    votes.push(located.confidence);
                    if located.confidence > kept.confidence {
                        *kept = located;
                    }
                }
                Some(_) => {}
                None => {
                    groups.push((located.clone(), vec![located.confidence]));
                    voted.push(true);
                }
            }
        }
    }
    let mut united: Vec<Located> = groups.into_iter().map(|(kept, votes)| weighed(kept, &votes, finders)).collect();
    united.retain(|located| located.confidence >= LEAST);
    united.sort_by_key(|located| located.at);
    united
}

fn same(a: &Located, b: &Located) -> bool {
    let ((file, hunk, line), (other_file, other_hunk, other)) = (a.at, b.at);
    (file, hunk, a.category) == (other_file, other_hunk, b.category) && line.abs_diff(other) <= SAME_DEFECT_LINES
}

fn weighed(kept: Located, votes: &[f32], finders: usize) -> Located {
    let mean = votes.iter().sum::<f32>() / votes.len() as f32;
    let share = votes.len() as f32 / finders as f32;
    Located { confidence: mean * (0.5 + 0.5 * share), ..kept }
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Located, merge};

    fn located(line: usize, category: Category, confidence: f32) -> Located {
        Located { at: (0, 0, line), priority: Priority::P1, category, summary: String::new(), fix: None, confidence }
    }

    fn lines(located: &[Located]) -> Vec<(usize, f32)> {
        located.iter().map(|located| (located.at.2, located.confidence)).collect()
    }

    #[test]
    fn what_all_saw_keeps_its_confidence_and_what_one_saw_loses_some() {
        let bug = |line, confidence| located(line, Category::LogicBug, confidence);
        let united = merge(vec![vec![bug(4, 0.8), bug(20, 0.8)], vec![bug(5, 0.8)]]);
        assert_eq!(lines(&united), [(4, 0.8), (20, 0.6)]);
    }

    #[test]
    fn a_guess_that_nobody_shares_is_left_out() {
        let results = [vec![located(1, Category::LogicBug, 0.4)], vec![], vec![], vec![]];
        assert!(merge(results.to_vec()).is_empty());
        assert_eq!(merge(results[..1].to_vec()).len(), 1, "with one finder there is no vote");
    }

    #[test]
    fn a_finder_that_repeats_itself_has_one_vote() {
        let twice = vec![located(1, Category::Security, 0.6), located(2, Category::Security, 0.6)];
        assert_eq!(lines(&merge(vec![twice, vec![]])), [(1, 0.45000002)]);
        let apart = vec![vec![located(1, Category::Security, 0.9)], vec![located(1, Category::LogicBug, 0.9)]];
        assert_eq!(merge(apart).len(), 2, "two kinds of defect are two defects");
    }
}
