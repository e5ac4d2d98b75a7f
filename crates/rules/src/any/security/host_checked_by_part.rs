//! A host or a URL that is trusted because it contains a certain string.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::semantics::vocabulary::words_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/host-checked-by-part",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Python", "Java", "C#", "Go", "PHP", "Ruby", "Kotlin",
    ],
    title: "Host checked by a substring",
    why: "The test checks whether a domain appears anywhere in the string, or at its end without a dot before it. An \
          attacker can register `evil-example.com`, or put the trusted name into a path or a longer host.",
    fix: "Parse the URL and compare the whole host, or its end including the dot before the domain.",
    references: &["CWE-20"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Text]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+if (url.includes('example.com')) follow(url);
^
+const ok = origin.endsWith('example.com');
^
"#,
        r#"
path: src/a.py
+if "example.com" in url:
^
+    follow(url)
"#,
        r#"
path: src/a.go
@@ func ok(host string) bool {
+	return strings.HasSuffix(host, "example.com")
^
"#,
        r#"
path: src/A.java
+boolean isOwn(String url) {
+    return url.contains("example.com");
^
+}
"#,
        r#"
path: src/A.cs
+bool IsOwn(string url)
+{
+    return url.Contains("example.com");
^
+}
"#,
        r#"
path: src/a.php
 <?php
+$isOwn = str_contains($url, "example.com");
^
"#,
        r#"
path: src/a.rb
 def own?(url)
+  url.include?("example.com")
^
 end
"#,
        r#"
path: src/a.kt
+fun isOwn(url: String) = url.contains("example.com")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+if (host === 'example.com' || host.endsWith('.example.com')) follow(url);
+if (name.includes('example.com')) show(name);
+if (url.includes('.json')) load(url);
+if (url.startsWith('https://example.com/')) follow(url);
"#,
        r#"
path: src/a.py
+if "example.com" in hosts:
+    follow(url)
"#,
        r#"
path: src/A.java
+boolean isOwn(String host) {
+    return host.equals("example.com") || host.endsWith(".example.com");
+}
"#,
        r#"
path: src/A.cs
+bool IsOwn(string host)
+{
+    return host == "example.com" || host.EndsWith(".example.com");
+}
"#,
        r#"
path: src/a.go
+func isOwn(host string) bool {
+	return host == "example.com" || strings.HasSuffix(host, ".example.com")
+}
"#,
        r#"
path: src/a.php
 <?php
+$isOwn = $host === "example.com" || str_ends_with($host, ".example.com");
"#,
        r#"
path: src/a.rb
 def own?(host)
+  host == "example.com" || host.end_with?(".example.com")
 end
"#,
        r#"
path: src/a.kt
+fun isOwn(host: String) = host == "example.com" || host.endsWith(".example.com")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(part) = node.string_value().filter(|text| is_domain(text)) else {
        return;
    };
    let Some((test, whole)) = tested(node) else {
        return;
    };
    if is_address(whole.last_name()) {
        let test_text = quote(test.text());
        sink.report(
            test,
            format!("`{test_text}` also accepts other hosts: `{part}` is only compared with a part of the string."),
        );
    }
}

/// A substring test, with its needle and its haystack.
fn tested(part: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let around = part.parent()?;
    if let Some(binary) = around
        .binary()
        .filter(|binary| binary.operator == "in" && binary.left == part)
    {
        return Some((around, binary.right));
    }
    let test = part
        .ancestors()
        .take(4)
        .find(|node| node.has_role(Role::Call))?;
    let call = test.call()?;
    let arguments: Vec<Node<'_>> = call.arguments.iter().copied().map(handed_over).collect();
    match arguments.as_slice() {
        [only] if *only == part && METHODS.contains(&call.name) => Some((test, call.receiver?)),
        [whole, last] if *last == part && FUNCTIONS.contains(&call.name) => Some((test, *whole)),
        _ => None,
    }
}

const METHODS: &[&str] = &[
    "includes", "contains", "Contains", "indexOf", "IndexOf", "endsWith", "EndsWith", "endswith",
    "include?", "end_with?",
];
const FUNCTIONS: &[&str] = &[
    "HasSuffix", "Contains", "strpos", "str_contains", "str_ends_with",
];

fn is_address(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "url", "uri", "host", "hostname", "origin", "referer", "referrer", "domain", "href",
        "endpoint", "redirect",
    ];
    words_of(name)
        .last()
        .is_some_and(|word| NAMES.contains(&word.as_str()))
}

/// Whether a string is a whole domain: letters, dots, a known ending, and no dot at its start.
fn is_domain(text: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "com", "org", "net", "io", "dev", "app", "edu", "gov", "co", "de", "uk", "cloud", "ai",
    ];
    if text.len() > 80 || !text.contains('.') {
        return false;
    }
    let text = text
        .trim_start_matches("https://")
        .trim_start_matches("http://")
        .trim_start_matches("www.");
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    let ending = text.rsplit('.').next().unwrap_or_default();
    is_plain && !text.starts_with('.') && text.contains('.') && ENDINGS.contains(&ending)
}
