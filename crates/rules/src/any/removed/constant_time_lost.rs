//! A comparison in constant time that became an ordinary one.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::squeezed;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/constant-time-lost",
    languages: &[],
    title: "Secret no longer compared in constant time",
    why: "The secret was compared with a function whose duration does not depend on the values. An ordinary comparison \
          stops at the first difference, so an attacker who measures many answers learns the secret bit by bit. In PHP \
          `==` also converts types.",
    fix: "Keep the comparison in constant time.",
    references: &["CWE-208"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.php
 <?php
-return $user && hash_equals($user->getToken(), $token) ? $user : null;
+return $user && $user->getToken() == $token ? $user : null;
^
"#,
        r#"
path: src/a.rs
 fn check(issued: &str, token: &str) -> bool {
-    if !crypto::ct_eq(issued, token) {
+    if issued != token {
^
         return false;
     }
     true
 }
"#,
        r#"
path: src/a.py
 def check(given):
-    return hmac.compare_digest(given, signature())
+    return given == signature()
^
"#,
        r#"
path: src/a.js
 function check(given, wanted) {
-  return crypto.timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
+  return given === wanted;
^
 }
"#,
        r#"
path: src/a.go
 func check(given, wanted []byte) bool {
-	return subtle.ConstantTimeCompare(given, wanted) == 1
+	return bytes.Equal(given, wanted)
^
 }
"#,
        r#"
path: src/A.java
 class A {
     boolean check(byte[] given, byte[] wanted) {
-        return MessageDigest.isEqual(given, wanted);
+        return Arrays.equals(given, wanted);
^
     }
 }
"#,
        r#"
path: src/a.rb
 def check(given)
-  ActiveSupport::SecurityUtils.secure_compare(given, token)
+  given == token
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.rs
 fn check(issued: &str, token: &str) -> bool {
-    if !crypto::ct_eq(issued, token) {
+    let same = crypto::ct_eq(issued, token);
+    if !same {
         return false;
     }
     true
 }
"#,
        r#"
path: src/a.py
 def check(given):
-    return hmac.compare_digest(given, signature())
+    return secrets.compare_digest(given, signature())
"#,
        r#"
path: src/a.py
 def check(given):
-    return hmac.compare_digest(given, signature())
+    return verify(given, signature())
"#,
        r#"
path: src/A.java
 class A {
     boolean check(Row given, Row wanted) {
-        return given.isEqual(wanted);
+        return given.equals(wanted);
     }
 }
"#,
    ],
};

/// The names of such functions, in lower case without separators.
const SAFE: &[&str] = &[
    "hashequals", "comparedigest", "constanttimecompare", "timingsafeequal", "safecompare", "cteq",
    "ctcompare", "fixedtimeequals", "securecompare", "fixedlengthsecurecompare", "cryptomemcmp",
    "sodiummemcmp", "constanttimeareequal", "constanttimeequals", "constanttimeeq",
    "verifyslicesareequal", "timingsafebcmp", "tsscmp", "slowequals", "constanttimeequal",
    "timingsafecompare", "constanttimebyteeq", "timeconstantcompare", "constanttimeisequal",
    "timingsafememcmp", "secureequals", "safeequals", "constanttimestringcompare",
];

fn is_safe(callee: &str, name: &str) -> bool {
    let plain = squeezed(name);
    SAFE.contains(&plain.as_str()) || matches!(callee, "MessageDigest.isEqual" | "hmac.Equal")
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let calls = |tree: &Node<'_>| tree.touches_change();
    let still = context
        .new
        .with_role(Role::Call)
        .filter(calls)
        .filter_map(Node::call)
        .any(|call| is_safe(call.callee, call.name));
    if still {
        return;
    }
    for old in context.old.with_role(Role::Call).filter(calls) {
        let Some(call) = old.call().filter(|call| is_safe(call.callee, call.name)) else {
            continue;
        };
        if context.lost(old).all(|leaf| leaf.text() != call.name) {
            continue;
        }
        let compared: Vec<&str> = call
            .arguments
            .iter()
            .flat_map(|argument| argument.names())
            .map(Node::text)
            .collect();
        let plain = compared_plainly(context)
            .find(|node| node.names().any(|name| compared.contains(&name.text())));
        if let Some(now) = plain {
            let (was, now_text) = (quote(call.callee), quote(now.text()));
            sink.report(
                now,
                format!("`{was}` was replaced with `{now_text}`: the comparison no longer takes constant time."),
            );
        }
    }
}

/// The ordinary comparisons that were added.
fn compared_plainly<'a>(context: &ChangeContext<'a>) -> impl Iterator<Item = Node<'a>> {
    const EQUAL: &[&str] = &[
        "equals", "Equal", "Equals", "strcmp", "strncmp", "memcmp", "eq", "compare",
        "SequenceEqual", "contentEquals",
    ];
    let touched = context
        .new
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable());
    touched.filter(|node| {
        if let Some(call) = node.call() {
            return EQUAL.contains(&call.name)
                && node
                    .leaves()
                    .any(|leaf| leaf.text() == call.name && context.old_of(leaf).is_none());
        }
        let Some(own) = node
            .comparison()
            .filter(|own| own.operation() == Operation::Equality)
        else {
            return false;
        };
        let is_operand = |leaf: &Node<'_>| leaf.is_inside(own.left) || leaf.is_inside(own.right);
        let mut tokens = node.leaves().filter(|leaf| !is_operand(leaf));
        tokens.any(|token| context.old_of(token).is_none())
    })
}
