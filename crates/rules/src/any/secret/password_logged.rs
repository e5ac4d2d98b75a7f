//! Passwords and keys written to the log.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::squeezed;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/password-logged",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#",
    ],
    title: "Password or key written to the log",
    why: "Logs are kept for a long time, copied to other systems and read by many people. A password in a log is \
          exposed to all of them, and remains there after it is changed elsewhere.",
    fix: "Remove it from the message, or log only whether it is set.",
    references: &["CWE-532"],
    priority: Priority::P2,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
 function login(user, password) {
+  console.log("login", user, password);
^
 }
"#,
        r#"
path: src/A.java
@@ void login(String user, String password) {
+        logger.info("login of " + user + " with " + password);
^
"#,
        r#"
path: src/a.go
 func login(user, password string) {
+	log.Printf("login of %s with %s", user, password)
^
 }
"#,
        r#"
path: src/a.py
 def login(user):
+    logging.info(f"login of {user.name} with {user.password}")
^
"#,
        r#"
path: src/a.kt
 fun login(user: String, password: String) {
+    logger.info("login of " + user + " with " + password)
^
 }
"#,
        r#"
path: src/A.cs
 void Login(string user, string password)
 {
+    _logger.LogInformation("login of " + user + " with " + password);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function login(user, password) {
+  console.log("login", user, password.length, hasPassword, mask(password));
+  console.log("wrong password");
 }
"#,
        r#"
path: src/a.py
 def login(user):
+    logging.info("login of %s", user.name)
+    store(user.password)
+    logging.info("password set: %s", user.password is not None)
"#,
        r#"
path: src/A.java
@@ void login(String user, String password) {
+        logger.info("login of " + user + " with a password of " + password.length());
"#,
        r#"
path: src/a.kt
 fun login(user: String, password: String) {
+    logger.info("login of $user with a password of ${password.length}")
 }
"#,
        r#"
path: src/a.go
 func login(user, password string) {
+	log.Printf("login of %s with a password of %d", user, len(password))
 }
"#,
        r#"
path: src/A.cs
 void Login(string user, string password)
 {
+    _logger.LogInformation("login of " + user);
 }
"#,
    ],
};

const LOGS: &[&str] = &[
    "log", "info", "warn", "warning", "error", "debug", "trace", "print", "critical", "exception",
    "println", "printf", "Print", "Println", "Printf", "Info", "Infof", "Debug", "Debugf", "Warnf",
    "Errorf", "WriteLine", "LogInformation", "LogDebug", "LogWarning", "LogError",
];

/// Names of loggers and consoles.
const WRITERS: &[&str] = &[
    "console", "logging", "logger", "log", "_logger", "winston", "_log", "out", "slog", "fmt",
    "zap", "sugar",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| LOGS.contains(&call.name)) else {
        return;
    };
    let receiver = call
        .receiver
        .map(|receiver| receiver.last_name().to_ascii_lowercase())
        .unwrap_or_default();
    let is_log = WRITERS.contains(&receiver.as_str()) || matches!(call.callee, "print" | "println");
    if !is_log {
        return;
    }
    for argument in &call.arguments {
        if let Some(secret) = secret(*argument) {
            sink.report(
                secret,
                format!("`{}` is written to the log.", quote(secret.text())),
            );
            return;
        }
    }
}

/// A secret whose value becomes part of the string.
fn secret(value: Node<'_>) -> Option<Node<'_>> {
    let value = value.unparenthesised();
    if value.has_role(Role::Name) || value.has_role(Role::Member) {
        return Some(value).filter(|value| is_secret(value.last_name()));
    }
    if value.has_role(Role::Text) {
        let pieces = value
            .descendants()
            .filter(|piece| piece.is(&["interpolation", "template_substitution"]));
        return pieces.flat_map(Node::named_children).find_map(secret);
    }
    if let Some(binary) = value.binary() {
        return matches!(binary.operator, "+" | "%")
            .then(|| secret(binary.left).or_else(|| secret(binary.right)))
            .flatten();
    }
    if value.is(&["argument", "value_argument"]) {
        return value.named_children().last().and_then(secret);
    }
    if value.is(&["tuple"]) {
        return value.named_children().find_map(secret);
    }
    let conversion = value.call().filter(|call| call.arguments.is_empty());
    if let Some(conversion) = conversion {
        let text = conversion
            .receiver
            .filter(|_| matches!(conversion.name, "toString" | "valueOf" | "String"));
        return text.map_or_else(|| is_secret(conversion.name).then_some(value), secret);
    }
    let format = value.call().filter(|call| {
        call.name == "format" || matches!(call.callee, "JSON.stringify" | "util.format")
    });
    format.and_then(|call| call.arguments.into_iter().find_map(secret))
}

fn is_secret(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "password", "passwd", "passphrase", "secretkey", "apikey", "privatekey", "accesstoken",
        "authtoken", "clientsecret", "secretaccesskey",
    ];
    let plain = squeezed(name);
    let is_flag = [
        "has", "is", "no", "needs", "wrong", "show", "forgot", "reset", "invalid",
    ]
    .iter()
    .any(|start| plain.starts_with(start));
    ENDS.iter().any(|end| plain.ends_with(end))
        && !is_flag
        && !plain.contains("hash")
        && !plain.contains("encrypted")
}
