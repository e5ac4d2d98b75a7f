//! The edit blocks of a hunk, computed once, because a block may be the whole hunk and rules look up the block of each
//! node.

use std::ops::Range;

use review::{Line, LineKind};

use super::edit_block::{EditBlock, has_content};

/// By line: the block that contains it.
#[derive(Debug, Default)]
pub(super) struct EditBlocks {
    by_line: Vec<Option<usize>>,
    runs: Vec<(Range<usize>, EditBlock)>,
    /// By line: the first changed line at or after it.
    next: Vec<usize>,
}

impl EditBlocks {
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let mut all = Self::default();
        let mut start = 0;
        for part in
            lines.chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
        {
            let own = start..start + part.len();
            start = own.end;
            let is_changed = part
                .first()
                .is_some_and(|line| line.kind != LineKind::Context);
            all.by_line
                .extend(own.clone().map(|_| is_changed.then_some(all.runs.len())));
            all.next.extend(
                own.clone()
                    .map(|line| if is_changed { line } else { own.end }),
            );
            if is_changed {
                all.runs.push((own, count(part)));
            }
        }
        all
    }

    /// The block of the first changed line in a range of lines, including the last one.
    pub(super) fn find(&self, from: usize, to: usize) -> Option<&(Range<usize>, EditBlock)> {
        let first = self.next.get(from).copied().filter(|line| *line <= to)?;
        self.runs.get(self.by_line.get(first).copied().flatten()?)
    }
}

fn count(part: &[Line<'_>]) -> EditBlock {
    let of = |removed| {
        let own = part
            .iter()
            .filter(|line| (line.kind == LineKind::Removed) == removed);
        own.filter(|line| has_content(line.text)).count()
    };
    EditBlock {
        removed: of(true),
        added: of(false),
    }
}

#[cfg(test)]
mod tests {
    use super::{EditBlock, EditBlocks};
    use crate::change::testing::lines;

    #[test]
    fn a_line_belongs_to_the_edit_block_around_it() {
        let lines = lines(&[" a", "-b", "-}", "+c", " d", "+e"]);
        let runs = EditBlocks::of(&lines);
        let first = &(
            1..4,
            EditBlock {
                removed: 1,
                added: 1,
            },
        );
        assert_eq!(runs.find(0, 0), None);
        assert_eq!(
            [runs.find(0, 1), runs.find(2, 9), runs.find(3, 3)],
            [Some(first); 3]
        );
        assert_eq!(
            runs.find(4, 5),
            Some(&(
                5..6,
                EditBlock {
                    removed: 0,
                    added: 1
                }
            ))
        );
        assert_eq!(runs.find(6, 7), None);
    }
}
