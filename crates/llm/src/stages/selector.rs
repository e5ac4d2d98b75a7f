//! The few findings of a change that its author must see.
//!
//! Code chooses: serious ones first, then those that more finders named, then those that a finder named earlier. At the highest effort
//! one call that sees all candidates together chooses instead. What is not chosen is returned all the same, at P3. A change is hostile
//! input to the selector as well: what an attacker would want silenced keeps its priority.
//!
//! The order and the quota come from a measurement (docs/models.md): whether a finder says that a defect can be seen in the change did
//! not tell right findings from wrong ones, its own order did, and findings beyond the first two were right ever more rarely.

use std::cmp::Reverse;
use std::collections::HashSet;

use review::{Category, Priority};

use crate::locate::Located;
use crate::reply::Selected;

/// Findings that a change without a line may have.
const FIRST: usize = 2;
/// Changed lines that allow for a further one.
const LINES: usize = 200;

/// How many findings of a change may be chosen.
pub(crate) fn quota(changed_lines: usize, most: usize) -> usize {
    (FIRST + changed_lines / LINES).min(most)
}

/// The candidates that compete, by their place in the pool, in the order that code can tell. A P3 does not compete: it is returned as it
/// is.
pub(crate) fn competing(pool: &[&Located]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pool.len()).filter(|at| pool[*at].priority < Priority::P3).collect();
    let rank = |found: &Located| (found.priority > Priority::P1, Reverse(found.votes), found.place);
    order.sort_by_key(|at| rank(pool[*at]));
    order
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
    match found.category {
        Category::SecretExposure => true,
        Category::Security => found.priority <= Priority::P1,
        _ => found.priority == Priority::P0,
    }
}

#[cfg(test)]
mod tests {
    use review::{Category, Priority};

    use super::{Selected, chosen, competing, priority, quota};
    use crate::locate::Located;

    fn of(priority: Priority, votes: usize, place: usize) -> Located {
        Located { priority, votes, place, ..Located::sample(0, "It is wrong.") }
    }

    #[test]
    fn the_quota_grows_with_the_change_up_to_its_bound() {
        assert_eq!([0, 199, 200, 650, 9_000].map(|lines| quota(lines, 6)), [2, 2, 3, 5, 6]);
        assert_eq!(quota(9_000, 1), 1);
    }

    #[test]
    fn code_orders_by_seriousness_votes_and_place_and_leaves_minor_ones_out() {
        let pool = [
            of(Priority::P2, 4, 0),
            of(Priority::P3, 4, 0),
            of(Priority::P1, 1, 7),
            of(Priority::P0, 1, 8),
            of(Priority::P1, 2, 9),
        ];
        assert_eq!(competing(&pool.iter().collect::<Vec<_>>()), [4, 2, 3, 0]);
    }

    #[test]
    fn only_numbers_of_the_list_count_once_and_up_to_the_quota() {
        let answer = [3, 0, 9, 3, 1, 2].map(Selected);
        assert_eq!(chosen(&answer, &[10, 20, 30], 2), [30, 10]);
        assert!(chosen(&[], &[10], 2).is_empty());
    }

    #[test]
    fn what_is_not_chosen_is_minor_unless_an_attacker_would_want_that() {
        let bug = of(Priority::P1, 1, 0);
        assert_eq!((priority(&bug, true), priority(&bug, false)), (Priority::P1, Priority::P3));
        assert_eq!(priority(&of(Priority::P0, 1, 0), false), Priority::P0);
        for (category, minor) in [(Category::SecretExposure, Priority::P2), (Category::Security, Priority::P3)] {
            let serious = Located { category, ..bug.clone() };
            assert_eq!(priority(&serious, false), Priority::P1);
            assert_eq!(priority(&Located { priority: Priority::P2, ..serious }, false), minor);
        }
    }
}
