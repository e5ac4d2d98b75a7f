//! Cases that fall through into the next one.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

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
        r#"
+switch (kind) {
+  case 1:
+    open();
+  case 2:
^
+    close();
+}
"#,
        r#"
@@ function run(kind) {
   switch (kind) {
+    case "open":
+      log(kind);
+      if (ready) open();
+    default:
^
+      stop();
"#,
    ],
    negative: &[
        r#"
+switch (kind) {
+  case 0:
+  case 1:
+    open();
+    break;
+  case 2:
+    close();
+    // falls through
+  case 3: {
+    if (a) return; else throw b;
+  }
+  case 4:
+    while (true) { go(); }
+  default:
+    stop();
+}
"#,
        r#"
@@ function run(kind) {
   switch (kind) {
     case "open":
       open();
     case "close":
       close();
       break;
+    case "move":
+      move();
+      return;
     default:
"#,
        r#"
+function area(shape) {
+  switch (shape.kind) {
+    case 1:
+      switch (shape.size) {
+        case 1: return 2;
+        default: throw shape;
+      }
+    case 2:
+      return 3;
+  }
+}
"#,
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
    let is_intended = |note: Node<'_>| {
        note.has_role(Role::Comment) && {
            let text = note.text().to_ascii_lowercase();
            ["fall", "pass", "no break", "continue"]
                .iter()
                .any(|word| text.contains(word))
        }
    };
    let around = node.parent().into_iter().flat_map(Node::children);
    let between =
        around.filter(|note| note.index() > before.index() && note.index() <= node.index());
    if before.descendants().chain(between).any(is_intended) {
        return;
    }
    let label = value.map_or("default", |value| value.text());
    sink.report(
        node,
        format!("`case {}` above falls through into this one.", quote(label)),
    );
}
