//! A check for a folder that also accepts folders with a longer name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/path-prefix-without-separator",
    languages: &[
        "Java", "Kotlin", "JavaScript", "TypeScript", "TSX", "Python", "Go", "C#",
    ],
    title: "Folder check by string prefix",
    why: "`/srv/data-of-others` also starts with `/srv/data`. A string comparison of the beginnings of two paths \
          accepts every sibling folder whose name begins the same way.",
    fix: "Compare paths instead of strings (`Path.startsWith`, `relative_to`), or append the separator to the folder \
          first.",
    references: &["CWE-22"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void check(File folder, File file) throws IOException {
+        if (!file.getCanonicalPath().startsWith(folder.getCanonicalPath())) {
^
             throw new IOException();
         }
"#,
        r#"
path: src/a.py
@@ def check(folder, name):
     path = os.path.realpath(name)
+    if not path.startswith(folder):
^
         raise ValueError(name)
"#,
        r#"
path: src/a.kt
 fun check(folder: File, file: File) {
+    if (!file.getCanonicalPath().startsWith(folder.getCanonicalPath())) {
^
+        throw IOException()
+    }
 }
"#,
        r#"
path: src/a.js
 function check(folder, name) {
   const file = path.resolve(folder, name);
+  if (!file.startsWith(folder)) {
^
+    throw new Error(name);
+  }
 }
"#,
        r#"
path: src/a.go
 func check(folder, name string) bool {
 	file := filepath.Clean(filepath.Join(folder, name))
+	return strings.HasPrefix(file, folder)
^
 }
"#,
        r#"
path: src/A.cs
 bool Check(string folder, string name)
 {
     var file = Path.GetFullPath(name);
+    return file.StartsWith(folder);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void check(File folder, File file) throws IOException {
+        if (!file.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) {
             throw new IOException();
         }
"#,
        r#"
path: src/A.java
@@ void check(Path folder, Path file) throws IOException {
+        if (!file.toRealPath().startsWith(folder)) {
             throw new IOException();
         }
"#,
        r#"
path: src/a.py
@@ def check(name):
     path = os.path.realpath(name)
+    if not path.startswith("/srv/data/"):
         raise ValueError(name)
"#,
        r#"
path: src/a.kt
 fun check(folder: File, file: File) {
+    if (!file.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) {
+        throw IOException()
+    }
 }
"#,
        r#"
path: src/a.js
 function check(folder, name) {
   const file = path.resolve(folder, name);
+  if (!file.startsWith(folder + path.sep)) {
+    throw new Error(name);
+  }
 }
"#,
        r#"
path: src/a.go
 func check(folder, name string) bool {
 	file := filepath.Clean(filepath.Join(folder, name))
+	return strings.HasPrefix(file, folder+"/")
 }
"#,
        r#"
path: src/A.cs
 bool Check(string folder, string name)
 {
     var file = Path.GetFullPath(name);
+    return file.StartsWith(folder + Path.DirectorySeparatorChar);
 }
"#,
    ],
};

/// Calls that return an absolute path as a string.
const WHOLE: &[&str] = &[
    "getCanonicalPath(", "getAbsolutePath(", "os.path.realpath(", "os.path.abspath(",
    "path.resolve(", "realpathSync(", "Path.GetFullPath(", "filepath.Abs(", "filepath.Clean(",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let (path, folder) = match (call.name, call.receiver, call.arguments.as_slice()) {
        ("startsWith" | "startswith" | "StartsWith", Some(path), [folder, ..]) => (path, *folder),
        ("HasPrefix", _, [path, folder]) => (*path, *folder),
        _ => return,
    };
    if is_whole_path(path) && is_open(folder) {
        let summary = format!(
            "`{}` also accepts sibling folders whose name begins the same way.",
            quote(node.text())
        );
        sink.report(node, summary);
    }
}

/// Whether a value is a path without `..`, here or where the variable was assigned.
fn is_whole_path(path: Node<'_>) -> bool {
    let made = |text: &str| WHOLE.iter().any(|call| text.contains(call));
    if !path.has_role(Role::Name) {
        return path.call().is_some() && made(path.text());
    }
    let Some(function) = path.enclosing(Role::Function) else {
        return false;
    };
    let sets = function.all(Role::Assign).filter_map(Node::assignment);
    sets.filter(|set| set.target.names().any(|name| name.text() == path.text()))
        .any(|set| made(set.value.text()))
}

/// Whether a folder's name may end without a separator.
fn is_open(folder: Node<'_>) -> bool {
    let own = folder.text();
    let ends = [
        "separator", "Separator", "sep", "'/'", "\"/\"", "/\"", "/'", "/`", "\\\\",
    ];
    if folder.has_role(Role::Text) || ends.iter().any(|end| own.contains(end)) {
        return false;
    }
    let Some(function) = folder.enclosing(Role::Function) else {
        return false;
    };
    let sets = function.all(Role::Assign).filter_map(Node::assignment);
    let own_sets = sets.filter(|set| set.target.names().any(|name| name.text() == own));
    !own_sets
        .into_iter()
        .any(|set| ends.iter().any(|end| set.value.text().contains(end)))
}
