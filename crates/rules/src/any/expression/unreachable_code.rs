//! Statements that can never run.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Line, LineKind, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/unreachable-code",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "PHP", "C#", "Go", "C", "C++", "Kotlin",
        "Rust",
    ],
    title: "Unreachable code",
    why: "The statement before it always leaves the block by `return`, `throw`, `break` or `continue`, so this code \
          never runs. Often a condition was lost, or the jump is one line too early.",
    fix: "Delete the dead code, or move the jump.",
    references: &["CWE-561"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Block, Role::Case]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
 def total(rows):
+    return sum(rows)
+    log("done")
^
"#,
        r#"
path: src/a.js
 function f(x) {
+  throw new Error("no");
+  close(x);
^
 }
"#,
        r#"
path: src/a.js
 function f(x) {
   if (x) {
     return 1;
   } else {
     return 2;
   }
+  close(x);
^
 }
"#,
        r#"
path: src/a.js
 function charset(type) {
+  return type;
^
   var parsed = parse(type);
   return parsed.charset;
 }
"#,
        r#"
path: src/A.cs
 class Door {
     int Angle(int side) {
         switch (side) {
             case 1: return 90;
             default: throw new Bent();
         }
+        Turn(side);
^
     }
 }
"#,
        r#"
path: src/a.py
 def total(rows):
     total = 0
+    return total
^
     for row in rows:
         total += row
     return total
"#,
        r#"
path: src/a.js
 function f(type) {
+  return type;
^
   var parsed = parse(type);
   return parsed.type;
 }
"#,
        r#"
path: src/a.go
+func f(x int) int {
+	return x
+	log(x)
^
+}
"#,
        r#"
path: src/a.php
 <?php
+function total($rows) {
+    return sum($rows);
+    report("done");
^
+}
"#,
        r#"
path: src/a.c
 int total(int n) {
+    return sum(n);
+    report(n);
^
 }
"#,
        r#"
path: src/a.kt
 fun total(rows: List<Int>): Int {
+    return rows.sum()
+    report("done")
^
 }
"#,
        r#"
path: src/a.rs
 fn total(rows: &[u32]) -> u32 {
+    return rows.iter().sum();
+    report("done");
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.c
 int f(void) {
+#ifdef FAST
+    return fast() ||
+#ifdef SMALL
+        small() ||
+#endif
+        0;
+#else
+    return slow();
+#endif
 }
"#,
        r#"
path: a.c
 bool init(struct context *context)
 {
+    if (!open(context))
+        goto fail;
+    return true;
+
+fail:
+    close(context);
+    return false;
 }
"#,
        r#"
path: src/renderer.rs
 fn renderer() -> Renderer {
+    #[cfg(feature = "wgpu")]
+    return Renderer::new(Wgpu::new);
+    #[cfg(not(feature = "wgpu"))]
+    return Renderer::Empty { textures: Vec::new() };
 }
"#,
        r#"
path: src/a.py
 def total(rows):
+    log("done")
+    return sum(rows)
"#,
        r#"
path: src/a.js
 function f(x) {
+  return g();
+  function g() { return x; }
 }
 switch (x) {
   case 1:
+    return 1;
+    break;
+  case 2:
+    if (x) return 2;
+    go();
 }
"#,
        r#"
path: src/a.py
 def rows():
+    return
+    yield
"#,
        r#"
path: src/a.js
 function f(x) {
   return 1;
   close(x);
+  // never
 }
"#,
        r#"
path: src/A.cs
 class Door {
     int Angle(int side) {
+        if (side == 1) { return 90; }
+        else if (side == 2) { return 180; }
+        Turn(side);
+        return 0;
+#pragma warning restore
     }
 }
"#,
        r#"
path: src/a.js
 function angle(side) {
+  switch (side) {
+    case 1: return 90;
+    case 2: return 180;
+  }
+  turn(side);
 }
"#,
        r#"
path: src/a.php
 <?php
+function total($rows) {
+    if (!$rows) {
+        return 0;
+    }
+    return sum($rows);
+}
"#,
        r#"
path: src/a.go
 func total(rows []int) int {
+	if len(rows) == 0 {
+		return 0
+	}
+	return sum(rows)
 }
"#,
        r#"
path: src/a.cpp
 int total(int n) {
+    if (n == 0) {
+        return 0;
+    }
+    return sum(n);
 }
"#,
        r#"
path: src/a.kt
 fun total(rows: List<Int>): Int {
+    if (rows.isEmpty()) {
+        return 0
+    }
+    return rows.sum()
 }
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut exit = None;
    let value = node.field("value");
    let list = node.child_of_kind(&["statement_list"]).unwrap_or(node);
    for statement in list.named_children().filter(|child| Some(*child) != value) {
        if is_conditional(statement) {
            continue;
        }
        // A `goto` may lead to a label.
        if statement.is(&["labeled_statement"]) {
            exit = None;
        }
        if let Some(left) = exit.filter(|_| is_work(statement)) {
            if !are_of_two_builds(left, statement, context) {
                report(left, statement, sink);
                return;
            }
            exit = None;
        }
        // Nothing is known about a statement that starts above the hunk.
        if !statement.is_within_hunk() {
            continue;
        }
        exit = exit.or((!can_complete(statement)).then_some(statement));
    }
}

