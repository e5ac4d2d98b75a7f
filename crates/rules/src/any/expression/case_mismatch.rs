//! Comparisons of a case-converted string with a literal in the other case.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/case-mismatch",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "Go", "PHP", "Ruby", "Kotlin",
        "Rust",
    ],
    title: "Case-converted string compared with the other case",
    why: "One side was converted to lower or upper case, and the other is a literal that contains the opposite case. \
          They are never equal, so the branch is dead.",
    fix: "Write the literal in the case that the conversion produces.",
    references: &["CWE-570"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Binary, Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+if (name.toLowerCase() === "Admin") {
^
+  go();
+}
"#,
        r#"
path: src/a.py
 def f(kind):
+    return kind.upper() == "json"
^
"#,
        r#"
path: src/A.java
@@ boolean f(String kind) {
+        return kind.toLowerCase().equals("JSON");
^
"#,
        r#"
path: src/a.php
 <?php
+if (strtolower($kind) === "JSON") {
^
+  go();
+}
"#,
        r#"
path: src/A.cs
+bool IsAdmin(string name)
+{
+    return name.ToLower() == "Admin";
^
+}
"#,
        r#"
path: src/a.go
+func isAdmin(name string) bool {
+	return strings.ToLower(name) == "Admin"
^
+}
"#,
        r#"
path: src/a.rb
 def admin?(name)
+  name.downcase == "Admin"
^
 end
"#,
        r#"
path: src/a.kt
+fun isAdmin(name: String) = name.lowercase() == "Admin"
^
"#,
        r#"
path: src/a.rs
 fn is_admin(name: &str) -> bool {
+    name.to_lowercase() == "Admin"
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+if (name.toLowerCase() === "admin") {
+  go();
+}
"#,
        r#"
path: src/a.py
 def f(kind):
+    return kind.upper() == "JSON-1" or kind.lower() != other
"#,
        r#"
path: src/A.java
+boolean isAdmin(String name) {
+    return name.toLowerCase().equals("admin") || name.toUpperCase().startsWith("ADMIN");
+}
"#,
        r#"
path: src/A.cs
+bool IsAdmin(string name)
+{
+    return name.ToLower() == "admin" || name.ToUpper() == "ADMIN";
+}
"#,
        r#"
path: src/a.go
+func isAdmin(name string) bool {
+	return strings.ToLower(name) == "admin" || strings.EqualFold(name, "Admin")
+}
"#,
        r#"
path: src/a.php
 <?php
+$isAdmin = strtolower($name) === 'admin' || strtoupper($name) === 'ADMIN';
"#,
        r#"
path: src/a.rb
 def admin?(name)
+  name.downcase == "admin" || name.casecmp?("Admin")
 end
"#,
        r#"
path: src/a.kt
+fun isAdmin(name: String) = name.lowercase() == "admin" || name.equals("Admin", ignoreCase = true)
"#,
        r#"
path: src/a.rs
 fn is_admin(name: &str) -> bool {
+    name.to_lowercase() == "admin" || name.eq_ignore_ascii_case("Admin")
 }
"#,
    ],
};

const LOWER: &[&str] = &[
    "toLowerCase", "toLocaleLowerCase", "lower", "casefold", "ToLower", "ToLowerInvariant",
    "downcase", "lowercase", "strtolower", "to_lowercase", "to_ascii_lowercase",
];
const UPPER: &[&str] = &[
    "toUpperCase", "toLocaleUpperCase", "upper", "ToUpper", "ToUpperInvariant", "upcase",
    "uppercase", "strtoupper", "to_uppercase", "to_ascii_uppercase",
];
const TESTS_OF_TEXT: &[&str] = &[
    "equals", "contentEquals", "startsWith", "endsWith", "includes", "contains", "startswith",
    "endswith", "StartsWith", "EndsWith", "Equals", "Contains", "indexOf",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let pair = match node.comparison() {
        Some(binary) => Some((binary.left, binary.right)),
        None => node
            .call()
            .filter(|call| TESTS_OF_TEXT.contains(&call.name))
            .and_then(|call| Some((call.receiver?, *call.arguments.first()?))),
    };
    let Some((left, right)) = pair else { return };
    let clash = [(left, right), (right, left)]
        .into_iter()
        .any(|(cased, text)| clashes(cased.unparenthesised(), text));
    if clash {
        sink.report(
            node,
            format!(
                "`{}` never holds: one side is case-converted and the other has the opposite case.",
                quote(node.text())
            ),
        );
    }
}

fn clashes(cased: Node<'_>, text: Node<'_>) -> bool {
    let Some(call) = cased.call() else {
        return false;
    };
    let text = if text.has_role(Role::Text) {
        Some(text)
    } else {
        text.named_children()
            .last()
            .filter(|_| text.is(&["argument", "value_argument"]))
    };
    let Some(value) = text
        .and_then(Node::string_value)
        .filter(|value| !value.contains(['\\', '{', '%']))
    else {
        return false;
    };
    let plain = call.arguments.is_empty()
        || call.name.starts_with("strto")
        || call.callee.starts_with("strings.");
    plain
        && ((LOWER.contains(&call.name) && value.chars().any(char::is_uppercase))
            || (UPPER.contains(&call.name) && value.chars().any(char::is_lowercase)))
}
