//! Objects that a request makes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/deserialisation-of-request",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "Objects restored from the request",
    why: "The format can name any class and call its constructors while it is read. Whoever sends the data \
          runs code on the server before a single line of yours sees the result.",
    fix: "Exchange plain data (JSON) and check it; never restore objects from what came over the network.",
    priority: Priority::P0,
    category: Category::Security,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.py\n@@ def load():\n     data = request.cookies.get(\"session\")\n+    return pickle.loads(base64.b64decode(data))\n^\n",
        "path: src/a.php\n <?php\n+$cart = unserialize($_COOKIE[\"cart\"]);\n^\n",
        "path: src/a.rb\n def load\n+  Marshal.load(params[:data])\n^\n end\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def load():\n     data = request.cookies.get(\"session\")\n+    return json.loads(base64.b64decode(data))\n",
        "path: src/a.py\n def load(path):\n+    return pickle.loads(path.read_bytes())\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Deserialise) {
        sink.report(
            value,
            format!("`{}` comes from the request and is turned into objects of any class.", quote(source.text())),
        );
    }
}
