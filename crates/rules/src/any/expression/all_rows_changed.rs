//! Statements that change or delete all rows: SQL without `WHERE`, and calls of object mappers without a condition.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{LineKind, Priority};
use syntax::language::Role;
use syntax::semantics::{names, sql, vocabulary};
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/all-rows-changed",
    languages: &[
        "C#", "Go", "Java", "JavaScript", "Kotlin", "PHP", "Python", "Ruby", "Rust", "SQL", "TSX",
        "TypeScript",
    ],
    title: "Change of all rows of a table",
    why: "Without a condition the statement changes or deletes every row. Only a backup brings them back.",
    fix: "Add the condition. If the statement is for all rows, say so in the function's name, or with `WHERE true` or `TRUNCATE`.",
    references: &["https://www.postgresql.org/docs/current/sql-delete.html"],
    priority: Priority::P1,
    category: review::Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "call", "call_expression", "invocation_expression", "member_call_expression",
            "method_invocation", "scoped_call_expression", "statement", "string", "string_literal",
            "interpreted_string_literal", "raw_string_literal", "template_string",
            "encapsed_string",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/a.sql
+DELETE FROM orders;
^
+UPDATE users SET active = false;
^
"#,
        r#"
path: src/a.sql
+DELETE FROM shop.user_roles RETURNING user_id;
^
+UPDATE shop.items
^
+SET cents = price * 100, price = NULL;
"#,
        r#"
path: src/a.ts
 async function leave(team: string) {
-  await prisma.member.deleteMany({ where: { team } });
+  await prisma.member.deleteMany();
^
+  await prisma.invitation.updateMany({ data: { open: false } });
^
 }
"#,
        r#"
path: src/a.ts
 async function leave(team?: string) {
+  await prisma.member.deleteMany({ where: { team } });
^
 }
"#,
        r#"
path: src/a.js
 async function leave(req, res) {
+  await prisma.member.deleteMany({ where: { team: req.query.team } });
^
+  await Member.deleteMany({});
^
+  await Member.destroy({ where: {} });
^
+  await knex("member").del();
^
+  await db.query("DELETE FROM member");
^
 }
"#,
        r#"
path: src/a.tsx
 async function onLeave(team: Team) {
+  await prisma.member.updateMany({ data: { left: true } });
^
 }
"#,
        r#"
path: src/a.py
 def leave(team):
-    Member.objects.filter(team=team).delete()
+    Member.objects.all().delete()
^
+    Member.objects.update(left=True)
^
+    session.query(Member).delete()
^
+    members.delete_many({})
^
+    session.execute(delete(Member))
^
+    cursor.execute("UPDATE member SET gone = 1")
^
"#,
        r#"
path: src/a.rb
 def leave(team)
+  Member.delete_all
^
+  Member.update_all(left: true)
^
+  Member.all.destroy_all
^
 end
"#,
        r#"
path: src/a.php
 <?php
 function leave($team) {
+    DB::table('member')->delete();
^
+    Member::query()->update(['left' => true]);
^
+    $pdo->exec("DELETE FROM member");
^
 }
"#,
        r#"
path: src/A.java
 class Members {
     void leave(Team team) {
-        memberRepository.deleteAll(team.members());
+        memberRepository.deleteAll();
^
+        jdbc.update("DELETE FROM member");
^
     }
 }
"#,
        r#"
path: src/A.kt
 class Members {
     fun leave(team: Team) {
-        memberRepository.deleteAll(team.members)
+        memberRepository.deleteAll()
^
+        jdbc.update("UPDATE member SET gone = true")
^
     }
 }
"#,
        r#"
path: src/A.cs
 class Members {
     async Task Leave(Team team) {
-        await _db.Members.Where(m => m.Team == team).ExecuteDeleteAsync();
+        await _db.Members.ExecuteDeleteAsync();
^
+        await members.DeleteManyAsync(_ => true);
^
     }
 }
"#,
        r#"
path: src/a.go
 func leave(ctx context.Context, team string) {
+	members.DeleteMany(ctx, bson.M{})
^
+	db.Exec("DELETE FROM member")
^
 }
"#,
        r#"
