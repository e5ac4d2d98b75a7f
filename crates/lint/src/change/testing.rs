//! Hunks for tests.

use review::{Line, LineKind};

/// The lines of a hunk, from rows that start as in a diff. Both sides are numbered from 1.
pub(crate) fn lines(rows: &[&'static str]) -> Vec<Line<'static>> {
    let (mut old, mut new) = (0, 0);
    let line = |row: &&'static str| {
        let kind = match row.chars().next() {
            Some('+') => LineKind::Added,
            Some('-') => LineKind::Removed,
            _ => LineKind::Context,
        };
        old += u32::from(kind != LineKind::Added);
        new += u32::from(kind != LineKind::Removed);
        let number = |counter, other| (kind != other).then_some(counter);
        let (old, new) = (number(old, LineKind::Added), number(new, LineKind::Removed));
        Line {
            kind,
            old,
            new,
            text: &row[1..],
            terminated: true,
        }
    };
    rows.iter().map(line).collect()
}
