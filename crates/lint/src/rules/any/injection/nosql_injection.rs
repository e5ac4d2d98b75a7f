//! Database queries with parts from a request.

use review::{Category, Priority};

use crate::rule::tainted;
use crate::rule::{Check, Rule, Tests};
use crate::semantics::taint::Kind;

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
            tainted::report(
                node,
                Kind::NoSql,
                "reaches the query unchanged, including operators such as `$ne`",
                sink,
            )
        },
    },
    positive: &[
        "path: src/a.js\n app.post(\"/login\", async (req, res) => {\n+  const user = await User.findOne({ name: req.body.name, password: req.body.password });\n^\n   res.json(user);\n });\n",
        "path: src/a.js\n app.post(\"/find\", (req, res) => {\n   const query = req.body;\n+  db.collection(\"a\").find(query).toArray(send);\n^\n });\n",
    ],
    negative: &[
        "path: src/a.js\n app.post(\"/login\", async (req, res) => {\n+  const user = await User.findOne({ name: String(req.body.name) });\n+  const item = items.find((each) => each.id === req.params.id);\n   res.json(user);\n });\n",
        "path: src/a.js\n function load(query) {\n+  return User.findOne(query);\n }\n",
    ],
};
