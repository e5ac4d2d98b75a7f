//! A comparison that was inverted: `==` to `!=`, `<` to `>`.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/comparison-flipped",
    languages: &[],
    title: "Comparison inverted",
    why: "The operands are unchanged and the operator is now the opposite, or points the other way. The code now does \
          in one case what it did in the other.",
    fix: "Check which direction is intended, and cover both with a test.",
    references: &["CWE-480"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.c
@@ static int f(int res)
-	if (res < 0) {
+	if (res > 0) {
^
 		return fail(res);
 	}
"#,
        r#"
path: src/a.py
 def f(kind):
-    if kind == 'a':
+    if kind != 'a':
^
         go()
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func open(kind int, known bool) bool {
-	return !(kind == 2 || known)
+	return kind != 2 && !known
 }
"#,
        r#"
path: src/a.c
@@ static int f(int res)
-	if (res < 0) {
-		return fail(res);
-	}
-	go();
+	if (res >= 0) {
+		go();
+		return 0;
+	}
"#,
        r#"
path: src/a.py
 def f(kind):
-    if kind == 'a':
-        one()
-    else:
-        two()
+    if kind != 'a':
+        two()
+    else:
+        one()
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Binary) {
        let (Some(before), Some(after)) = (old.comparison(), new.comparison()) else {
            continue;
        };
        let same_operands =
            before.left.says_same(after.left) && before.right.says_same(after.right);
        if same_operands
            && flips(before.operator, after.operator)
            && !swaps_branches(context, old)
            && negations(old) == negations(new)
        {
            let (was, now) = (quote(old.text()), quote(new.text()));
            sink.report(
                new,
                format!("The comparison was `{was}` and is now `{now}`."),
            );
        }
    }
}

/// Whether the number of negations around the condition is odd.
fn negations(node: Node<'_>) -> bool {
    let statement = node.statement();
    let around = node.ancestors().take_while(|around| *around != statement);
    let negates =
        |around: &Node<'_>| around.negated().is_some() || around.is(&["unless", "unless_modifier"]);
    around.filter(negates).count() % 2 == 1
}

/// Whether the operators point in opposite directions.
fn flips(old: &str, new: &str) -> bool {
    const EQUAL: &[&str] = &["==", "===", "is"];
    const UNEQUAL: &[&str] = &["!=", "!==", "is not", "<>"];
    let equality = (EQUAL.contains(&old) && UNEQUAL.contains(&new))
        || (UNEQUAL.contains(&old) && EQUAL.contains(&new));
    let order = matches!(
        (old.chars().next(), new.chars().next()),
        (Some('<'), Some('>')) | (Some('>'), Some('<'))
    );
    equality || (order && old.len() <= 2 && new.len() <= 2 && old != "<>")
}

/// Whether more than the condition of the statement changed, so that its branches may have been swapped too.
fn swaps_branches(context: &ChangeContext<'_>, old: Node<'_>) -> bool {
    context
        .edit_block_of(old)
        .is_none_or(|run| run.removed > 2 || run.added > 2)
}
