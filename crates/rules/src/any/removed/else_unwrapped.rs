//! The code of an `else` that now runs after the `if`, in both cases.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/else-unwrapped",
    languages: &[],
    title: "Code of an else branch now runs in both cases",
    why: "The code was in the `else` and ran only if the condition did not hold. The `else` is gone and the branch before \
          it does not leave, so both parts now run one after the other.",
    fix: "Leave the first branch with `return`, `throw` or `continue`, or keep the `else`.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.kt
 fun remove(call: Call, id: Int) {
         if (!call.isOwner(id)) {
             call.redirect(View(id))
-        } else {
-            dao.delete(id)
-            call.redirect(Index())
         }
+        dao.delete(id)
^
+        call.redirect(Index())
 }
"#,
        r#"
path: src/a.py
 def remove(user, post):
     if post.owner != user:
         flash('not yours')
-    else:
-        post.delete()
-        flash('gone')
+    post.delete()
^
+    flash('gone')
"#,
        r#"
path: src/a.js
 function save(user, doc) {
   if (!user.mayWrite) {
     show('not allowed');
-  } else {
-    store.put(doc);
   }
+  store.put(doc);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.kt
 fun remove(call: Call, id: Int) {
         if (!call.isOwner(id)) {
-            call.redirect(View(id))
-        } else {
-            dao.delete(id)
-            call.redirect(Index())
+            return call.redirect(View(id))
         }
+        dao.delete(id)
+        call.redirect(Index())
 }
"#,
        r#"
path: src/a.js
 function save(user, doc) {
   if (!user.mayWrite) {
     return show('not allowed');
-  } else {
-    store.put(doc);
   }
+  store.put(doc);
 }
"#,
        r#"
path: src/a.js
 function save(user, doc) {
   if (!user.mayWrite) {
     show('not allowed');
   } else {
-    store.put(doc);
+    store.set(doc);
   }
 }
"#,
        r#"
path: src/a.js
 function save(user, doc) {
   if (user.mayWrite) {
-    a();
+    b();
-  } else {
-    store.put(doc);
+    store.put(doc);
   }
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::If)
        .filter(|node| node.touches_change())
    {
        let Some(before) = old.branch() else { continue };
        let Some(otherwise) = before
            .otherwise
            .filter(|part| part.all(Role::If).next().is_none())
        else {
            continue;
        };
        let Some(now) = context.same_question(old) else {
            continue;
        };
        let Some(after) = now.branch().filter(|after| after.otherwise.is_none()) else {
            continue;
        };
        let then_stays = context.similarity_to_new(before.then) >= 60;
        if !then_stays
            || leaves(before.then)
            || leaves(after.then)
            || !context.reappears_or_stays(otherwise)
        {
            continue;
        }
        let code = otherwise.statements();
        let Some(first) = code
            .iter()
            .find(|statement| !statement.has_role(Role::Comment))
        else {
            continue;
        };
        let is_it = |node: &Node<'_>| {
            node.touches_change()
                && node.index() > now.index()
                && !node.is_inside(now)
                && node.is_usable()
                && node.statement().parent() == now.statement().parent()
                && node.says_same(*first)
        };
        if let Some(moved) = context.new.nodes().find(is_it) {
            let (code, condition) = (quote(moved.text()), quote(after.condition.text()));
            sink.report(
                moved,
                format!(
                    "`{code}` ran only if `{condition}` did not hold, and now runs in both cases."
                ),
            );
        }
    }
}

/// Whether the end of a block cannot be reached, or may not be: it ends with a call that does not return.
fn leaves(block: Node<'_>) -> bool {
    const ENDS: &[&str] = &[
        "panic", "abort", "exit", "die", "fatal", "Fatal", "Fatalf", "bail", "raise", "fail",
        "throw", "halt",
    ];
    let last = block.statements().last().copied();
    !can_complete(block)
        || last
            .and_then(Node::call)
            .is_some_and(|call| ENDS.contains(&call.name))
}
