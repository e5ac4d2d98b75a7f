//! Assertions that compare a value with itself.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/assertion-of-itself",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Assertion comparing a value with itself",
    why: "Both sides are the same expression, so the test passes whatever the code does.",
    fix: "Compare with the expected value.",
    references: &[],
    priority: Priority::P2,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/a.test.js
+expect(total).toBe(total);
^
+assert.strictEqual(cart.total, cart.total);
^
"#,
        r#"
path: src/a.test.ts
@@ describe("cart", () => {
   it("adds", () => {
+    expect(cart.items).toEqual(cart.items);
^
   });
"#,
    ],
    negative: &[
        r#"
path: src/a.test.js
+expect(total).toBe(3);
+expect(next()).toBe(next());
+expect(total).not.toBe(total);
+assert.equal(cart.total, 3);
"#,
        r#"
path: src/a.test.js
@@ test("adds", () => {
   expect(total).toBe(total);
+  expect(cart.total).toBe(other.total);
+  assert.notStrictEqual(copy(cart), cart);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let Some(last) = call.arguments.first() else {
        return;
    };
    let pair = if call.callee.starts_with("assert.")
        && (call.name.to_ascii_lowercase().contains("equal") || call.name == "same")
    {
        call.arguments.get(1).map(|second| (*last, *second))
    } else if call.callee.starts_with("expect(")
        && !call.callee.contains(".not.")
        && !call.callee.contains("(\"")
    {
        let inner = call.receiver.and_then(|receiver| {
            receiver.all(Role::Call).find(|inner| {
                inner
                    .field("function")
                    .is_some_and(|callee| callee.text() == "expect")
            })
        });
        let compares = matches!(
            call.name,
            "toBe"
                | "toEqual"
                | "toStrictEqual"
                | "equal"
                | "eql"
                | "equals"
                | "eq"
                | "deep"
                | "same"
                | "contain"
                | "include"
                | "toContain"
                | "toMatchObject"
                | "above"
                | "below"
                | "least"
                | "most"
                | "lte"
                | "gte"
                | "members"
                | "keys"
                | "toBeCloseTo"
                | "within"
                | "greaterThan"
                | "lessThan"
                | "closeTo"
        );
        inner
            .and_then(Node::call)
            .filter(|_| compares)
            .and_then(|inner| inner.arguments.first().map(|first| (*first, *last)))
    } else {
        None
    };
    let Some((left, right)) = pair else { return };
    let fixed = left.all(Role::Call).next().is_none() && !left.has_role(Role::Lambda);
    let literal = left.has_role(Role::Number)
        || left.has_role(Role::Text)
        || left.is(&["true", "false", "null", "undefined"]);
    if left.says_same(right) && fixed && !literal {
        sink.report(
            node,
            format!(
                "`{}` is compared with itself: this assertion never fails.",
                quote(left.text())
            ),
        );
    }
}
