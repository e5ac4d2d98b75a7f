//! An error that was read from a call and is now discarded.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-result-dropped",
    languages: &[],
    title: "Error result no longer checked",
    why: "The call reports failure through its result. The result used to be kept and is now ignored, so a failure goes \
          unnoticed.",
    fix: "Keep the result and check it.",
    references: &["CWE-252"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func Load(p string) error {
-	data, err := os.ReadFile(p)
+	data, _ := os.ReadFile(p)
^
 	return parse(data)
 }
"#,
        r#"
path: src/a.go
@@ func Save(f *os.File) error {
-	if err := f.Sync(); err != nil {
-		return err
-	}
+	f.Sync()
^
 	return nil
 }
"#,
        r#"
path: src/a.rs
 fn load(p: &Path) -> Result<String, Error> {
-    let text = fs::read_to_string(p)?;
+    let text = fs::read_to_string(p).unwrap();
^
     Ok(text)
 }
"#,
        r#"
path: src/a.rs
 async fn save(folder: Folder) -> Result<(), Error> {
-    folder.save(&conn).await?;
+    let _ = folder.save(&conn).await;
^
     Ok(())
 }
"#,
        r#"
path: src/a.c
@@ static int put(struct q *q)
-	if (flush(q) < 0)
-		return -1;
+	flush(q);
^
 	q->n++;
 	return 0;
 }
"#,
        r#"
path: src/a.rs
 fn remove(id: &Id) -> Result<(), Error> {
-    let Some(folder) = Folder::find(id) else {
-        return Err(missing(id));
-    };
+    let folder = Folder::find(id).unwrap();
^
     folder.remove()
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func Load(p string) error {
-	data, err := os.ReadFile(p)
+	data, err = os.ReadFile(p)
 	return parse(data)
 }
"#,
        r#"
path: src/a.go
@@ func Save(f *os.File) error {
-	if err := f.Sync(); err != nil {
-		return err
-	}
+	err := f.Sync()
+	if err != nil {
+		return err
+	}
 	return nil
 }
"#,
        r#"
path: src/a.rs
 fn load(p: &Path) -> Result<String, Error> {
-    let text = fs::read_to_string(p).expect("there");
+    let text = fs::read_to_string(p).unwrap();
     Ok(text)
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    no_longer_tested(context, sink);
    forced(context, sink);
    for old in context
        .old
        .with_role(Role::Assign)
        .filter(|node| node.touches_change())
    {
        let Some(assignment) = old.assignment() else {
            continue;
        };
        let error = assignment
            .target
            .names()
            .find(|name| is_error(name.text()) && context.new_of(*name).is_none());
        let call = assignment
            .value
            .all(Role::Call)
            .next()
            .filter(|call| context.similarity_to_new(*call) >= 99);
        let (Some(error), Some(call)) = (error, call) else {
            continue;
        };
        let Some(now) = context
            .cover(call)
            .filter(|now| now.is_usable() && now.touches_change())
        else {
            continue;
        };
        let still_kept = now
            .ancestors()
            .find(|node| node.assignment().is_some())
            .and_then(Node::assignment);
        let discarded = match still_kept {
            Some(after) => after
                .target
                .text()
                .split(',')
                .any(|part| part.trim() == "_"),
            None => now
                .statement()
                .statements()
                .first()
                .is_some_and(|first| *first == now),
        };
        if discarded {
            sink.report(
                now,
                format!(
                    "The error of `{}` used to be kept in `{}` and is now ignored.",
                    quote(call.text()),
                    error.text()
                ),
            );
        }
    }
    for old in context
        .old
        .nodes()
        .filter(|node| node.is(&["try_expression"]) && node.touches_change() && node.is_usable())
    {
        let Some(value) = old
            .named_children()
            .next()
            .filter(|value| context.similarity_to_new(*value) >= 99)
        else {
            continue;
        };
        if let Some(now) = context
            .cover(value)
            .filter(|now| is_discarded(context, *now))
        {
            let shown = quote(value.text());
            sink.report(
                now,
                format!("An error from `{shown}` used to be returned; now it is ignored."),
            );
            continue;
        }
        let now = context
            .cover(value)
            .and_then(|now| now.ancestors().find(|node| node.has_role(Role::Call)));
        let Some((now, call)) = now.and_then(|now| Some((now, now.call()?))) else {
            continue;
        };
        if matches!(call.name, "unwrap" | "expect")
            && context.inserted(now).any(|leaf| leaf.text() == call.name)
            && now.is_usable()
        {
            sink.report(
                now,
                format!(
                    "An error from `{}` used to be returned; now it ends the program.",
                    quote(value.text())
                ),
            );
        }
    }
}

/// Whether a Rust value is discarded: `let _ = value;`, `value.ok();`.
fn is_discarded(context: &ChangeContext<'_>, now: Node<'_>) -> bool {
    let statement = now.statement();
    let unnamed = statement
        .assignment()
        .is_some_and(|set| set.target.text() == "_" && set.value == now);
    let is_ok = statement
        .named_children()
        .next()
        .and_then(Node::call)
        .is_some_and(|call| {
            call.name == "ok"
                && call.receiver == Some(now)
                && context.inserted(statement).any(|leaf| leaf.text() == "ok")
        });
    now.is_usable()
        && now.touches_change()
        && (unnamed || is_ok && statement.is(&["expression_statement"]))
}

/// `if (f() < 0) { return -1; }` that became `f();`.
fn no_longer_tested(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .with_role(Role::If)
        .filter(|node| node.is_all_changed())
    {
        // A loop that ends there only means that there is nothing left to do.
        let fails = |last: &Node<'_>| {
            last.is_plain_exit() && !last.has_role(Role::Break) && !last.has_role(Role::Continue)
        };
        let Some(branch) = old.branch().filter(|branch| {
            branch.otherwise.is_none() && branch.then.statements().last().is_some_and(fails)
        }) else {
            continue;
        };
        let call = branch
            .condition
            .all(Role::Call)
            .next()
            .filter(|call| context.similarity_to_new(*call) >= 99);
        let Some(call) = call.filter(|_| context.similarity_to_new(branch.then) < 50) else {
            continue;
        };
        let Some(now) = context
            .cover(call)
            .filter(|now| now.is_usable() && now.touches_change())
        else {
            continue;
        };
        let is_alone = now
            .statement()
            .statements()
            .first()
            .is_some_and(|first| *first == now)
            && now.has_role(Role::Call);
        let is_set = now
            .ancestors()
            .take(3)
            .any(|around| around.assignment().is_some());
        if is_alone
            && !is_set
            && context.inserted(now.statement()).next().is_none()
            && context.mostly_takes_away(old)
        {
            sink.report(
                now,
                format!(
                    "The result of `{}` decided whether to continue; now it is ignored.",
                    quote(now.text())
                ),
            );
        }
    }
}

