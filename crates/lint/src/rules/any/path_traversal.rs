//! File names that a request chooses.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/path-traversal",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "File name taken from the request",
    why: "A name such as `../../etc/passwd`, or one that starts with `/`, leads out of the folder that was \
          meant. Whoever sends the request can then read, overwrite or delete any file that the service \
          may.",
    fix: "Take only the last part of the name, or resolve the whole path and check that it is still inside \
          the folder before you use it.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.py\n@@ def download():\n     name = request.args.get(\"file\")\n+    return open(os.path.join(ROOT, name)).read()\n^\n",
        "path: src/a.js\n app.get(\"/f\", (req, res) => {\n+  fs.readFile(\"./files/\" + req.query.name, send);\n^\n });\n",
        "path: src/A.java\n@@ void get(HttpServletRequest request) {\n         String name = request.getParameter(\"name\");\n+        File file = new File(ROOT, name);\n^\n",
        "path: src/a.go\n func get(w http.ResponseWriter, r *http.Request) {\n+	data, err := os.ReadFile(filepath.Join(\"files\", r.URL.Query().Get(\"name\")))\n^\n 	send(w, data, err)\n }\n",
        "path: src/a.php\n <?php\n+readfile(\"files/\" . $_GET[\"name\"]);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def download():\n     name = request.args.get(\"file\")\n+    return open(os.path.join(ROOT, secure_filename(name))).read()\n",
        "path: src/a.py\n@@ def download():\n     name = request.args.get(\"file\")\n     if name not in ALLOWED:\n         abort(404)\n+    return open(os.path.join(ROOT, name)).read()\n",
        "path: src/a.js\n app.get(\"/f\", (req, res) => {\n+  fs.readFile(\"./files/\" + path.basename(req.query.name), send);\n });\n",
        "path: src/a.py\n def load(name):\n+    return open(os.path.join(ROOT, name)).read()\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Express keeps such a name below the folder that is given.
    let is_rooted =
        node.call().is_some_and(|call| call.name.eq_ignore_ascii_case("sendfile") && node.text().contains("root:"));
    if let Some((value, source)) = taint::flow(node, Kind::Path).filter(|_| !is_rooted) {
        sink.report(
            value,
            format!("`{}` comes from the request and decides which file is used here.", quote(source.text())),
        );
    }
}
