//! Arguments that have the names of the parameters, but appear in another order.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::only_function;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/arguments-in-wrong-order",
    languages: &["Java"],
    title: "Arguments swapped",
    why: "The compiler does not notice when two arguments of the same type are swapped. The variable names at the \
          call say which value belongs to which parameter, and they contradict the declaration.",
    fix: "Swap the arguments, or rename the variables if this order is intended.",
    references: &["CWE-683"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation", "object_creation_expression"]),
        run,
    },
    positive: &[
        r#"
+class Box {
+    void run(int width, int height) {
+        resize(height, width);
^
+    }
+    void resize(int width, int height) {}
+}
"#,
        r#"
+class Bank {
+    void pay(Account from, Account to) {
+        this.transfer(to, from, 3);
^
+    }
+    private void transfer(Account from, Account to, int amount) {}
+}
"#,
    ],
    negative: &[
        r#"
+class Box {
+    void run(int width, int height) {
+        resize(width, height);
+        rotate(height, width);
+    }
+    void resize(int width, int height) {}
+    void rotate(int width, int height) {}
+    void turn(int width, Text height) {}
+}
"#,
        r#"
+class Bank {
+    void undo(Account from, Account to) {
+        transfer(from, to);
+        transfer(second, first);
+    }
+    private void transfer(Account from, Account to) {}
+}
"#,
    ],
};

/// Words in the names of functions that reverse an order on purpose.
const TURNS: &[&str] = &[
    "rotat", "revers", "swap", "invers", "flip", "transpos", "compare", "equal", "mirror",
    "opposite",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.arguments.len() >= 2) else {
        return;
    };
    let given: Vec<&str> = call
        .arguments
        .iter()
        .map(|one| {
            if one.is(&["identifier"]) {
                one.text()
            } else {
                ""
            }
        })
        .collect();
    if given.iter().filter(|name| name.len() > 1).count() < 2 {
        return;
    }
    let outer = node
        .enclosing(Role::Function)
        .and_then(|outer| outer.field("name"))
        .map_or("", Node::text);
    if [call.name, outer].iter().any(|name| {
        TURNS
            .iter()
            .any(|word| name.to_ascii_lowercase().contains(word))
    }) {
        return;
    }
    let Some(list) = parameters_of(node, call.name) else {
        return;
    };
    if list.len() != given.len() {
        return;
    }
    for (place, (kind, name)) in list.iter().enumerate() {
        let Some(other) = given
            .iter()
            .position(|one| one == name)
            .filter(|other| *other > place)
        else {
            continue;
        };
        let swapped = list
            .get(other)
            .is_some_and(|(k, n)| k == kind && given.get(place) == Some(n) && n != name);
        if swapped {
            sink.report(
                node,
                format!(
                    "`{}` passes `{name}` in the place of another parameter: the arguments appear to be swapped.",
                    quote(node.text())
                ),
            );
            return;
        }
    }
}

/// Types and names of the parameters of the only visible method or constructor with that name.
fn parameters_of<'t>(node: Node<'t>, name: &str) -> Option<Vec<(&'t str, &'t str)>> {
    let function = if node.is(&["object_creation_expression"]) {
        let top = syntax::semantics::names::visible_root(node)?;
        let own = |one: &Node<'_>| {
            one.is(&["constructor_declaration"])
                && one.field("name").is_some_and(|n| n.text() == name)
        };
        let mut all = top.descendants().filter(own);
        let first = all.next()?;
        all.next().is_none().then_some(first)?
    } else {
        only_function(node, name)?
    };
    let list = function.field("parameters")?.named_children();
    list.map(|one| Some((one.field("type")?.text(), one.field("name")?.text())))
        .collect()
}
