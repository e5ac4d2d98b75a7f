//! Objects that are deserialized from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::Kind;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/deserialisation-of-request",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "PHP", "Ruby",
    ],
    title: "Deserialization of untrusted request data",
    why: "The format can name any class and call its constructors while it is read. An attacker who sends crafted data \
          runs code on the server before the application sees the result.",
    fix: "Exchange plain data such as JSON and validate it; never deserialize objects from untrusted input.",
    references: &["CWE-502"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            if !reads_json(node) {
                tainted::report(
                    node,
                    Kind::Deserialise,
                    "is turned into objects of any class",
                    sink,
                )
            }
        },
    },
    positive: &[
        r#"
path: src/a.py
@@ def load():
     data = request.cookies.get("session")
+    return pickle.loads(base64.b64decode(data))
^
"#,
        r#"
path: src/a.php
 <?php
+$cart = unserialize($_COOKIE["cart"]);
^
"#,
        r#"
path: src/a.rb
 def load
+  Marshal.load(params[:data])
^
 end
"#,
        r#"
path: src/a.js
 app.post("/cart", (req, res) => {
+  const cart = serialize.unserialize(req.body.cart);
^
   res.json(cart);
 });
"#,
        r#"
path: src/A.java
@@ Object load(HttpServletRequest request) throws Exception {
+        ObjectInputStream in = new ObjectInputStream(request.getInputStream());
^
+        return in.readObject();
"#,
        r#"
path: src/A.cs
 public object Load()
 {
+    return new BinaryFormatter().Deserialize(Request.Body);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
@@ def load():
     data = request.cookies.get("session")
+    return json.loads(base64.b64decode(data))
"#,
        r#"
path: src/a.py
 def load(path):
+    return pickle.loads(path.read_bytes())
"#,
        r#"
path: src/a.js
 app.post("/cart", (req, res) => {
+  const cart = JSON.parse(req.body.cart);
   res.json(cart);
 });
"#,
        r#"
path: src/A.java
@@ Cart load(HttpServletRequest request) throws Exception {
+        return new ObjectMapper().readValue(request.getInputStream(), Cart.class);
"#,
        r#"
path: src/A.cs
 public async Task<Cart> Load()
 {
+    return await Request.ReadFromJsonAsync<Cart>();
 }
"#,
        r#"
path: src/A.cs
 public Cart Load()
 {
+    using var reader = new StreamReader(Request.Body);
+    return StJson.Deserialize(reader.ReadToEnd(), typeof(Cart)) as Cart;
 }
"#,
        r#"
path: src/a.php
 <?php
+$cart = json_decode($_COOKIE["cart"], true);
"#,
        r#"
path: src/a.rb
 def load
+  JSON.parse(params[:data])
 end
"#,
    ],
};

/// Whether the receiver is named after JSON: .NET reads an object of the class that the program states.
fn reads_json(node: Node<'_>) -> bool {
    let receiver = node.call().and_then(|call| call.receiver);
    node.tree().grammar().name() == "C#"
        && receiver.is_some_and(|of| of.last_name().to_ascii_lowercase().contains("json"))
}
