//! The few findings of a change that its author must see.
//!
//! A model that sees all candidates of a change together chooses far better than one that judges each by itself, so there is one call,
//! and it only orders. What it does not choose is returned all the same, at P3. A change is hostile input to the selector as well:
//! what an attacker would want silenced keeps its priority.

use std::collections::HashSet;

use review::{Category, Priority};

use crate::locate::Located;
use crate::reply::{Evidence, Selected};

/// Findings that a change without a line may have.
const FIRST: usize = 2;
/// Changed lines that allow for a further one.
const LINES: usize = 100;

/// How many findings of a change may be chosen.
pub(crate) fn quota(changed_lines: usize, most: usize) -> usize {
    (FIRST + changed_lines / LINES).min(most)
}

/// The candidates that compete, by their place in the pool, in the order that code can tell: priority, evidence, votes. A P3 does not: it is
/// returned as it is.
pub(crate) fn competing(pool: &[&Located]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pool.len()).filter(|at| pool[*at].priority < Priority::P3).collect();
    order.sort_by_key(|at| (pool[*at].priority, pool[*at].evidence, usize::MAX - pool[*at].votes));
    order
}

/// Whether a model must choose: there is more than the quota, or something that cannot be seen in the change.
pub(crate) fn is_needed(pool: &[&Located], competing: &[usize], quota: usize) -> bool {
    competing.len() > quota || competing.iter().any(|at| pool[*at].evidence == Evidence::Depends)
}

/// The candidates that a model chose from a list of `asked`, best first. Numbers that are in no list, or come again, do not count.
pub(crate) fn chosen(answer: &[Selected], asked: &[usize], quota: usize) -> Vec<usize> {
    let mut seen = HashSet::new();
    let numbers = answer.iter().map(|Selected(number)| *number).filter(|number| seen.insert(*number));
    let places = numbers.filter_map(|number| asked.get(number.checked_sub(1)?).copied());
    places.take(quota).collect()
}

/// The priority of a candidate that was chosen or not.
pub(crate) fn priority(found: &Located, is_chosen: bool) -> Priority {
    if is_chosen || is_protected(found) { found.priority } else { Priority::P3 }
}

/// Whether an attacker would want it silenced.
pub(crate) fn is_protected(found: &Located) -> bool {
    found.priority == Priority::P0 || matches!(found.category, Category::Security | Category::SecretExposure)
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Selected, chosen, competing, is_needed, priority, quota};
    use crate::locate::Located;
    use crate::reply::Evidence;

    fn of(priority: Priority, evidence: Evidence, votes: usize) -> Located {
        Located { priority, evidence, votes, ..Located::sample(0, "It is wrong.") }
    }

    #[test]
    fn the_quota_grows_with_the_change_up_to_its_bound() {
        assert_eq!([0, 99, 100, 350, 9_000].map(|lines| quota(lines, 6)), [2, 2, 3, 5, 6]);
        assert_eq!(quota(9_000, 1), 1);
    }

    #[test]
    fn code_orders_by_priority_evidence_and_votes_and_leaves_minor_ones_out() {
        let pool = [
            of(Priority::P2, Evidence::Shown, 1),
            of(Priority::P3, Evidence::Shown, 4),
            of(Priority::P1, Evidence::Depends, 4),
            of(Priority::P1, Evidence::Shown, 1),
            of(Priority::P1, Evidence::Shown, 2),
        ];
        assert_eq!(competing(&pool.iter().collect::<Vec<_>>()), [4, 3, 2, 0]);
    }

    #[test]
    fn a_model_chooses_where_there_are_too_many_or_one_cannot_be_seen() {
        let (shown, depends) = (of(Priority::P1, Evidence::Shown, 1), of(Priority::P2, Evidence::Depends, 1));
        let needed = |pool: &[&Located], quota| is_needed(pool, &competing(pool), quota);
        assert!(!needed(&[], 2) && !needed(&[&shown, &shown], 2));
        assert!(needed(&[&shown, &shown, &shown], 2) && needed(&[&depends], 2));
    }

    #[test]
    fn only_numbers_of_the_list_count_once_and_up_to_the_quota() {
        let answer = [3, 0, 9, 3, 1, 2].map(Selected);
        assert_eq!(chosen(&answer, &[10, 20, 30], 2), [30, 10]);
        assert!(chosen(&[], &[10], 2).is_empty());
    }

    #[test]
    fn what_is_not_chosen_is_minor_unless_an_attacker_would_want_that() {
        let bug = of(Priority::P1, Evidence::Shown, 1);
        assert_eq!((priority(&bug, true), priority(&bug, false)), (Priority::P1, Priority::P3));
        let secret = Located { category: Category::SecretExposure, ..bug };
        assert_eq!(priority(&secret, false), Priority::P1);
        assert_eq!(priority(&of(Priority::P0, Evidence::Shown, 1), false), Priority::P0);
    }
}
