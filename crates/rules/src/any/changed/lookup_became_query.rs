//! A lookup in a collection that became a query in every iteration of a loop.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/lookup-became-query",
    languages: &[],
    title: "Database query for each pass of a loop",
    why: "The loop looked its values up in memory and now asks the database for each of them. With a thousand elements that \
          is a thousand round trips, where one query for all of them was enough.",
    fix: "Load all values with one query before the loop, and look them up by their key.",
    references: &["CWE-1050"],
    priority: Priority::P2,
    category: Category::Performance,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def names(users):
     for user in users:
-        group = groups.get(user.group)
+        group = Group.query.filter(Group.id == user.group).one_or_none()
^
         show(group)
"#,
        r#"
path: src/a.ts
 async function names(users) {
   for (const user of users) {
-    const group = groups[user.group];
+    const group = await prisma.group.findUnique({ where: { id: user.group } });
^
     show(group);
   }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def names(users):
     for user in users:
-        group = groups.get(user.group)
+        group = groups[user.group]
         show(group)
"#,
        r#"
path: src/a.py
 def name(user):
-    group = groups.get(user.group)
+    group = Group.query.filter(Group.id == user.group).one_or_none()
     show(group)
"#,
    ],
};

/// Methods that query a database.
const QUERIES: &[&str] = &[
    "one", "one_or_none", "scalar_one", "scalar_one_or_none", "first", "get_or_404", "findUnique",
    "findUniqueOrThrow", "findFirst", "findOne", "findOneBy", "findOneOrFail", "findById",
    "findByPk", "find_by", "findOrFail", "get", "FirstOrDefaultAsync", "SingleOrDefaultAsync",
    "FindAsync", "QueryRow", "queryForObject",
];

/// Words in the receiver of such a method, for methods with an ambiguous name.
const SOURCES: &[&str] = &[
    ".query.", ".objects", "session.query(", ".filter_by(", ".where(", "select(", "DB::", "prisma.",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let was_lookup = |old: Node<'_>| {
        let is_get = old.call().is_some_and(|call| {
            matches!(call.name, "get" | "has" | "fetch") && call.arguments.len() <= 2
        });
        (is_get || old.has_role(Role::Index)) && !queries_database(old)
    };
    let mut looked_up = context
        .old
        .nodes()
        .filter(|old| old.touches_change() && old.enclosing(Role::Loop).is_some());
    if !looked_up.any(was_lookup)
        || context
            .old
            .with_role(Role::Call)
            .any(|old| old.touches_change() && queries_database(old))
    {
        return;
    }
    let new = context
        .new
        .with_role(Role::Call)
        .filter(|call| call.touches_change() && call.is_usable());
    let mut queries = new.filter(|call| queries_database(*call) && is_in_body(*call));
    if let Some(query) = queries.next() {
        sink.report(
            query,
            format!(
                "`{}` asks the database in each pass of the loop.",
                quote(query.text())
            ),
        );
    }
}

fn queries_database(node: Node<'_>) -> bool {
    let Some(call) = node.call().filter(|call| QUERIES.contains(&call.name)) else {
        return false;
    };
    let says_it = call.name.len() > "scalar_one".len() || call.name.starts_with("find");
    says_it || SOURCES.iter().any(|source| call.callee.contains(source))
}

/// Whether it is in the body of a loop, and not in the collection that the loop iterates over.
fn is_in_body(call: Node<'_>) -> bool {
    let Some(around) = call.enclosing(Role::Loop) else {
        return false;
    };
    let apart = call
        .ancestors()
        .take_while(|node| *node != around)
        .any(|node| node.has_role(Role::Function));
    !apart
        && around
            .any_field(&["body", "consequence"])
            .is_some_and(|body| call.is_inside(body))
}
