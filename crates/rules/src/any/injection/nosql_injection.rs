//! Database queries with parts from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::Kind;
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
            if !is_relational(node) && may_be_collection(node) {
                tainted::report(
                    node,
                    Kind::NoSql,
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
path: src/a.py
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

/// Whether the receiver of a call can be a collection. In Python, other classes have methods with the same names (`update_one`), so the
/// receiver or an import must say so.
fn may_be_collection(node: Node<'_>) -> bool {
    const SIGNS: &[&str] = &[
        "mongo",
        "motor",
        "bson",
        "beanie",
        "odmantic",
        "collection",
        "db",
    ];
    if node.tree().grammar().name() != "Python" {
        return true;
    }
    let is_sign = |text: &str| {
        let text = text.to_ascii_lowercase();
        SIGNS.iter().any(|sign| text.contains(sign))
    };
    let receiver = node.call().and_then(|call| call.receiver);
    let mut names = receiver.into_iter().flat_map(Node::leaves).map(Node::text);
    let root = node.tree().root();
    let mut top = root.into_iter().flat_map(Node::named_children);
    names.any(is_sign) || top.any(|node| node.kind().contains("import") && is_sign(node.text()))
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
