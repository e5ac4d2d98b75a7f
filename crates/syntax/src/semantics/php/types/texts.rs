//! Visible strings.

use super::mentions::Origin;
use super::origins::origin;
use crate::tree::Node;

/// The expression that a variable was assigned, or the node itself.
pub fn source_of(node: Node<'_>) -> Node<'_> {
    let node = node.unparenthesised();
    match node.is(&["variable_name"]).then(|| origin(node)) {
        Some(Some(Origin::Value(value))) => value.unparenthesised(),
        _ => node,
    }
}

/// The content of a string without interpolated values.
pub fn literal_text(node: Node<'_>) -> Option<&str> {
    let is_fixed = |node: Node<'_>| {
        node.named_children()
            .all(|part| part.is(&["string_content", "escape_sequence"]))
    };
    node.string_value()
        .filter(|_| node.is(&["string"]) || node.is(&["encapsed_string"]) && is_fixed(node))
}

/// Whether it is a visible string that is not a number.
pub fn is_word(node: Node<'_>) -> bool {
    let source = source_of(node);
    literal_text(source).is_some_and(|text| {
        let start = text
            .trim_start()
            .trim_start_matches(['-', '+', '.'])
            .chars()
            .next();
        start.is_none_or(|first| !first.is_ascii_digit() && first != '$')
    })
}