path: src/a.rs
 async fn leave(team: &str) {
+    diesel::delete(members::table).execute(connection);
^
+    sqlx::query("DELETE FROM member").execute(pool).await;
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.sql
+DELETE FROM orders WHERE state = 'draft';
+DELETE FROM temp_roles;
+DELETE FROM roles
+WHERE name = 'guest';
+UPDATE users SET active = false WHERE last_login < '2020-01-01';
+UPDATE items SET price = NULL
+WHERE cents > 0;
+SELECT id FROM items FOR UPDATE;
"#,
        r#"
path: src/a.ts
 async function leave(team: string, other?: string) {
+  await prisma.member.deleteMany({ where: { team } });
+  await prisma.member.deleteMany({ where: { team, other } });
+  if (!other) return;
+  await prisma.member.deleteMany({ where: { other } });
+  await prisma.member.deleteMany({ where: filter });
 }
 async function clearMembers() {
+  await prisma.member.deleteMany();
 }
"#,
        r#"
path: prisma/seed.ts
 async function main() {
+  await prisma.member.deleteMany();
 }
"#,
        r#"
path: src/a.js
 async function leave(team) {
+  await Member.deleteMany({ team });
+  await Member.destroy({ where: { team } });
+  await knex("member").where({ team }).del();
+  cache.delete(team);
+  await db.query("DELETE FROM member" + where);
+  await db.query("DELETE FROM member WHERE team = ?", [team]);
 }
"#,
        r#"
path: src/a.tsx
 async function onLeave(team: Team) {
+  await prisma.member.updateMany({ where: { team: team.id }, data: { left: true } });
 }
"#,
        r#"
path: src/a.py
 def leave(team):
+    Member.objects.filter(team=team).delete()
+    Member.objects.exclude(team=team).update(left=True)
+    session.query(Member).filter_by(team=team).delete()
+    members.delete_many({"team": team})
+    session.execute(delete(Member).where(Member.team == team))
+    settings.update(left=True)
+    text = "DELETE FROM member"
"#,
        r#"
path: db/migrate/a.rb
 def up
+  Member.delete_all
 end
"#,
        r#"
path: src/a.rb
 def leave(team)
+  Member.where(team: team).delete_all
+  team.members.delete_all
+  Member.delete_all(team: team)
 end
"#,
        r#"
path: src/a.php
 <?php
 function leave($team) {
+    DB::table('member')->where('team', $team)->delete();
+    $member->delete();
+    $pdo->exec("DELETE FROM member WHERE team = 1");
 }
"#,
        r#"
path: src/A.java
 class Members {
     void leave(Team team) {
+        memberRepository.deleteAll(team.members());
+        list.deleteAll();
     }
     void clear() {
+        memberRepository.deleteAll();
     }
 }
"#,
        r#"
path: src/A.kt
 class Members {
     fun leave(team: Team) {
+        memberRepository.deleteAll(team.members)
+        jdbc.update("UPDATE member SET gone = true WHERE team = ?", team.id)
     }
 }
"#,
        r#"
path: src/A.cs
 class Members {
     async Task Leave(Team team) {
+        await _db.Members.Where(m => m.Team == team).ExecuteDeleteAsync();
+        await members.DeleteManyAsync(m => m.Team == team);
     }
 }
"#,
        r#"
path: src/a.go
 func leave(ctx context.Context, team string) {
+	members.DeleteMany(ctx, bson.M{"team": team})
+	db.Exec("DELETE FROM member WHERE team = $1", team)
+	query.WriteString("DELETE FROM member")
 }
"#,
        r#"
path: src/a.rs
 async fn leave(team: &str) {
+    diesel::delete(members::table.filter(members::team.eq(team))).execute(connection);
+    sqlx::query("DELETE FROM member WHERE team = $1").bind(team).execute(pool).await;
 }
"#,
    ],
};

