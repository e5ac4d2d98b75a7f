//! The commit of a transaction that was removed while the changes remain.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::words_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/commit-removed",
    languages: &[],
    title: "Commit of a transaction removed",
    why: "The function changes data and no longer commits. The changes are rolled back when the connection is closed, or \
          the transaction stays open and holds its locks.",
    fix: "Commit on the path that succeeds.",
    references: &["CWE-664"],
    priority: Priority::P1,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def delete(id):
     db = get_db()
     db.execute("DELETE FROM post WHERE id = ?", (id,))
-    db.commit()
^
     return redirect("/")
"#,
        r#"
path: src/a.go
 func (u User) Followed() []User {
 	tx := db.Begin()
 	tx.Model(&follow).Related(&user, "Following")
-	tx.Commit()
^
 	return followed
 }
"#,
        r#"
path: src/A.cs
 class A {
     public async Task Add(Item item)
     {
         context.Items.Add(item);
-        await context.SaveChangesAsync();
^
     }
 }
"#,
        r#"
path: src/A.java
 class A {
     void put(Item item) throws SQLException {
         connection.setAutoCommit(false);
         insert.executeUpdate();
-        connection.commit();
^
     }
 }
"#,
        r#"
path: src/a.go
 func put(tx *sql.Tx) error {
 	if _, err := tx.Exec(insert); err != nil {
 		return err
 	}
-	return tx.Commit()
^
+	return nil
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def delete(id):
     db = get_db()
-    db.execute("DELETE FROM post WHERE id = ?", (id,))
-    db.commit()
+    with db.begin():
+        db.execute("DELETE FROM post WHERE id = ?", (id,))
     return redirect("/")
"#,
        r#"
path: src/a.py
 def delete(id):
     db = get_db()
     db.execute("DELETE FROM post WHERE id = ?", (id,))
-    db.commit()
+    save(db)
     return redirect("/")
"#,
        r#"
path: src/a.py
 def find(id):
     db = get_db()
     row = db.execute("SELECT * FROM post WHERE id = ?", (id,))
-    db.commit()
     return row
"#,
        r#"
path: src/a.js
 function save(store) {
   store.dispatch(1);
-  store.commit('done');
   show(store);
 }
"#,
    ],
};

fn commits(name: &str) -> bool {
    const COMMITS: &[&str] = &[
        "commit", "Commit", "commitTransaction", "CommitTransaction", "commit_transaction",
        "SaveChanges", "SaveChangesAsync", "CommitAsync", "saveChanges",
    ];
    COMMITS.contains(&name)
}

/// Whether it changes data, or begins a transaction.
fn changes_data(call: Node<'_>) -> bool {
    const CHANGES: &[&str] = &[
        "add", "insert", "update", "delete", "remove", "save", "create", "begin", "exec", "merge",
        "put", "store", "upsert", "persist", "write", "transaction", "bulk", "set", "model",
        "replace", "executemany", "executeupdate", "attach",
    ];
    const STATEMENTS: &[&str] = &[
        "insert", "update", "delete", "replace", "merge", "create", "drop", "alter",
    ];
    let Some(own) = call.call() else { return false };
    let words = words_of(own.name);
    let asks = matches!(own.name, "execute" | "query" | "raw" | "prepare");
    let text = own
        .arguments
        .first()
        .and_then(|first| first.all(Role::Text).next())
        .map(|text| text.text().to_ascii_lowercase());
    let text = text.unwrap_or_default();
    words.iter().any(|word| CHANGES.contains(&word.as_str()))
        || asks
            && STATEMENTS.iter().any(|word| {
                text.trim_start_matches(|c: char| !c.is_ascii_alphabetic())
                    .starts_with(word)
            })
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
    {
        let Some(call) = old.call().filter(|call| commits(call.name)) else {
            continue;
        };
        let Some(receiver) = call.receiver else {
            continue;
        };
        // Vuex: `store.commit('mutation', value)`.
        if call
            .arguments
            .iter()
            .any(|argument| argument.all(Role::Text).next().is_some())
        {
            continue;
        }
        let Some(name) = old.leaves().filter(|leaf| leaf.text() == call.name).last() else {
            continue;
        };
        if context.new_of(name).is_some()
            || context.reappears(old)
            || context.is_in_removed_function(old)
        {
            continue;
        }
        let statement = old.statement();
        let has_new_call = context
            .new
            .with_role(Role::Call)
            .any(|node| node.touches_change() && context.similarity_to_old(node) < 100);
        let is_kept = has_new_call || !context.mostly_takes_away(old);
        let function = old.enclosing(Role::Function);
        let in_function =
            |node: &Node<'_>| function.is_none_or(|function| node.is_inside(function));
        let root = receiver.names().next().map_or("", Node::text);
        let is_other =
            |node: &Node<'_>| !node.is_inside(statement) && node.index() < statement.index();
        let stays = |node: &Node<'_>| context.similarity_to_new(*node) >= 80;
        let of_it = |node: &Node<'_>| node.names().any(|name| name.text() == root);
        let works = context
            .old
            .with_role(Role::Call)
            .filter(in_function)
            .filter(is_other)
            .filter(of_it)
            .filter(stays)
            .any(changes_data);
        let now = function.and_then(|function| context.cover(function));
        let commits_still = context
            .new
            .with_role(Role::Call)
            .filter(|node| now.is_none_or(|now| node.is_inside(now)))
            .filter_map(Node::call)
            .any(|call| commits(call.name));
        if works && !is_kept && !commits_still {
            let what = quote(old.text());
            sink.report(
                old,
                format!(
                    "`{what}` was removed, and nothing else here commits what `{root}` changed."
                ),
            );
        }
    }
}
