//! The same condition twice in a chain.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/duplicate-condition",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C", "C++", "C#", "PHP", "Go", "Rust",
        "Ruby", "Kotlin",
    ],
    title: "Duplicate condition in an if chain",
    why: "An earlier branch has the same condition, so this one is never taken. Usually a line was copied and not \
          changed.",
    fix: "Write the intended condition, or delete the branch.",
    references: &["CWE-561"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::If, Role::Switch]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
 def f(x):
     if x == 1:
         return "a"
+    elif x == 1:
^
+        return "b"
"#,
        r#"
path: src/a.js
+if (a === 1) {
+  one();
+} else if (b) {
+  two();
+} else if (a === 1) {
^
+  three();
+}
"#,
        r#"
path: src/a.js
+switch (x) {
+  case "a": one(); break;
+  case "a": two(); break;
^
+}
"#,
        r#"
path: src/a.ts
 export function short(n: number) {
+  if (n >= 1000000) {
^
+    return `${n / 1000}m`;
+  }
   if (n >= 1000000) {
     return `${n / 1000000}m`;
   }
   return `${n}`;
 }
"#,
        r#"
path: src/A.java
@@ String name(int kind) {
+        if (kind == 1) {
+            return "a";
+        } else if (kind == 1) {
^
+            return "b";
+        }
"#,
        r#"
path: src/a.c
 const char *name(int kind) {
+    if (kind == 1) {
+        return "a";
+    } else if (kind == 1) {
^
+        return "b";
+    }
     return "c";
 }
"#,
        r#"
path: src/A.cs
@@ string Name(int kind)
 {
+    if (kind == 1)
+    {
+        return "a";
+    }
+    else if (kind == 1)
^
+    {
+        return "b";
+    }
"#,
        r#"
path: src/a.php
 <?php
+if ($kind === 1) {
+    echo "a";
+} elseif ($kind === 1) {
^
+    echo "b";
+}
"#,
        r#"
path: src/a.go
 func name(kind int) string {
+	if kind == 1 {
+		return "a"
+	} else if kind == 1 {
^
+		return "b"
+	}
 	return "c"
 }
"#,
        r#"
path: src/a.rs
 fn name(kind: u8) -> &'static str {
+    if kind == 1 {
+        "a"
+    } else if kind == 1 {
^
+        "b"
+    } else {
+        "c"
+    }
 }
"#,
        r#"
path: src/a.rb
 def name(kind)
+  if kind == 1
+    "a"
+  elsif kind == 1
^
+    "b"
+  end
 end
"#,
        r#"
path: src/a.kt
 fun name(kind: Int): String {
+    if (kind == 1) {
+        return "a"
+    } else if (kind == 1) {
^
+        return "b"
+    }
     return "c"
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func f() int {
+	if false {
+		return 1
+	}
+	if false {
+		return 2
+	}
 	return 3
 }
"#,
        r#"
path: src/a.py
 def f(x):
     if x == 1:
         return "a"
+    elif x == 2:
+        return "b"
"#,
        r#"
path: src/a.js
+if (next()) {
+  one();
+} else if (next()) {
+  two();
+}
+if (a) { one(); }
+if (a) { two(); }
+for (const b of all) {
+  if (next()) continue;
+  if (next()) continue;
+  if (b.left) { b = b.next; }
+  if (b.left) continue;
+}
"#,
        r#"
path: src/A.java
@@ String name(int kind) {
+        if (kind == 1) {
+            return "a";
+        } else if (kind == 2) {
+            return "b";
+        }
"#,
        r#"
path: src/a.c
 const char *name(int kind) {
+    if (kind == 1) {
+        return "a";
+    } else if (kind == 2) {
+        return "b";
+    }
     return "c";
 }
"#,
        r#"
path: src/A.cs
@@ string Name(int kind)
 {
+    if (kind == 1)
+    {
+        return "a";
+    }
+    else if (kind == 2)
+    {
+        return "b";
+    }
"#,
        r#"
path: src/a.php
 <?php
+if ($kind === 1) {
+    echo "a";
+} elseif ($kind === 2) {
+    echo "b";
+}
"#,
        r#"
path: src/a.rs
 fn name(kind: u8) -> &'static str {
+    if kind == 1 {
+        "a"
+    } else if kind == 2 {
+        "b"
+    } else {
+        "c"
+    }
 }
"#,
        r#"
path: src/a.rb
 def name(kind)
+  if kind == 1
+    "a"
+  elsif kind == 2
+    "b"
+  end
 end
"#,
        r#"
path: src/a.kt
 fun name(kind: Int): String {
+    if (kind == 1) {
+        return "a"
+    } else if (kind == 2) {
+        return "b"
+    }
     return "c"
 }
"#,
    ],
};

/// Maximum number of conditions of a chain that are compared.
const MOST: usize = 300;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((earlier, own)) = node
        .previous()
        .and_then(|other| same_after_exit(other, node))
    {
        let shown = quote(own.text());
        let line = earlier.line().unwrap_or_default();
        let summary = format!(
            "`{shown}` was already tested in line {line}, which leaves: this branch is never taken."
        );
        sink.report(own, summary);
        return;
    }
    let next = node.next().filter(|other| !other.touches_change());
    if let Some((earlier, own)) = next.and_then(|other| same_after_exit(node, other)) {
        let shown = quote(own.text());
        let line = own.line().unwrap_or_default();
        let summary = format!(
            "`{shown}` is tested again in line {line}, which is never reached now: this branch leaves before it."
        );
        sink.report(earlier, summary);
        return;
    }
    let conditions = if node.has_role(Role::Switch) {
        cases(node)
    } else {
        chain(node)
    };
    for (place, condition) in conditions.iter().enumerate().take(MOST) {
        let parts = condition.operands_of(Operation::Or);
        let tested_before = |part: &Node<'_>| {
            conditions.iter().take(place).any(|earlier| {
                earlier
                    .operands_of(Operation::Or)
                    .iter()
                    .any(|other| other.says_same(*part))
            })
        };
        if !changes_something(*condition) && parts.iter().all(tested_before) {
            sink.report(
                *condition,
                format!(
                    "`{}` was already tested above: this branch is never taken.",
                    quote(condition.text())
                ),
            );
        }
    }
}