/// Reports the unreachable statement or, if that one is not new, the new statement that leaves the block above it.
fn report(exit: Node<'_>, statement: Node<'_>, sink: &mut Sink<'_>) {
    let never = quote(statement.text());
    if statement.touches_change() || !exit.is_all_changed() {
        let why = "because the statement before it always leaves the block";
        sink.report(statement, format!("`{never}` is never reached, {why}."));
    } else if exit.is_exit() {
        sink.report(
            exit,
            format!("`{never}` and what follows it are no longer reached after this statement."),
        );
    }
}

/// Whether a directive of the preprocessor is between two statements, so that a build may have only one of them.
fn are_of_two_builds(exit: Node<'_>, statement: Node<'_>, context: &NodeContext<'_>) -> bool {
    const WITH_PREPROCESSOR: &[&str] = &["C", "C++", "C#"];
    let between = || {
        let ((_, last), (first, _)) = (exit.hunk_lines()?, statement.hunk_lines()?);
        context.lines().get(last + 1..first)
    };
    let is_directive =
        |line: &Line<'_>| line.kind != LineKind::Removed && line.text.trim_start().starts_with('#');
    WITH_PREPROCESSOR.contains(&context.file.language)
        && between().is_some_and(|lines| lines.iter().any(is_directive))
}

/// Whether only some builds have a statement of Rust.
fn is_conditional(statement: Node<'_>) -> bool {
    let mut attributes = statement
        .preceding()
        .take_while(|node| node.is(&["attribute_item"]));
    attributes.any(|attribute| attribute.text().contains("cfg"))
}

/// Whether a statement has an effect when it is reached. Declarations take effect wherever they are.
fn is_work(node: Node<'_>) -> bool {
    let declares = node.has_role(Role::Function)
        || node.has_role(Role::Class)
        || node.has_role(Role::Case)
        || node.has_role(Role::Break);
    let kind = node.kind();
    let is_yield = node.text().starts_with("yield") || node.text() == "pass";
    let leaves_quietly = node.has_role(Role::Return) && node.named_children().next().is_none();
    // A declaration takes effect wherever it is, but the call for its value does not.
    let computes = || node.all(Role::Call).next().is_some();
    let other = kind.contains("declaration") && !kind.contains("lexical") && !computes()
        || kind.ends_with("_item")
        || kind.contains("label")
        || kind.contains("preproc")
        || kind.contains("empty")
        || kind.contains("definition")
        || kind.contains("import")
        || kind.contains("export");
    !(declares || is_yield || leaves_quietly || other) && node.is_usable()
}