/// The effect of a statement or a call on all rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Deletes,
    Changes,
    /// It does if all keys of its condition are undefined.
    MayBeAll,
}

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_sql = node.tree().grammar().name() == "SQL";
    let effect = if is_sql {
        of_statement(node.text(), true).filter(|_| node.is(&["statement"]) && is_ended(node))
    } else if node.has_role(Role::Text) {
        of_text(node)
    } else {
        node.call().and_then(|call| of_call(node, &call))
    };
    let Some(effect) = effect else { return };
    let was_limited = !is_sql && lost_condition(node, context);
    // A function whose name is not visible may be about all rows.
    let function = node.enclosing(Role::Function);
    let name = function.and_then(Node::function).map(|of| of.name);
    let is_meant = is_clean_up(context)
        || function.is_some_and(is_test)
        || name.is_some_and(|name| !name.is_within_hunk() || says_all(name.text()));
    if is_meant && !is_sql && !was_limited && effect != Effect::MayBeAll {
        return;
    }
    let shown = quote(node.text());
    let (summary, priority) = match effect {
        Effect::MayBeAll => (
            format!("If the value in the condition is `undefined`, `{shown}` reaches all rows."),
            Priority::P1,
        ),
        _ if was_limited => (
            format!("The condition was removed: `{shown}` reaches all rows."),
            Priority::P1,
        ),
        Effect::Deletes => (
            format!("`{shown}` has no condition and deletes all rows."),
            Priority::P2,
        ),
        Effect::Changes => (
            format!("`{shown}` has no condition and changes all rows."),
            Priority::P2,
        ),
    };
    sink.report(node, summary)
        .priority(if is_meant { Priority::P3 } else { priority });
}

/// Whether the end of a statement is visible.
fn is_ended(statement: Node<'_>) -> bool {
    let mut after = statement
        .parent()
        .into_iter()
        .flat_map(Node::children)
        .filter(|part| part.start() >= statement.end());
    after.next().is_some_and(|part| part.text() == ";") || statement.tree().is_whole()
}

/// Whether a file prepares or converts data: a migration, a seed, a script.
fn is_clean_up(context: &NodeContext<'_>) -> bool {
    const PARTS: &[&str] = &[
        "migrat", "seed", "fixture", "script", "alembic", "flyway", "liquibase", "changelog",
        "example", "demo", "factory", "factories", "e2e", "cypress", "spec", "test", "bench",
        "tool", "setup", "upgrade",
    ];
    let path = context.file.path.to_ascii_lowercase();
    let mut words = path.split(['/', '.', '-', '_']);
    context.file.is_test
        || context.file.is_script
        || words.any(|word| PARTS.iter().any(|part| word.starts_with(part)))
}

/// Whether it is a test among the code of Rust.
fn is_test(function: Node<'_>) -> bool {
    let attributes = function
        .preceding()
        .take_while(|before| before.is(&["attribute_item"]));
    let mut modules = function
        .ancestors()
        .filter(|around| around.is(&["mod_item"]));
    attributes
        .into_iter()
        .any(|attribute| attribute.text().contains("test"))
        || modules.any(|module| {
            module
                .field("name")
                .is_some_and(|name| name.text().starts_with("test"))
        })
}

/// Whether the name of a function says that it is about all rows.
fn says_all(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "all", "clear", "reset", "truncate", "purge", "wipe", "flush", "clean", "cleanup", "seed",
        "drop", "empty", "migrate", "up", "down", "setup", "teardown", "import", "rebuild",
        "refresh", "sync", "reload", "recreate", "restore", "init", "upgrade", "replace",
        "everything", "prune", "test",
    ];
    vocabulary::has_word(name, WORDS)
}

/// The effect of an SQL statement without a condition.
fn of_statement(text: &str, is_file: bool) -> Option<Effect> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = names::words(&lower).collect();
    let has = |word: &str| words.contains(&word);
    let is_limited = ["where", "limit", "using", "join", "select"]
        .iter()
        .any(|word| has(word));
    let is_temporary = words.iter().any(|word| {
        ["tmp", "temp", "staging", "cache"]
            .iter()
            .any(|part| word.split('_').any(|own| own == *part))
    });
    if is_limited || is_temporary {
        return None;
    }
    match words.as_slice() {
        ["delete", "from", rest @ ..] if is_file || rest.len() <= 2 && !rest.is_empty() => {
            Some(Effect::Deletes)
        }
        ["update", ..] if has("set") && !has("from") => Some(Effect::Changes),
        _ => None,
    }
}

