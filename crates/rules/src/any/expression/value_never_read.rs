//! A local variable with a computed value that is never read.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::{mentions, whole_function};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/value-never-read",
    languages: &["Python", "PHP", "Ruby"],
    title: "Computed value never read",
    why: "The function computes a value, stores it in a local variable, and never reads that. Either the work is \
          superfluous, or the code below reads another variable by mistake.",
    fix: "Use the value where it is intended, or do not compute it.",
    references: &["CWE-563"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Assign]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
+def total(cart):
+    taxed = add_tax(cart.sum)
^
+    return round(cart.sum, 2)
"#,
        r#"
path: src/a.rb
+def total(cart)
+  taxed = add_tax(cart.sum)
^
+  cart.sum.round(2)
+end
"#,
        r#"
path: src/a.php
+<?php
+function total($cart) {
+    $taxed = addTax($cart->sum);
^
+    return round($cart->sum, 2);
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+def total(cart):
+    taxed = add_tax(cart.sum)
+    return round(taxed, 2)
"#,
        r#"
path: src/a.rb
+def total(cart)
+  _unused = add_tax(cart.sum)
+  count = 0
+  @taxed = add_tax(cart.sum)
+end
"#,
        r#"
path: src/a.py
+def total(cart):
+    global taxed
+    taxed = add_tax(cart.sum)
+    with open(cart) as rows:
+        kept = lock(cart)
+        return locals()
"#,
        r#"
path: src/a.php
+<?php
+function total($cart) {
+    $taxed = addTax($cart->sum);
+    return round($taxed, 2);
+}
"#,
    ],
};

/// Functions with more nodes than this are not searched.
const LARGEST: usize = 2_000;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(set) = node.assignment().filter(|set| set.operator == "=") else {
        return;
    };
    let (target, name) = (set.target, set.target.text().trim_start_matches('$'));
    let is_local = target.is(&["identifier", "variable_name"]);
    let computes = set.value.has_role(Role::Call)
        || set.value.has_role(Role::Binary)
        || set.value.has_role(Role::Await);
    if !is_local
        || !computes
        || name.len() < 3
        || name.starts_with('_')
        || is_kept_alive(name)
        || is_argument(node)
    {
        return;
    }
    let Some(function) =
        whole_function(node).filter(|function| function.descendants().size_hint().0 <= LARGEST)
    else {
        return;
    };
    if mentions(function.text(), name) == 1
        && !may_read_hidden_names(function)
        && set.value.all(Role::Lambda).next().is_none()
    {
        sink.report(
            target,
            format!(
                "`{name}` is assigned `{}` but never read.",
                quote(set.value.text())
            ),
        );
    }
}

/// Whether it is an argument that is passed by name.
fn is_argument(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|around| around.has_role(Role::Arguments))
}

/// Names of values that are kept only to stay alive.
fn is_kept_alive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "unused", "ignore", "dummy", "guard", "lock", "scope", "handle", "timer", "watcher",
        "subscription", "span",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// Whether names can be read in ways that the source does not show.
fn may_read_hidden_names(function: Node<'_>) -> bool {
    let text = function.text();
    [
        "locals()", "eval(", "exec(", "compact(", "extract(", "binding", "$$", "global ",
        "nonlocal ", "vars()", "using ", "include", "require",
    ]
    .iter()
    .any(|way| text.contains(way))
}
