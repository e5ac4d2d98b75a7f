//! Log lines that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/log-injection",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "Log entry with text from the request",
    why: "Line ends in the value start a new entry: whoever sends it can forge entries, hide others, and \
          in a log viewer that shows HTML even run a script.",
    fix: "Take line ends out of the value, or log it as a field of a structured entry.",
    priority: Priority::P3,
    category: Category::Security,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  console.log(\"login of \" + req.query.name);\n^\n });\n",
        "path: src/a.py\n@@ def login():\n     name = request.args[\"name\"]\n+    logging.info(\"login of \" + name)\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  console.log(\"login of \" + req.query.name.replace(/\\n/g, \"\"));\n });\n",
        "path: src/a.py\n def login(name):\n+    logging.info(\"login of \" + name)\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Log) {
        sink.report(
            value,
            format!("`{}` comes from the request and goes into the log with its line ends.", quote(source.text())),
        );
    }
}
