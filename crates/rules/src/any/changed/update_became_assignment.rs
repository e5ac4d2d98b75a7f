//! A compound assignment that became a plain one.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::{Assignment, Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/update-became-assignment",
    languages: &[],
    title: "Accumulation replaced by a plain assignment",
    why: "The value was combined with the previous one and now replaces it, so everything accumulated before is lost.",
    fix: "Use the compound operator, or make sure that the earlier value is not needed.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def total(items):
     sum = 0
     for item in items:
-        sum += item.price
+        sum = item.price
^
     return sum
"#,
        r#"
path: src/A.java
@@ boolean last(boolean halted) {
-        halted = halted || state.stop();
+        halted = state.stop();
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def total(items):
     sum = 0
     for item in items:
-        sum += item.price
+        sum = sum + item.price
     return sum
"#,
        r#"
path: src/A.java
@@ boolean last(boolean halted) {
-        halted = state.stop();
+        halted |= state.stop();
         return halted;
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.paired_statements() {
        let (Some(before), Some(after)) = (assignment(old), assignment(new)) else {
            continue;
        };
        let same_target = before.target.says_same(after.target);
        let compound =
            before.operator.len() >= 2 && before.operator.ends_with('=') && before.operator != ":=";
        let uses_itself = |node: Node<'_>| {
            node.says_same(before.target)
                || node
                    .descendants()
                    .any(|inner| inner.says_same(before.target))
        };
        let grew = compound
            || before
                .value
                .operands_of(Operation::Or)
                .iter()
                .chain(&before.value.operands_of(Operation::And))
                .any(|part| part.says_same(before.target));
        if same_target
            && grew
            && after.operator == "="
            && !uses_itself(after.value)
            && context.similarity_to_old(after.value) >= 80
        {
            let (was, now) = (quote(old.text()), quote(new.text()));
            sink.report(
                new,
                format!("`{was}` became `{now}`, so the previous value is lost."),
            );
        }
    }
}

fn assignment(statement: Node<'_>) -> Option<Assignment<'_>> {
    statement
        .statements()
        .first()
        .copied()
        .unwrap_or(statement)
        .assignment()
}
