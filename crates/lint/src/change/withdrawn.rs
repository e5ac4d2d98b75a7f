//! Names that the change takes back with all their uses: a parameter, a field, a flag. What asked about them went with
//! them, and nothing is lost by that.

use std::collections::{HashMap, HashSet};

use review::{ChunkFile, LineKind};

use super::renames::words;
use crate::grammar::Role;
use crate::node::Node;
use crate::rule::ChangeContext;

/// A name that is taken out in so many places is taken out for good, wherever it was declared.
const EVERYWHERE: usize = 3;

/// The names that are on removed lines of a file and nowhere on its new side.
#[derive(Debug, Default)]
pub(crate) struct Withdrawn {
    /// By name: the hunks that it was removed in.
    hunks: HashMap<String, usize>,
}

impl Withdrawn {
    pub(crate) fn of(file: &ChunkFile<'_>) -> Self {
        let mut hunks = HashMap::<&str, usize>::new();
        for hunk in &file.hunks {
            let removed = hunk.lines.iter().filter(|line| line.kind == LineKind::Removed && !is_comment(line.text));
            for word in removed.flat_map(|line| words(line.text)).collect::<HashSet<_>>() {
                *hunks.entry(word).or_default() += 1;
            }
        }
        let there = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).filter(|line| line.kind != LineKind::Removed);
        for word in there.filter(|line| !is_comment(line.text)).flat_map(|line| words(line.text)) {
            hunks.remove(word);
        }
        Self { hunks: hunks.into_iter().map(|(word, count)| (word.to_owned(), count)).collect() }
    }
}

fn is_comment(line: &str) -> bool {
    ["//", "/*", "* ", "# ", "--"].iter().any(|mark| line.trim_start().starts_with(mark))
}

impl ChangeContext<'_> {
    /// Whether an old node speaks of something that the change takes back; of an `if`, whether its condition does.
    #[must_use]
    pub fn is_withdrawn(&self, old: Node<'_>) -> bool {
        let asks = old.condition().unwrap_or(old);
        asks.names().any(|name| match self.change.added.withdrawn.hunks.get(name.text()) {
            Some(hunks) => *hunks >= EVERYWHERE || self.was_declared(name.text()),
            None => false,
        })
    }

    /// Whether the hunk had a parameter or a field of this name.
    fn was_declared(&self, name: &str) -> bool {
        let named = |node: &Node<'_>| node.has_role(Role::Name) && node.text() == name && node.touches_change();
        self.old.nodes().filter(named).any(declares)
    }
}

/// Whether a name is that of a parameter of a function, or of a member of a class.
fn declares(name: Node<'_>) -> bool {
    let mut around = name.ancestors().take(4);
    around.any(|node| {
        let is_list = node.has_role(Role::Parameters) && node.parent().is_some_and(|of| of.has_role(Role::Function));
        is_list || FIELDS.contains(&node.kind())
    })
}

const FIELDS: &[&str] = &[
    "field_declaration",
    "property_declaration",
    "public_field_definition",
    "property_signature",
    "field_definition",
    "enumerator",
    "const_element",
];