/// The effect of a complete statement in a string that is passed to a call.
fn of_text(text: Node<'_>) -> Option<Effect> {
    const ADDERS: &[&str] = &[
        "append", "push", "write", "WriteString", "add", "concat", "sprintf", "Sprintf", "format",
        "join", "Append",
    ];
    let inner = text.string_value()?;
    if !sql::is_statement(text.text())
        && !inner
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("delete from ")
    {
        return None;
    }
    let list = text
        .ancestors()
        .take(2)
        .find(|around| !around.is(&["argument", "value_argument"]))?;
    let call = list
        .ancestors()
        .take(2)
        .chain([list])
        .find_map(Node::call)?;
    let is_first = list.has_role(Role::Arguments)
        || list.is(&["value_arguments", "argument_list", "arguments"]);
    let is_printed = ["print", "log", "info", "debug", "warn", "error", "assert"]
        .iter()
        .any(|word| call.name.to_ascii_lowercase().contains(word));
    if !is_first || ADDERS.contains(&call.name) || is_printed || inner.ends_with(' ') {
        return None;
    }
    of_statement(inner, false)
}

/// The effect of a call of an object mapper that has no condition.
fn of_call(node: Node<'_>, call: &Call<'_>) -> Option<Effect> {
    let effect = match node.tree().grammar().name() {
        "JavaScript" | "TypeScript" | "TSX" => of_script(node, call),
        "Python" => of_python(node, call),
        "Ruby" => of_ruby(call),
        "PHP" => of_php(call),
        "Java" | "Kotlin" => of_jvm(call),
        "C#" => of_csharp(call),
        "Go" => of_go(call),
        "Rust" => of_rust(node, call),
        _ => None,
    };
    effect.filter(|effect| *effect == Effect::MayBeAll || !is_limited(node))
}

/// Whether a later call of the chain adds a condition: `db.delete(users).where(…)`.
fn is_limited(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(outer) = at
        .ancestors()
        .take(3)
        .find(|outer| outer.call().is_some_and(|call| call.receiver == Some(at)))
    {
        if outer.call().is_some_and(|call| is_filter(call.name)) {
            return true;
        }
        at = outer;
    }
    false
}

fn is_filter(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [
        "where", "filter", "exclude", "limit", "take", "eq", "match", "in_", "having",
    ]
    .iter()
    .any(|word| lower.starts_with(word))
}

fn of_verb(name: &str) -> Effect {
    if name.to_ascii_lowercase().contains("update") {
        Effect::Changes
    } else {
        Effect::Deletes
    }
}

fn is_empty(node: Node<'_>) -> bool {
    node.is(&["object", "dictionary", "hash"]) && node.named_children().next().is_none()
}

fn of_script(node: Node<'_>, call: &Call<'_>) -> Option<Effect> {
    let first = call.arguments.first().copied();
    match call.name {
        "deleteMany" | "updateMany" => {
            let Some(first) = first else {
                return Some(of_verb(call.name));
            };
            if let Some(condition) = pair(first, "where") {
                return if is_empty(condition) {
                    Some(of_verb(call.name))
                } else {
                    all_may_be_undefined(condition).then_some(Effect::MayBeAll)
                };
            }
            (is_empty(first)
                || pair(first, "data").is_some()
                    && call.name == "updateMany"
                    && call.arguments.len() == 1)
                .then(|| of_verb(call.name))
        }
        "destroy" => is_empty(pair(first?, "where")?).then_some(Effect::Deletes),
        "del" | "delete" => {
            let table = call
                .receiver?
                .call()
                .filter(|table| first.is_none() && is_table(table))?;
            (table.receiver.is_none() || table.name == "from").then_some(Effect::Deletes)
        }
        "deleteFrom" => node
            .ancestors()
            .take(3)
            .any(|outer| {
                outer
                    .call()
                    .is_some_and(|call| matches!(call.name, "execute" | "executeTakeFirst"))
            })
            .then_some(Effect::Deletes),
        _ => None,
    }
}

/// Whether a call names a table: `knex("member")`.
fn is_table(call: &Call<'_>) -> bool {
    matches!(call.callee, "knex" | "db" | "trx" | "tx")
        && call
            .arguments
            .first()
            .is_some_and(|name| name.string_value().is_some())
}

/// The value of a key of an object.
fn pair<'t>(object: Node<'t>, key: &str) -> Option<Node<'t>> {
    let own = object.named_children().filter(|_| object.is(&["object"]));
    own.filter(|pair| pair.is(&["pair"]))
        .find(|pair| pair.field("key").is_some_and(|own| own.text() == key))?
        .field("value")
}

