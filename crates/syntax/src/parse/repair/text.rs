//! Ranges of a text that are left out of it, and the errors of a tree.

use tree_sitter::Tree;

/// Replaces a range of a text by blanks, except line feeds.
pub(super) fn blank(text: &mut String, range: std::ops::Range<usize>) {
    fill(text, range, b' ');
}

/// Replaces the bytes of a range by an ASCII character, except line feeds.
pub(super) fn fill(text: &mut String, range: std::ops::Range<usize>, with: u8) {
    let Some(old) = text.get(range.clone()) else {
        return;
    };
    let new: String = old
        .bytes()
        .map(|byte| char::from(if byte == b'\n' { byte } else { with }))
        .collect();
    text.replace_range(range, &new);
}

/// The outermost errors and missing tokens, in document order.
pub(super) fn errors(tree: &Tree) -> Vec<tree_sitter::Node<'_>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(node);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}
