//! How callers use the result of a function.

use serde::{Deserialize, Serialize};

use crate::language::Role;
use crate::tree::Node;

/// How a caller uses the result of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultUse {
    /// Unknown, or any use.
    Unknown,
    /// Not used.
    Discarded,
    /// Awaited.
    Awaited,
    /// Unwrapped, or matched with patterns.
    Unwrapped,
    /// A condition.
    Condition,
    /// A value: an argument, an operand, a part of a text, the object of a call.
    Value,
    /// Assigned to this number of variables.
    Assigned(usize),
}

/// Members of types that wrap a value.
const UNWRAPPING: &[&str] = &[
    "unwrap", "expect", "ok", "err", "map", "is_", "and_then", "or", "iter", "into_iter", "as_ref",
    "as_deref", "as_mut", "cloned", "copied", "flatten", "flatMap", "filter", "inspect", "context",
    "with_", "zip", "take", "transpose", "isPresent", "isEmpty", "get", "ifPresent", "stream",
    "value", "has_value", "fold",
];

/// The maximum number of uses of a variable that are looked at.
const USES: usize = 100;

/// How the result of a call is used. If it is assigned to a variable, how the variable is used.
pub fn result_use(call: Node<'_>) -> ResultUse {
    match next(call) {
        Next::Done(used) => used,
        Next::Variable(name) => variable_use(name),
    }
}

/// Whether a member of a promise or task, such as `then`, waits for it.
pub fn awaits(member: &str) -> bool {
    matches!(
        member,
        "then"
            | "catch"
            | "finally"
            | "await"
            | "ConfigureAwait"
            | "GetAwaiter"
            | "Wait"
            | "Result"
    )
}

/// Where the value of an expression goes.
enum Next<'t> {
    Done(ResultUse),
    Variable(Node<'t>),
}

