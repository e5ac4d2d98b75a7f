//! Assigned values that are never read.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::semantics::script::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/assigned-and-never-read",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Assigned value never read",
    why: "The function ends, or the variable is assigned again, before the new value is read. Often the result should \
          have been returned, or a different variable assigned.",
    fix: "Use or return the value, or delete the assignment.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["assignment_expression"]),
        run,
    },
    positive: &[
        r#"
+function price(cart) {
+  let sum = cart.total;
+  log(sum);
+  sum = sum * 0.9;
^
+  return cart.total;
+}
"#,
        r#"
+function mode(x) {
+  let name = "";
+  use(name);
+  name = "slow";
^
+  name = "fast";
+  return name;
+}
"#,
    ],
    negative: &[
        r#"
+function price(cart) {
+  let sum = cart.total;
+  sum = sum * 0.9;
+  return sum;
+}
"#,
        r#"
+let last;
+function walk(list) {
+  let n = 0;
+  for (const x of list) {
+    if (n) go(n);
+    n = x;
+  }
+  let seen = 0;
+  on(() => seen);
+  seen = 1;
+  last = n;
+  try {
+    n = 2;
+  } finally {
+    go(n);
+  }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(left) = node.field("left").filter(|left| left.is(&["identifier"])) else {
        return;
    };
    let Some(statement) = node
        .parent()
        .filter(|parent| parent.is(&["expression_statement"]))
    else {
        return;
    };
    let Some(function) = node
        .enclosing_function()
        .filter(|function| function.is_usable() && is_small(*function))
    else {
        return;
    };
    let mut between = node.ancestors().take_while(|around| *around != function);
    if between.any(|around| {
        around.has_role(Role::Loop)
            || around.has_role(Role::Try)
            || around.is(&["labeled_statement", "switch_case"])
    }) {
        return;
    }
    let Some(at) =
        declared(left).filter(|at| at.is_inside(function) && at.is(&["variable_declarator"]))
    else {
        return;
    };
    let end = node.descendants().last().map_or(node.index(), Node::index);
    let uses = || {
        function
            .descendants()
            .filter(|other| is_name(*other, left.text()))
    };
    let is_captured = uses().any(|other| other.enclosing_function() != Some(function));
    if is_captured || at.text().contains("using") {
        return;
    }
    let mut after = uses().filter(|other| other.index() > end);
    let next = after.next();
    let is_lost = match next {
        None => true,
        Some(next) => overwrites(next, statement),
    };
    if is_lost {
        sink.report(
            left,
            format!(
                "The value assigned to `{}` here is never read.",
                left.text()
            ),
        );
    }
}

fn is_name(node: Node<'_>, name: &str) -> bool {
    node.is(&[
        "identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
    ]) && node.text() == name
}

/// Whether the next use is another plain assignment, in the next statement.
fn overwrites(next: Node<'_>, statement: Node<'_>) -> bool {
    let Some(other) = next
        .parent()
        .filter(|other| other.is(&["assignment_expression"]))
    else {
        return false;
    };
    let reads = other.field("right").is_none_or(|right| {
        right
            .descendants()
            .chain([right])
            .any(|part| is_name(part, next.text()))
    });
    other.field("left") == Some(next) && !reads && other.parent() == statement.next()
}
