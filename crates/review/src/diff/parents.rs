//! The old sides of a hunk, one per parent, counted in time linear in the length of the line.
//!
//! If trailing white space was stripped, a line is shorter than its marker columns, and a merge may have many parents. So
//! the count that all parents share is kept once: a line without `-` is on every parent except those with a marker in their
//! column. Each parent stores only its difference, and [`Parents::full_at`] counts the complete ones.

use std::collections::BTreeMap;

use super::model::Span;

/// Why a line cannot be on a side, `old` or `new`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Excess {
    AfterEnd(&'static str),
    Surplus(&'static str),
}

const SIDE: &str = "old";

/// The progress on the sides of all parents.
pub(super) struct Parents {
    parents: Vec<Parent>,
    /// Lines on every parent, apart from each one's [`Parent::shift`].
    shared: i64,
    /// How many parents are complete at which value of [`Parents::shared`].
    full_at: BTreeMap<i64, usize>,
    /// The number of parents whose file has ended.
    ended: usize,
}

struct Parent {
    span: Span,
    /// Lines on this parent beyond the shared ones; negative if it lacks some.
    shift: i64,
    /// The end-of-file marker for this parent was read.
    ended: bool,
}

impl Parent {
    /// The value of [`Parents::shared`] at which it is complete.
    fn full_at(&self) -> i64 {
        i64::from(self.span.count) - self.shift
    }
}

impl Parents {
    pub(super) fn new(spans: &[Span]) -> Self {
        let parents: Vec<Parent> = spans
            .iter()
            .map(|span| Parent {
                span: *span,
                shift: 0,
                ended: false,
            })
            .collect();
        let mut full_at = BTreeMap::new();
        for parent in &parents {
            *full_at.entry(parent.full_at()).or_default() += 1;
        }
        Self {
            parents,
            shared: 0,
            full_at,
            ended: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn are_complete(&self) -> bool {
        self.full() == self.parents.len()
    }

    /// Lines still missing on the first parent.
    pub(super) fn first_left(&self) -> i64 {
        self.parents
            .first()
            .map_or(0, |parent| parent.full_at() - self.shared)
    }

    /// The largest number of lines still missing on any parent.
    pub(super) fn max_left(&self) -> i64 {
        self.full_at
            .last_key_value()
            .map_or(0, |(full_at, _)| full_at - self.shared)
    }

    /// Counts a removed line on the parents whose column is `-`, and returns its number on the first.
    pub(super) fn take_removed(&mut self, columns: &[u8]) -> Result<Option<u32>, Excess> {
        let first = self.number(columns.first() == Some(&b'-'));
        for at in marked(columns) {
            self.check(at)?;
            self.shift(at, 1);
        }
        Ok(first)
    }

    /// Counts any other line on the parents whose column is blank, and returns its number on the first.
    pub(super) fn take_kept(&mut self, columns: &[u8]) -> Result<Option<u32>, Excess> {
        let first = self.number(columns.first().is_none_or(|column| *column == b' '));
        let mut absent_and_ended = 0;
        for at in marked(columns) {
            self.shift(at, -1);
            absent_and_ended +=
                usize::from(self.parents.get(at).is_some_and(|parent| parent.ended));
        }
        if self.full() > 0 || self.ended > absent_and_ended {
            let is_blank = |at: &usize| columns.get(*at).is_none_or(|column| *column == b' ');
            (0..self.parents.len())
                .filter(is_blank)
                .try_for_each(|at| self.check(at))?;
        }
        self.shared += 1;
        Ok(first)
    }

    /// Ends the file on the parents that have the line with these columns. None of them has ended before, because then it
    /// would not have the line.
    pub(super) fn end(&mut self, columns: &[u8], removed: bool) {
        for (at, parent) in self.parents.iter_mut().enumerate() {
            let mark = columns.get(at).copied().unwrap_or(b' ');
            if (mark == b'-') == removed && (removed || mark == b' ') {
                self.ended += usize::from(!parent.ended);
                parent.ended = true;
            } else if removed && at >= columns.len() {
                break;
            }
        }
    }

    fn full(&self) -> usize {
        self.full_at.get(&self.shared).copied().unwrap_or_default()
    }

    fn number(&self, present: bool) -> Option<u32> {
        let parent = self.parents.first().filter(|_| present)?;
        u32::try_from(i64::from(parent.span.start) + self.shared + parent.shift).ok()
    }

    /// Checks that the parent can take another line.
    fn check(&self, at: usize) -> Result<(), Excess> {
        match self.parents.get(at) {
            Some(parent) if parent.ended => Err(Excess::AfterEnd(SIDE)),
            Some(parent) if parent.full_at() <= self.shared => Err(Excess::Surplus(SIDE)),
            _ => Ok(()),
        }
    }

    fn shift(&mut self, at: usize, by: i64) {
        let Some(parent) = self.parents.get_mut(at) else {
            return;
        };
        let before = parent.full_at();
        parent.shift += by;
        let after = parent.full_at();
        *self.full_at.entry(after).or_default() += 1;
        if let Some(many) = self.full_at.get_mut(&before) {
            *many -= 1;
            if *many == 0 {
                self.full_at.remove(&before);
            }
        }
    }
}

/// The parents whose column is not blank.
fn marked(columns: &[u8]) -> impl Iterator<Item = usize> {
    columns
        .iter()
        .enumerate()
        .filter(|(_, column)| **column != b' ')
        .map(|(at, _)| at)
}
