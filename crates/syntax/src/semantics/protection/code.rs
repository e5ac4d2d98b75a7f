//! One side of a file, with what the change touches.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::super::siblings::act;
use super::super::vocabulary::{has_word, words_of};
use crate::language::Role;
use crate::tree::{Call, Node, Tree};

/// Maximum number of places that may have lost a protection that are looked at.
pub(super) const MAX_PLACES: usize = 12;
/// Maximum number of calls of a function that are followed to its callers.
const MAX_CALLERS: usize = 12;
/// Maximum number of nodes of a function that are looked at.
const MAX_NODES: usize = 8_000;
/// Minimum length of the name of a function that says what it does.
const MIN_NAME: usize = 5;

/// One side of a file.
pub(super) struct Code<'t> {
    pub tree: &'t Tree<'t>,
    /// The names that the change touches.
    pub changed: HashSet<&'t str>,
    /// The usable calls that begin on a line of the change.
    pub calls: Vec<(Node<'t>, Call<'t>)>,
    /// All usable calls by the names of their functions.
    by_name: OnceCell<HashMap<&'t str, Vec<Node<'t>>>>,
    /// The first call of each act.
    acts: OnceCell<HashMap<String, Node<'t>>>,
}

impl<'t> Code<'t> {
    pub(super) fn of(tree: &'t Tree<'t>) -> Self {
        let mut code = Self {
            tree,
            changed: HashSet::new(),
            calls: Vec::new(),
            by_name: OnceCell::new(),
            acts: OnceCell::new(),
        };
        for node in tree.changed_nodes().filter(|node| node.is_usable()) {
            if node.is_leaf() && !node.has_role(Role::Comment) {
                code.changed.insert(node.text());
            }
            if begins_on_change(node) {
                code.calls.extend(node.call().map(|call| (node, call)));
            }
        }
        code
    }

    /// The names that the change brings: not those that it only moves.
    pub(super) fn brings<'a>(&'a self, old: &'a Self) -> impl Iterator<Item = &'t str> + 'a {
        let names = self.changed.iter().copied();
        names.filter(|name| !old.changed.contains(name))
    }

    /// Whether the change touches a name with one of these words.
    pub(super) fn mentions(&self, words: &[&str]) -> bool {
        self.changed.iter().any(|name| has_word(name, words))
    }

    /// Whether the file defines a function with a name.
    pub(super) fn defines(&self, name: &str) -> bool {
        let functions = self.tree.with_role(Role::Function);
        functions
            .filter_map(Node::function)
            .any(|function| function.name.text() == name)
    }

    /// All calls of functions with a name.
    pub(super) fn calls_of(&self, name: &str) -> &[Node<'t>] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<&'t str, Vec<Node<'t>>> = HashMap::new();
            for (node, call) in self.all_calls() {
                by_name.entry(call.name).or_default().push(node);
            }
            by_name
        });
        by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn all_calls(&self) -> impl Iterator<Item = (Node<'t>, Call<'t>)> {
        let calls = self.tree.with_role(Role::Call);
        calls
            .filter(|node| node.is_usable())
            .filter_map(|node| Some((node, node.call()?)))
    }

    /// A call that does one of these acts: one that the change touches, if there is one.
    pub(super) fn call_doing(&self, acts: &HashSet<String>) -> Option<Node<'t>> {
        let does = |call: &Call<'t>| keys(call).iter().any(|key| acts.contains(key));
        let changed = self.calls.iter().find(|(_, call)| does(call));
        changed.map(|(node, _)| *node).or_else(|| {
            let known = self.acts.get_or_init(|| {
                let mut known = HashMap::new();
                for (node, call) in self.all_calls() {
                    for key in keys(&call) {
                        known.entry(key).or_insert(node);
                    }
                }
                known
            });
            let found = acts.iter().filter_map(|act| known.get(act));
            found.min_by_key(|node| node.index()).copied()
        })
    }

    /// The functions around a node, and those of the file that call them: innermost first.
    pub(super) fn callers(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut found: Vec<Node<'t>> = Vec::new();
        let mut next = 0;
        let add = |node: Node<'t>, found: &mut Vec<Node<'t>>| {
            let outer = std::iter::successors(function_around(node), |at| function_around(*at));
            for function in outer {
                if found.len() < MAX_CALLERS && !found.contains(&function) {
                    found.push(function);
                }
            }
        };
        add(node, &mut found);
        while let Some(function) = found.get(next).copied() {
            next += 1;
            let Some(name) = function.function().map(|function| function.name) else {
                continue;
            };
            for call in self.calls_of(name.text()).iter().take(MAX_CALLERS) {
                add(*call, &mut found);
            }
        }
        found
    }
}

/// Whether the first token of a node is on a line of the change.
pub(super) fn begins_on_change(node: Node<'_>) -> bool {
    node.leaves().next().is_some_and(Node::touches_change)
}

/// The innermost function around a node that has three lines or more, or a name.
pub(super) fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|around| {
        around.has_role(Role::Function)
            || (around.has_role(Role::Lambda) && around.text().matches('\n').take(2).count() == 2)
    })
}

/// Whether a function has a name with one of these words in it.
pub(super) fn has_words(function: Node<'_>, words: &[&str]) -> bool {
    let leaves = function.descendants().take(MAX_NODES);
    leaves
        .filter(|node| node.is_leaf() && !node.has_role(Role::Comment))
        .any(|leaf| has_word(leaf.text(), words))
}

/// Keys under which the same act is found again.
pub(super) fn keys(call: &Call<'_>) -> Vec<String> {
    let mut keys = act::keys(call);
    let is_telling = call.name.len() >= MIN_NAME && !act::is_common(call.name);
    keys.extend(is_telling.then(|| call.name.to_owned()));
    keys
}

/// Whether a call is a statement of its own, so that its result is dropped.
pub(super) fn is_dropped(call: Node<'_>) -> bool {
    call.parent()
        .is_some_and(|around| around.is(&["expression_statement"]))
}

/// Whether a word begins with one of these stems.
pub(super) fn has_stem(name: &str, stems: &[&str]) -> bool {
    words_of(name)
        .iter()
        .any(|word| stems.iter().any(|stem| word.starts_with(stem)))
}
