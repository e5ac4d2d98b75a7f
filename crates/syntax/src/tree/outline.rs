//! The parsed structure of code, in readable form.

use tree_sitter::Node;

/// Number of levels of nodes that are shown.
const LEVELS: usize = 4;
/// Number of bytes after which no further node is shown.
const BYTES: usize = 160;

/// The kinds of a node and of the named ones in it, such as `call(identifier, argument_list(string))`. Nodes for which
/// `name` returns a name are shown with that name, without their children.
pub fn outline(node: Node<'_>, name: impl Fn(Node<'_>) -> Option<String>) -> String {
    let mut out = String::new();
    write_outline(node, &name, LEVELS, &mut out);
    out
}

fn write_outline(
    node: Node<'_>,
    name: &impl Fn(Node<'_>) -> Option<String>,
    levels: usize,
    out: &mut String,
) {
    if let Some(name) = name(node) {
        out.push_str(&name);
        return;
    }
    out.push_str(node.kind());
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor).peekable();
    if children.peek().is_none() {
        return;
    }
    if levels <= 1 || out.len() > BYTES {
        out.push_str("(…)");
        return;
    }
    out.push('(');
    for (index, child) in children.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if out.len() > BYTES {
            out.push('…');
            break;
        }
        write_outline(child, name, levels - 1, out);
    }
    out.push(')');
}
