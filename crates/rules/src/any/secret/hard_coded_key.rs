//! A key, password, salt or initialization vector that is a constant in the source code.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::argument_value;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-key",
    languages: &["Java", "Kotlin"],
    title: "Hard-coded key, salt or initialization vector",
    why: "Every reader of the code or of the compiled class has the secret, it stays in the history, and it is the \
          same in every installation. A constant salt or initialization vector loses its purpose: equal inputs produce \
          equal outputs.",
    fix: "Read secrets from a secret store, the environment or a key store; fill salts and vectors from `SecureRandom` \
          each time.",
    references: &["CWE-321", "CWE-329", "CWE-760"],
    priority: Priority::P1,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "method_invocation", "object_creation_expression", "call_expression",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ byte[] sign(byte[] text) throws Exception {
+        SecretKeySpec key = new SecretKeySpec("s3cr3t-of-ours".getBytes(), "HmacSHA256");
^
         mac.init(key);
"#,
        r#"
path: src/A.java
+class A {
+    private static final String KEY = "very-secret-text";
+    Algorithm algorithm() {
+        return Algorithm.HMAC256(KEY);
^
+    }
+    Connection open() throws SQLException {
+        String password = "hunter2";
+        return DriverManager.getConnection(url, "admin", password);
^
+    }
+}
"#,
        r#"
path: src/a.kt
+fun hide(text: ByteArray) {
+    val iv = IvParameterSpec("0123456789abcdef".toByteArray())
^
+    val salt = byteArrayOf(1, 2, 3)
+    val spec = PBEKeySpec(password, salt, 10000, 256)
^
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ byte[] sign(byte[] text) throws Exception {
+        SecretKeySpec key = new SecretKeySpec(settings.key().getBytes(), "HmacSHA256");
         mac.init(key);
"#,
        r#"
path: src/A.java
+byte[] hide(byte[] text) {
+    byte[] iv = new byte[12];
+    random.nextBytes(iv);
+    IvParameterSpec spec = new IvParameterSpec(iv);
+    Connection connection = DriverManager.getConnection(url, "admin", "");
+    return run(spec);
+}
"#,
        r#"
path: src/a.kt
 fun sign(text: ByteArray): ByteArray {
+    val key = SecretKeySpec(settings.key.toByteArray(), "HmacSHA256")
     return mac(key, text)
 }
"#,
    ],
};

/// Functions that take a secret, and the position of the argument.
const SECRETS: &[(&str, usize)] = &[
    ("SecretKeySpec", 0),
    ("PBEKeySpec", 0),
    ("DESKeySpec", 0),
    ("DESedeKeySpec", 0),
    ("PasswordAuthentication", 1),
    ("UsernamePasswordToken", 1),
    ("UsernamePasswordCredentials", 1),
    ("UsernamePasswordAuthenticationToken", 1),
    ("MACSigner", 0),
    ("KerberosKey", 1),
    ("Pbkdf2PasswordEncoder", 0),
    ("Algorithm.HMAC256", 0),
    ("Algorithm.HMAC384", 0),
    ("Algorithm.HMAC512", 0),
    ("Keys.hmacShaKeyFor", 0),
    (".setSigningKey", 0),
    (".signWith", 1),
    (".verifyWith", 0),
    ("DriverManager.getConnection", 2),
    ("dataSource.getConnection", 1),
    ("request.login", 1),
    (".getHMAC", 0),
    ("store.getKey", 1),
    ("keyStore.getKey", 1),
    ("keyStore.load", 1),
    ("ks.load", 1),
    ("ks.getKey", 1),
    ("Encryptors.delux", 0),
    ("Encryptors.stronger", 0),
    ("Encryptors.text", 0),
    ("Encryptors.standard", 0),
    ("dataSource.setPassword", 0),
    (".setPassword", 0),
    (".encryptionKey", 0),
    ("SQLiteDatabase.openOrCreateDatabase", 1),
    ("SQLiteDatabase.openDatabase", 1),
    ("KeyStore.PasswordProtection", 0),
    ("BasicAWSCredentials", 1),
    ("AwsBasicCredentials.create", 1),
    ("HmacUtils", 1),
];

/// Functions that take a salt or a vector.
const PUBLIC: &[(&str, usize)] = &[
    ("IvParameterSpec", 0),
    ("GCMParameterSpec", 1),
    ("PBEKeySpec", 1),
    ("PBEParameterSpec", 0),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let callee = call
        .callee
        .rsplit_once("crypto.spec.")
        .map_or(call.callee, |(_, name)| name);
    let is_callee = |name: &str| match name.strip_prefix('.') {
        Some(method) => call.name == method && call.receiver.is_some(),
        None => callee == name || name.contains('.') && callee.ends_with(&format!(".{name}")),
    };
    let constant = |at: usize, of_public: bool| {
        call.arguments
            .get(at)
            .map(|argument| argument_value(*argument))
            .filter(|value| is_constant(*value, of_public, 5))
    };
    let secret = SECRETS
        .iter()
        .filter(|(name, _)| is_callee(name))
        .find_map(|(_, at)| constant(*at, false));
    if let Some(value) = secret {
        sink.report(
            node,
            format!(
                "`{}` takes `{}` as a secret, which is a constant in the source code.",
                quote(call.name),
                quote(value.text())
            ),
        );
        return;
    }
    let public = PUBLIC
        .iter()
        .filter(|(name, _)| is_callee(name))
        .find_map(|(_, at)| constant(*at, true));
    if let Some(value) = public {
        let summary = format!(
            "`{}` takes `{}`, which is the same on each run.",
            quote(call.name),
            quote(value.text())
        );
        sink.report(node, summary).priority(Priority::P2);
    }
}

/// Calls that only convert a string.
const FORMS: &[&str] = &[
    "getBytes", "toCharArray", "toByteArray", "encodeToByteArray", "trim", "toString", "substring",
    "subSequence", "toUpperCase", "toLowerCase", "strip", "stripTrailing", "stripLeading",
    "intern", "String", "valueOf", "encode", "concat", "decode", "getDecoder", "stripIndent",
    "translateEscapes", "lowercase", "uppercase",
];

/// Whether a value consists of constants only.
fn is_constant(value: Node<'_>, zeros_too: bool, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let value = value.unparenthesised();
    if value.has_role(Role::Text) {
        return value
            .string_value()
            .is_some_and(|text| text.len() >= 2 && !text.contains("${"));
    }
    if value.is(&["array_creation_expression"]) {
        let filled = value
            .field("value")
            .is_some_and(|list| list.named_children().next().is_some());
        let numbers = value
            .descendants()
            .all(|part| !part.is(&["identifier", "method_invocation"]));
        let used_at_once = value
            .parent()
            .is_some_and(|parent| parent.is(&["argument_list"]));
        return filled && numbers || zeros_too && used_at_once && value.field("value").is_none();
    }
    if let Some(call) = value.call() {
        if matches!(call.name, "byteArrayOf" | "charArrayOf") {
            return !call.arguments.is_empty()
                && call
                    .arguments
                    .iter()
                    .all(|argument| argument_value(*argument).has_role(Role::Number));
        }
        if !FORMS.contains(&call.name) {
            return false;
        }
        let receiver = call
            .receiver
            .filter(|of| !of.text().starts_with(char::is_uppercase));
        return match (receiver, call.arguments.first()) {
            (Some(of), _) => is_constant(of, zeros_too, depth - 1),
            (None, Some(first)) => is_constant(argument_value(*first), zeros_too, depth - 1),
            (None, None) => false,
        };
    }
    if let Some(binary) = value.binary().filter(|binary| binary.operator == "+") {
        return is_constant(binary.left, zeros_too, depth - 1)
            && is_constant(binary.right, zeros_too, depth - 1);
    }
    let Some(found) = declared(value) else {
        return false;
    };
    let Some(start) = found.value.filter(|_| !is_set_again(value, found.node)) else {
        return false;
    };
    is_constant(start, zeros_too, depth - 1)
}

/// Whether a variable is assigned again, or is filled by a call.
fn is_set_again(used: Node<'_>, declaration: Node<'_>) -> bool {
    let name = used.last_name();
    let scope = used
        .ancestors()
        .find(|around| declaration.is_inside(*around))
        .unwrap_or(declaration);
    let sets = |node: Node<'_>| {
        node.index() != declaration.index()
            && !declaration.is_inside(node)
            && node
                .assignment()
                .is_some_and(|set| set.target.names().any(|own| own.text() == name))
    };
    let fills = |node: Node<'_>| {
        node.call().is_some_and(|call| {
            matches!(
                call.name,
                "nextBytes" | "fill" | "arraycopy" | "read" | "readFully"
            ) && call
                .arguments
                .iter()
                .any(|argument| argument.text() == name)
        })
    };
    scope.descendants().any(|node| sets(node) || fills(node))
}