fn next(mut value: Node<'_>) -> Next<'_> {
    loop {
        match value.parent() {
            Some(around) if around.is(&["parenthesized_expression"]) => value = around,
            Some(around) => return next_of(value, around),
            None => return Next::Done(ResultUse::Unknown),
        }
    }
}

fn next_of<'t>(value: Node<'t>, around: Node<'t>) -> Next<'t> {
    let language = value.tree().grammar().name();
    if around.is(&["expression_list"]) {
        // `return f()` returns all results of the call.
        let is_returned = around
            .parent()
            .is_some_and(|statement| statement.has_role(Role::Return));
        if is_returned && around.named_children().count() == 1 {
            return Next::Done(ResultUse::Unknown);
        }
        return around
            .parent()
            .map_or(Next::Done(ResultUse::Unknown), |set| assigned(set));
    }
    if around.has_role(Role::Assign) || around.is(&["variable_declarator", "init_declarator"]) {
        return assigned(around);
    }
    let is_it = |node: Node<'t>| node.unparenthesised() == value.unparenthesised();
    // C++ has its own parentheses around conditions.
    let is_condition = around.is(&["condition_clause"])
        || around.condition().is_some_and(is_it)
        || around.negated().is_some_and(is_it);
    let is_pattern = around.is(&["try_expression", "let_condition", "match_expression"])
        || around.has_role(Role::Switch);
    let is_argument = around.has_role(Role::Arguments)
        || around.is(&["argument", "value_argument"])
        || around.has_role(Role::Binary)
        || around.is(&["interpolation", "template_substitution"]);
    Next::Done(if around.has_role(Role::Await) {
        let targets = around.parent().and_then(unpacked);
        targets.map_or(ResultUse::Awaited, ResultUse::Assigned)
    } else if is_pattern {
        ResultUse::Unwrapped
    } else if is_condition {
        ResultUse::Condition
    } else if let Some(member) = member_of(value, around) {
        of_member(member)
    } else if around.is(&["expression_statement"]) {
        ResultUse::Discarded
    } else if around.has_role(Role::Block) {
        // The last expression of a block in Rust is its value.
        let is_last = value.next().is_none_or(|next| next.text() == "}");
        if language == "Rust" && is_last {
            ResultUse::Unknown
        } else {
            ResultUse::Discarded
        }
    } else if is_argument && is_expected_promise(around) {
        ResultUse::Awaited
    } else if is_argument {
        // Go passes all results of a call that is the only argument.
        let is_only = around.named_children().count() == 1;
        if language == "Go" && is_only {
            ResultUse::Unknown
        } else {
            ResultUse::Value
        }
    } else {
        ResultUse::Unknown
    })
}

/// Whether arguments are those of `expect(…).rejects` or `.resolves`, which await them.
fn is_expected_promise(arguments: Node<'_>) -> bool {
    let member = arguments.parent().and_then(Node::parent);
    member.is_some_and(|member| {
        member.has_role(Role::Member) && matches!(member.last_name(), "rejects" | "resolves")
    })
}

/// The member of a value that is accessed or called.
fn member_of<'t>(value: Node<'t>, around: Node<'t>) -> Option<&'t str> {
    if around.has_role(Role::Member) && around.receiver() == Some(value) {
        return Some(around.last_name());
    }
    let called = around.call()?;
    (called.receiver == Some(value)).then_some(called.name)
}

fn of_member(name: &str) -> ResultUse {
    if awaits(name) {
        ResultUse::Awaited
    } else if UNWRAPPING.iter().any(|part| name.starts_with(part)) {
        ResultUse::Unwrapped
    } else {
        ResultUse::Value
    }
}

fn assigned(assignment: Node<'_>) -> Next<'_> {
    if assignment.tree().grammar().name() == "Go" {
        let targets = assignment
            .field("left")
            .map_or(1, |left| left.named_children().count());
        return Next::Done(ResultUse::Assigned(targets));
    }
    if let Some(count) = unpacked(assignment) {
        return Next::Done(ResultUse::Assigned(count));
    }
    let target = assignment
        .any_field(&["pattern", "name", "left", "declarator"])
        .filter(|target| target.is_leaf());
    target.map_or(Next::Done(ResultUse::Unknown), Next::Variable)
}

/// The number of variables to which an assignment of Python unpacks its value; `None` if one of them takes any number.
fn unpacked(assignment: Node<'_>) -> Option<usize> {
    let is_python = assignment.tree().grammar().name() == "Python";
    let targets = assignment
        .field("left")
        .filter(|left| is_python && left.is(&["pattern_list", "tuple_pattern", "list_pattern"]))?;
    let takes_any = targets
        .named_children()
        .any(|one| one.is(&["list_splat_pattern"]));
    (!takes_any).then(|| targets.named_children().count())
}

/// How the rest of its function uses a variable. A variable that it is assigned to is not followed.
fn variable_use(name: Node<'_>) -> ResultUse {
    let Some(function) = name.enclosing(Role::Function) else {
        return ResultUse::Unknown;
    };
    let tree = name.tree();
    let rest = name.index() + 1..function.inside().end;
    let mut found = ResultUse::Unknown;
    for (count, used) in tree.mentions().within(tree, name.text(), rest).enumerate() {
        match next(used) {
            Next::Done(handled @ (ResultUse::Awaited | ResultUse::Unwrapped)) => return handled,
            Next::Done(seen @ (ResultUse::Value | ResultUse::Condition)) if count < USES => {
                found = seen;
            }
            Next::Done(_) | Next::Variable(_) => return ResultUse::Unknown,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ResultUse, result_use};
    use crate::language::Role;
    use crate::tree::testing::each;

    fn used(language: &str, code: &str) -> ResultUse {
        let calls = each(language, code, |node| {
            (node.has_role(Role::Call) && node.text() == "load()").then(|| result_use(node))
        });
        calls.into_iter().next().unwrap()
    }

    #[test]
    fn the_use_of_a_result_is_recognized() {
        use ResultUse::{Assigned, Awaited, Condition, Discarded, Unknown, Unwrapped, Value};
        for (language, code, expected) in [
            ("Rust", "fn f() { load(); }", Discarded),
            ("Rust", "fn f() -> u8 { load() }", Unknown),
            ("Rust", "fn f() { load()?; }", Unwrapped),
            ("Rust", "fn f() { load().unwrap(); }", Unwrapped),
            ("Rust", "fn f() { send(load()); }", Value),
            ("Rust", "fn f() { load().trim(); }", Value),
            (
                "Rust",
                "fn f() { if let Ok(a) = load() { go(a) } }",
                Unwrapped,
            ),
            ("Rust", "fn f() { let a = load(); send(a); }", Value),
            ("Rust", "fn f() { let a = load(); send(a?); }", Unwrapped),
            (
                "Rust",
                "fn f() { let a = load(); match a { Ok(_) => {} _ => {} } }",
                Unwrapped,
            ),
            (
                "Go",
                "package a\nfunc f() { a, err := load()\n}",
                Assigned(2),
            ),
            ("Go", "package a\nfunc f() { a := load()\n}", Assigned(1)),
            ("Go", "package a\nfunc f() { send(load()) }", Unknown),
            ("Go", "package a\nfunc f() { send(1, load()) }", Value),
            (
                "C++",
                "int f() { if (!load()) { return 1; } return 2; }",
                Condition,
            ),
            (
                "C++",
                "int f() { if (load()) { return 1; } return 2; }",
                Condition,
            ),
            (
                "JavaScript", "async function f() { await load(); }", Awaited,
            ),
            ("JavaScript", "function f() { load().then(go); }", Awaited),
            (
                "JavaScript",
                "function f() { return expect(load()).rejects.toThrow(); }",
                Awaited,
            ),
            ("JavaScript", "function f() { send(load()); }", Value),
            (
                "Go",
                "package a\nfunc f() (int, error) { return load() }",
                Unknown,
            ),
            ("JavaScript", "function f() { return load().size; }", Value),
            ("Python", "def f():\n    load()\n", Discarded),
            ("Python", "def f():\n    a, b = load()\n", Assigned(2)),
            (
                "Python",
                "async def f():\n    (a, b, c) = await load()\n",
                Assigned(3),
            ),
            ("Python", "async def f():\n    a = await load()\n", Awaited),
            ("Python", "def f():\n    a, *b = load()\n", Unknown),
        ] {
            assert_eq!(used(language, code), expected, "{code}");
        }
    }

    #[test]
    fn a_variable_that_is_passed_on_or_used_often_is_not_followed() {
        let body = |lines: &str| format!("fn f() {{ let a0 = load();\n{lines} }}");
        let copies = (1..20_000).map(|at| format!("let a{at} = a{};\n", at - 1));
        assert_eq!(
            used("Rust", &body(&copies.collect::<String>())),
            ResultUse::Unknown
        );
        let uses = |count| body(&"send(a0);\n".repeat(count));
        assert_eq!(used("Rust", &uses(100)), ResultUse::Value);
        assert_eq!(used("Rust", &uses(101)), ResultUse::Unknown);
    }
}
