//! A guarded or safe variant of something that was replaced with the plain one.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::{has_word, words_of};

pub(crate) const RULE: Rule = Rule {
    id: "any/safe-variant-exchanged",
    languages: &[],
    title: "Safe variant replaced with the plain one",
    why: "There are two variants of this function, class or client, and the code used the one that guards against harmful \
          input. The plain one does not, so what was refused or escaped before now goes through.",
    fix: "Keep the guarded variant.",
    references: &["CWE-693"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def fetch(path):
-    response = requests_or_advocate.get(url=path)
+    response = requests.get(url=path, timeout=60)
^
     return response.content
"#,
        r#"
path: src/a.py
 def show(name):
-    return send_file(safe_join(FOLDER, name))
+    return send_file(join(FOLDER, name))
^
"#,
        r#"
path: src/a.py
-env = SandboxedEnvironment()
+env = Environment()
^
"#,
        r#"
path: src/a.go
 import (
-	"html/template"
+	"text/template"
^
 )
"#,
        r#"
path: src/a.js
 function show(name) {
-  box.textContent = name;
+  box.innerHTML = name;
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def fetch(path):
-    response = requests_or_advocate.get(url=path)
+    response = requests_or_advocate.get(url=path, timeout=60)
     return response.content
"#,
        r#"
path: src/a.py
 def show(name):
-    return send_file(safe_join(FOLDER, name))
+    return send_from_directory(FOLDER, name)
"#,
        r#"
path: src/a.js
 function show(name) {
-  box.innerHTML = name;
+  box.textContent = name;
 }
"#,
        r#"
path: src/a.py
-safe_total = total(1)
+total_sum = total(1)
"#,
    ],
};

/// Words for the guarded variant.
const SAFE: &[&str] = &[
    "safe", "secure", "sandboxed", "sandbox", "defused", "advocate", "ssrf", "guarded",
    "protected", "restricted", "sanitized", "sanitize", "escaped", "quoted", "validated",
    "checked", "strict", "bounded", "verified", "hardened", "readonly",
];
/// Words that the plain variant may have instead.
const PLAIN: &[&str] = &[
    "unsafe", "raw", "full", "plain", "unchecked", "insecure", "default", "simple", "get",
    "client", "http",
];
/// Other pairs.
const PAIRS: &[(&str, &str)] = &[
    ("textContent", "innerHTML"),
    ("innerText", "innerHTML"),
    ("literal_eval", "eval"),
    ("execFile", "exec"),
    ("execFileSync", "execSync"),
    ("FileSystemSafe", "FileSystem"),
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let mut reported = Vec::new();
    for (old, new) in context.replaced_names() {
        let is_called = |node: syntax::tree::Node<'_>| {
            node.ancestors()
                .take(4)
                .any(|around| around.has_role(Role::Call))
                || node
                    .parent()
                    .is_some_and(|around| around.has_role(Role::Member))
        };
        let is_definition = new.ancestors().take(3).any(|around| {
            around.has_role(Role::Parameters)
                || around.function().is_some_and(|own| own.name == new)
                || around.has_role(Role::Class)
                || around.assignment().is_some_and(|set| set.target == new)
        });
        // `yaml.load(text, Loader=SafeLoader)` is safe too.
        let adds_safe = context
            .inserted(new.statement())
            .any(|leaf| has_word(leaf.text(), SAFE));
        if adds_safe
            || !is_called(new)
            || is_definition
            || !is_plain_variant(old.text(), new.text())
            || reported.contains(&new.text())
        {
            continue;
        }
        reported.push(new.text());
        sink.report(
            new,
            format!(
                "`{}` was replaced with `{}`, which lacks its protection.",
                quote(old.text()),
                quote(new.text())
            ),
        );
    }
    if let Some(came) = context.go_import_in_place_of("\"html/template\"", &["\"text/template\""]) {
        sink.report(
            came,
            "`html/template` was replaced with `text/template`, which does not escape values for markup.",
        );
    }
}

fn is_plain_variant(old: &str, new: &str) -> bool {
    if PAIRS.contains(&(old, new)) {
        return true;
    }
    let (old, new) = (words_of(old), words_of(new));
    let gone: Vec<&String> = old.iter().filter(|word| !new.contains(word)).collect();
    let came: Vec<&String> = new.iter().filter(|word| !old.contains(word)).collect();
    let shared = new.iter().any(|word| old.contains(word));
    shared
        && gone.iter().any(|word| SAFE.contains(&word.as_str()))
        && gone.iter().all(|word| {
            SAFE.contains(&word.as_str()) || matches!(word.as_str(), "or" | "and" | "mode")
        })
        && came.iter().all(|word| PLAIN.contains(&word.as_str()))
}
