//! An assertion that a test, or the code itself, no longer makes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/assertion-removed",
    languages: &[],
    title: "Assertion removed",
    why: "The assertion said what must hold here. It is gone and what it was about is still there, so that nobody \
          notices any more when it does not hold.",
    fix: "Keep the assertion; if what it says is no longer true, assert what is.",
    priority: Priority::P2,
    category: Category::Testing,
    confidence: 0.4,
    tests: Tests::Include,
    check: Check::Change { run },
    fires: &[
        "path: test/test_a.py\n def test_total():\n     result = total([1, 2])\n-    assert result.value == 3\n^\n     assert result.count == 2\n",
        "path: src/a.c\n@@ static void put(struct q *q, int x)\n-\tassert(q->len < q->max);\n^\n \tq->items[q->len++] = x;\n",
    ],
    quiet: &[
        "path: test/test_a.py\n def test_total():\n     result = total([1, 2])\n-    assert result.value == 3\n+    assert result.value == 4\n     assert result.count == 2\n",
        "path: test/test_a.py\n-def test_total():\n-    result = total([1, 2])\n-    assert result.value == 3\n def test_other():\n     pass\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let statement = old.statements().first().copied().unwrap_or(old);
        let asserts =
            statement.has_role(Role::Assert) || statement.call().is_some_and(|call| is_assertion(call.callee));
        let names: Vec<&str> = statement.names().map(Node::text).filter(|name| !is_assertion(name)).collect();
        let Some(used) = context.used_below(&names, old).filter(|_| asserts && context.only_takes_away(old)) else {
            continue;
        };
        let summary =
            format!("`{}` was removed, and `{}` is still used below it.", quote(old.text()), quote(used.text()));
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
