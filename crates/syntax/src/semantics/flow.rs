//! Whether the end of a piece of code can be reached: a small, cautious analysis of jumps and branches.

use crate::language::Role;
use crate::tree::{Binary, Call, Node, Operation};

/// Whether control can reach the code after a statement. In doubt it can.
pub fn can_complete(node: Node<'_>) -> bool {
    completes(node, true)
}

/// As [`can_complete`]. With `follow`, functions of the same file that are called are looked at.
fn completes(node: Node<'_>, follow: bool) -> bool {
    let leaves = [Role::Return, Role::Throw, Role::Break, Role::Continue];
    if leaves.into_iter().any(|role| node.has_role(role)) {
        return false;
    }
    if let Some(call) = node.call() {
        let leaves = leaves_python(node, &call) || follow && always_throws(node, &call);
        return !leaves;
    }
    if node.is(&[
        "expression_statement", "else_clause", "finally_clause", "statement_list",
    ]) {
        let mut inner = node.named_children();
        return match (inner.next(), inner.next()) {
            (Some(only), None) => completes(only, follow),
            _ => block_completes(node, follow),
        };
    }
    if node.has_role(Role::Block) {
        return block_completes(node, follow);
    }
    if node.has_role(Role::If) {
        return if_completes(node, follow);
    }
    if node.has_role(Role::Try) {
        return try_completes(node, follow);
    }
    if node.has_role(Role::Switch) {
        return switch_completes(node, follow);
    }
    if node.has_role(Role::Loop) {
        return !is_endless(node) || is_left(node);
    }
    if node.is(&[
        "synchronized_statement", "lock_statement", "using_statement", "checked_statement",
    ]) {
        return own_body(node).is_none_or(|body| completes(body, follow));
    }
    true
}

/// Whether a call ends a program of Python, or a module of Ansible.
fn leaves_python(node: Node<'_>, call: &Call<'_>) -> bool {
    const CALLEES: &[&str] = &["sys.exit", "os._exit", "os.abort", "quit"];
    const METHODS: &[&str] = &["exit_json", "fail_json"];
    node.tree().grammar().name() == "Python"
        && (CALLEES.contains(&call.callee) || METHODS.contains(&call.name))
}

/// Whether a call is one of a short function of the same file or object that throws on every path.
fn always_throws(node: Node<'_>, call: &Call<'_>) -> bool {
    const NODES: usize = 300;
    let is_own = call
        .receiver
        .is_none_or(|object| matches!(object.text(), "self" | "this" | "cls" | "$this"));
    let tree = node.tree();
    let mut functions = tree
        .functions()
        .within(tree, call.name, 0..usize::MAX)
        .filter(|_| is_own);
    let body = functions
        .next()
        .and_then(|function| function.function()?.body);
    body.is_some_and(|body| {
        let has = |role: Role| body.descendants().any(|part| part.has_role(role));
        body.descendants().nth(NODES).is_none()
            && has(Role::Throw)
            && !has(Role::Return)
            && !completes(body, false)
    })
}

fn block_completes(block: Node<'_>, follow: bool) -> bool {
    block.named_children().all(|part| completes(part, follow))
}

/// An `if` completes if it has no final `else`, or if one of its branches completes. The branches are in the `else` (as
/// a block, a clause or another `if`); in Python and PHP they are siblings.
fn if_completes(node: Node<'_>, follow: bool) -> bool {
    let Some(branch) = node.branch() else {
        return true;
    };
    let tail =
        |part: &Node<'_>| part.index() > branch.then.index() && !part.has_role(Role::Comment);
    let arms: Vec<Node<'_>> = node.named_children().filter(tail).collect();
    let asks = |arm: &Node<'_>| arm.is(&["elif_clause", "else_if_clause", "elsif"]);
    let arm_completes = |arm: &Node<'_>| match arm.any_field(&["body", "consequence"]) {
        Some(body) if asks(arm) || arm.is(&["else_clause"]) => completes(body, follow),
        _ => completes(*arm, follow),
    };
    arms.last().is_none_or(asks) || completes(branch.then, follow) || arms.iter().any(arm_completes)
}

