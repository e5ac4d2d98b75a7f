//! Replacements of tokens between unchanged neighbours.

use syntax::language::Role;
use syntax::tree::{Node, Tree};

use super::context::ChangeContext;
use super::pairing::number;

/// The tokens of a side, in order.
fn tokens<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    tree.nodes()
        .filter(|node| node.is_leaf() && !node.text().is_empty() && node.is_within_hunk())
        .collect()
}

/// The tokens between two others.
fn between<'s, 't>(all: &'s [Node<'t>], left: Node<'t>, right: Node<'t>) -> &'s [Node<'t>] {
    let place = |node: Node<'t>| all.partition_point(|leaf| leaf.index() <= node.index());
    all.get(place(left)..place(right).saturating_sub(1))
        .unwrap_or_default()
}

impl<'a> ChangeContext<'a> {
    /// Names that were replaced by other names in the same place.
    #[must_use]
    pub fn replaced_names(&self) -> Vec<(Node<'a>, Node<'a>)> {
        let known = &self.change.memo.replaced_names;
        let names = known.get_or_init(|| {
            let found = self.old.meter.apart(|| self.find_replaced_names());
            let pairs = found
                .into_iter()
                .map(|(old, new)| (number(old), number(new)));
            pairs.collect()
        });
        names
            .iter()
            .filter_map(|(old, new)| self.old.node(*old).zip(self.new.node(*new)))
            .collect()
    }

    fn find_replaced_names(&self) -> Vec<(Node<'a>, Node<'a>)> {
        let (old, new) = (tokens(self.old), tokens(self.new));
        let mut found = Vec::new();
        for window in old.windows(3) {
            let [before, name, after] = window else {
                continue;
            };
            if !name.has_role(Role::Name) || !name.touches_change() || self.new_of(*name).is_some()
            {
                continue;
            }
            let (Some(left), Some(right)) = (self.new_of(*before), self.new_of(*after)) else {
                continue;
            };
            if let [only] = between(&new, left, right)
                && only.has_role(Role::Name)
                && self.old_of(*only).is_none()
            {
                found.push((*name, *only));
            }
        }
        found
    }

    /// The import of one of these Go packages that replaced another one.
    #[must_use]
    pub fn go_import_in_place_of(&self, old: &str, new: &[&str]) -> Option<Node<'a>> {
        if self.file.language != "Go" {
            return None;
        }
        let mut before = self
            .old
            .with_role(Role::Text)
            .filter(|text| text.touches_change());
        let is_gone = before.any(|text| text.text() == old)
            && !self
                .new
                .with_role(Role::Text)
                .any(|text| text.text() == old);
        let mut after = self
            .new
            .with_role(Role::Text)
            .filter(|text| is_gone && text.is_all_changed());
        after.find(|text| new.contains(&text.text()))
    }

    /// Values that were replaced by a constant in the same place: the old tokens and the constant.
    #[must_use]
    pub fn replaced_by_constants(&self) -> Vec<(Vec<Node<'a>>, Node<'a>)> {
        let new = tokens(self.new);
        let mut old = None;
        let mut found = Vec::new();
        for window in new.windows(3) {
            let [before, constant, after] = window else {
                continue;
            };
            if !is_constant(*constant)
                || !constant.touches_change()
                || self.old_of(*constant).is_some()
            {
                continue;
            }
            let (Some(left), Some(right)) = (self.old_of(*before), self.old_of(*after)) else {
                continue;
            };
            let old = old.get_or_insert_with(|| tokens(self.old));
            let gone = between(old, left, right);
            if !gone.is_empty() && gone.iter().all(|leaf| self.new_of(*leaf).is_none()) {
                found.push((gone.to_vec(), *constant));
            }
        }
        found
    }
}

fn is_constant(leaf: Node<'_>) -> bool {
    const WORDS: &[&str] = &["true", "false", "True", "False"];
    leaf.is_usable()
        && (leaf.has_role(Role::Number) || leaf.is_null() || WORDS.contains(&leaf.text()))
}
