//! Cases that fall through into the next one.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::flow::can_complete;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/case-falls-through",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Switch case falling through",
    why: "Without break or return the code of the next case runs as well. That is rarely intended, and no comment here \
          says that it is.",
    fix: "Add break or return; if the fall-through is intended, mark it with a `falls through` comment.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["switch_case", "switch_default"]),
        run,
    },
    positive: &[
        "+switch (kind) {\n+  case 1:\n+    open();\n+  case 2:\n^\n+    close();\n+}\n",
        "@@ function run(kind) {\n   switch (kind) {\n+    case \"open\":\n+      log(kind);\n+      if (ready) open();\n+    default:\n^\n+      stop();\n",
    ],
    negative: &[
        "+switch (kind) {\n+  case 0:\n+  case 1:\n+    open();\n+    break;\n+  case 2:\n+    close();\n+    // falls through\n+  case 3: {\n+    if (a) return; else throw b;\n+  }\n+  case 4:\n+    while (true) { go(); }\n+  default:\n+    stop();\n+}\n",
        "@@ function run(kind) {\n   switch (kind) {\n     case \"open\":\n       open();\n     case \"close\":\n       close();\n       break;\n+    case \"move\":\n+      move();\n+      return;\n     default:\n",
        "+function area(shape) {\n+  switch (shape.kind) {\n+    case 1:\n+      switch (shape.size) {\n+        case 1: return 2;\n+        default: throw shape;\n+      }\n+    case 2:\n+      return 3;\n+  }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(before) = node
        .previous()
        .filter(|before| before.is(&["switch_case", "switch_default"]))
    else {
        return;
    };
    let value = before.field("value");
    let body: Vec<Node<'_>> = before
        .named_children()
        .filter(|part| Some(*part) != value)
        .collect();
    if body.is_empty()
        || !before.is_usable()
        || !body.iter().all(|statement| can_complete(*statement))
    {
        return;
    }
    let says_so = |note: Node<'_>| {
        note.has_role(Role::Comment) && {
            let text = note.text().to_ascii_lowercase();
            ["fall", "pass", "no break", "continue"]
                .iter()
                .any(|word| text.contains(word))
        }
    };
    let around = node.parent().into_iter().flat_map(Node::children);
    let beside =
        around.filter(|note| note.index() > before.index() && note.index() <= node.index());
    if before.descendants().chain(beside).any(says_so) {
        return;
    }
    let label = value.map_or("default", |value| value.text());
    sink.report(
        node,
        format!("`case {}` above falls through into this one.", quote(label)),
    );
}
