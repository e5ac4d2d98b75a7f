//! A secret from a predictable random generator.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/predictable-random",
    languages: &["Java", "Kotlin", "C#"],
    title: "Secret from a predictable random generator",
    why: "An ordinary random generator is made for games and simulations: all its numbers can be computed from a few \
          of them. Tokens, passwords, keys and session identifiers that come from it can be guessed.",
    fix: "Use `SecureRandom` (Java, Kotlin) or `RandomNumberGenerator` (C#).",
    references: &["CWE-338"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "object_creation_expression", "method_invocation", "invocation_expression",
            "call_expression",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ class A {
+    String newToken() {
+        Random random = new Random();
^
+        return Long.toHexString(random.nextLong());
+    }
"#,
        r#"
path: src/A.cs
+string NewPassword()
+{
+    var random = new Random();
^
+    return letters[random.Next(26)].ToString();
+}
"#,
        r#"
path: src/A.java
+String sessionId = "s" + Math.random();
^
"#,
        r#"
path: src/a.kt
 class Tokens {
+    fun newToken(): String {
+        val random = Random()
^
+        return random.nextLong().toString(16)
+    }
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ class A {
+    String newToken() {
+        SecureRandom random = new SecureRandom();
+        return Long.toHexString(random.nextLong());
+    }
"#,
        r#"
path: src/A.java
+int roll() {
+    return new Random().nextInt(6);
+}
"#,
        r#"
path: src/a.kt
 class Tokens {
+    fun newToken(): String {
+        val random = SecureRandom()
+        return random.nextLong().toString(16)
+    }
 }
"#,
        r#"
path: src/A.cs
+string NewPassword()
+{
+    return letters[RandomNumberGenerator.GetInt32(26)].ToString();
+}
"#,
    ],
};

const SECRETS: &[&str] = &[
    "token", "password", "passwd", "secret", "session", "cookie", "salt", "nonce", "otp", "csrf",
    "apikey", "captcha", "credential", "rememberme", "encrypt", "cipher", "privatekey", "keygen",
    "initializationvector", "verificationcode", "secure", "authcode", "crypto",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let makes = match node.kind() {
        "object_creation_expression" => {
            node.field("type").is_some_and(|kind| {
                matches!(kind.text(), "Random" | "java.util.Random" | "System.Random")
            }) && node.child_of_kind(&["class_body"]).is_none()
        }
        _ => node.call().is_some_and(|call| {
            matches!(
                call.callee,
                "Math.random"
                    | "java.lang.Math.random"
                    | "ThreadLocalRandom.current"
                    | "RandomStringUtils.randomAlphanumeric"
                    | "RandomStringUtils.random"
                    | "RandomStringUtils.randomAlphabetic"
                    | "RandomStringUtils.randomNumeric"
                    | "RandomStringUtils.randomAscii"
                    | "Random"
                    | "java.util.Random"
                    | "Random.nextInt"
                    | "Random.nextBytes"
                    | "Random.nextLong"
            )
        }),
    };
    if !makes {
        return;
    }
    let statement = node.statement();
    let function = node
        .enclosing(Role::Function)
        .filter(|function| function.is_within_hunk());
    let named = function.and_then(|function| {
        function
            .field("name")
            .or_else(|| function.child_of_kind(&["simple_identifier"]))
    });
    let names = |within: Node<'_>| within.names().any(|name| is_secret(name.text()));
    let near = named.is_some_and(|name| is_secret(name.text()))
        || names(statement)
        || function
            .and_then(|function| function.function())
            .and_then(|function| function.body)
            .is_some_and(names);
    if near {
        sink.report(
            node,
            format!(
                "`{}` produces predictable numbers, and a secret is derived from them here.",
                quote(node.text())
            ),
        );
    }
}

fn is_secret(name: &str) -> bool {
    let lower: String = name
        .chars()
        .filter(|c| *c != '_')
        .collect::<String>()
        .to_ascii_lowercase();
    SECRETS.iter().any(|word| lower.contains(word))
        && !lower.contains("cancellationtoken")
        && !lower.contains("securerandom")
        && !lower.contains("tokenize")
        && !lower.contains("sqlsession")
}
