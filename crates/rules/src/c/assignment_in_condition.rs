//! `=` where a comparison was probably intended.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/assignment-in-condition",
    languages: &["C", "C++"],
    title: "Assignment in a condition",
    why: "A single `=` stores the value, and the condition tests the stored value: with a constant it is always true \
          or always false, and the old value is lost.",
    fix: "Compare with `==`. If the assignment is intended, put it in its own parentheses and compare the result.",
    references: &["CWE-481"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Assign]),
        run,
    },
    positive: &[
        r#"
+int check(int state) {
+    if (state = 3)
^
+        return 1;
+    return 0;
+}
"#,
        r#"
@@ int check(struct user *u)
-    if (valid(u) && u->id == 0)
+    if (valid(u) && (u->id = 0))
^
         return 1;
"#,
        r#"
+void copy(int a, int b) {
+    while (a = b)
^
+        step();
+}
"#,
    ],
    negative: &[
        r#"
+int check(int state) {
+    char *p;
+    if (state == 3 && (p = find(state)))
+        return 1;
+    while ((state = next()) != 0)
+        step();
+    while ((p = q))
+        q = p->next;
+    for (int i = 0; i < 3; i = 7)
+        step();
+    if ((state = 3))
+        return 4;
+    if ((state = 3) > 2 || (p = malloc(3)) == NULL)
+        return 2;
+    while (p = strchr(p, ','))
+        p++;
+    return 0;
+}
"#,
        r#"
@@ int check(struct user *u)
     if (u->id = 0)
         return 1;
+    while ((u = u->next) && u->id == 3)
+        step(u);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !node.is(&["assignment_expression"]) {
        return;
    }
    let Some(assignment) = node
        .assignment()
        .filter(|assignment| assignment.operator == "=")
    else {
        return;
    };
    let Some(joined) = joins(node) else { return };
    // A redundant pair of parentheses is the usual sign of an intended assignment.
    let own = own_parentheses(node);
    if own > usize::from(joined) {
        return;
    }
    if joined && own > 0 && is_intended(node, assignment.target) {
        return;
    }
    let value = assignment.value.unparenthesised();
    let is_constant = value.is(&[
        "number_literal", "char_literal", "string_literal", "true", "false", "null",
    ]) || value.is_null();
    let is_plain = value.is(&["identifier"]) && !joined;
    if is_constant {
        sink.report(
            node,
            format!(
                "`{}` assigns a constant, so the condition always has the same result.",
                quote(node.text())
            ),
        );
    } else if is_plain {
        sink.report(
            node,
            format!(
                "`{}` assigns; a comparison was probably intended.",
                quote(node.text())
            ),
        )
        .priority(Priority::P2);
    }
}

/// Whether the variable is used in a later part of the same condition, or the assignment is part of a comparison.
fn is_intended(node: Node<'_>, target: Node<'_>) -> bool {
    let chain = node
        .ancestors()
        .take_while(|around| around.is(&["parenthesized_expression", "binary_expression"]));
    chain.filter_map(Node::binary).any(|binary| {
        let other = if node.is_inside(binary.left) {
            binary.right
        } else {
            binary.left
        };
        let uses =
            other.index() > node.index() && other.names().any(|name| name.text() == target.text());
        uses || other.comparison().is_some()
    })
}

/// Whether it is part of a larger condition; `None` outside of a condition.
fn joins(node: Node<'_>) -> Option<bool> {
    let mut joined = false;
    let mut inner = node;
    for around in node.ancestors() {
        if around.is(&[
            "if_statement", "while_statement", "do_statement", "for_statement",
            "conditional_expression",
        ]) {
            return (around.field("condition") == Some(inner)).then_some(joined);
        }
        match around.kind() {
            "parenthesized_expression" | "condition_clause" => {}
            "unary_expression" if around.text().starts_with('!') => joined = true,
            "binary_expression"
                if around
                    .binary()
                    .is_some_and(|binary| matches!(binary.operator, "&&" | "||")) =>
            {
                joined = true
            }
            _ => return None,
        }
        inner = around;
    }
    None
}

/// Parentheses directly around it, without those that belong to the statement.
fn own_parentheses(node: Node<'_>) -> usize {
    let run: Vec<Node<'_>> = node
        .ancestors()
        .take_while(|around| around.is(&["parenthesized_expression"]))
        .collect();
    let is_statements = |last: &Node<'_>| {
        last.parent()
            .is_some_and(|around| around.is(&["if_statement", "while_statement", "do_statement"]))
    };
    run.len() - usize::from(run.last().is_some_and(is_statements))
}
