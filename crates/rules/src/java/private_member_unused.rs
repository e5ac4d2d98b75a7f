//! A private method or field that nothing in its class uses.

use std::collections::HashMap;

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/private-member-unused",
    languages: &["Java"],
    title: "Unused private member",
    why: "Code outside the class cannot use it, and code inside does not. Either the code that should use it is \
          missing, or it is a remnant that misleads readers.",
    fix: "Use it where it was intended, or remove it.",
    references: &["CWE-561"],
    priority: Priority::P3,
    category: Category::Maintainability,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["class_declaration"]),
        run,
    },
    positive: &[
        r#"
+class Cart {
+    private int count;
^
+    private void check() {
^
+        run();
+    }
+    void run() {}
+}
"#,
        r#"
+final class Store {
+    private static String key(String name) {
^
+        return name.trim();
+    }
+    String get(String name) {
+        return name;
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Cart {
+    private static final long serialVersionUID = 1L;
+    private int count;
+    @Inject
+    private Store store;
+    private void check() {
+        count++;
+    }
+    void run() {
+        check();
+    }
+    private void readObject(ObjectInputStream in) {}
+}
"#,
        r#"
+@Data
+class Cart {
+    private int count;
+}
"#,
        r#"
 class Cart {
+    private int count;
"#,
    ],
};

/// Private methods that the platform calls.
const HOOKS: &[&str] = &[
    "readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace", "main",
    "serialVersionUID", "serialPersistentFields",
];

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_outer = node.parent().is_some_and(|parent| parent.is(&["program"]));
    let whole = node.is_all_changed() && node.is_usable() && !node.may_start_earlier();
    if !is_outer || !whole || context.file.is_test || modifiers(node).contains('@') {
        return;
    }
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in node.descendants().filter(|one| one.is(&["identifier"])) {
        *uses.entry(name.text()).or_default() += 1;
    }
    for member in node
        .descendants()
        .filter(|one| one.is(&["method_declaration", "field_declaration"]))
    {
        let words = modifiers(member);
        if !words.split_whitespace().any(|word| word == "private")
            || words.contains('@')
            || words.contains("native")
        {
            continue;
        }
        for name in names(member) {
            if uses.get(name.text()) == Some(&1) && !HOOKS.contains(&name.text()) {
                sink.report(
                    name,
                    format!(
                        "`{}` is private, but nothing in its class uses it.",
                        name.text()
                    ),
                );
            }
        }
    }
}

fn modifiers(node: Node<'_>) -> &str {
    node.child_of_kind(&["modifiers"]).map_or("", Node::text)
}

fn names(member: Node<'_>) -> Vec<Node<'_>> {
    if member.is(&["method_declaration"]) {
        return member.field("name").into_iter().collect();
    }
    member
        .children()
        .filter(|one| one.is(&["variable_declarator"]))
        .filter_map(|one| one.field("name"))
        .collect()
}
