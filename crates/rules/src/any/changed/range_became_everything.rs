//! A range with two limits that are joined so that it contains every value, or none.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Binary, Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/range-became-everything",
    languages: &[],
    title: "Condition became constant",
    why: "Both limits of a range were required, and now either is enough: each value is above the lower limit or below the \
          upper one. The same holds for `x != a || x != b`, and the reverse holds for nothing.",
    fix: "Join the two comparisons with the operator that was there before.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.kt
 fun fresh(age: Long): Boolean {
-    return age > 0 && age < LIMIT
+    return age > 0 || age < LIMIT
^
 }
"#,
        r#"
path: src/a.py
 def inside(x, low, high):
-    return low <= x and x <= high
+    return low <= x or x <= high
^
"#,
        r#"
path: src/a.go
 func other(kind string) bool {
-	return kind != first && kind != second
+	return kind != first || kind != second
^
 }
"#,
        r#"
path: src/a.js
 function outside(x, low, high) {
-  if (x < low || x > high) {
+  if (x < low && x > high) {
^
     fail(x);
   }
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.kt
 fun fresh(age: Long): Boolean {
-    return age > 0 && age < LIMIT
+    return age > 0 && age <= LIMIT
 }
"#,
        r#"
path: src/a.py
 def inside(x, y, high):
-    return x < high and y < high
+    return x < high or y < high
"#,
        r#"
path: src/a.js
 function outside(x, low, high) {
-  if (x >= low && x <= high) {
+  if (x < low || x > high) {
     fail(x);
   }
 }
"#,
        r#"
path: src/a.js
 function any(x, low, high) {
-  if (x > low && x > high) {
+  if (x > low || x > high) {
     go(x);
   }
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Binary).chain(context.rejoined()) {
        let (Some(before), Some(after)) = (old.binary(), new.binary()) else {
            continue;
        };
        let now_always = match (before.operation(), after.operation()) {
            (Operation::And, Operation::Or) => true,
            (Operation::Or, Operation::And) => false,
            _ => continue,
        };
        let same = context.same(before.left, after.left) && context.same(before.right, after.right);
        let sides = (
            after.left.unparenthesised().comparison(),
            after.right.unparenthesised().comparison(),
        );
        let (true, (Some(left), Some(right))) = (same, sides) else {
            continue;
        };
        if excludes(left, right, now_always) {
            let result = if now_always {
                "always true"
            } else {
                "never true"
            };
            sink.report(new, format!("`{}` is {result}.", quote(new.text())));
        }
    }
}

/// Whether two comparisons have the same value on one side, so that joined by `||` they are true for every value
/// (`always`), or joined by `&&` for none.
fn excludes(left: Binary<'_>, right: Binary<'_>, always: bool) -> bool {
    let [(value, first, limit), (other_value, second, other_limit)] = match common(left, right) {
        Some(sides) => sides,
        None => return false,
    };
    let steady = value.all(Role::Call).next().is_none() && value.says_same(other_value);
    let opposite = matches!(
        (first.chars().next(), second.chars().next()),
        (Some('<'), Some('>')) | (Some('>'), Some('<'))
    );
    let unequal = |operator: &str| matches!(operator, "!=" | "!==" | "is not");
    let equal = |operator: &str| matches!(operator, "==" | "===" | "is");
    let fixed = if always {
        unequal(first) && unequal(second)
    } else {
        equal(first) && equal(second)
    };
    steady && !limit.says_same(other_limit) && (opposite || fixed)
}

type Side<'t> = (Node<'t>, &'t str, Node<'t>);

/// Both comparisons, with the common value on the left.
fn common<'t>(left: Binary<'t>, right: Binary<'t>) -> Option<[Side<'t>; 2]> {
    let turned = |of: Binary<'t>| (of.right, reversed(of.operator), of.left);
    let plain = |of: Binary<'t>| (of.left, of.operator, of.right);
    let pairs = [
        [plain(left), plain(right)],
        [plain(left), turned(right)],
        [turned(left), plain(right)],
        [turned(left), turned(right)],
    ];
    pairs
        .into_iter()
        .find(|[one, other]| one.0.says_same(other.0))
}

fn reversed(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}
