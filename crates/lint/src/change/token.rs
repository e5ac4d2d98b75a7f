//! The tokens of a tree, for pairing.

use std::ops::Range;

use syntax::tree::{Node, Tree};

use super::renames::Renames;

#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) node: Node<'t>,
    pub(super) text: &'t str,
    pub(super) weight: u32,
}

pub(super) fn weight(node: Node<'_>) -> u32 {
    match (
        node.is_named(),
        node.text().starts_with(char::is_alphabetic),
    ) {
        (true, _) => 6,
        (false, true) => 2,
        (false, false) => 1,
    }
}

/// The tokens of a tree in document order, and the first token of each line of the hunk.
pub(super) struct Tokens<'t> {
    all: Vec<Token<'t>>,
    /// By line: its first token, with an additional entry for the end.
    starts: Vec<u32>,
}

impl<'t> Tokens<'t> {
    /// The tokens on the hunk's lines. Those of the old tree have their new names.
    pub(super) fn of(tree: &'t Tree<'t>, lines: usize, renames: Option<&'t Renames>) -> Self {
        let mut all = Vec::new();
        let mut starts = vec![0; lines + 1];
        for node in tree
            .nodes()
            .filter(|node| node.is_leaf() && node.is_within_hunk() && !node.text().is_empty())
        {
            let slot = node
                .hunk_lines()
                .and_then(|(first, _)| starts.get_mut(first + 1));
            if let Some(count) = slot {
                *count += 1;
                let text = renames.map_or(node.text(), |renames| renames.now(node.text()));
                all.push(Token {
                    node,
                    text,
                    weight: weight(node),
                });
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { all, starts }
    }

    /// The tokens that start in a range of lines.
    pub(super) fn on(&self, lines: Range<usize>) -> &[Token<'t>] {
        let start = |line: usize| {
            self.starts
                .get(line)
                .map_or(self.all.len(), |start| *start as usize)
        };
        self.all
            .get(start(lines.start)..start(lines.end))
            .unwrap_or_default()
    }
}
