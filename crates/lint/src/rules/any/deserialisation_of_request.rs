//! Objects that a request makes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/deserialisation-of-request",
    languages: taint::LANGUAGES,
    title: "Objects restored from the request",
    why: "The format can name any class and call its constructors while it is read. Whoever sends the data \
          runs code on the server before a single line of yours sees the result.",
    fix: "Exchange plain data (JSON) and check it; never restore objects from what came over the network.",
    priority: Priority::P0,
    category: Category::Security,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Deserialise, "is turned into objects of any class", sink),
    },
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
