//! The few findings of a change that keep their priority. The others are returned too, as P3.
//!
//! Serious ones come first, then those that the finder listed earlier. A change is hostile input and may instruct the
//! finder what to list first, so findings that an attacker would want to hide keep their priority beyond the quota.
//!
//! A finding that the model did not check a second time is one priority lower.
//!
//! The order and the quota come from a measurement (docs/models.md): a finder's own order separated right findings from
//! wrong ones, while its claim that a defect can be seen in the change did not, and findings beyond the first two were
//! rarely right.

use review::{Category, Priority};

use crate::locate::{Located, Standing};

/// Findings that keep their priority however small the change is.
const FIRST: usize = 2;
/// Changed lines for each additional one.
const LINES: usize = 200;

/// How many findings of a change keep their priority.
pub(crate) fn quota(changed_lines: usize, most: usize) -> usize {
    (FIRST + changed_lines / LINES).min(most)
}

/// The candidates that keep their priority, best first, by their index in the pool. A P3 takes no slot, because its
/// priority would not change.
pub(crate) fn chosen(pool: &[&Located], quota: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pool.len())
        .filter(|at| pool[*at].priority < Priority::P3 && pool[*at].standing != Standing::Minor)
        .collect();
    order.sort_by_key(|at| (pool[*at].priority > Priority::P1, pool[*at].place));
    order.truncate(quota);
    order
}

/// The priority that a candidate is returned with.
pub(crate) fn priority(found: &Located, is_chosen: bool) -> Priority {
    let priority = if is_chosen || is_protected(found) {
        found.priority
    } else {
        Priority::P3
    };
    match found.standing {
        Standing::Firm => priority,
        Standing::Unchecked => priority.lower().unwrap_or(priority),
        Standing::Minor => Priority::P3,
    }
}

/// Whether an attacker would want to hide it.
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

    use super::{chosen, priority, quota};
    use crate::locate::Located;

    fn of(priority: Priority, place: usize) -> Located {
        Located {
            priority,
            place,
            ..Located::sample(0, "It is wrong.")
        }
    }

    #[test]
    fn the_quota_grows_with_the_change_up_to_its_bound() {
        assert_eq!(
            [0, 199, 200, 650, 9_000].map(|lines| quota(lines, 6)),
            [2, 2, 3, 5, 6]
        );
        assert_eq!(quota(9_000, 1), 1);
    }

    #[test]
    fn serious_findings_come_first_and_p3_takes_no_slot() {
        let pool = [
            of(Priority::P2, 0),
            of(Priority::P3, 0),
            of(Priority::P1, 7),
            of(Priority::P0, 8),
            of(Priority::P1, 6),
        ];
        let pool: Vec<&Located> = pool.iter().collect();
        assert_eq!(chosen(&pool, 9), [4, 2, 3, 0]);
        assert_eq!(chosen(&pool, 2), [4, 2]);
        assert!(chosen(&[], 2).is_empty());
    }

    #[test]
    fn findings_that_are_not_chosen_become_p3_unless_protected() {
        let bug = of(Priority::P1, 0);
        assert_eq!(
            (priority(&bug, true), priority(&bug, false)),
            (Priority::P1, Priority::P3)
        );
        assert_eq!(priority(&of(Priority::P0, 0), false), Priority::P0);
        for (category, minor) in [
            (Category::SecretExposure, Priority::P2),
            (Category::Security, Priority::P3),
        ] {
            let serious = Located {
                category,
                ..bug.clone()
            };
            assert_eq!(priority(&serious, false), Priority::P1);
            assert_eq!(
                priority(
                    &Located {
                        priority: Priority::P2,
                        ..serious
                    },
                    false
                ),
                minor
            );
        }
    }
}
