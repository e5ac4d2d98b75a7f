//! A check for an object that null passes too.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::names::mentions;
use crate::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/typeof-object-takes-null",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "typeof object check without a null check",
    why: "`typeof null` is `\"object\"`. Without a null check, the branch for objects also accepts null, and the \
          first property access in it throws.",
    fix: "Check for null as well: `value !== null && typeof value === 'object'`.",
    references: &["CWE-476", "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Operators/typeof"],
    priority: Priority::P3,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::If]), run },
    positive: &["path: src/a.js\n+if (typeof options === 'object') {\n^\n+  name = options.name;\n+}\n"],
    negative: &[
        "path: src/a.js\n+if (options && typeof options === 'object') {\n+  name = options.name;\n+}\n+if (typeof options === 'object' && options !== null) {\n+  name = options.name;\n+}\n+if (typeof options === 'object') {\n+  show(options);\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(branch) = node.branch().filter(|branch| !branch.negated) else { return };
    let parts = branch.condition.operands_of(Operation::And);
    let Some((test, value)) = parts.iter().find_map(|part| Some((*part, is_object_test(*part)?))) else { return };
    // Any other mention of the value may be the missing check.
    let asked = mentions(branch.condition.text(), value.text()) > 1;
    let earlier = std::iter::successors(node.statement().previous(), |before| before.previous()).take(5);
    let asked_before =
        earlier.into_iter().any(|before| before.has_role(Role::If) && mentions(before.text(), value.text()) > 0);
    let around =
        node.ancestors().filter_map(Node::condition).any(|condition| mentions(condition.text(), value.text()) > 0);
    let opens = branch.then.descendants().find(|inner| {
        inner.has_role(Role::Member)
            && inner.receiver().is_some_and(|of| of.says_same(value))
            && !inner.text().contains("?.")
    });
    if let Some(opened) = opens.filter(|_| !asked && !asked_before && !around) {
        sink.report(
            test,
            format!("`{}` is also true for null, and then `{}` throws.", quote(test.text()), quote(opened.text())),
        );
    }
}

/// The name in `typeof x === 'object'`.
fn is_object_test(part: Node<'_>) -> Option<Node<'_>> {
    let own = part
        .comparison()
        .filter(|own| matches!(own.operator, "==" | "===") && own.right.string_value() == Some("object"))?;
    let value = own.left.named_children().last().filter(|_| own.left.text().starts_with("typeof"))?;
    value.has_role(Role::Name).then_some(value)
}