/// The conditions of two successive `if`s, if they are the same and the first one leaves.
fn same_after_exit<'t>(first: Node<'t>, second: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let (earlier, own) = (first.branch()?, second.branch()?);
    let is_same = earlier.condition.says_same(own.condition)
        && earlier.negated == own.negated
        && earlier.otherwise.is_none();
    let declares = |branch: Node<'_>| branch.field("initializer").is_some();
    // `if false { … }` is switched off on purpose.
    let is_literal = matches!(
        own.condition.unparenthesised().text(),
        "true" | "false" | "0" | "1"
    );
    let is_certain = !is_literal
        && earlier.then.ends_in_exit()
        && !changes_something(own.condition)
        && !declares(first)
        && !declares(second);
    (is_same && is_certain).then_some((earlier.condition, own.condition))
}

/// The conditions of a chain; none if the node is in the middle of one.
fn chain(node: Node<'_>) -> Vec<Node<'_>> {
    let is_part = node.parent().is_some_and(|parent| {
        wraps_else(parent)
            || (parent.has_role(Role::If) && parent.field("alternative") == Some(node))
    });
    // The tested variable may be redeclared in each condition.
    let declares = |branch: Node<'_>| branch.field("initializer").is_some();
    if is_part
        || declares(node)
        || node.is(&["elif_clause", "else_if_clause", "unless", "if_modifier"])
    {
        return Vec::new();
    }
    let mut conditions: Vec<Node<'_>> = node
        .branch()
        .map(|branch| branch.condition)
        .into_iter()
        .collect();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let Some(then) = node.branch().map(|branch| branch.then) else {
            break;
        };
        for part in node
            .children()
            .filter(|child| child.index() > then.index() && !child.is_inside(then))
        {
            let inner = if wraps_else(part) {
                part.named_children().next().unwrap_or(part)
            } else {
                part
            };
            if let Some(branch) = inner.branch().filter(|_| !declares(inner)) {
                conditions.push(branch.condition);
                if !inner.is(&["elif_clause", "else_if_clause"]) {
                    open.push(inner);
                }
            }
        }
    }
    conditions
}

/// Whether a node is what some grammars put around the code of an `else`.
fn wraps_else(node: Node<'_>) -> bool {
    let is_otherwise = || {
        let branch = node.parent().and_then(Node::branch);
        branch.is_some_and(|branch| branch.otherwise == Some(node))
    };
    node.is(&["else_clause"]) || node.is(&["control_structure_body"]) && is_otherwise()
}

fn cases(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(body) = node
        .field("body")
        .filter(|body| body.is(&["switch_body", "switch_block"]))
    else {
        return Vec::new();
    };
    body.named_children()
        .filter(|case| case.has_role(Role::Case))
        .filter_map(|case| case.field("value"))
        .collect()
}

/// Whether evaluating it twice can return different results.
fn changes_something(condition: Node<'_>) -> bool {
    condition.all(Role::Call).next().is_some()
        || condition.all(Role::Assign).next().is_some()
        || condition.all(Role::Await).next().is_some()
        || condition.text().contains("++")
        || condition.text().contains("--")
}
