//! Values read before an `await` and written after it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::script::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/lost-update-over-await",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Lost update across an await",
    why: "Other code runs while the function waits, and may change the value. The assignment uses the value read \
          before the wait, so the other change is lost.",
    fix: "Await first, then read and write in one step.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["assignment_expression", "augmented_assignment_expression"]),
        run,
    },
    positive: &[
        r#"
+let total = 0;
+async function add(id) {
+  total += await price(id);
^
+}
"#,
        r#"
+async function add(cart, id) {
+  cart.total = cart.total + (await price(id));
^
+}
"#,
    ],
    negative: &[
        r#"
+let total = 0;
+async function add(id) {
+  const more = await price(id);
+  total += more;
+}
"#,
        r#"
+async function sum(ids) {
+  let total = 0;
+  for (const id of ids) {
+    total += await price(id);
+  }
+  return total;
+}
+async function put(cart) {
+  cart.total = await price(cart.total);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    let Some(wait) = right.all(Role::Await).next() else {
        return;
    };
    let is_update = node.is(&["augmented_assignment_expression"]);
    let reads_first = || {
        let mut before = right
            .descendants()
            .take_while(|part| part.index() < wait.index());
        before.any(|part| {
            part.is(&["identifier", "member_expression", "subscript_expression"])
                && part.says_same(left)
        })
    };
    let Some(function) = node.enclosing_function() else {
        return;
    };
    let inside = wait.enclosing_function();
    if inside != Some(function) || !(is_update || reads_first()) || !is_shared(left, function) {
        return;
    }
    let text = quote(left.text());
    sink.report(
        node,
        format!(
            "`{text}` may change during this await; the assignment then overwrites that change."
        ),
    );
}

/// Whether other code can change it while the function waits, because it is not a local variable.
fn is_shared(left: Node<'_>, function: Node<'_>) -> bool {
    let Some(base) = left.leaves().next() else {
        return false;
    };
    match declared(base) {
        Some(at) if left.is(&["identifier"]) => !at.is_inside(function),
        // An object that the function itself created is local too.
        Some(at) => {
            !(at.is_inside(function)
                && at
                    .field("value")
                    .is_some_and(|value| value.is(&["object", "array"])))
        }
        None => base.is(&["this"]),
    }
}
