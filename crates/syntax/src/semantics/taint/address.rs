//! Determines which part of a URL chooses the host.

use crate::language::Role;
use crate::tree::Node;

/// Whether the start of a URL fixes the host, so that the rest cannot choose it.
pub(super) fn fixes_host(start: Node<'_>) -> bool {
    let mut node = start.unparenthesised();
    while let Some(binary) = node.binary() {
        node = binary.left.unparenthesised();
    }
    if !node.has_role(Role::Text) {
        return false;
    }
    let text = content(node.text());
    let before = text
        .find(['{', '$', '#', '%'])
        .map_or(text, |at| text.get(..at).unwrap_or(text));
    let rest = before.split_once("://").map_or(before, |(_, rest)| rest);
    let is_path = before.starts_with('/') && !before.starts_with("//");
    let is_local = is_path && before.trim_end_matches(['"', '\'', '`']).len() > 1;
    is_local || (before.contains("://") && rest.contains('/')) || before.starts_with('?')
}

/// Whether a string literal starts with an interpolated value.
pub(super) fn starts_with_piece(literal: &str) -> bool {
    ["`${", "f\"{", "f'{", "$\"{", "\"#{", "\"$"]
        .iter()
        .any(|start| literal.starts_with(start))
}

/// The text after the opening quote of a literal and the letters before that quote.
fn content(literal: &str) -> &str {
    let is_prefix = |c: char| c.is_ascii_uppercase() || matches!(c, 'f' | 'r' | 'b' | '$' | '@');
    literal
        .trim_start_matches(is_prefix)
        .trim_start_matches(['"', '\'', '`'])
}
