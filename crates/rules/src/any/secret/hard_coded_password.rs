//! Passwords and keys in the source code.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::secrets::is_for_web_pages;
use syntax::semantics::taint;
use syntax::semantics::vocabulary::squeezed;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-password",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "Go", "PHP", "Ruby", "Kotlin",
    ],
    title: "Hard-coded password or key",
    why: "Every reader of the source, its history or the built program has the password. It cannot be changed without \
          a release, and it is the same wherever the program runs.",
    fix: "Read it from the environment or a secret store, and replace the exposed one.",
    references: &["CWE-798", "CWE-259"],
    priority: Priority::P2,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Assign, Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
+password = "hunter2-blue"
^
"#,
        r#"
path: src/a.js
+const client = new Client({ user: "shop", password: "hunter2-blue" });
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final String DB_PASSWORD = "hunter2-blue";
^
 }
"#,
        r#"
path: src/a.py
+db = connect(user="shop", password="hunter2-blue")
^
"#,
        r#"
path: src/A.cs
 Connection Open()
 {
+    var password = "hunter2-blue";
^
     return Connect(password);
 }
"#,
        r#"
path: src/a.go
 func open() *sql.DB {
+	password := "hunter2-blue"
^
 	return connect(password)
 }
"#,
        r#"
path: src/a.php
 <?php
+$password = "hunter2-blue";
^
"#,
        r#"
path: src/a.rb
 def open
+  password = "hunter2-blue"
^
   connect(password)
 end
"#,
        r#"
path: src/a.kt
 fun configure(source: DataSource) {
+    source.password = "hunter2-blue"
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
+export const request = json(schema, { email: "ada@example.com", password: "S3cure!Passw0rd" });
"#,
        r#"
path: src/a.py
+password = os.environ["PASSWORD"]
+password_field = "password"
+passwordLabel = "Your password"
+password = ""
+password = "<secret>"
+token_url = "/oauth/token"
+db = connect(password="${PASSWORD}")
"#,
        r#"
path: src/a.js
+const labels = { password: "Password", confirm: "Repeat the password" };
+const password = "changeme";
+input({ password: t("password") });
"#,
        r#"
path: src/A.java
@@ Connection open() {
+        String password = System.getenv("DB_PASSWORD");
"#,
        r#"
path: src/A.cs
 Connection Open()
 {
+    var password = Environment.GetEnvironmentVariable("DB_PASSWORD");
     return Connect(password);
 }
"#,
        r#"
path: src/a.go
 func open() *sql.DB {
+	password := os.Getenv("DB_PASSWORD")
 	return connect(password)
 }
"#,
        r#"
path: src/a.php
 <?php
+$password = getenv("DB_PASSWORD");
"#,
        r#"
path: src/a.rb
 def open
+  password = ENV["DB_PASSWORD"]
   connect(password)
 end
"#,
        r#"
path: src/a.kt
 fun configure(source: DataSource) {
+    source.password = System.getenv("DB_PASSWORD")
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut found: Vec<(Node<'_>, Node<'_>)> = Vec::new();
    if let Some(assignment) = node.assignment() {
        found.push((only(assignment.target), only(assignment.value)));
        if assignment.value.is(&["object", "dictionary", "hash"]) {
            found.extend(pairs(assignment.value));
        }
    }
    if let Some(call) = node.call() {
        for argument in &call.arguments {
            if let (Some(_), Some(name)) = (
                taint::argument_name(*argument),
                argument.any_field(&["name", "key"]),
            ) {
                found.push((name, taint::argument_value(*argument)));
            }
            found.extend(pairs(*argument));
        }
    }
    for (name, value) in found {
        if names_secret(name)
            && !is_sample(name)
            && value
                .string_value()
                .is_some_and(|text| is_secret(text, name.text()))
        {
            sink.report(
                value,
                format!("`{}` holds a hard-coded secret.", quote(name.text())),
            );
        }
    }
}

/// The only element of a list, which Go has on both sides.
fn only(node: Node<'_>) -> Node<'_> {
    let mut parts = node.named_children();
    match (node.is(&["expression_list"]), parts.next(), parts.next()) {
        (true, Some(only), None) => only,
        _ => node,
    }
}

/// The entries of a literal object, including those of nested objects.
fn pairs(value: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    if !value.is(&["object", "dictionary", "hash"]) {
        return Vec::new();
    }
    value
        .descendants()
        .filter(|inner| inner.is(&["pair"]))
        .filter_map(|pair| Some((pair.field("key")?, pair.field("value")?)))
        .collect()
}

/// Whether an object is a sample: another of its values is an address in a domain that is reserved for examples (RFC
/// 2606).
fn is_sample(name: Node<'_>) -> bool {
    const DOMAINS: &[&str] = &["@example.com", "@example.org", "@example.net", "@test.com"];
    let object = name
        .ancestors()
        .find(|around| around.is(&["object", "dictionary", "hash"]));
    let values = object
        .into_iter()
        .flat_map(Node::named_children)
        .filter_map(|pair| pair.field("value"));
    values
        .filter_map(Node::string_value)
        .any(|text| DOMAINS.iter().any(|domain| text.ends_with(domain)))
}

fn names_secret(name: Node<'_>) -> bool {
    const ENDS: &[&str] = &[
        "password", "passwd", "pwd", "passphrase", "secret", "secretkey", "apikey", "accesskey",
        "privatekey", "authtoken", "accesstoken", "apitoken", "secretaccesskey", "clientsecret",
        "pass", "appsecret",
    ];
    let text = name.text();
    let last = if name.has_role(Role::Index) {
        name.named_children()
            .last()
            .and_then(Node::string_value)
            .unwrap_or_default()
    } else {
        name.string_value()
            .unwrap_or(text.rsplit(['.', '>']).next().unwrap_or(text))
    };
    let plain = squeezed(last);
    ENDS.iter()
        .any(|end| plain == *end || (plain.ends_with(end) && *end != "pass" && plain.len() < 30))
}

/// Whether a string can be a real secret: not a placeholder, a sentence or a name.
fn is_secret(text: &str, name: &str) -> bool {
    const DUMMIES: &[&str] = &[
        "password", "passwd", "secret", "changeme", "change_me", "change-me", "example",
        "placeholder", "dummy", "your", "xxx", "***", "...", "todo", "none", "null", "undefined",
        "test", "token", "redacted", "env", "string", "hidden", "required", "invalid", "forgot",
        "reset", "api_key", "apikey", "api-key", "foobar",
    ];
    let lower = text.to_ascii_lowercase();
    let shape = text.len() >= 6
        && text.len() <= 200
        && text.is_ascii()
        && !text.contains([' ', '{', '}', '<', '>', '$', '%', '/', '\\', ':', '(', '\n'])
        && !text.starts_with(['.', '#', '@', '-'])
        && !is_for_web_pages(text);
    let varied = text
        .chars()
        .any(|c| c.is_ascii_digit() || "!-_.+=^&*~?".contains(c))
        || text
            .chars()
            .collect::<std::collections::BTreeSet<char>>()
            .len()
            > 5;
    // Names that consist of words in letters only, such as `userPassword`, are keys of other things.
    let is_word = text
        .chars()
        .all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-' | '.'));
    shape
        && varied
        && squeezed(text) != squeezed(name)
        && !DUMMIES.iter().any(|dummy| lower.contains(dummy))
        && (!is_word || text.len() <= 8 && text.chars().all(|c| c.is_ascii_lowercase()))
}
