//! Names as the table writes them, and arguments without the nodes around them.

use crate::tree::Node;

/// A name as the table writes it: `a.b().c`, without arguments and regardless of the language's separator.
pub(super) fn path(text: &str) -> String {
    let mut depth = 0_usize;
    let mut is_outside = |c: char| {
        depth = depth.saturating_sub(usize::from(c == ')'));
        let is_outside = depth == 0;
        depth += usize::from(c == '(');
        is_outside
    };
    let tight: String = text
        .chars()
        .filter(|c| is_outside(*c) && !c.is_whitespace())
        .collect();
    tight
        .replace("?->", ".")
        .replace("->", ".")
        .replace("::", ".")
        .replace("?.", ".")
        .replace("!.", ".")
}

/// Whether a path matches a pattern of the table: `name` alone, `.name` of anything, `a.name` at the end, `*A.name` of
/// anything with a name that ends in `A`.
pub(super) fn matches(path: &str, pattern: &str) -> bool {
    if let Some(end) = pattern.strip_prefix('*') {
        return path.ends_with(end);
    }
    let Some(rest) = path.strip_suffix(pattern) else {
        return false;
    };
    if pattern.starts_with('.') {
        !rest.is_empty()
    } else {
        rest.is_empty() || (pattern.contains('.') && rest.ends_with(['.', '\\']))
    }
}

/// The last part of a name: `c` for `a.b.c`.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a name is in capitals, as constants are.
pub(super) fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && name.chars().any(|c| c.is_ascii_uppercase())
}

/// Whether it is the object that a method belongs to.
pub(super) fn is_self(node: Node<'_>) -> bool {
    matches!(node.text(), "self" | "this" | "$this" | "cls")
}

/// The name of a named argument.
pub fn argument_name(argument: Node<'_>) -> Option<&str> {
    let named = argument.is(&["keyword_argument", "argument", "value_argument", "pair"]);
    let name = argument
        .field("name")
        .or_else(|| argument.field("key").filter(|_| argument.is(&["pair"])));
    name.filter(|_| named)
        .map(|name| name.text().trim_end_matches(':'))
}

/// The value of an argument, without its name and without the nodes that the grammar wraps around it.
pub fn argument_value(argument: Node<'_>) -> Node<'_> {
    if !argument.is(&["keyword_argument", "argument", "value_argument"]) {
        return argument;
    }
    argument
        .field("value")
        .or_else(|| argument.named_children().last())
        .unwrap_or(argument)
}