/// Whether all values of a condition may be undefined, so that nothing is left of it.
fn all_may_be_undefined(condition: Node<'_>) -> bool {
    let mut values = condition
        .named_children()
        .filter(|_| condition.is(&["object"]))
        .peekable();
    let may_be = |entry: Node<'_>| match entry.kind() {
        "pair" => entry.field("value").is_some_and(may_be_undefined),
        "shorthand_property_identifier" => may_be_undefined(entry),
        _ => false,
    };
    values.peek().is_some() && values.all(may_be)
}

fn may_be_undefined(value: Node<'_>) -> bool {
    let value = value.unparenthesised();
    if value.has_role(Role::Member) {
        let text = value.text();
        let is_of_request = [
            "req.query.", "req.body.", "request.query.", "request.body.", "ctx.query.",
            "ctx.request.body.", "event.queryStringParameters",
        ]
        .iter()
        .any(|start| text.starts_with(start));
        return (is_of_request || text.contains("?.")) && !is_tested(value, text);
    }
    if !value.is(&["identifier", "shorthand_property_identifier"]) {
        return false;
    }
    let name = value.text();
    let Some(function) = value
        .enclosing_function()
        .and_then(Node::function)
        .and_then(|function| function.parameters)
    else {
        return false;
    };
    let is_optional = function.named_children().any(|parameter| {
        let named = parameter
            .names()
            .next()
            .is_some_and(|own| own.text() == name);
        named
            && parameter.field("value").is_none()
            && (parameter.is(&["optional_parameter"])
                || parameter
                    .field("type")
                    .is_some_and(|of| of.text().contains("undefined")))
    });
    is_optional && !is_tested(value, name)
}

/// Whether a condition before or around a value mentions it.
fn is_tested(value: Node<'_>, text: &str) -> bool {
    let Some(function) = value.enclosing_function() else {
        return false;
    };
    let earlier = function
        .descendants()
        .take_while(|node| node.index() < value.index());
    earlier
        .filter_map(|node| {
            node.condition().or_else(|| {
                node.call()
                    .filter(|call| {
                        call.callee.contains("assert") || call.callee.contains("invariant")
                    })
                    .and_then(|call| call.arguments.first().copied())
            })
        })
        .any(|condition| condition.text().contains(text))
        || earlier_assignment(function, value, text)
}

/// Whether a value gets another value before it is used.
fn earlier_assignment(function: Node<'_>, value: Node<'_>, text: &str) -> bool {
    function
        .all(Role::Assign)
        .take_while(|node| node.index() < value.index())
        .filter_map(Node::assignment)
        .any(|set| set.target.text() == text)
}

fn of_python(node: Node<'_>, call: &Call<'_>) -> Option<Effect> {
    let of = call.receiver.map_or("", Node::text);
    match call.name {
        "delete" | "update"
            if of.ends_with(".objects.all()")
                || of.ends_with(".objects") && call.name == "update" =>
        {
            Some(of_verb(call.name))
        }
        "delete" | "update" if call.receiver.is_some_and(is_query) => Some(of_verb(call.name)),
        "delete_many" | "update_many" => {
            let first = call.arguments.first()?;
            is_empty(
                first
                    .field("value")
                    .filter(|_| first.is(&["keyword_argument"]))
                    .unwrap_or(*first),
            )
            .then(|| of_verb(call.name))
        }
        "delete" if call.receiver.is_none() => {
            let is_class = call.arguments.first().is_some_and(|of| {
                of.text().starts_with(char::is_uppercase) && of.has_role(Role::Name)
            });
            let around = node.ancestors().take(2).find_map(Node::call);
            (is_class
                && around
                    .is_some_and(|around| matches!(around.name, "execute" | "exec" | "scalars")))
            .then_some(Effect::Deletes)
        }
        _ => None,
    }
}

/// Whether it is a query of all rows: `session.query(Member)`, `Member.query`.
fn is_query(receiver: Node<'_>) -> bool {
    match receiver.call() {
        Some(query) => {
            query.name == "query"
                && query.arguments.len() == 1
                && query
                    .receiver
                    .is_some_and(|of| of.text().ends_with("session") || of.text().ends_with("db"))
        }
        None => receiver.last_name() == "query" && receiver.text().starts_with(char::is_uppercase),
    }
}

