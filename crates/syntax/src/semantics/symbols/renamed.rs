//! Local variables of Ruby that a change renames, but that are still used under the old name.

use std::collections::HashSet;

use super::model::{Answer, DefKind, FILE, Symbol, Symbols};
use crate::tree::{Node, Tree};

/// If there are more old names than this, they are not looked up in the text of the file.
const MANY: usize = 20;

/// The uses of old names, in methods in which the change sets a variable with a new name instead, in document order. A
/// bare name without a variable is a call in Ruby, so names that may be methods of the file do not count.
pub fn left_behind<'t>(old: &Tree<'_>, new: &'t Tree<'t>) -> Vec<Node<'t>> {
    let (Some(before), Some(after)) = (variables(old), Symbols::of(new)) else {
        return Vec::new();
    };
    let text = new.root().map_or("", Node::text);
    if !new.is_whole() || text.contains("method_missing") {
        return Vec::new();
    }
    let removed: HashSet<&str> = changed(&before).collect();
    let known: HashSet<&str> = before.iter().map(|(_, name)| name.text()).collect();
    let added: HashSet<u32> = variables(new)
        .into_iter()
        .flatten()
        .filter(|(_, name)| name.touches_change() && !known.contains(name.text()))
        .map(|(symbol, _)| after.wall(symbol.scope))
        .collect();
    let left = after.uses.iter().filter(|used| {
        let function = after.wall(used.scope);
        used.answer == Answer::Absent && function != FILE && added.contains(&function)
    });
    let left: Vec<Node<'t>> = left
        .filter_map(|used| new.node(used.node))
        .filter(|used| removed.contains(used.text()))
        .collect();
    let names: HashSet<&str> = left.iter().map(|used| used.text()).collect();
    if names.len() > MANY {
        return Vec::new();
    }
    let methods: HashSet<&str> = names
        .into_iter()
        .filter(|name| may_be_method(text, name))
        .collect();
    left.into_iter()
        .filter(|used| !methods.contains(used.text()))
        .collect()
}

/// The local variables with their first definitions.
fn variables<'t>(tree: &'t Tree<'t>) -> Option<Vec<(&'t Symbol, Node<'t>)>> {
    let variables = Symbols::of(tree)?
        .symbols()
        .filter(|symbol| matches!(symbol.kind, DefKind::Variable | DefKind::Parameter));
    Some(
        variables
            .filter_map(|symbol| Some((symbol, symbol.definitions(tree).next()?)))
            .collect(),
    )
}

fn changed<'t>(variables: &[(&Symbol, Node<'t>)]) -> impl Iterator<Item = &'t str> {
    let changed = variables.iter().filter(|(_, name)| name.touches_change());
    changed.map(|(_, name)| name.text())
}

/// Whether a file defines a method with a name, as far as its text shows: `def name`, `attr_reader :name`, `self.name`.
fn may_be_method(text: &str, name: &str) -> bool {
    ["def ", ":", "self.", "alias ", "\"", "'"]
        .iter()
        .any(|before| text.contains(&format!("{before}{name}")))
}
