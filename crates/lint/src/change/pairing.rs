//! The pairing of the tokens of a hunk.

use review::LineKind;
use syntax::parse::Hunk;
use syntax::tree::{Node, Tree};

use super::added::Added;
use super::align_gaps::{Links, align_gaps};
use super::edit_blocks::EditBlocks;
use super::memo::Memo;
use super::token::{Token, Tokens};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// The index of a node in the lists of pairs.
pub(super) fn number(node: Node<'_>) -> u32 {
    u32::try_from(node.index()).unwrap_or(NONE)
}

/// If the product of the token counts of both sides exceeds this, the run is a rewrite and nothing in it is paired.
const LARGEST_RUN: usize = 600_000;

/// Table cells per step.
const CELLS_PER_STEP: usize = 8;

/// The pairing of the tokens of a hunk.
pub(crate) struct Change<'a> {
    /// By node index of the old tree: the index of the paired token in the new tree.
    pub(super) forward: Vec<u32>,
    pub(super) backward: Vec<u32>,
    pub(super) runs: EditBlocks,
    pub(super) added: &'a Added,
    pub(super) memo: Memo,
}

impl<'a> Change<'a> {
    pub(crate) fn new(
        hunk: Hunk<'_>,
        old: &'a Tree<'a>,
        new: &'a Tree<'a>,
        added: &'a Added,
    ) -> Self {
        let lines = hunk.lines;
        let mut change = Self {
            forward: vec![NONE; old.nodes().count()],
            backward: vec![NONE; new.nodes().count()],
            runs: EditBlocks::of(lines),
            added,
            memo: Memo::default(),
        };
        let old_tokens = Tokens::of(old, lines.len(), Some(&added.renames));
        let new_tokens = Tokens::of(new, lines.len(), None);
        let is_context = |index: usize| {
            lines
                .get(index)
                .is_some_and(|line| line.kind == LineKind::Context)
        };
        let mut start = 0;
        while start < lines.len() {
            let context = is_context(start);
            let mut end = start + 1;
            // An unchanged line is its own run.
            while !context && end < lines.len() && !is_context(end) {
                end += 1;
            }
            change.pair(old_tokens.on(start..end), new_tokens.on(start..end));
            start = end;
        }
        change
    }

    fn link(&mut self, old: Node<'_>, new: Node<'_>) {
        if let Some(slot) = self.forward.get_mut(old.index()) {
            *slot = number(new);
        }
        if let Some(slot) = self.backward.get_mut(new.index()) {
            *slot = number(old);
        }
    }

    /// By node of the old tree: the first paired token at or after it.
    pub(super) fn paired(&self) -> &[u32] {
        self.memo.paired.get_or_init(|| {
            let mut next = NONE;
            let of = |(index, new): (usize, &u32)| {
                next = if *new == NONE {
                    next
                } else {
                    u32::try_from(index).unwrap_or(NONE)
                };
                next
            };
            let mut all: Vec<u32> = self.forward.iter().enumerate().rev().map(of).collect();
            all.reverse();
            all
        })
    }

    /// Pairs two runs of tokens: first equal ends, then the heaviest common subsequence between them. Finally, gaps on
    /// one side are aligned with the syntax.
    fn pair(&mut self, old: &[Token<'a>], new: &[Token<'a>]) {
        let mut forward: Links = vec![None; old.len()];
        let head = old
            .iter()
            .zip(new)
            .take_while(|(a, b)| a.text == b.text)
            .count();
        let rest = old.len().min(new.len()) - head;
        let tail = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(rest)
            .take_while(|(a, b)| a.text == b.text)
            .count();
        for (index, slot) in forward.iter_mut().enumerate() {
            if index < head {
                *slot = Some(index);
            } else if index >= old.len() - tail {
                *slot = Some(index + new.len() - old.len());
            }
        }
        let [old_middle, new_middle] =
            [old, new].map(|all| all.get(head..all.len() - tail).unwrap_or_default());
        for (from, to) in pair_middle(old_middle, new_middle) {
            if let Some(slot) = forward.get_mut(head + from) {
                *slot = Some(head + to);
            }
        }
        align_gaps(old, &mut forward);
        let mut backward: Links = vec![None; new.len()];
        for (from, to) in forward
            .iter()
            .enumerate()
            .filter_map(|(from, to)| Some((from, (*to)?)))
        {
            if let Some(slot) = backward.get_mut(to) {
                *slot = Some(from);
            }
        }
        align_gaps(new, &mut backward);
        for (to, from) in backward.iter().enumerate() {
            if let (Some(a), Some(b)) = (from.and_then(|from| old.get(from)), new.get(to)) {
                self.link(a.node, b.node);
            }
        }
    }
}

/// The heaviest common subsequence of two runs of tokens, as pairs of indices.
#[expect(
    clippy::indexing_slicing,
    reason = "a table of (n + 1) × (m + 1) cells, i ≤ n and j ≤ m"
)]
fn pair_middle(old: &[Token<'_>], new: &[Token<'_>]) -> Vec<(usize, usize)> {
    let (n, m) = (old.len(), new.len());
    if n == 0 || m == 0 || n * m > LARGEST_RUN {
        return Vec::new();
    }
    let meter = &old[0].node.tree().meter;
    if !meter.draw((n * m / CELLS_PER_STEP) as u64) {
        return Vec::new();
    }
    let width = m + 1;
    let mut best = vec![0_u32; (n + 1) * width];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let skip = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let both = best[(i + 1) * width + j + 1] + old[i].weight;
            best[i * width + j] = if old[i].text == new[j].text {
                skip.max(both)
            } else {
                skip
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < n && j < m {
        let here = best[i * width + j];
        if old[i].text == new[j].text && here == best[(i + 1) * width + j + 1] + old[i].weight {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
