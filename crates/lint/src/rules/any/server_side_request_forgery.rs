//! Addresses of the server's own requests that a request chooses.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/server-side-request-forgery",
    languages: taint::LANGUAGES,
    title: "Address of a request taken from the request",
    why: "The server fetches whatever address it is told. From inside it reaches what the sender cannot: \
          other services of the network, cloud metadata with credentials, `localhost`.",
    fix: "Choose the host from a fixed list, and let the request fill in only a path or a parameter, \
          encoded.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| {
            if !is_only_read(node) {
                taint::report(node, Kind::Url, "decides which address the server calls", sink);
            }
        },
    },
    fires: &[
        "path: src/a.py\n@@ def fetch():\n     url = request.args[\"url\"]\n+    return requests.get(url, timeout=5).text\n^\n",
        "path: src/a.js\n app.get(\"/p\", async (req, res) => {\n+  const answer = await fetch(`https://${req.query.host}/status`);\n^\n   res.json(await answer.json());\n });\n",
        "path: src/a.go\n func get(w http.ResponseWriter, r *http.Request) {\n+	resp, err := http.Get(r.FormValue(\"url\"))\n^\n 	use(resp, err)\n }\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def fetch():\n     name = request.args[\"name\"]\n+    return requests.get(\"https://api.example.com/users/\" + name, timeout=5).text\n",
        "path: src/a.js\n async function load(url) {\n+  return (await fetch(url)).json();\n }\n",
        "path: src/a.js\n app.get(\"/p\", async (req, res) => {\n+  const answer = await fetch(`https://api.example.com/${req.query.id}`);\n });\n",
        "path: src/A.java\n void set(HttpServletRequest request, Cookie cookie) throws Exception {\n+    cookie.setDomain(new URL(request.getParameter(\"url\")).getHost());\n }\n",
    ],
};

/// Whether an address is made only to take a part out of it.
fn is_only_read(address: Node<'_>) -> bool {
    const READERS: &[&str] = &["getHost", "getPath", "getProtocol", "getQuery", "getPort", "getAuthority", "getFile"];
    let reader = address.parent().and_then(Node::call).filter(|call| call.receiver == Some(address));
    reader.is_some_and(|call| READERS.contains(&call.name))
}
