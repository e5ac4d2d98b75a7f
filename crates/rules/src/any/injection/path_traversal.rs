//! File names from a request.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/path-traversal",
    languages: taint::LANGUAGES,
    title: "File path built from the request",
    why: "A name such as `../../etc/passwd`, or one that starts with `/`, leaves the intended folder. The sender can \
          then read, overwrite or delete any file that the service has access to.",
    fix: "Use only the last component of the name, or resolve the full path and check that it is inside the folder \
          before you use it.",
    references: &["CWE-22"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/a.php
 <?php
 function load() {
+    return file_get_contents('up/' . $_FILES['file']['name'] . 'tmp_name');
^
 }
"#,
        r#"
path: src/A.kt
 fun Route.upload(folder: File) {
     post { part ->
+        val file = File(folder, "${user.id}/${part.originalFileName}")
^
         save(file)
     }
 }
"#,
        r#"
path: src/a.py
@@ def download():
     name = request.args.get("file")
+    return open(os.path.join(ROOT, name)).read()
^
"#,
        r#"
path: src/a.js
 app.get("/f", (req, res) => {
+  fs.readFile("./files/" + req.query.name, send);
^
 });
"#,
        r#"
path: src/A.java
@@ void get(HttpServletRequest request) {
         String name = request.getParameter("name");
+        File file = new File(ROOT, name);
^
"#,
        r#"
path: src/a.go
 func get(w http.ResponseWriter, r *http.Request) {
+	data, err := os.ReadFile(filepath.Join("files", r.URL.Query().Get("name")))
^
 	send(w, data, err)
 }
"#,
        r#"
path: src/A.java
@@ void unpack(ZipEntry entry) throws IOException {
+        File file = new File(folder, entry.getName());
^
         copy(zip, file);
"#,
        r#"
path: src/a.php
 <?php
+readfile("files/" . $_GET["name"]);
^
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return File.ReadAllText(Path.Combine(folder, Request.Query["name"]));
^
 }
"#,
        r#"
path: src/a.rb
 def show
+  send_file File.read("/data/" + params[:name])
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/A.cs
 public string Load()
 {
+    using var reader = new StreamReader(Request.Body);
+    return reader.ReadToEnd();
 }
"#,
        r#"
path: src/a.php
 <?php
 function load() {
+    return file_get_contents($_FILES['file']['tmp_name']);
 }
"#,
        r#"
path: src/A.kt
 fun Route.upload(folder: File) {
     post { part ->
+        val name = File(part.originalFileName ?: "video").name
+        val file = File(folder, "upload-$name")
         save(file)
     }
 }
"#,
        r#"
path: src/a.go
 func serve(w http.ResponseWriter, r *http.Request) {
+	name := r.URL.Query().Get("name")
+	if !filepath.IsLocal(name) {
+		return
+	}
+	data, err := os.ReadFile(filepath.Join("/up", name))
 }
"#,
        r#"
path: src/a.py
@@ def download():
     name = request.args.get("file")
+    return open(os.path.join(ROOT, secure_filename(name))).read()
"#,
        r#"
path: src/a.py
@@ def download():
     name = request.args.get("file")
     if name not in ALLOWED:
         abort(404)
+    return open(os.path.join(ROOT, name)).read()
"#,
        r#"
path: src/a.js
 app.get("/f", (req, res) => {
+  fs.readFile("./files/" + path.basename(req.query.name), send);
 });
"#,
        r#"
path: src/a.py
 def load(name):
+    return open(os.path.join(ROOT, name)).read()
"#,
        r#"
path: src/A.java
@@ File find(HttpServletRequest request) {
+        return new File(FOLDER, FilenameUtils.getName(request.getParameter("name")));
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return File.ReadAllText(Path.Combine(folder, Path.GetFileName(Request.Query["name"])));
 }
"#,
        r#"
path: src/a.rb
 def show
+  File.read("/data/" + File.basename(params[:name]))
 end
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, source)) =
        taint::flow(node, Kind::Path).filter(|_| !is_rooted(node) && !is_only_named(node))
    else {
        return;
    };
    if is_stream(value) {
        return;
    }
    // PHP itself chooses where an upload is stored until it is moved.
    let upload = source
        .ancestors()
        .take_while(|around| around.is(&["subscript_expression"]))
        .last();
    if source.text() == "$_FILES" && upload.is_some_and(is_stored) {
        return;
    }
    if !taint::is_other(source) || (writes(node) && !is_compared(node)) {
        tainted::report_flow(value, source, "determines which file is accessed", sink);
    }
}

/// Whether the value is the body of the request itself. A reader of .NET takes a stream where it also takes a path.
fn is_stream(value: Node<'_>) -> bool {
    const STREAMS: &[&str] = &["Body", "InputStream", "BodyReader", "RequestStream"];
    value.tree().grammar().name() == "C#"
        && value.has_role(Role::Member)
        && STREAMS.contains(&value.last_name())
}

/// Whether an element of `$_FILES` is the place of the upload.
fn is_stored(element: Node<'_>) -> bool {
    let index = element.named_children().last();
    index.is_some_and(|index| index.text().trim_matches(['"', '\'']) == "tmp_name")
}

/// Whether only the last segment of the path is used: `File(name).extension`.
fn is_only_named(node: Node<'_>) -> bool {
    const PARTS: &[&str] = &[
        "name", "nameWithoutExtension", "extension", "fileName", "getName", "getFileName",
    ];
    let Some(around) = node.parent() else {
        return false;
    };
    let member = around.has_role(Role::Member) && around.receiver() == Some(node);
    let name = around
        .call()
        .filter(|call| call.receiver == Some(node))
        .map(|call| call.name);
    let name = name.or_else(|| member.then(|| around.last_name()));
    name.is_some_and(|name| PARTS.contains(&name))
}

/// Whether a call may write. Reading a file that an archive names is harmless.
fn writes(node: Node<'_>) -> bool {
    let name = node.call().map_or("", |call| call.name);
    !["Input", "Reader", "read", "Read", "Resource"]
        .iter()
        .any(|word| name.contains(word))
}

/// Whether the enclosing function compares paths, as a check of an archive's entries does.
fn is_compared(node: Node<'_>) -> bool {
    const CHECKS: &[&str] = &[
        "startsWith", "startswith", "HasPrefix", "StartsWith", "\"..\"", "'..'", "commonpath",
        "relative_to", "valid",
    ];
    let around = node.enclosing(Role::Function).map_or("", Node::text);
    CHECKS.iter().any(|check| around.contains(check))
}

/// Express keeps a name inside the given folder, and rejects `..` after a folder that is joined with it.
fn is_rooted(node: Node<'_>) -> bool {
    let Some(call) = node
        .call()
        .filter(|call| call.name.eq_ignore_ascii_case("sendfile"))
    else {
        return false;
    };
    let options = call
        .arguments
        .get(1)
        .is_some_and(|options| options.text().starts_with("opt"));
    let is_joined = call
        .arguments
        .first()
        .is_some_and(|path| path.has_role(Role::Binary));
    options || is_joined || node.text().contains("root:")
}
