//! Nodes of which the hunk may show only a part.

use super::node::Tree;
use crate::language::{Blocks, Grammar, Role};

/// Nodes that end at the indentation or a keyword of their parent.
const BLOCKS: &[Role] = &[
    Role::Block,
    Role::Case,
    Role::Catch,
    Role::Class,
    Role::Finally,
    Role::Function,
    Role::If,
    Role::Loop,
    Role::Switch,
    Role::Try,
    Role::With,
];

/// Lists of statements without an end token.
const LISTS: &[&str] = &[
    "statement_list", "statements", "body_statement", "then", "else",
    "switch_block_statement_group",
];

impl Tree<'_> {
    /// Whether a node may continue after the end of the hunk, because no token ends it.
    pub(super) fn may_go_on(&self, raw: tree_sitter::Node<'_>, roles: u64, is_root: bool) -> bool {
        let fragment = self.fragment;
        if fragment.is_whole() || raw.end_byte() < self.code.end {
            return false;
        }
        let row = fragment.grammar.row();
        let has = |of: &[Role]| of.iter().any(|role| roles & role.bit() != 0);
        let is_open = is_root
            || has(&[Role::Case])
            || LISTS.contains(&raw.kind())
            || matches!(row.blocks, Blocks::Indent | Blocks::End) && has(BLOCKS)
            || row.name == "SQL" && raw.kind() == "statement";
        is_open
            && !(has(&[Role::Block, Role::Case, Role::Catch])
                && ends_in_exit(fragment.grammar, raw))
    }
}

/// Whether the last statement of a block is an exit, so that nothing follows it.
fn ends_in_exit(grammar: Grammar, block: tree_sitter::Node<'_>) -> bool {
    const EXITS: &[Role] = &[Role::Return, Role::Throw, Role::Break, Role::Continue];
    fn last(node: tree_sitter::Node<'_>) -> Option<tree_sitter::Node<'_>> {
        node.child(node.child_count().checked_sub(1)?)
    }
    let has = |node: &tree_sitter::Node<'_>, role: Role| {
        grammar.roles_of(node.kind_id()) & role.bit() != 0
    };
    let mut end = last(block);
    while let Some(inner) = end.filter(|node| has(node, Role::Block)) {
        end = last(inner);
    }
    end.is_some_and(|node| EXITS.iter().any(|role| has(&node, *role)))
}
