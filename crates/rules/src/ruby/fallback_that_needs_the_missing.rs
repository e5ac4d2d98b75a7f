//! `a&.b || a.c`: the right operand runs if `a` is nil, and then raises.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary::nil_answers;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "ruby/fallback-that-needs-the-missing",
    languages: &["Ruby"],
    title: "Fallback depending on a nil object",
    why: "The right operand runs when the left one is nil or false, which is the case when the object itself is nil. \
          It then calls a method on that nil and raises `NoMethodError`.",
    fix: "Use `&.` in the fallback as well, or a fallback value that does not depend on the object.",
    references: &["CWE-476"],
    priority: Priority::P1,
    category: Category::NullSafety,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["binary"]),
        run,
    },
    positive: &[
        r#"
+name = user&.nick || user.name
^
"#,
        r#"
+size = cart&.size || cart + 1
^
+x = user || user.name
^
"#,
    ],
    negative: &[
        "+name = user&.nick || user&.name || 'guest'\n",
        r#"
+size = cart&.size || other.size
+x = user&.nick && user.name
+y = user&.nick || user.nil?
+z = user.nick || user.name
+v = user&.nick || (user ? user.name : '')
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node
        .binary()
        .filter(|binary| binary.operation() == Operation::Or)
    else {
        return;
    };
    let left = binary.left.unparenthesised();
    let last = left
        .operands_of(Operation::Or)
        .last()
        .copied()
        .unwrap_or(left);
    let Some(missing) = may_be_missing(last) else {
        return;
    };
    let right = binary.right.unparenthesised();
    if let Some(used) = needs(right, missing) {
        sink.report(
            used,
            format!(
                "This runs when `{}` is nil, and then `{}` raises NoMethodError.",
                quote(missing.text()),
                quote(used.text())
            ),
        );
    }
}

/// The receiver that is nil if `&.` makes the expression nil, or the expression itself.
fn may_be_missing(node: Node<'_>) -> Option<Node<'_>> {
    let is_name =
        |node: &Node<'_>| node.is(&["identifier", "instance_variable", "element_reference"]);
    if is_name(&node) {
        return Some(node);
    }
    let is_safe = node.is(&["call"])
        && node
            .field("operator")
            .is_some_and(|operator| operator.text() == "&.");
    let receiver = node.field("receiver")?;
    if is_safe { Some(receiver) } else { None }
}

/// The part that calls a method on it without a nil check.
fn needs<'t>(right: Node<'t>, missing: Node<'_>) -> Option<Node<'t>> {
    let first = if right
        .binary()
        .is_some_and(|b| matches!(b.operation(), Operation::And | Operation::Or))
    {
        right.binary()?.left.unparenthesised()
    } else {
        right
    };
    if let Some(binary) = first.binary() {
        let is_sum = matches!(
            binary.operator,
            "+" | "-" | "*" | "/" | "<<" | "<" | ">" | "<=" | ">="
        );
        return (is_sum && binary.left.says_same(missing)).then_some(first);
    }
    let call = first.call().filter(|_| first.is(&["call"]))?;
    let is_plain = first
        .field("operator")
        .is_some_and(|operator| operator.text() == ".");
    let receiver = first.field("receiver")?;
    (is_plain && receiver.says_same(missing) && !nil_answers(call.name)).then_some(first)
}
