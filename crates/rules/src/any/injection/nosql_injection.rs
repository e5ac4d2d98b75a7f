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
            if !is_relational(node) {
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
    ],
    negative: &[
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
