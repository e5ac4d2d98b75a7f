//! A `try` that was removed from around code that remains, or a handler that was removed from a `try`.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-handling-removed",
    languages: &[],
    title: "Error handling removed around remaining code",
    why: "Errors of this code were caught, or a cleanup ran at its end in any case. That part was removed and the code \
          is still there, so an error now reaches the caller, or leaves work half done.",
    fix: "Keep the handler, or make sure that the caller handles the error.",
    references: &["CWE-755"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def load(path):
-    try:
^
-        data = json.load(path)
-    except ValueError:
-        data = {}
+    data = json.load(path)
     return data
"#,
        r#"
path: src/a.py
 def run(job):
     try:
         job.run()
     except JobError as error:
         report(error)
-    finally:
^
-        job.close()
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def load(path):
-    try:
-        data = json.load(path)
-    except ValueError:
-        data = {}
+    with suppress(ValueError):
+        data = json.load(path)
     return data
"#,
        r#"
path: src/A.java
@@ void run(Job job) {
         try {
             job.run();
-        } catch (IOException e) {
+        } catch (Exception e) {
             log(e);
         }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let adds_any = [Role::Try, Role::Catch, Role::Finally, Role::With]
        .into_iter()
        .any(|role| {
            context
                .new
                .with_role(role)
                .any(|node| node.touches_change() && context.inserted(node).next().is_some())
        });
    if adds_any || context.file_size().added > 20 {
        return;
    }
    for old in context
        .old
        .with_role(Role::Try)
        .filter(|node| node.touches_change())
    {
        let Some(body) = old.field("body").or_else(|| old.named_children().next()) else {
            continue;
        };
        let tries_on = context.cover(body).is_some_and(|now| {
            now.ancestors().any(|node| node.has_role(Role::Try)) && context.still_tries(old)
        });
        if context.similarity_to_new(body) >= 80 && !tries_on && context.counterpart(old).is_none()
        {
            let first = body.statements().first().map_or("", |first| first.text());
            sink.report(
                old,
                format!(
                    "The `try` around `{}` was removed, but the code is still there.",
                    quote(first)
                ),
            );
        }
    }
    for old in context
        .old
        .with_role(Role::Catch)
        .chain(context.old.with_role(Role::Finally))
    {
        let tried = old.enclosing(Role::Try).and_then(|outer| {
            outer
                .field("body")
                .or_else(|| outer.named_children().next())
        });
        let keyword = old
            .enclosing(Role::Try)
            .and_then(|outer| outer.leaves().next());
        let stays = tried.is_some_and(|tried| context.similarity_to_new(tried) >= 60)
            && keyword.is_some_and(|leaf| context.new_of(leaf).is_some());
        if stays
            && old.touches_change()
            && context.is_gone(old)
            && !context.is_in_removed_function(old)
        {
            let head = old.text().lines().next().unwrap_or_default();
            sink.report(
                old,
                format!(
                    "The handler `{}` was removed, but the code that it protected is still there.",
                    quote(head)
                ),
            );
        }
    }
}
