//! Database queries with parts from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/nosql-injection",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "NoSQL query built from the request",
    why: "A value from a request can be an object instead of a string: `{\"$ne\": null}` in place of a password \
          matches every user, and `$where` runs code in the database.",
    fix: "Convert the value to the expected type, for example with `String(value)`, or validate the body against a \
          schema first.",
    references: &["CWE-943"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            let Some((value, source)) = taint::flow(node, Kind::NoSql) else {
                return;
            };
            if !is_relational(node) && may_be_collection(node) {
                tainted::report_flow(
                    value,
                    source,
                    "reaches the query unchanged, including operators such as `$ne`",
                    sink,
                );
            }
        },
    },
    positive: &[
        r#"
path: src/a.js
 app.post("/login", async (req, res) => {
+  const user = await User.findOne({ name: req.body.name, password: req.body.password });
^
   res.json(user);
 });
"#,
        r#"
path: src/a.js
 app.post("/find", (req, res) => {
   const query = req.body;
+  db.collection("a").find(query).toArray(send);
^
 });
"#,
        r#"
path: src/a.py
 from pymongo import MongoClient
 @app.post("/find")
 def find():
+    return users.find_one(request.json)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 app.post("/beat", (req, res) => {
+  uptime.update(req.body.status);
   res.end();
 });
"#,
        r#"
path: src/a.py
 from app.db.models import Recipe
 @router.put("")
 def update_many(self, data: list[Recipe]):
     for recipe in data:
+        self.service.update_one(recipe.id, recipe)
"#,
        r#"
path: src/a.ts
 app.get("/users", async (req, res) => {
+  res.json(await users.find({ where: { token: req.body.token } }));
 });
"#,
        r#"
path: src/a.js
 app.post("/login", async (req, res) => {
+  const user = await User.findOne({ name: String(req.body.name) });
+  const item = items.find((each) => each.id === req.params.id);
   res.json(user);
 });
"#,
        r#"
path: src/a.js
 function load(query) {
+  return User.findOne(query);
 }
"#,
        r#"
path: src/a.js
 app.put("/links/:id", async (req, res) => {
+  await Link.findOne({ uuid: req.params.id, host: req.headers.host });
   res.end();
 });
"#,
    ],
};

/// Maximum number of statements at the start of a file in which an import is looked for.
const IMPORTS: usize = 100;

/// Whether the receiver of a call can be a collection. In Python, and where other classes usually have a method of that name, such as
/// `update`, the receiver or an import must say so.
fn may_be_collection(node: Node<'_>) -> bool {
    /// Drivers and object mappers, as imports name them.
    const DRIVERS: &[&str] = &["mongo", "motor", "bson", "beanie", "odmantic"];
    /// Words of a receiver that is a collection.
    const COLLECTIONS: &[&str] = &["mongo", "collection", "model", "db"];
    const COMMON: &[&str] = &[
        "aggregate", "count", "distinct", "exists", "find", "remove", "update", "where",
    ];
    let Some(call) = node.call() else {
        return true;
    };
    let is_python = node.tree().grammar().name() == "Python";
    if !is_python && !COMMON.contains(&call.name) {
        return true;
    }
    let has_any = |text: &str, words: &[&str]| {
        let text = text.to_ascii_lowercase();
        words.iter().any(|word| text.contains(word))
    };
    // `User.find(…)` of Mongoose.
    let is_type = |text: &str| !is_python && text.starts_with(|c: char| c.is_ascii_uppercase());
    let names = call.receiver.into_iter().flat_map(|receiver| {
        std::iter::once(receiver)
            .chain(receiver.leaves())
            .map(Node::text)
    });
    let root = node.tree().root();
    // Imports are at the start of a file.
    let mut top = root
        .into_iter()
        .flat_map(Node::named_children)
        .take(IMPORTS);
    names
        .into_iter()
        .any(|text| is_type(text) || has_any(text, COLLECTIONS))
        || top.any(|statement| {
            let imports =
                statement.kind().contains("import") || statement.text().contains("require(");
            imports && has_any(statement.text(), DRIVERS)
        })
}

/// Whether a query is one of a library for relational databases, such as `find({ where: … })`. Its operators are no text.
fn is_relational(node: Node<'_>) -> bool {
    let arguments = node.call().map(|call| call.arguments).unwrap_or_default();
    arguments.into_iter().any(|argument| {
        let keys = argument
            .named_children()
            .filter_map(|entry| entry.field("key"));
        argument.is(&["object"]) && keys.into_iter().any(|key| key.text() == "where")
    })
}
