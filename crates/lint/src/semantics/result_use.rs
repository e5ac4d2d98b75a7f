//! What callers do with the result of a function.

use serde::{Deserialize, Serialize};

use crate::language::Role;
use crate::tree::Node;

/// What a caller does with the result of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultUse {
    /// Not known, or anything goes.
    Unknown,
    /// Nothing.
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
    "unwrap",
    "expect",
    "ok",
    "err",
    "map",
    "is_",
    "and_then",
    "or",
    "iter",
    "into_iter",
    "as_ref",
    "as_deref",
    "as_mut",
    "cloned",
    "copied",
    "flatten",
    "filter",
    "inspect",
    "context",
    "with_",
    "zip",
    "take",
    "transpose",
    "isPresent",
    "isEmpty",
    "get",
    "ifPresent",
    "stream",
    "value",
    "has_value",
    "fold",
];

/// What is done with the result of a call.
pub(crate) fn result_use(call: Node<'_>) -> ResultUse {
    let Some(around) = call.parent() else {
        return ResultUse::Unknown;
    };
    if around.is(&["parenthesized_expression"]) {
        return result_use(around);
    }
    // The parentheses of a condition in C++.
    if around.is(&["condition_clause"]) {
        return ResultUse::Condition;
    }
    if around.has_role(Role::Await) {
        return ResultUse::Awaited;
    }
    if around.is(&["try_expression", "let_condition", "match_expression"])
        || around.has_role(Role::Switch)
    {
        return ResultUse::Unwrapped;
    }
    let is_it = |node: Node<'_>| node.unparenthesised() == call.unparenthesised();
    let is_condition = around.condition().is_some_and(is_it) || around.negated().is_some_and(is_it);
    if is_condition {
        return ResultUse::Condition;
    }
    if around.has_role(Role::Member) && around.receiver() == Some(call) {
        return of_member(around.last_name());
    }
    if let Some(called) = around.call()
        && called.receiver == Some(call)
    {
        return of_member(called.name);
    }
    if around.is(&["expression_statement"]) || around.has_role(Role::Block) {
        // The last expression of a block of Rust is its value.
        let is_value = around.has_role(Role::Block)
            && call.tree().grammar().name() == "Rust"
            && call.next().is_none_or(|next| next.text() == "}");
        return if is_value {
            ResultUse::Unknown
        } else {
            ResultUse::Discarded
        };
    }
    if around.is(&["expression_list"]) {
        return assigned(around.parent(), call);
    }
    if around.has_role(Role::Assign) || around.is(&["variable_declarator", "init_declarator"]) {
        return assigned(Some(around), call);
    }
    let is_argument = around.has_role(Role::Arguments)
        || around.is(&["argument", "value_argument"])
        || around.has_role(Role::Binary)
        || around.is(&["interpolation", "template_substitution"]);
    if is_argument {
        // Go passes all results of a call that is the only argument.
        let is_only = around.named_children().count() == 1;
        let is_passed_on = is_only && call.tree().grammar().name() == "Go";
        return if is_passed_on {
            ResultUse::Unknown
        } else {
            ResultUse::Value
        };
    }
    ResultUse::Unknown
}

fn of_member(name: &str) -> ResultUse {
    const LATER: &[&str] = &[
        "then",
        "catch",
        "finally",
        "ConfigureAwait",
        "GetAwaiter",
        "Wait",
    ];
    if LATER.contains(&name) || name == "Result" {
        ResultUse::Awaited
    } else if UNWRAPPING.iter().any(|part| name.starts_with(part)) {
        ResultUse::Unwrapped
    } else {
        ResultUse::Value
    }
}

fn assigned(assignment: Option<Node<'_>>, call: Node<'_>) -> ResultUse {
    let Some(assignment) = assignment else {
        return ResultUse::Unknown;
    };
    if call.tree().grammar().name() == "Go" {
        let targets = assignment
            .field("left")
            .map_or(1, |left| left.named_children().count());
        return ResultUse::Assigned(targets);
    }
    let Some(name) = assignment
        .any_field(&["pattern", "name", "left", "declarator"])
        .filter(|target| target.is_leaf())
    else {
        return ResultUse::Unknown;
    };
    handled_later(name)
}

/// What is done with the variable that a result is assigned to, as far as its function shows it.
fn handled_later(name: Node<'_>) -> ResultUse {
    let Some(function) = name.enclosing(Role::Function) else {
        return ResultUse::Unknown;
    };
    let uses = function
        .leaves()
        .filter(|leaf| leaf.index() > name.index() && leaf.text() == name.text());
    let mut found = ResultUse::Unknown;
    for used in uses {
        match result_use(used) {
            handled @ (ResultUse::Awaited | ResultUse::Unwrapped) => return handled,
            seen @ (ResultUse::Value | ResultUse::Condition) => found = seen,
            _ => return ResultUse::Unknown,
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
    fn what_a_caller_does_with_a_result_is_read() {
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
                "JavaScript",
                "async function f() { await load(); }",
                Awaited,
            ),
            ("JavaScript", "function f() { load().then(go); }", Awaited),
            ("JavaScript", "function f() { return load().size; }", Value),
            ("Python", "def f():\n    load()\n", Discarded),
        ] {
            assert_eq!(used(language, code), expected, "{code}");
        }
    }
}