/// A value that may be missing, with a missing value that was handled and now ends the program: `let Some(x) = f() else
/// { … }` that became `f().unwrap()`, and Kotlin's `f() ?: return` that became `f()!!`.
fn forced(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for now in context
        .new
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable())
    {
        let force = match now.call() {
            Some(call)
                if matches!(call.name, "unwrap" | "expect") && context.file.language == "Rust" =>
            {
                call.name
            }
            None if now.is(&["postfix_expression"]) && now.text().ends_with("!!") => "!!",
            _ => continue,
        };
        let is_fresh = |leaf: Node<'_>| leaf.text() == force && context.old_of(leaf).is_none();
        let value = now
            .call()
            .and_then(|call| call.receiver)
            .or_else(|| now.named_children().next());
        let Some(value) = value
            .filter(|value| now.leaves().any(is_fresh) && context.similarity_to_old(*value) >= 99)
        else {
            continue;
        };
        let Some(before) = value
            .leaves()
            .find_map(|leaf| context.old_of(leaf))
            .map(Node::statement)
        else {
            continue;
        };
        let gone = |word: Node<'_>| {
            matches!(
                word.text(),
                "else" | "match" | "?:" | "ok_or" | "ok_or_else" | "None"
            ) && context.new_of(word).is_none()
        };
        if before.touches_change() && before.leaves().any(gone) {
            let value = quote(value.text());
            sink.report(
                now,
                format!("The case that `{value}` finds nothing used to be handled; now `{force}` fails there."),
            );
        }
    }
}

fn is_error(name: &str) -> bool {
    matches!(name, "err" | "error" | "e" | "ret" | "rc" | "status")
        || name.ends_with("Err")
        || name.ends_with("Error")
}
