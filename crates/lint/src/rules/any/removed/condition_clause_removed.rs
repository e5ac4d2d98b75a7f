//! A clause that was removed from a condition whose rest is unchanged.

use review::{Category, Priority};

use crate::change::LostClause;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/condition-clause-removed",
    languages: &[],
    title: "Clause removed from a condition",
    why: "One part of a condition was removed and the rest is unchanged. In the case that it covered, the condition \
          now has the other result: code runs where it did not before, or no longer runs where it did.",
    fix: "Find the case in which the clause mattered, and keep it unless that case can no longer occur.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.py\n def visible(user, post):\n-    if post.published and not user.banned:\n+    if post.published:\n^\n         return post\n",
        "path: src/A.java\n@@ boolean fits(Box a) {\n-        if (a.size() > 0 && a.isOpen()) {\n+        if (a.size() > 0) {\n^\n             a.fill();\n         }\n",
        "path: src/a.js\n function ready(job) {\n   return job.started &&\n-    job.owner === me &&\n^\n     job.steps.length > 1;\n }\n",
        "path: src/a.c\n@@ static int ok(struct buf *b)\n-\tif (b->len < 4 || b->pos > b->len)\n+\tif (b->len < 4)\n^\n \t\treturn -1;\n",
    ],
    negative: &[
        "path: src/a.py\n def visible(user, post):\n-    if post.published and not user.banned:\n+    if post.published and user.active:\n         return post\n",
        "path: src/a.py\n def visible(user, post):\n-    if post.published and not user.banned:\n+    if post.published:\n+        if not user.banned:\n+            return post\n",
        "path: src/a.py\n def visible(user, post):\n     if post.published and not user.banned:\n-        return 1\n+        return 2\n",
        "path: src/a.js\n-function f(order, strict) {\n+function f(order) {\n-  if (order.open && strict) {\n+  if (order.open) {\n     send(order);\n   }\n }\n",
        "path: src/a.go\n@@ func (m *Mock) size() int {\n-\tif m.args == nil || len(m.args) == 0 {\n+\tif len(m.args) == 0 {\n \t\treturn 0\n \t}\n",
        "path: src/a.go\n@@ func kind(name string) (bool, error) {\n-\tif name == \"\" && ambiguous(name) {\n-\t\treturn false, errKind\n-\t}\n+\tif name == \"\" {\n+\t\treturn true, nil\n+\t}\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context
        .lost_clauses()
        .into_iter()
        .filter(LostClause::is_condition)
    {
        // A removed null check is reported by `any/null-check-removed`.
        if lost.opened().is_some()
            || !body_stays(context, &lost)
            || !context.only_takes_away(lost.chain)
        {
            continue;
        }
        let effect = if lost.operation == Operation::And {
            "now also holds when that is false"
        } else {
            "no longer holds when only that is true"
        };
        let summary = format!(
            "The condition no longer checks `{}`: it {effect}.",
            quote(lost.clause.text())
        );
        if lost.left.touches_change() {
            sink.report(lost.left, summary);
        } else {
            sink.report(lost.clause, summary);
        }
    }
}

/// Whether the code under the condition is still there: with another body it is another condition.
fn body_stays(context: &ChangeContext<'_>, lost: &LostClause<'_>) -> bool {
    let asks = |node: &Node<'_>| {
        node.condition()
            .is_some_and(|condition| lost.chain.is_inside(condition))
    };
    let around = lost.chain.ancestors().find(asks);
    let body = around.and_then(|node| {
        node.branch()
            .map(|branch| branch.then)
            .or_else(|| node.field("body"))
    });
    body.is_none_or(|body| context.similarity_to_new(body) >= 50)
}
