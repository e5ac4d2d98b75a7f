//! Duplicate keys in a literal.

use std::collections::HashSet;

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/duplicate-key",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Ruby", "PHP"],
    title: "Duplicate key in a literal",
    why: "The last value silently wins and the first one is lost. Usually a line was copied and its key not changed.",
    fix: "Delete one entry, or write the intended key.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "dictionary", "object", "hash", "array_creation_expression", "set",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
+COLOURS = {
+    "red": 1,
+    "green": 2,
+    "red": 3,
^
+}
"#,
        r#"
path: src/a.js
 const options = {
   depth: 1,
   name: "a",
+  depth: 2,
^
 };
"#,
        r#"
path: src/a.rb
+COLOURS = {
+  red: 1,
+  green: 2,
+  red: 3,
^
+}
"#,
        r#"
path: src/a.php
 <?php
+$colours = [
+    "red" => 1,
+    "green" => 2,
+    "red" => 3,
^
+];
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+COLOURS = {"red": 1, "green": 2, "Red": 3, **more}
+SEEN = {f(), f()}
"#,
        r#"
path: src/a.js
+const options = { get depth() { return 1; }, set depth(x) {}, ["a" + b]: 1 };
"#,
        r#"
path: src/a.rb
+COLOURS = { red: 1, green: 2, Red: 3, **more }
"#,
        r#"
path: src/a.php
 <?php
+$colours = ["red" => 1, "green" => 2, "Red" => 3, ...$more];
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: HashSet<&str> = HashSet::new();
    let is_set = node.is(&["set"]);
    for entry in node.named_children() {
        // A spread in between may be overridden on purpose.
        if entry.kind().contains("spread") || entry.kind().contains("splat") {
            seen.clear();
            continue;
        }
        let Some(key) = key_of(entry, is_set) else {
            continue;
        };
        if !seen.insert(name_of(key)) {
            let summary = if is_set {
                "is in this set already."
            } else {
                "already has a value above, which is lost."
            };
            let draft = sink.report(key, format!("`{}` {summary}", quote(key.text())));
            if is_set {
                draft.priority(Priority::P3);
            }
        }
    }
}

/// The key, if it is a constant.
fn key_of(entry: Node<'_>, is_set: bool) -> Option<Node<'_>> {
    let key = if is_set {
        entry
    } else if entry.is(&["method_definition"]) {
        let accessor = entry.text().starts_with("get ")
            || entry.text().starts_with("set ")
            || entry.text().starts_with("static ");
        entry.field("name").filter(|_| !accessor)?
    } else if entry.is(&["shorthand_property_identifier"]) {
        entry
    } else if entry.is(&["array_element_initializer"]) {
        entry
            .named_children()
            .next()
            .filter(|_| entry.named_children().count() == 2)?
    } else {
        entry.field("key")?
    };
    let constant = key.string_value().is_some()
        || key.has_role(Role::Number)
        || key.is(&[
            "property_identifier", "hash_key_symbol", "simple_symbol",
            "shorthand_property_identifier", "none", "true", "false",
        ])
        || (key.is(&["identifier", "attribute"])
            && !key.tree().grammar().row().folder.ends_with("script"));
    (constant && key.text() != "__proto__").then_some(key)
}

fn name_of(key: Node<'_>) -> &str {
    let is_script = key.tree().grammar().row().folder.ends_with("script");
    key.string_value()
        .filter(|_| is_script)
        .unwrap_or(key.text())
}