/// A `switch` completes if it has no default, if a `break` leaves it, or if its last case completes. In languages
/// without fall-through, every case counts and not only the last one.
fn switch_completes(node: Node<'_>, follow: bool) -> bool {
    const RUN_ON: &[&str] = &[
        "switch_case", "switch_default", "switch_block_statement_group", "case_statement",
        "default_statement",
    ];
    let cases: Vec<Node<'_>> = node
        .all(Role::Case)
        .filter(|case| {
            case.ancestors()
                .find(|around| around.has_role(Role::Switch))
                == Some(node)
        })
        .collect();
    let last = cases.last().map(|last| last.index());
    // An empty case of Go does nothing and leaves the statement.
    const OF_GO: &[&str] = &[
        "expression_case", "type_case", "communication_case", "default_case",
    ];
    let falls_through = |case: &Node<'_>| {
        let is_empty = || case_body(*case).is_empty() && !case.is(OF_GO);
        (case.is(RUN_ON) || is_empty()) && Some(case.index()) != last
    };
    let case_completes = |case: &Node<'_>| {
        case_body(*case)
            .into_iter()
            .all(|part| completes(part, follow))
    };
    !cases.iter().copied().any(is_default)
        || is_left(node)
        || cases
            .iter()
            .any(|case| !falls_through(case) && case_completes(case))
}

/// Whether a case is the default.
fn is_default(case: Node<'_>) -> bool {
    if case.is(&["switch_default", "default_case", "default_statement"]) {
        return true;
    }
    let label = |part: &Node<'_>| {
        part.is(&["switch_label"]) || (!part.is_named() && part.text() == "default")
    };
    if case.is(&["case_clause"]) {
        return case.field("guard").is_none()
            && case
                .named_children()
                .next()
                .is_some_and(|pattern| pattern.is(&["case_pattern"]) && pattern.text() == "_");
    }
    case.children()
        .filter(label)
        .any(|label| label.text().starts_with("default"))
}

/// The statements of a case.
fn case_body(case: Node<'_>) -> Vec<Node<'_>> {
    if let Some(body) = case.field("consequence") {
        return vec![body];
    }
    let heads = [
        case.field("value"),
        case.field("type"),
        case.field("communication"),
        case.field("pattern"),
    ];
    let is_head = |part: &Node<'_>| {
        heads.contains(&Some(*part))
            || part.has_role(Role::Comment)
            || part.is(&[
                "switch_label", "case_pattern", "when_clause", "constant_pattern",
                "declaration_pattern",
            ])
    };
    case.named_children()
        .filter(|part| !is_head(part))
        .collect()
}

fn try_completes(node: Node<'_>, follow: bool) -> bool {
    if node.is(&["try_with_resources_statement"]) {
        return true;
    }
    let last = node
        .children()
        .find(|part| part.has_role(Role::Finally))
        .and_then(own_body);
    if last.is_some_and(|last| !completes(last, follow)) {
        return false;
    }
    let Some(own) = node.field("body") else {
        return true;
    };
    let mut handlers = node
        .children()
        .filter(|part| part.has_role(Role::Catch) || part.is(&["else_clause"]))
        .peekable();
    let own_completes = completes(own, follow);
    if handlers.peek().is_none() {
        return own_completes;
    }
    own_completes
        || handlers.any(|handler| {
            handler.is(&["else_clause"])
                || own_body(handler).is_none_or(|body| completes(body, follow))
        })
}

