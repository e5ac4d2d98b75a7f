//! A guard that was removed while the guarded value is still used.

use lint::{ChangeContext, Check, NullGuard, Rule, Sink, Tests, quote, short_branch};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/guard-removed",
    languages: &[],
    title: "Guard clause removed",
    why: "The function left early in one case. That check was removed and the value that it tested is still used \
          below, so the excluded case now reaches that code.",
    fix: "Keep the check, or make sure that the case can no longer occur here.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def total(cart):
-    if cart is None:
^
-        return 0
     return sum(item.price for item in cart.items)
"#,
        r#"
path: src/a.go
@@ func Load(p string) error {
 	f, err := os.Open(p)
-	if err != nil {
^
-		return err
-	}
 	defer f.Close()
 	log(err)
"#,
        r#"
path: src/A.java
@@ void put(String key, int n) {
-        if (n < 0) {
^
-            throw new IllegalArgumentException();
-        }
         data[n] = key;
"#,
        r#"
path: src/a.c
@@ static int get(struct buf *b, size_t i)
-	if (i >= b->len)
^
-		return -1;
 	return b->data[i];
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def total(cart):
-    if cart is None:
-        return 0
+    if not cart:
+        return 0
     return sum(item.price for item in cart.items)
"#,
        r#"
path: src/a.py
 def total(cart, tax):
-    if tax is None:
-        return 0
     return sum(item.price for item in cart.items)
"#,
        r#"
path: src/a.js
 function f(a) {
-  if (!a) return;
+  if (x) {
+    if (!a) return;
+  }
   a.go();
 }
"#,
        r#"
path: src/a.js
 function f(a) {
-  if (!a) return;
+  a = a || {};
   a.go();
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    // A removed null check is reported by `any/null-check-removed`.
    let null_guards = context.lost_null_guards();
    for old in context
        .removed(Role::If)
        .filter(|old| context.times_removed(*old) <= 2 && context.inserted_in_block(*old) == 0)
    {
        let Some(branch) = short_branch(old).filter(|branch| {
            branch.then.ends_in_exit()
                && !context.reappears(branch.condition)
                && !context.names_removed_identifier(branch.condition)
                && context.mostly_takes_away(old)
        }) else {
            continue;
        };
        if null_guards
            .iter()
            .any(|lost| lost.old == old && is_certain(lost))
        {
            continue;
        }
        let names = operands(branch.condition);
        if context.is_checked_anew(&names) {
            continue;
        }
        let condition = quote(branch.condition.text());
        if let Some(used) = context.used_below(&names, old) {
            let used = quote(used.text());
            sink.report(
                old,
                format!("The check `{condition}` was removed, but `{used}` is still used below."),
            );
        } else if context.only_takes_away(old) && !ends_in_hunk(old) {
            let summary = format!(
                "The check `{condition}` was removed; that case now reaches the code below."
            );
            sink.report(old, summary);
        }
    }
}

/// Whether the whole rest of the function is visible.
fn ends_in_hunk(node: Node<'_>) -> bool {
    node.enclosing(Role::Function)
        .is_some_and(Node::is_within_hunk)
}

/// Whether the value comes from a visible call.
fn is_certain(lost: &NullGuard<'_>) -> bool {
    lost.source.is_some()
}

/// The values that a condition tests: names that are not called.
fn operands<'t>(condition: Node<'t>) -> Vec<&'t str> {
    let called: Vec<&str> = condition
        .all(Role::Call)
        .filter_map(|node| node.call().map(|call| call.name))
        .collect();
    condition
        .names()
        .map(Node::text)
        .filter(|name| !called.contains(name) && !is_constant(name))
        .collect()
}

fn is_constant(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
