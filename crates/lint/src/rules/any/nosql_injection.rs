//! Database queries whose parts a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/nosql-injection",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Query object taken from the request",
    why: "What a request says can be an object, not only text: `{\"$ne\": null}` in place of a password \
          matches every user, and `$where` runs code in the database.",
    fix: "Turn the value into the type that is meant (String(value)), or check the body against a schema \
          first.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.65,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| {
            taint::report(node, Kind::NoSql, "goes into the query as it is, operators such as `$ne` included", sink)
        },
    },
    fires: &[
        "path: src/a.js\n app.post(\"/login\", async (req, res) => {\n+  const user = await User.findOne({ name: req.body.name, password: req.body.password });\n^\n   res.json(user);\n });\n",
        "path: src/a.js\n app.post(\"/find\", (req, res) => {\n   const query = req.body;\n+  db.collection(\"a\").find(query).toArray(send);\n^\n });\n",
    ],
    quiet: &[
        "path: src/a.js\n app.post(\"/login\", async (req, res) => {\n+  const user = await User.findOne({ name: String(req.body.name) });\n+  const item = items.find((each) => each.id === req.params.id);\n   res.json(user);\n });\n",
        "path: src/a.js\n function load(query) {\n+  return User.findOne(query);\n }\n",
    ],
};
