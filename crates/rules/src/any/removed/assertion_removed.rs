//! An assertion that was removed from a test or from the code itself.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/assertion-removed",
    languages: &[],
    title: "Assertion removed",
    why: "The assertion stated a condition that must hold here. It was removed although its subject is still used, so \
          a violation now goes unnoticed.",
    fix: "Keep the assertion, or replace it with one that holds for the new behavior.",
    references: &[],
    priority: Priority::P2,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: test/test_a.py
 def test_total():
     result = total([1, 2])
-    assert result.value == 3
^
     assert result.count == 2
"#,
        r#"
path: src/a.c
@@ static void put(struct q *q, int x)
-	assert(q->len < q->max);
^
 	q->items[q->len++] = x;
"#,
    ],
    negative: &[
        r#"
path: test/test_a.py
 def test_total():
     result = total([1, 2])
-    assert result.value == 3
+    assert result.value == 4
     assert result.count == 2
"#,
        r#"
path: test/test_a.py
-def test_total():
-    result = total([1, 2])
-    assert result.value == 3
 def test_other():
     pass
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let statement = old.statements().first().copied().unwrap_or(old);
        let asserts = statement.has_role(Role::Assert)
            || statement
                .call()
                .is_some_and(|call| is_assertion(call.callee));
        let names: Vec<&str> = statement
            .names()
            .map(Node::text)
            .filter(|name| !is_assertion(name))
            .collect();
        let Some(used) = context
            .used_below(&names, old)
            .filter(|_| asserts && context.only_takes_away(old))
        else {
            continue;
        };
        let summary = format!(
            "`{}` was removed, but `{}` is still used below.",
            quote(old.text()),
            quote(used.text())
        );
        if context.file.is_test {
            sink.report(old, summary).priority(Priority::P3);
        } else {
            sink.report(old, summary);
        }
    }
}

fn is_assertion(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("assert") || name.starts_with("expect") || name.ends_with("static_assert")
}
