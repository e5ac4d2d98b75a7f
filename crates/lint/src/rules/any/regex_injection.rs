//! Regular expressions that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-injection",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "Regular expression taken from the request",
    why: "The sender decides how the search works: with a pattern such as `(a+)+$` one request keeps a \
          processor busy for minutes, and a pattern that matches everything gets round a check.",
    fix: "Escape the value before it becomes part of a pattern, or search for plain text.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(pattern, TEXT)\n^\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = names.filter((name) => new RegExp(req.query.name).test(name));\n^\n   res.json(found);\n });\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(re.escape(pattern), TEXT)\n+    # found\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = new RegExp(escapeRegExp(req.query.name)).test(name);\n });\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Pattern) {
        sink.report(
            value,
            format!("`{}` comes from the request and becomes a regular expression.", quote(source.text())),
        );
    }
}
