//! A password that was hashed and is now used in plain text.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::semantics::vocabulary::squeezed;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/password-hash-dropped",
    languages: &[],
    title: "Password no longer hashed",
    why: "The password was hashed before it was stored or compared. It is now used in plain text, so anyone who can read the \
          database or a backup has all passwords.",
    fix: "Hash the password with the function that was there.",
    references: &["CWE-256", "CWE-916"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def register(db, name, password):
     db.execute(
         "INSERT INTO user (name, password) VALUES (?, ?)",
-        (name, generate_password_hash(password)),
+        (name, password),
^
     )
"#,
        r#"
path: src/a.js
 async function register(name, password) {
-  const hash = await bcrypt.hash(password, 10);
+  const hash = password;
^
   await db.add(name, hash);
 }
"#,
        r#"
path: src/a.php
 <?php
-$user->password = password_hash($password, PASSWORD_DEFAULT);
+$user->password = $password;
^
 $user->save();
"#,
        r#"
path: src/A.java
 class A {
     void register(User user, String password) {
-        user.setPassword(passwordEncoder.encode(password));
+        user.setPassword(password);
^
     }
 }
"#,
        r#"
path: src/a.js
 async function register(name, password) {
-  const hash = await bcrypt.hash(password, 10);
+  const hash = crypto.createHash('sha256').update(password).digest('hex');
^
   await db.add(name, hash);
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def register(db, name, password):
-    db.add(name, generate_password_hash(password))
+    db.add(name, make_password(password))
"#,
        r#"
path: src/a.py
 def register(db, name, password):
-    db.add(name, generate_password_hash(password))
+    hashed = generate_password_hash(password)
+    db.add(name, hashed)
"#,
        r#"
path: src/a.js
 function key(part) {
-  return table.hash(part);
+  return part;
 }
"#,
    ],
};

/// Functions that hash passwords, by their names in lower case without separators.
const HASHES: &[&str] = &[
    "generatepasswordhash", "makepassword", "passwordhash", "hashpassword", "hashpw",
    "generatefrompassword", "hashsync", "bcrypt", "argon2id", "scrypt", "pbkdf2", "pbkdf2hmac",
    "pbkdf2sync", "scryptsync", "getpasswordhash", "encryptpassword", "cryptpassword",
    "hashpasswordasync", "hashuserpassword", "passwordencrypt",
];
/// Ordinary names that hash if the receiver is a hasher.
const OF_HASHER: &[&str] = &[
    "hash", "encode", "make", "create", "hashsync", "using", "derive", "key",
];
const HASHERS: &[&str] = &[
    "bcrypt", "argon", "scrypt", "pwd", "passwordencoder", "encoder", "hasher", "pbkdf",
    "password_context", "crypt_context", "hash",
];

fn hashes(callee: &str, name: &str) -> bool {
    let (name, whole) = (squeezed(name), squeezed(callee));
    HASHES.contains(&name.as_str())
        || OF_HASHER.contains(&name.as_str())
            && HASHERS
                .iter()
                .any(|hasher| whole.contains(hasher) && whole != name)
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let still = context
        .new
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
        .filter_map(Node::call);
    let mut still = still.filter(|call| hashes(call.callee, call.name));
    if still.next().is_some() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
    {
        let Some(call) = old.call().filter(|call| hashes(call.callee, call.name)) else {
            continue;
        };
        if context.lost(old).all(|leaf| leaf.text() != call.name) || context.reappears(old) {
            continue;
        }
        let Some(value) = call
            .arguments
            .iter()
            .map(|argument| handed_over(*argument))
            .find(|argument| is_password(*argument))
        else {
            continue;
        };
        let name = value.last_name();
        let used = context.new.with_role(Role::Name).find(|node| {
            node.touches_change()
                && node.text().trim_start_matches('$') == name.trim_start_matches('$')
        });
        if let Some(used) = used.filter(|used| used.is_usable() && !is_parameter(*used)) {
            let summary = format!(
                "`{}` no longer goes through `{}` before it is used.",
                quote(value.text()),
                quote(call.callee)
            );
            let found = sink.report(used, summary);
            if may_hash_itself(call.callee) {
                found.priority(Priority::P2);
            }
        }
    }
}

/// Whether a framework has such a function whose models can hash a password when it is assigned: Laravel's cast `hashed`.
fn may_hash_itself(callee: &str) -> bool {
    callee.ends_with("Hash::make")
}

fn is_password(argument: Node<'_>) -> bool {
    argument.names().any(|name| {
        let name = name.text().to_ascii_lowercase();
        ["password", "passwd", "pwd", "pass", "passphrase", "pin"]
            .iter()
            .any(|word| name.contains(word))
    })
}

fn is_parameter(node: Node<'_>) -> bool {
    node.ancestors()
        .take(4)
        .any(|around| around.has_role(Role::Parameters))
}