fn of_ruby(call: &Call<'_>) -> Option<Effect> {
    let is_bulk = matches!(call.name, "delete_all" | "destroy_all" | "update_all");
    let of = call.receiver.filter(|_| is_bulk)?;
    let is_class = |of: Node<'_>| of.is(&["constant", "scope_resolution"]);
    let is_all = of.call().is_some_and(|all| {
        matches!(all.name, "all" | "unscoped") && all.receiver.is_some_and(is_class)
    });
    let is_free = call.name == "update_all" || call.arguments.is_empty();
    (is_free && (is_class(of) || is_all)).then(|| of_verb(call.name))
}

fn of_php(call: &Call<'_>) -> Option<Effect> {
    let table = call
        .receiver
        .filter(|_| matches!(call.name, "delete" | "update"))?
        .call()?;
    let is_all = matches!(table.callee, "DB::table")
        || table.name == "query" && table.callee.contains("::") && table.arguments.is_empty();
    let is_free = call.name == "update" || call.arguments.is_empty();
    (is_all && is_free).then(|| of_verb(call.name))
}

fn of_jvm(call: &Call<'_>) -> Option<Effect> {
    let is_bulk =
        matches!(call.name, "deleteAll" | "deleteAllInBatch") && call.arguments.is_empty();
    let of = call
        .receiver
        .filter(|_| is_bulk)?
        .last_name()
        .to_ascii_lowercase();
    ["repository", "repo", "dao"]
        .iter()
        .any(|end| of.ends_with(end))
        .then_some(Effect::Deletes)
}

fn of_csharp(call: &Call<'_>) -> Option<Effect> {
    match call.name {
        "ExecuteDelete" | "ExecuteDeleteAsync" | "ExecuteUpdate" | "ExecuteUpdateAsync" => call
            .receiver
            .filter(|of| of.has_role(Role::Member))
            .map(|_| of_verb(call.name)),
        "DeleteMany" | "DeleteManyAsync" | "UpdateMany" | "UpdateManyAsync" => {
            let first = call.arguments.first()?.text();
            (first.ends_with("=> true")
                || first.ends_with("Filter.Empty")
                || first == "new BsonDocument()")
                .then(|| of_verb(call.name))
        }
        _ => None,
    }
}

fn of_go(call: &Call<'_>) -> Option<Effect> {
    let is_bulk = matches!(call.name, "DeleteMany" | "UpdateMany");
    let filter = call.arguments.get(1).filter(|_| is_bulk)?.text();
    matches!(filter, "bson.M{}" | "bson.D{}").then(|| of_verb(call.name))
}

fn of_rust(node: Node<'_>, call: &Call<'_>) -> Option<Effect> {
    if !matches!(call.callee, "diesel::delete" | "diesel::update") {
        return None;
    }
    let is_table = call
        .arguments
        .first()
        .is_some_and(|table| table.call().is_none());
    let is_run = node
        .ancestors()
        .take(6)
        .any(|outer| outer.call().is_some_and(|call| call.name == "execute"));
    (is_table && is_run).then(|| of_verb(call.name))
}

/// Whether the change removed the condition of this call: a removed line has the same verb, and conditions that the added
/// lines lack.
fn lost_condition(node: Node<'_>, context: &NodeContext<'_>) -> bool {
    let Some(call) = node.call().filter(|_| node.touches_change()) else {
        return false;
    };
    let joined = |kind: LineKind| {
        let lines = context.lines().iter().filter(|line| line.kind == kind);
        lines.map(|line| line.text).collect::<Vec<_>>().join("\n")
    };
    let (removed, added) = (joined(LineKind::Removed), joined(LineKind::Added));
    let has_verb = |text: &str| {
        text.contains(&format!("{}(", call.name))
            || text.contains(call.name) && call.arguments.is_empty()
    };
    let subject = call
        .receiver
        .and_then(|of| of.names().next())
        .map_or("", Node::text);
    if !has_verb(&removed) || !removed.contains(subject) {
        return false;
    }
    let filters = |text: &str| names::words(text).filter(|word| is_filter(word)).count();
    let had_arguments = || {
        let rest = removed
            .split_once(&format!("{}(", call.name))
            .map_or("", |(_, rest)| rest.trim_start());
        !rest.is_empty()
            && !rest.starts_with(')')
            && !rest.starts_with("{}")
            && call.arguments.first().is_none_or(|first| is_empty(*first))
    };
    filters(&removed) > filters(&added) || had_arguments()
}
