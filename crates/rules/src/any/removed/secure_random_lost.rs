//! A cryptographic random generator that became an ordinary one, or that is no longer called.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/secure-random-lost",
    languages: &[],
    title: "Secure random generator no longer used",
    why: "The value came from a generator for cryptography. An ordinary generator can be computed from a few of its \
          numbers, and a buffer that nothing fills is all zeros, so tokens, keys, nonces and salts can be guessed.",
    fix: "Keep the generator for cryptography.",
    references: &["CWE-338", "CWE-330"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def make_token(length):
-    rand = random.SystemRandom()
-    return "".join(rand.choice(CHARS) for x in range(length))
+    return "".join(random.choice(CHARS) for _ in range(length))
^
"#,
        r#"
path: src/a.go
 func seal(gcm cipher.AEAD, text []byte) ([]byte, error) {
 	nonce := make([]byte, gcm.NonceSize())
-	if _, err := rand.Read(nonce); err != nil {
^
-		return nil, err
-	}
 	return gcm.Seal(nil, nonce, text, nil), nil
 }
"#,
        r#"
path: src/a.js
 function makeToken() {
-  return crypto.randomBytes(16).toString('hex');
+  return Math.random().toString(36).slice(2);
^
 }
"#,
        r#"
path: src/A.java
 class A {
     byte[] salt() {
         byte[] salt = new byte[16];
-        new SecureRandom().nextBytes(salt);
+        new Random().nextBytes(salt);
^
         return salt;
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function code() {
-    return random_int(100000, 999999);
+    return mt_rand(100000, 999999);
^
 }
"#,
        r#"
path: src/a.go
 import (
-	"crypto/rand"
+	"math/rand"
^
 	"fmt"
 )
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def make_token(length):
-    rand = random.SystemRandom()
-    return "".join(rand.choice(CHARS) for x in range(length))
+    return "".join(secrets.choice(CHARS) for _ in range(length))
"#,
        r#"
path: src/a.go
 func seal(gcm cipher.AEAD, text []byte) ([]byte, error) {
 	nonce := make([]byte, gcm.NonceSize())
-	if _, err := rand.Read(nonce); err != nil {
+	if _, err := io.ReadFull(rand.Reader, nonce); err != nil {
 		return nil, err
 	}
 	return gcm.Seal(nil, nonce, text, nil), nil
 }
"#,
        r#"
path: src/a.js
 function makeToken() {
-  return crypto.randomBytes(16).toString('hex');
+  return crypto.randomUUID();
 }
"#,
        r#"
path: src/a.py
 def pick(items):
-    return random.choice(items)
+    return random.choice(list(items))
"#,
    ],
};

/// Names of cryptographic generators and of their functions.
const SECURE: &[&str] = &[
    "SystemRandom", "SecureRandom", "secrets", "randomBytes", "randomUUID", "getRandomValues",
    "random_bytes", "random_int", "RandomNumberGenerator", "RNGCryptoServiceProvider", "OsRng",
    "urandom", "token_hex", "token_urlsafe", "token_bytes", "openssl_random_pseudo_bytes",
    "getrandom", "arc4random_buf", "RAND_bytes", "randombytes_buf", "randomInt", "SysRng",
];
/// Calls of ordinary generators.
const PLAIN: &[&str] = &[
    "random.choice", "random.choices", "random.randint", "random.random", "random.sample",
    "random.randrange", "random.getrandbits", "random.randbytes", "random.Random", "Math.random",
    "rand", "mt_rand", "uniqid", "lcg_value", "str_shuffle", "array_rand", "shuffle", "std::rand",
    "random", "rand::random", "fastrand::u64", "fastrand::alphanumeric", "Random",
    "java.util.Random", "System.Random", "ThreadLocalRandom.current", "Random.nextInt",
    "Random.nextBytes", "Kernel.rand", "rand.Intn", "rand.Int63", "rand.Int", "rand.Uint64",
    "rand.Int31n", "Random.Shared.Next", "Random.rand", "RandomStringUtils.randomAlphanumeric",
];
/// Functions that fill the buffer that they are passed.
const FILL: &[&str] = &[
    "Read", "ReadFull", "nextBytes", "getRandomValues", "GetBytes", "Fill", "RAND_bytes",
    "fill_bytes", "randombytes_buf", "randomFillSync", "getrandom", "arc4random_buf",
    "try_fill_bytes", "fill", "GetNonZeroBytes",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context
        .added_tokens()
        .any(|leaf| SECURE.contains(&leaf.text()))
    {
        replaced(context, sink);
    }
    not_filled(context, sink);
    let plain = ["\"math/rand\"", "\"math/rand/v2\""];
    if let Some(came) = context.go_import_in_place_of("\"crypto/rand\"", &plain) {
        sink.report(
            came,
            "`crypto/rand` was replaced with `math/rand`, whose numbers can be predicted.",
        );
    }
}

fn replaced(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let lost = context.old.changed_nodes().find(|leaf| {
        leaf.is_leaf()
            && SECURE.contains(&leaf.text())
            && context.new_of(*leaf).is_none()
            && leaf.ancestors().any(|around| around.has_role(Role::Call))
    });
    let Some(lost) = lost else { return };
    let is_plain = |node: &Node<'_>| {
        node.touches_change() && node.call().is_some_and(|call| PLAIN.contains(&call.callee))
    };
    let was_there = |node: &Node<'_>| {
        context.similarity_to_old(*node) == 100
            && context
                .origin(*node)
                .is_some_and(|old| context.same(old, *node))
    };
    let calls = context
        .new
        .with_role(Role::Call)
        .filter(is_plain)
        .filter(|node| !was_there(node));
    // The generator that replaced the removed one: in the same edit, or in the code that uses it.
    if let Some(now) = calls.last() {
        let (was, now_text) = (quote(lost.text()), quote(now.text()));
        sink.report(
            now,
            format!("`{was}` was replaced with `{now_text}`, whose numbers can be predicted."),
        );
    }
}

/// A removed `rand.Read(nonce)`, while `nonce` is used.
fn not_filled(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let mentions_random = |node: Node<'_>| {
        node.text().to_ascii_lowercase().contains("rand") || node.text().contains("rng")
    };
    let added = context.new.with_role(Role::Call).any(|node| {
        node.touches_change() && context.similarity_to_old(node) < 100 && mentions_random(node)
    });
    if added {
        return;
    }
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
    {
        let Some(call) = old.call().filter(|call| FILL.contains(&call.name)) else {
            continue;
        };
        if !mentions_random(old)
            || context.similarity_to_new(old) > 34
            || context.is_in_removed_function(old)
            || context.reappears(old)
        {
            continue;
        }
        let Some(buffer) = call
            .arguments
            .iter()
            .rev()
            .map(|argument| handed_over(*argument))
            .find(|argument| {
                let name = argument.last_name();
                !name.is_empty()
                    && !argument.has_role(Role::Number)
                    && !name.to_ascii_lowercase().contains("rand")
            })
        else {
            continue;
        };
        let name = buffer.last_name();
        let statement = old.statement();
        if context.is_set_below(name, statement) {
            continue;
        }
        if let Some(used) = context.used_below(&[name], statement) {
            let is_length = used
                .parent()
                .and_then(Node::call)
                .is_some_and(|call| matches!(call.name, "len" | "sizeof"));
            if !is_length {
                sink.report(
                    old,
                    format!(
                        "`{name}` is no longer filled with random bytes by `{}` and is still used.",
                        quote(call.callee)
                    ),
                );
            }
        }
    }
}