fn own_body(part: Node<'_>) -> Option<Node<'_>> {
    part.field("body").or_else(move || {
        part.children()
            .filter(|child| child.has_role(Role::Block))
            .last()
    })
}

/// Whether a loop has no condition that ends it.
fn is_endless(node: Node<'_>) -> bool {
    let always = |condition: Node<'_>| matches!(condition.text(), "true" | "True" | "1");
    match node.kind() {
        "while_statement" | "do_statement" => node.condition().is_some_and(always),
        "for_statement" => {
            // `for (;;)`, and Go's `for {`. A loop over a collection has a field for the collection.
            let has_part = |name: &&str| {
                node.field(name)
                    .is_some_and(|part| !matches!(part.text(), ";" | ""))
            };
            let is_counted = [
                "left", "right", "update", "increment", "initializer", "init",
            ]
            .iter()
            .any(has_part);
            let header = node
                .named_children()
                .take_while(|part| Some(*part) != node.field("body"));
            !is_counted
                && node.tree().grammar().name() != "Python"
                && header
                    .into_iter()
                    .all(|part| part.has_role(Role::Comment) || part.is(&["empty_statement"]))
        }
        _ => false,
    }
}

/// Whether a `break` leaves this loop or `switch`, or may leave it: one that is in no inner loop or `switch`.
fn is_left(node: Node<'_>) -> bool {
    let breaks = |inner: &Node<'_>| inner.has_role(Role::Break) || inner.is(&["goto_statement"]);
    let catches = |around: &Node<'_>| around.has_role(Role::Loop) || around.has_role(Role::Switch);
    node.descendants().filter(breaks).any(|leave| {
        let is_labelled = leave.named_children().next().is_some();
        is_labelled || leave.ancestors().find(catches) == Some(node)
    })
}

/// Whether code runs on every path that leads to other code of the same function. In doubt it does not.
pub fn always_before(early: Node<'_>, late: Node<'_>) -> bool {
    if early.index() >= late.index() {
        return false;
    }
    let mut inner = early;
    for around in early.ancestors() {
        if late.is_inside(around) {
            return is_sequential(around, inner);
        }
        if !is_always_run(around, inner) {
            return false;
        }
        inner = around;
    }
    false
}

/// Whether a part of a node runs whenever the node does.
fn is_always_run(around: Node<'_>, part: Node<'_>) -> bool {
    let decides = [Role::If, Role::Ternary, Role::Loop];
    if decides.into_iter().any(|role| around.has_role(role)) {
        return around
            .condition()
            .is_some_and(|condition| condition == part || condition.is_inside(part));
    }
    if around.has_role(Role::Binary) {
        return around
            .binary()
            .is_some_and(|binary| !is_short_circuit(binary) || binary.left == part);
    }
    let skips = [
        Role::Lambda,
        Role::Function,
        Role::Class,
        Role::Case,
        Role::Catch,
        Role::Try,
        Role::With,
    ];
    if around.has_role(Role::Switch) {
        return part.own_field() == "value" || part.own_field() == "condition";
    }
    !skips.into_iter().any(|role| around.has_role(role))
        && !around.is(&["list_comprehension", "generator_expression", "else_clause"])
}

fn is_short_circuit(binary: Binary<'_>) -> bool {
    matches!(
        binary.operation(),
        Operation::And | Operation::Or | Operation::Default
    )
}

/// Whether one part of a node always runs before another part of it.
fn is_sequential(around: Node<'_>, early: Node<'_>) -> bool {
    if around.has_role(Role::Switch) || around.has_role(Role::Try) {
        return false;
    }
    if around.has_role(Role::Case) || around.has_role(Role::Block) {
        return true;
    }
    is_always_run(around, early)
}

#[cfg(test)]
mod tests {
    use super::can_complete;
    use crate::language::Role;
    use crate::tree::testing::with_tree;

    /// Whether the end of the only function of a text can be reached.
    fn completes(language: &str, text: &str) -> bool {
        with_tree(language, text, |tree| {
            let body = tree
                .with_role(Role::Function)
                .find_map(|node| node.function()?.body)
                .unwrap();
            can_complete(body)
        })
    }

    #[test]
    fn a_jump_does_not_complete_and_a_branch_only_if_one_side_does() {
        assert!(completes("Python", "def f(a):\n    go(a)\n"));
        assert!(!completes("Python", "def f(a):\n    go(a)\n    return a\n"));
        assert!(completes(
            "Python",
            "def f(a):\n    if a:\n        return a\n"
        ));
        assert!(!completes(
            "Python",
            "def f(a):\n    if a:\n        return a\n    else:\n        raise E\n"
        ));
        assert!(completes(
            "Python",
            "def f(a):\n    if a:\n        return a\n    elif a.b:\n        raise E\n"
        ));
        assert!(!completes(
            "JavaScript",
            "function f(a) {\n  if (a) { return 1; } else { throw a; }\n}\n"
        ));
    }

    #[test]
    fn a_chain_of_branches_without_a_final_else_completes() {
        let method = |body: &str| format!("class A {{\n  int f(int a) {{\n    {body}\n  }}\n}}\n");
        let chains = [
            (
                "if (a > 1) { return 1; } else if (a > 0) { return 2; }",
                true,
            ),
            (
                "if (a > 1) { return 1; } else if (a > 0) { return 2; } else { throw e; }",
                false,
            ),
            ("if (a > 1) return 1; else throw e;", false),
            (
                "if (a > 1) { return 1; } else if (a > 0) { go(); } else { return 3; }",
                true,
            ),
        ];
        for (body, wanted) in chains {
            for language in ["Java", "C#"] {
                assert_eq!(
                    completes(language, &method(body)),
                    wanted,
                    "{language}: {body}"
                );
            }
            assert_eq!(
                completes("JavaScript", &format!("function f(a) {{ {body} }}\n")),
                wanted,
                "{body}"
            );
        }
        assert!(!completes(
            "Go",
            "func f(a int) int {\n\tif a > 1 {\n\t\treturn 1\n\t} else if a > 0 {\n\t\treturn 2\n\t} else {\n\t\treturn 3\n\t}\n}\n"
        ));
        assert!(completes(
            "Go",
            "func f(a int) {\n\tif a > 1 {\n\t\treturn\n\t} else if a > 0 {\n\t\treturn\n\t}\n}\n"
        ));
    }

    #[test]
    fn a_switch_does_not_complete_if_no_case_does_and_one_is_the_default() {
        let script = |cases: &str| {
            completes(
                "JavaScript",
                &format!("function f(a) {{ switch (a) {{ {cases} }} }}\n"),
            )
        };
        assert!(!script("case 1: case 2: return 1; default: throw a;"));
        assert!(!script("case 1: go(); default: return 2;"));
        assert!(script("case 1: return 1; case 2: return 2;"));
        assert!(script("case 1: return 1; default: break;"));
        assert!(script("case 1: return 1; default: go();"));
        assert!(!script(
            "case 1: for (const x of a) { break; } return 1; default: return 2;"
        ));
        let java = |cases: &str| {
            completes(
                "Java",
                &format!("class A {{ int f(int a) {{ switch (a) {{ {cases} }} }} }}\n"),
            )
        };
        assert!(!java("case 1: return 1; default: throw e;"));
        assert!(!java("case 1 -> throw e; default -> { return 2; }"));
        assert!(java("case 1 -> go(); default -> throw e;"));
        assert!(!completes(
            "C#",
            "class A { int f(int a) { switch (a) { case 1: return 1; default: throw e; } } }\n"
        ));
        assert!(completes(
            "C#",
            "class A { void f(int a) { switch (a) { case 1: return; default: break; } } }\n"
        ));
        let go = |cases: &str| {
            completes(
                "Go",
                &format!("func f(a int) int {{\n\tswitch a {{\n{cases}\t}}\n}}\n"),
            )
        };
        assert!(!go("\tcase 1:\n\t\treturn 1\n\tdefault:\n\t\treturn 2\n"));
        assert!(go("\tcase 1:\n\t\trun()\n\tdefault:\n\t\treturn 2\n"));
        let python =
            |cases: &str| completes("Python", &format!("def f(a):\n    match a:\n{cases}"));
        assert!(!python(
            "        case 1:\n            return 1\n        case _:\n            raise E\n"
        ));
        assert!(python(
            "        case 1:\n            return 1\n        case 2:\n            raise E\n"
        ));
    }

    #[test]
    fn a_call_of_a_function_that_always_throws_does_not_complete() {
        for body in ["fail(a)", "self.fail(a)", "module.exit_json(changed=a)"] {
            let text = format!(
                "def f(self, a):\n    {body}\n\ndef fail(self, a):\n    match a:\n        case 1:\n            raise E\n        case _:\n            raise\n"
            );
            assert!(!completes("Python", &text), "{body}");
        }
        for other in ["return 1", "log(a)", "if a:\n        raise E"] {
            let text = format!("def f(a):\n    fail(a)\n\ndef fail(a):\n    {other}\n");
            assert!(completes("Python", &text), "{other}");
        }
        let mutual = "def f(a):\n    g(a)\n\ndef g(a):\n    f(a)\n    raise E\n";
        assert!(!completes("Python", mutual));
    }

    #[test]
    fn an_endless_loop_completes_only_with_a_break() {
        assert!(!completes(
            "JavaScript",
            "function f(a) {\n  while (true) { go(a); }\n}\n"
        ));
        assert!(!completes(
            "JavaScript",
            "function f(a) {\n  for (;;) { switch (a) { case 1: break; } }\n}\n"
        ));
        assert!(completes(
            "JavaScript",
            "function f(a) {\n  while (true) { if (a) break; }\n}\n"
        ));
        assert!(completes(
            "JavaScript",
            "function f(a) {\n  while (a) { return 1; }\n}\n"
        ));
        assert!(completes(
            "JavaScript",
            "function f(a) {\n  for (const x of a) { return 1; }\n}\n"
        ));
        assert!(!completes(
            "Go",
            "func f(a int) {\n\tfor {\n\t\trun(a)\n\t}\n}\n"
        ));
        assert!(completes(
            "Go",
            "func f(a []int) {\n\tfor range a {\n\t\treturn\n\t}\n}\n"
        ));
        assert!(completes(
            "Python",
            "def f(a):\n    for x in a:\n        return x\n"
        ));
        assert!(completes(
            "Java",
            "class A { void f(int a) { for (int i = 0; i < a; i++) { return; } } }\n"
        ));
    }

    #[test]
    fn a_try_completes_unless_its_finally_or_all_its_other_parts_jump() {
        assert!(completes(
            "Python",
            "def f(a):\n    try:\n        return a\n    except E:\n        go(a)\n"
        ));
        assert!(!completes(
            "Python",
            "def f(a):\n    try:\n        return a\n    except E:\n        raise\n"
        ));
        assert!(!completes(
            "JavaScript",
            "function f(a) {\n  try { go(a); } finally { return 1; }\n}\n"
        ));
    }
}
