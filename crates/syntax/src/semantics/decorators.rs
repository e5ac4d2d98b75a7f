//! Decorators, annotations and attributes of definitions.

use crate::tree::Node;

/// Kinds of nodes that are one of them.
const KINDS: &[&str] = &[
    "decorator", "annotation", "marker_annotation", "attribute", "attribute_item",
];
/// Kinds of nodes that contain them.
const LISTS: &[&str] = &["modifiers", "attribute_list"];
/// Kinds of nodes around a definition and its decorators.
const AROUND: &[&str] = &["decorated_definition", "export_statement"];
/// Maximum number of nodes before and in a definition that are looked at.
const MAX_NODES: usize = 40;

/// The decorators, annotations or attributes of a function or class.
pub fn of(definition: Node<'_>) -> Vec<Node<'_>> {
    let is_one = |node: &Node<'_>| node.is(KINDS) || node.is(LISTS);
    let around = definition.parent().filter(|parent| parent.is(AROUND));
    let within = std::iter::once(definition)
        .chain(around)
        .flat_map(|node| node.named_children().take(MAX_NODES));
    let before = definition.preceding().take_while(is_one);
    let all = within.chain(before).filter(is_one).take(MAX_NODES);
    all.flat_map(|node| {
        if node.is(LISTS) {
            let inner = node.descendants().take(MAX_NODES * 4);
            inner.filter(|node| node.is(KINDS)).collect()
        } else {
            vec![node]
        }
    })
    .collect()
}

/// The name of a decorator with its qualifiers: `app.route` in `@app.route("/")`.
pub fn name(decorator: Node<'_>) -> &str {
    let text = decorator
        .text()
        .trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\');
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
