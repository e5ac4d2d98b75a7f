//! URLs of the server's own requests that come from a client.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/server-side-request-forgery",
    languages: taint::LANGUAGES,
    title: "Server-side request to a URL from a client",
    why: "The server fetches any URL that the client sends. From inside the network it reaches what the client \
          cannot: internal services, cloud metadata with credentials, `localhost`.",
    fix: "Choose the host from a fixed list, and let the client supply only an encoded path or parameter.",
    references: &["CWE-918"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            // A transport is supposed to send the request that it is passed.
            let function = node.enclosing(Role::Function).and_then(Node::function);
            let is_transport = function.is_some_and(|function| function.name.text() == "RoundTrip");
            if !is_only_read(node) && !is_transport && !is_of_browser(node) {
                tainted::report(
                    node,
                    Kind::Url,
                    "determines which URL the server requests",
                    sink,
                );
            }
        },
    },
    positive: &[
        r#"
path: src/a.py
@@ def fetch():
     url = request.args["url"]
+    return requests.get(url, timeout=5).text
^
"#,
        r#"
path: src/a.js
 app.get("/p", async (req, res) => {
+  const answer = await fetch(`https://${req.query.host}/status`);
^
   res.json(await answer.json());
 });
"#,
        r#"
path: src/a.go
 func get(w http.ResponseWriter, r *http.Request) {
+	resp, err := http.Get(r.FormValue("url"))
^
 	use(resp, err)
 }
"#,
        r#"
path: src/A.java
@@ String load(HttpServletRequest request) {
+        return restTemplate.getForObject(request.getParameter("url"), String.class);
^
"#,
        r#"
path: src/a.kt
 fun Route.load() = get("/load") {
+    val page = URL(call.parameters["url"]!!).readText()
^
     call.respondText(page)
 }
"#,
        r#"
path: src/A.cs
 public async Task<string> Load()
 {
+    return await client.GetStringAsync(Request.Query["url"]);
^
 }
"#,
        r#"
path: src/a.php
 <?php
+$handle = curl_init($_GET["url"]);
^
"#,
        r#"
path: src/a.rb
 def load
+  HTTParty.get(params[:url])
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
+	conn, err := net.Dial("tcp", r.URL.Host)
 	return send(conn, err)
 }
"#,
        r#"
path: src/a.py
@@ def fetch():
     name = request.args["name"]
+    return requests.get("https://api.example.com/users/" + name, timeout=5).text
"#,
        r#"
path: src/a.js
 async function load(url) {
+  return (await fetch(url)).json();
 }
"#,
        r#"
path: src/a.js
 app.get("/p", async (req, res) => {
+  const answer = await fetch(`https://api.example.com/${req.query.id}`);
 });
"#,
        r#"
path: src/A.java
 void set(HttpServletRequest request, Cookie cookie) throws Exception {
+    cookie.setDomain(new URL(request.getParameter("url")).getHost());
 }
"#,
        r#"
path: src/a.kt
 fun Route.load() = get("/load") {
+    val page = URL("https://api.example.com/items/" + call.parameters["id"]!!.toInt()).readText()
     call.respondText(page)
 }
"#,
        r#"
path: src/A.cs
 public async Task<string> Load()
 {
+    return await client.GetStringAsync("https://api.example.com/items/" + int.Parse(Request.Query["id"]));
 }
"#,
        r#"
path: src/a.php
 <?php
+$handle = curl_init("https://api.example.com/items/" . intval($_GET["id"]));
"#,
        r#"
path: src/a.rb
 def load
+  HTTParty.get("https://api.example.com/items/#{params[:id].to_i}")
 end
"#,
    ],
};

/// Whether a URL is created only to read a part of it.
fn is_only_read(address: Node<'_>) -> bool {
    const READERS: &[&str] = &[
        "getHost", "getPath", "getProtocol", "getQuery", "getPort", "getAuthority", "getFile",
    ];
    let reader = address
        .parent()
        .and_then(Node::call)
        .filter(|call| call.receiver == Some(address));
    reader.is_some_and(|call| READERS.contains(&call.name))
}

/// Whether the address comes from the page that a browser shows. Its requests are not those of a server.
fn is_of_browser(node: Node<'_>) -> bool {
    const PAGE: &[&str] = &["document.", "window.", "location."];
    taint::flow(node, Kind::Url)
        .is_some_and(|(_, source)| PAGE.iter().any(|start| source.text().starts_with(start)))
}
