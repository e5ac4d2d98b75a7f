//! A constant nonce or salt.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/fixed-nonce",
    languages: &["Java"],
    title: "Constant nonce or salt",
    why: "With a constant nonce, equal plaintexts have equal ciphertexts in CBC mode, and in GCM two messages are \
          enough to reveal data and to forge messages. With a constant salt, one table of guesses serves for all \
          passwords.",
    fix: "Fill it from `SecureRandom` for each message or password, and store it with the result.",
    references: &["CWE-329", "CWE-323", "CWE-760"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["object_creation_expression"]),
        run,
    },
    positive: &[
        r#"
+    void hide(Cipher cipher, SecretKey key) throws Exception {
+        byte[] nonce = "0123456789ab".getBytes(UTF_8);
+        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
^
+    }
"#,
        r#"
-IvParameterSpec start = new IvParameterSpec(fresh());
+IvParameterSpec start = new IvParameterSpec(new byte[16]);
^
"#,
    ],
    negative: &[
        r#"
+    void hide(Cipher cipher, SecretKey key, byte[] given) throws Exception {
+        byte[] nonce = new byte[12];
+        random.nextBytes(nonce);
+        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
+        use(new IvParameterSpec(given));
+        byte[] sent = new byte[16];
+        buffer.readBytes(sent);
+        use(new IvParameterSpec(sent));
+    }
"#,
        r#"
@@ void hide(Cipher cipher, SecretKey key) {
     IvParameterSpec old = new IvParameterSpec(new byte[16]);
+    IvParameterSpec start = new IvParameterSpec(SecureRandom.getInstanceStrong().generateSeed(16));
     cipher.init(Cipher.ENCRYPT_MODE, key, old);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let place = match call.name {
        "IvParameterSpec" | "PBEParameterSpec" => 0,
        "GCMParameterSpec" | "PBEKeySpec" => 1,
        _ => return,
    };
    if call
        .arguments
        .get(place)
        .is_some_and(|value| is_fixed(*value, 4))
    {
        let what = if call.name.starts_with("PBE") {
            "salt"
        } else {
            "nonce"
        };
        sink.report(
            node,
            format!("`{}` uses a constant {what}.", quote(node.text())),
        );
    }
}

fn is_fixed(value: Node<'_>, depth: u32) -> bool {
    let value = value.unparenthesised();
    if depth == 0 {
        return false;
    }
    match value.kind() {
        "array_initializer" if value.named_children().next().is_none() => false,
        "string_literal" | "array_initializer" => !value
            .descendants()
            .any(|inner| inner.is(&["method_invocation", "identifier"])),
        "array_creation_expression" => value
            .field("value")
            .is_none_or(|list| is_fixed(list, depth - 1)),
        "method_invocation" => value.call().is_some_and(|call| {
            let of = |name: &str| {
                matches!(
                    name,
                    "getBytes"
                        | "toCharArray"
                        | "decode"
                        | "decodeHex"
                        | "parseHexBinary"
                        | "parseHex"
                        | "copyOf"
                        | "copyOfRange"
                        | "decodeBase64"
                )
            };
            let from = call.arguments.iter().any(|one| is_fixed(*one, depth - 1));
            of(call.name)
                && (from
                    || call.name == "getBytes"
                        && call.receiver.is_some_and(|of| is_fixed(of, depth - 1)))
        }),
        "identifier" | "field_access" => declared(value).is_some_and(|found| {
            found.value.is_some_and(|first| is_fixed(first, depth - 1))
                && !is_filled(value, found.is_field())
        }),
        _ => false,
    }
}

/// Whether a call of this name writes into an array that it is given.
fn fills(name: &str) -> bool {
    const STARTS: &[&str] = &["read", "next", "get", "fill", "copy", "generate", "receive"];
    let lower = name.to_ascii_lowercase();
    matches!(name, "arraycopy" | "doFinal") || STARTS.iter().any(|start| lower.starts_with(start))
}

/// Whether the content of the variable is changed, or the variable is assigned again.
fn is_filled(used: Node<'_>, is_field: bool) -> bool {
    let scope = if is_field {
        used.ancestors()
            .filter(|around| around.is(&["class_body"]))
            .last()
    } else {
        used.enclosing(Role::Function)
    };
    let name = used.last_name();
    let Some(scope) = scope else { return true };
    scope
        .descendants()
        .filter(|one| one.is(&["identifier"]) && one.text() == name)
        .any(|one| {
            let Some(parent) = one.parent() else {
                return false;
            };
            let given = parent.is(&["argument_list"])
                && parent
                    .parent()
                    .and_then(Node::call)
                    .is_some_and(|call| fills(call.name));
            let set = parent.is(&["assignment_expression"]) && parent.field("left") == Some(one)
                || parent.is(&["array_access"])
                    && parent
                        .parent()
                        .is_some_and(|line| line.field("left") == Some(parent));
            given || set
        })
}
