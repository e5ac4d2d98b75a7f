//! Finds the function of the visible text that a name refers to.

use std::collections::HashMap;

use crate::language::Role;
use crate::tree::Node;

/// Files with more nodes than this are not searched, because every call in them would walk the whole tree.
const LARGEST: usize = 20_000;

/// The root of the visible code, unless the tree is too large to search.
pub fn visible_root(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().last().filter(|top| is_small(*top))
}

/// Whether a node is small enough to be walked for every query about it.
pub fn is_small(node: Node<'_>) -> bool {
    node.descendants().size_hint().0 <= LARGEST
}

/// The names, keywords and numbers of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// How often each word occurs in a text.
pub fn word_counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in words(text) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// How often a word occurs in a text, as a whole word: in code, in strings and in comments.
pub fn mentions(text: &str, word: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    if word.is_empty() {
        0
    } else {
        text.match_indices(word)
            .filter(|(at, _)| whole(*at))
            .count()
    }
}

/// The function around a node, if all of it is visible.
pub fn whole_function(node: Node<'_>) -> Option<Node<'_>> {
    node.enclosing_function()
        .filter(|around| around.is_usable() && around.is_complete())
}

/// The value of an argument, without the nodes that the grammar puts around it.
pub fn handed_over(argument: Node<'_>) -> Node<'_> {
    if argument.is(&["argument", "value_argument"]) {
        argument.named_children().last().unwrap_or(argument)
    } else {
        argument
    }
}

/// The only visible function with this name.
pub fn only_function<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    used.only_definition(name)
        .filter(|only| only.has_role(Role::Function))
}

/// The only plain Python function that a name can refer to where it is used: at the top of the file, or in a function
/// that also encloses the use, and not assigned in any other way.
pub fn python_function<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    let only =
        only_function(used, name).filter(|only| only.is_usable() && !only.may_start_earlier())?;
    let block = only.parent()?;
    let outer = block.parent();
    let in_reach = block.is(&["module"])
        || outer.is_some_and(|outer| outer.has_role(Role::Function) && used.is_inside(block));
    (in_reach && !used.tree().index().is_set(name)).then_some(only)
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn whole_words_are_counted_in_code_strings_and_comments() {
        assert_eq!(
            mentions("size = sizes + my_size; // size, \"size\"", "size"),
            3
        );
        assert_eq!(mentions("é size", "size"), 1);
        assert_eq!(mentions("anything", ""), 0);
    }
}
