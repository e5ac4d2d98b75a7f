//! Statements that can never run.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::flow::can_complete;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/unreachable-code",
    languages: &[
        "Python",
        "JavaScript",
        "TypeScript",
        "TSX",
        "PHP",
        "C#",
        "Go",
        "C",
        "C++",
        "Kotlin",
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
        "path: src/a.py\n def total(rows):\n+    return sum(rows)\n+    log(\"done\")\n^\n",
        "path: src/a.js\n function f(x) {\n+  throw new Error(\"no\");\n+  close(x);\n^\n }\n",
        "path: src/a.js\n function f(x) {\n   if (x) {\n     return 1;\n   } else {\n     return 2;\n   }\n+  close(x);\n^\n }\n",
        "path: src/a.js\n function charset(type) {\n+  return type;\n^\n   var parsed = parse(type);\n   return parsed.charset;\n }\n",
        "path: src/A.cs\n class Door {\n     int Angle(int side) {\n         switch (side) {\n             case 1: return 90;\n             default: throw new Bent();\n         }\n+        Turn(side);\n^\n     }\n }\n",
        "path: src/a.py\n def total(rows):\n     total = 0\n+    return total\n^\n     for row in rows:\n         total += row\n     return total\n",
        "path: src/a.js\n function f(type) {\n+  return type;\n^\n   var parsed = parse(type);\n   return parsed.type;\n }\n",
        "path: src/a.go\n+func f(x int) int {\n+	return x\n+	log(x)\n^\n+}\n",
    ],
    negative: &[
        "path: src/a.py\n def total(rows):\n+    log(\"done\")\n+    return sum(rows)\n",
        "path: src/a.js\n function f(x) {\n+  return g();\n+  function g() { return x; }\n }\n switch (x) {\n   case 1:\n+    return 1;\n+    break;\n+  case 2:\n+    if (x) return 2;\n+    go();\n }\n",
        "path: src/a.py\n def rows():\n+    return\n+    yield\n",
        "path: src/a.js\n function f(x) {\n   return 1;\n   close(x);\n+  // never\n }\n",
        "path: src/A.cs\n class Door {\n     int Angle(int side) {\n+        if (side == 1) { return 90; }\n+        else if (side == 2) { return 180; }\n+        Turn(side);\n+        return 0;\n+#pragma warning restore\n     }\n }\n",
        "path: src/a.js\n function angle(side) {\n+  switch (side) {\n+    case 1: return 90;\n+    case 2: return 180;\n+  }\n+  turn(side);\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut exit = None;
    let value = node.field("value");
    let list = node.child_of_kind(&["statement_list"]).unwrap_or(node);
    for statement in list.named_children().filter(|child| Some(*child) != value) {
        if let Some(exit) = exit.filter(|_| is_work(statement)) {
            report(exit, statement, sink);
            return;
        }
        // Of a statement that starts above the hunk, nothing is known.
        if !statement.is_within_hunk() {
            continue;
        }
        exit = exit.or((!can_complete(statement)).then_some(statement));
    }
}

/// Reports the statement that is never reached, or, if that was there before, the new one that leaves the block above it.
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

/// Whether a statement does something when it is reached; declarations take effect wherever they are.
fn is_work(node: Node<'_>) -> bool {
    let declares = node.has_role(Role::Function)
        || node.has_role(Role::Class)
        || node.has_role(Role::Case)
        || node.has_role(Role::Break);
    let kind = node.kind();
    let is_yield = node.text().starts_with("yield") || node.text() == "pass";
    let leaves_quietly = node.has_role(Role::Return) && node.named_children().next().is_none();
    // A declaration takes effect wherever it is; the call for its value does not.
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
