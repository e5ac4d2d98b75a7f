//! Whether the end of a piece of code can be reached: a small, cautious reading of jumps and branches.

use crate::language::Role;
use crate::tree::Node;

/// Whether what stands behind a statement can be reached through it. In doubt it can.
pub(crate) fn can_complete(node: Node<'_>) -> bool {
    let leaves = [Role::Return, Role::Throw, Role::Break, Role::Continue];
    if leaves.into_iter().any(|role| node.has_role(role)) {
        return false;
    }
    const LEAVE: &[&str] = &["sys.exit", "os._exit", "os.abort", "quit"];
    if node.tree().grammar().name() == "Python" && node.call().is_some_and(|call| LEAVE.contains(&call.callee)) {
        return false;
    }
    if node.is(&["expression_statement", "else_clause", "finally_clause", "statement_list"]) {
        let mut inner = node.named_children();
        return match (inner.next(), inner.next()) {
            (Some(only), None) => can_complete(only),
            _ => block_completes(node),
        };
    }
    if node.has_role(Role::Block) {
        return block_completes(node);
    }
    if node.has_role(Role::If) {
        return if_completes(node);
    }
    if node.has_role(Role::Try) {
        return try_completes(node);
    }
    if node.is(&["while_statement"]) {
        let endless = node.condition().is_some_and(|condition| matches!(condition.text(), "true" | "True" | "1"));
        return !endless || has_own_break(node);
    }
    true
}

fn block_completes(block: Node<'_>) -> bool {
    block.named_children().all(can_complete)
}

fn if_completes(node: Node<'_>) -> bool {
    let Some(branch) = node.branch() else { return true };
    // Python lists all its `elif` and `else` parts side by side.
    let others: Vec<Node<'_>> = node
        .children()
        .filter(|child| {
            child.is(&["elif_clause", "else_clause", "else_if_clause", "if_statement"])
                && child.index() > branch.then.index()
        })
        .collect();
    let has_else = others.iter().any(|part| !part.is(&["elif_clause", "else_if_clause"]));
    let clause_completes = |part: &Node<'_>| match part.field("body").or_else(|| part.field("consequence")) {
        Some(body) => can_complete(body),
        None => can_complete(*part),
    };
    !has_else || can_complete(branch.then) || others.iter().any(clause_completes)
}

fn try_completes(node: Node<'_>) -> bool {
    if node.is(&["try_with_resources_statement"]) {
        return true;
    }
    let last = node.children().find(|part| part.has_role(Role::Finally)).and_then(own_body);
    if last.is_some_and(|last| !can_complete(last)) {
        return false;
    }
    let Some(own) = node.field("body") else { return true };
    let mut handlers =
        node.children().filter(|part| part.has_role(Role::Catch) || part.is(&["else_clause"])).peekable();
    let own_completes = can_complete(own);
    if handlers.peek().is_none() {
        return own_completes;
    }
    own_completes || handlers.any(|handler| handler.is(&["else_clause"]) || own_body(handler).is_none_or(can_complete))
}

fn own_body(part: Node<'_>) -> Option<Node<'_>> {
    part.field("body").or_else(move || part.children().filter(|child| child.has_role(Role::Block)).last())
}

/// Whether a `break` leaves this loop, or may.
fn has_own_break(node: Node<'_>) -> bool {
    node.descendants().any(|inner| inner.has_role(Role::Break))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use review::{Chunk, ChunkHunk, Language, Line, LineKind, Side, Status};

    use super::can_complete;
    use crate::language::{Grammar, Role};
    use crate::parse::hunks;
    use crate::parse::{Fragment, Limits, SideText};
    use crate::tree::Tree;

    /// Whether the end of the only function of a text can be reached.
    fn completes(language: &str, text: &str) -> bool {
        let line =
            |(number, text)| Line { kind: LineKind::Added, old: None, new: Some(number), text, terminated: true };
        let lines: Vec<Line<'_>> = (1..).zip(text.lines()).map(line).collect();
        let file = Chunk {
            index: 0,
            is_test: false,
            path: Cow::Borrowed("a"),
            language: Language::find(language),
            status: Status::Added,
            hunks: vec![ChunkHunk { heading: Cow::Borrowed(""), lines: Cow::Owned(lines) }],
        };
        let limits = Limits::default();
        let side = SideText::new(hunks(&file).next().unwrap(), Side::New, &limits);
        let (fragment, parsed) =
            Fragment::parse(Grammar::find(language).unwrap(), side, "", true, None, &limits).ok().unwrap();
        let tree = Tree::new(&fragment, parsed, &limits);
        let body = tree.with_role(Role::Function).find_map(|node| node.function()?.body).unwrap();
        can_complete(body)
    }

    #[test]
    fn a_jump_ends_it_and_a_branch_only_if_both_sides_do() {
        assert!(completes("Python", "def f(a):\n    go(a)\n"));
        assert!(!completes("Python", "def f(a):\n    go(a)\n    return a\n"));
        assert!(completes("Python", "def f(a):\n    if a:\n        return a\n"));
        assert!(!completes("Python", "def f(a):\n    if a:\n        return a\n    else:\n        raise E\n"));
        assert!(completes("Python", "def f(a):\n    if a:\n        return a\n    elif a.b:\n        raise E\n"));
        assert!(!completes("JavaScript", "function f(a) {\n  if (a) { return 1; } else { throw a; }\n}\n"));
    }

    #[test]
    fn an_endless_loop_ends_it_unless_it_has_a_break() {
        assert!(!completes("JavaScript", "function f(a) {\n  while (true) { go(a); }\n}\n"));
        assert!(completes("JavaScript", "function f(a) {\n  while (true) { if (a) break; }\n}\n"));
        assert!(completes("JavaScript", "function f(a) {\n  while (a) { return 1; }\n}\n"));
    }

    #[test]
    fn a_try_ends_it_if_its_body_and_its_handlers_do_or_its_finally_does() {
        assert!(completes("Python", "def f(a):\n    try:\n        return a\n    except E:\n        go(a)\n"));
        assert!(!completes("Python", "def f(a):\n    try:\n        return a\n    except E:\n        raise\n"));
        assert!(!completes("JavaScript", "function f(a) {\n  try { go(a); } finally { return 1; }\n}\n"));
    }
}
