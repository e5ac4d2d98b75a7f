//! A pointer tested for null after it was dereferenced.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::c::types::uses;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/null-check-after-use",
    languages: &["C", "C++"],
    title: "Null check after dereference",
    why: "If the pointer can be null, the program has crashed before the test. The compiler may also take the \
          dereference as proof that the pointer is not null, and remove the test.",
    fix: "Move the test before the first use, or remove it if the pointer is never null.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Include,
    check: Check::Node { on: On::Roles(&[Role::If]), run },
    positive: &[
        "+int size(struct list *l) {\n+    int n = l->count;\n+    if (l == NULL)\n^\n+        return 0;\n+    return n;\n+}\n",
        "@@ int size(struct list *l)\n     l->seen = 1;\n+    if (!l)\n^\n+        return 0;\n",
    ],
    negative: &[
        "+int size(struct list *l) {\n+    if (!l)\n+        return 0;\n+    int n = l->count;\n+    l = l->next;\n+    if (!l)\n+        return n;\n+    int m = l ? l->count : 0;\n+    return m;\n+}\n",
        "+int size(struct list *l) {\n+    int n = sizeof(l->count);\n+    find(&l);\n+    if (!l)\n+        return 0;\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.condition() else { return };
    let tested = match condition.null_check() {
        Some((pointer, true)) => pointer,
        _ => match condition.negated() {
            Some(pointer) => pointer,
            None => return,
        },
    };
    if !tested.is(&["identifier"]) {
        return;
    }
    let is_list = |parent: Node<'_>| parent.has_role(Role::Block) || parent.is(&["translation_unit"]);
    if !node.parent().is_some_and(is_list) {
        return;
    }
    for earlier in node.preceding().take(6) {
        let is_plain = earlier.is(&["expression_statement", "declaration"]);
        if !is_plain || changes(earlier, tested) {
            return;
        }
        if let Some(at) = uses(earlier, tested).find(|at| is_followed(*at)) {
            sink.report(
                node,
                format!(
                    "`{}` was already dereferenced on line {}: this test comes too late.",
                    quote(tested.text()),
                    at.line().unwrap_or_default()
                ),
            );
            return;
        }
    }
}

fn changes(statement: Node<'_>, pointer: Node<'_>) -> bool {
    statement.descendants().any(|node| {
        let is_set = node.assignment().is_some_and(|assignment| {
            assignment.target.leaves().any(|leaf| leaf.text() == pointer.text())
                && !assignment.target.is(&["field_expression", "subscript_expression", "pointer_expression"])
        });
        is_set
            || (node.is(&["pointer_expression"])
                && node.text().starts_with('&')
                && node.field("argument").is_some_and(|of| of.text() == pointer.text()))
            || node.is(&["update_expression"]) && node.text().contains(pointer.text())
    })
}

/// `p->x` and `*p` that are evaluated whenever the statement runs.
fn is_followed(at: Node<'_>) -> bool {
    let Some(parent) = at.parent() else { return false };
    let is_member = parent.is(&["field_expression"])
        && parent.field("argument") == Some(at)
        && parent.text().get(at.text().len()..).is_some_and(|rest| rest.trim_start().starts_with("->"));
    let is_behind = parent.is(&["pointer_expression"]) && parent.text().starts_with('*');
    let is_address =
        parent.parent().is_some_and(|around| around.is(&["pointer_expression"]) && around.text().starts_with('&'));
    let is_unsure = at.ancestors().take_while(|around| !around.has_role(Role::Block)).any(|around| {
        around.is(&[
            "sizeof_expression",
            "conditional_expression",
            "lambda_expression",
            "offsetof_expression",
            "decltype",
        ]) || around.binary().is_some_and(|binary| matches!(binary.operator, "&&" | "||"))
    });
    (is_member || is_behind) && !is_address && !is_unsure
}
