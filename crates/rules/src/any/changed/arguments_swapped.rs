//! Two arguments of a call that swapped their positions.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/arguments-swapped",
    languages: &[],
    title: "Arguments swapped",
    why: "The call passes the same arguments in another order. Unless the parameters were reordered too, each now \
          receives the other's value.",
    fix: "Check the order against the function's definition.",
    references: &["CWE-683"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.rs
 fn show(src: &str, dst: &str) {
-    let d = TextDiff::from_lines(src, dst);
+    let d = TextDiff::from_lines(dst, src);
^
 }
"#,
        r#"
path: src/Copier.java
@@ void copy(Path source, Path target) {
-        files.move(source, target);
+        files.move(target, source);
^
         log(target);
"#,
    ],
    negative: &[
        r#"
path: src/a.rs
-fn show(src: &str, dst: &str) {
+fn show(dst: &str, src: &str) {
-    show(src, dst);
+    show(dst, src);
 }
"#,
        r#"
path: src/a.js
 function show() {
-  go(a, b);
+  go(b, c);
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Call) {
        let (Some(before), Some(after)) = (old.call(), new.call()) else {
            continue;
        };
        if before.callee != after.callee
            || before.arguments.len() != after.arguments.len()
            || before.arguments.len() < 2
        {
            continue;
        }
        let differ: Vec<(Node<'_>, Node<'_>)> = before
            .arguments
            .into_iter()
            .zip(after.arguments)
            .filter(|(old, new)| !context.same(*old, *new))
            .collect();
        let [(one, one_now), (other, other_now)] = differ.as_slice() else {
            continue;
        };
        let swapped = context.same(*one, *other_now) && context.same(*other, *one_now);
        if swapped && !defines(context, before.name) && !one.is(&["keyword_argument"]) {
            let (first, second) = (quote(one.text()), quote(other.text()));
            sink.report(
                *one_now,
                format!(
                    "`{first}` and `{second}` were swapped in the call to `{}`.",
                    quote(after.callee)
                ),
            );
        }
    }
}

/// Whether the definition of the function was changed too.
fn defines(context: &ChangeContext<'_>, name: &str) -> bool {
    // Its body need not be shown.
    context
        .new
        .nodes()
        .filter(|node| node.has_role(Role::Function))
        .any(|node| {
            node.function().is_some_and(|function| {
                function.name.text() == name
                    && function
                        .parameters
                        .is_some_and(|list| list.touches_change())
            })
        })
}
