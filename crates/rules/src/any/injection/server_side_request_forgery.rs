//! URLs of the server's own requests that come from a client.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
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
        run,
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
path: src/A.java
@@ String load(HttpServletRequest request) {
+        URI target = URI.create(request.getParameter("url"));
+        return client.send(HttpRequest.newBuilder(target).build(), BodyHandlers.ofString()).body();
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
path: src/A.java
 void authorize(HttpServletRequest request, Client client) {
+    URI target = URI.create(request.getParameter("target"));
+    if (!client.redirectUris().contains(target)) {
+        throw new BadRequest();
+    }
 }
"#,
        r#"
path: src/A.cs
 public Task<Response> Send(HttpRequest request)
 {
+    using var message = new HttpRequestMessage(request.Method, (Uri)request.Url);
 }
"#,
        r#"
path: src/a.go
+func send(ctx context.Context, request host.HTTPRequest) error {
+	made, err := http.NewRequestWithContext(ctx, "GET", request.URL, nil)
+	return run(made, err)
+}
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

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if is_only_read(node) || is_only_made(node) || is_transport(node) || is_of_browser(node) {
        return;
    }
    tainted::report(
        node,
        Kind::Url,
        "determines which URL the server requests",
        sink,
    );
}

/// Whether the function sends the request that it is passed, as a transport is supposed to.
fn is_transport(node: Node<'_>) -> bool {
    let function = node.enclosing(Role::Function).and_then(Node::function);
    function.is_some_and(|function| function.name.text() == "RoundTrip") || sends_whole(node)
}

/// Whether the method and the address are those of one description of a request: `new HttpRequestMessage(r.Method, r.Url)`.
fn sends_whole(node: Node<'_>) -> bool {
    let arguments = node.call().map(|call| call.arguments).unwrap_or_default();
    let of = |names: [&str; 3]| {
        // The argument itself, or the operand of a cast.
        let children = arguments.iter().flat_map(|own| own.children());
        let below = children.flat_map(|child| child.children().chain([child]));
        let parts = below.chain(arguments.iter().copied());
        let mut members = parts.filter(|part| part.has_role(Role::Member));
        let member = members.find(|part| names.contains(&part.last_name()));
        member.and_then(Node::receiver).map(Node::text)
    };
    let address = of(["Url", "URL", "Uri"]);
    address.is_some() && address == of(["Method", "method", "Verb"])
}

/// Whether an address of Java is only made here, and nothing in the function requests it: it is compared or passed to code that
/// need not be a client.
fn is_only_made(node: Node<'_>) -> bool {
    let is_maker = node
        .call()
        .is_some_and(|call| call.name == "create" && call.callee.ends_with("URI.create"));
    let names = || {
        let set = node.ancestors().take(4).find_map(|around| {
            let target = around.assignment().map(|set| set.target);
            target.or_else(|| {
                around
                    .field("name")
                    .filter(|_| around.is(&["variable_declarator"]))
            })
        });
        let function = node.enclosing(Role::Function);
        let uses = set.zip(function).map(|(name, function)| {
            function
                .names()
                .filter(move |own| own.text() == name.text())
        });
        uses.into_iter().flatten()
    };
    is_maker && !is_requested(node) && !names().any(is_requested)
}

/// Whether a call that makes requests takes an address, or a URL is made of it.
fn is_requested(address: Node<'_>) -> bool {
    const STARTS: &[&str] = &[
        "Http", "getFor", "postFor", "patchFor", "putFor", "exchange", "execute", "send", "open",
        "connect", "fetch", "newBuilder", "uri", "url", "setUri", "setURI", "setUrl", "toURL",
        "request", "download", "load", "method", "target", "resource", "get", "post", "put",
        "delete", "head", "URL",
    ];
    let calls = address.ancestors().take(4).filter_map(Node::call);
    calls
        .filter(|call| call.callee != "URI.create")
        .filter(|call| call.name != "getScheme" && call.name != "getHost" && call.name != "getPath")
        .any(|call| STARTS.iter().any(|start| call.name.starts_with(start)))
}

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
