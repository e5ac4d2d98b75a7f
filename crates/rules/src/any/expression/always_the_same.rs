//! Two comparisons of one value whose combination has always the same result.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/always-the-same",
    languages: &[
        "C", "C#", "C++", "Go", "Java", "JavaScript", "Kotlin", "PHP", "Python", "Ruby", "Rust",
        "TSX", "TypeScript",
    ],
    title: "Condition with only one possible result",
    why: "A value always differs from one of two constants, and never equals both. The condition is therefore always true, or always \
          false, and one of the branches never runs.",
    fix: "Combine the comparisons the other way: `!=` with `and`, `==` with `or`.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
path: src/a.go
+func (o Order) check() error {
+	if o.state != "open" || o.state != "paid" {
^
+		return errState
+	}
+	return nil
+}
"#,
        r#"
path: src/a.py
+def check(order):
+    if order.state == "open" and order.state == "paid":
^
+        return 1
"#,
        r#"
path: src/a.js
+const isOther = kind !== 1 || kind !== 2 || more;
^
"#,
        r#"
path: src/a.ts
 function check(kind: Kind) {
+  return kind === Kind.OPEN && kind === Kind.PAID;
^
 }
"#,
        r#"
path: src/a.tsx
+const Badge = ({ kind }) => <b>{kind !== "a" || kind !== "b" ? 1 : 2}</b>;
^
"#,
        r#"
path: src/A.java
 class A {
     boolean check(int kind) {
+        return kind != OPEN || kind != PAID;
^
     }
 }
"#,
        r#"
path: src/A.kt
+fun check(kind: Int) = kind != 1 || kind != 2
^
"#,
        r#"
path: src/A.cs
 class A {
     bool Check(string kind) {
+        return kind != "a" || kind != "b";
^
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function check($kind) {
+    return $kind !== 'a' || $kind !== 'b';
^
 }
"#,
        r#"
path: src/a.rb
 def check(kind)
+  kind != :open || kind != :paid
^
 end
"#,
        r#"
path: src/a.rs
 fn check(kind: u8) -> bool {
+    kind == 1 && kind == 2
^
 }
"#,
        r#"
path: src/a.c
 int check(int kind) {
+    return kind != 1 || kind != 2;
^
 }
"#,
        r#"
path: src/a.cpp
 bool check(Kind kind) {
+    return kind != Kind::OPEN || kind != Kind::PAID;
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
+func (o Order) check(other Order) error {
+	if o.state != "open" && o.state != "paid" {
+		return errState
+	}
+	if o.state != other.state || o.state != "open" || o.next() != 1 || o.next() != 2 {
+		return errState
+	}
+	return nil
+}
"#,
        r#"
path: src/a.py
+def check(order, other):
+    if order.state == "open" or order.state == "paid":
+        return 1
+    if order.state == "open" and other.state == "paid":
+        return 2
"#,
        r#"
path: src/a.js
+const isOther = kind !== 1 && kind !== 2;
+const isSame = kind === 1 && kind === "1";
"#,
        r#"
path: src/a.ts
 function check(kind: Kind, other: Kind) {
+  return kind === other && kind === Kind.PAID;
 }
"#,
        r#"
path: src/a.tsx
+const Badge = ({ kind }) => <b>{kind !== "a" && kind !== "b" ? 1 : 2}</b>;
"#,
        r#"
path: src/A.java
 class A {
     boolean check(int kind) {
+        return kind != OPEN && kind != PAID || kind != rest;
     }
 }
"#,
        r#"
path: src/A.kt
+fun check(kind: Int) = kind != 1 && kind != 2
"#,
        r#"
path: src/A.cs
 class A {
     bool Check(string kind) {
+        return kind == "a" || kind == "b";
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function check($kind) {
+    return $kind !== 'a' && $kind !== 'b';
 }
"#,
        r#"
path: src/a.rb
 def check(kind)
+  kind != :open && kind != :paid
 end
"#,
        r#"
path: src/a.rs
 fn check(kind: u8) -> bool {
+    kind == 1 || kind == 2
 }
"#,
        r#"
path: src/a.c
 int check(int kind) {
+    return kind != 1 && kind != 2;
 }
"#,
        r#"
path: src/a.cpp
 bool check(Kind kind) {
+    return kind == Kind::OPEN || kind == Kind::PAID;
 }
"#,
    ],
};

/// Maximum number of comparisons of one condition that are compared with each other.
const MOST: usize = 300;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(own) = node.binary() else {
        return;
    };
    let (operation, operators, result): (_, &[&str], _) = match own.operation() {
        Operation::Or => (Operation::Or, &["!=", "!==", "<>"], "true"),
        Operation::And => (Operation::And, &["==", "===", "="], "false"),
        _ => return,
    };
    let is_inner = node
        .parent()
        .and_then(Node::binary)
        .is_some_and(|outer| outer.operation() == operation);
    if is_inner {
        return;
    }
    let compared: Vec<(Node<'_>, Node<'_>)> = node
        .operands_of(operation)
        .into_iter()
        .take(MOST)
        .filter_map(|operand| operand.unparenthesised().comparison())
        .filter(|comparison| operators.contains(&comparison.operator))
        .filter(|comparison| {
            is_fixed(comparison.right) && comparison.left.all(Role::Call).next().is_none()
        })
        .map(|comparison| (comparison.left, comparison.right))
        .collect();
    let excludes = |(at, (left, right)): (usize, &(Node<'_>, Node<'_>))| {
        compared.iter().take(at).any(|(other, value)| {
            other.says_same(*left) && !value.says_same(*right) && value.kind() == right.kind()
        })
    };
    if compared.iter().enumerate().any(excludes) {
        sink.report(
            node,
            format!("`{}` is always {result}.", quote(node.text())),
        );
    }
}

/// Whether it is a number, a text, a symbol or the name of a constant.
fn is_fixed(value: Node<'_>) -> bool {
    let is_constant = |name: &str| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    let is_text = value.has_role(Role::Text) && !value.text().contains(['$', '#', '{']);
    value.has_role(Role::Number)
        || is_text
        || value.is(&[
            "simple_symbol", "char_literal", "character_literal", "int_literal", "integer_literal",
        ])
        || (value.has_role(Role::Name)
            || value.has_role(Role::Member)
            || value.is(&["qualified_identifier", "scoped_identifier"]))
            && is_constant(value.last_name())
}
