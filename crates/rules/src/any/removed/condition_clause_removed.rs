//! A clause that was removed from an otherwise unchanged condition.

use lint::{ChangeContext, Check, LostClause, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::{Node, Operation};

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
        r#"
path: src/a.py
 def visible(user, post):
-    if post.published and not user.banned:
+    if post.published:
^
         return post
"#,
        r#"
path: src/A.java
@@ boolean fits(Box a) {
-        if (a.size() > 0 && a.isOpen()) {
+        if (a.size() > 0) {
^
             a.fill();
         }
"#,
        r#"
path: src/a.js
 function ready(job) {
   return job.started &&
-    job.owner === me &&
^
     job.steps.length > 1;
 }
"#,
        r#"
path: src/a.c
@@ static int ok(struct buf *b)
-	if (b->len < 4 || b->pos > b->len)
+	if (b->len < 4)
^
 		return -1;
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def visible(user, post):
-    if post.published and not user.banned:
+    if post.published and user.active:
         return post
"#,
        r#"
path: src/a.py
 def visible(user, post):
-    if post.published and not user.banned:
+    if post.published:
+        if not user.banned:
+            return post
"#,
        r#"
path: src/a.py
 def visible(user, post):
     if post.published and not user.banned:
-        return 1
+        return 2
"#,
        r#"
path: src/a.js
-function f(order, strict) {
+function f(order) {
-  if (order.open && strict) {
+  if (order.open) {
     send(order);
   }
 }
"#,
        r#"
path: src/a.go
@@ func (m *Mock) size() int {
-	if m.args == nil || len(m.args) == 0 {
+	if len(m.args) == 0 {
 		return 0
 	}
"#,
        r#"
path: src/a.go
@@ func kind(name string) (bool, error) {
-	if name == "" && ambiguous(name) {
-		return false, errKind
-	}
+	if name == "" {
+		return true, nil
+	}
"#,
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

/// Whether the code under the condition still exists. With another body it is another condition.
fn body_stays(context: &ChangeContext<'_>, lost: &LostClause<'_>) -> bool {
    let has_chain = |node: &Node<'_>| {
        node.condition()
            .is_some_and(|condition| lost.chain.is_inside(condition))
    };
    let around = lost.chain.ancestors().find(has_chain);
    let body = around.and_then(|node| {
        node.branch()
            .map(|branch| branch.then)
            .or_else(|| node.field("body"))
    });
    body.is_none_or(|body| context.similarity_to_new(body) >= 50)
}
