//! Cases that fall through into the next one.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/case-falls-through",
    languages: &["C", "C++", "Java", "JavaScript", "TSX", "TypeScript"],
    title: "Switch case falling through",
    why: "Without `break` or `return`, the code of the next case runs as well. Usually the `break` was forgotten; no comment says that it \
          is intended.",
    fix: "End the case with `break` or `return`, or say in a comment that it falls through.",
    references: &["CWE-484"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(CASES),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+switch (kind) {
+  case 1:
+    open();
+  case 2:
^
+    close();
+}
"#,
        r#"
path: src/a.ts
 function run(kind: string) {
   switch (kind) {
+    case "open":
+      log(kind);
+      if (ready) open();
+    default:
^
+      stop();
"#,
        r#"
path: src/a.tsx
 function Badge({ kind }: Props) {
   switch (kind) {
     case "open":
       log(kind);
+    case "closed":
^
+      return <b>closed</b>;
"#,
        r#"
path: src/A.java
 class A {
     void run(int kind) {
+        switch (kind) {
+            case 1:
+                start();
+            case 2:
^
+                stop();
+                break;
+        }
     }
 }
"#,
        r#"
path: src/A.java
 class A {
     int bonus(String tier) {
         int bonus = 0;
         switch (tier) {
             case "gold":
                 bonus = 500;
+            case "silver":
^
+                bonus = 200;
+                break;
             default:
                 break;
         }
         return bonus;
     }
 }
"#,
        r#"
path: src/a.c
 int flags(int mode) {
     int f = 0;
     switch (mode) {
     case 1:
+        f = READ;
^
     case 2:
         f = WRITE;
         break;
     }
     return f;
 }
"#,
        r#"
path: src/a.cpp
+int flags(Mode mode) {
+    switch (mode) {
+    case Mode::READ:
+        if (locked()) return 0;
+    default:
^
+        return 1;
+    }
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.js
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
path: src/a.ts
 function run(kind: string) {
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
path: src/a.tsx
+function Badge({ kind }: Props) {
+  switch (kind) {
+    case "open":
+      return <b>open</b>;
+    default:
+      return null;
+  }
+}
"#,
        r#"
path: src/a.js
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
        r#"
path: src/A.java
 class A {
     void run(int kind) {
         switch (kind) {
+            case START: {
+                start();
+                return;
+            }
+            case STOP -> stop();
             default:
                 throw new IllegalStateException();
         }
     }
     void stop(int kind) {
         switch (kind) {
+            case 1:
+                start();
+            default:
+                break;
         }
     }
 }
"#,
        r#"
path: src/a.c
 int flags(int mode) {
     int f = 0;
     switch (mode) {
     case 1:
+        f = READ;
+        /* fall through */
     case 2:
         f = WRITE;
         break;
+    case 3:
+        exit(1);
+    case 4: goto out;
     case 5:
         f = 1;
     }
 out:
     return f;
 }
"#,
        r#"
path: src/a.cpp
+int flags(Mode mode) {
+    switch (mode) {
+    case Mode::READ:
+        lock();
+        [[fallthrough]];
+    case Mode::WRITE:
+    default:
+        return 1;
+    }
+}
"#,
    ],
};

const CASES: &[&str] = &[
    "case_statement", "switch_block_statement_group", "switch_case", "switch_default",
];

/// Functions that do not return.
const ENDS: &[&str] = &[
    "abort", "exit", "_exit", "panic", "fatal", "die", "unreachable", "Unreachable", "longjmp",
    "fail", "Fail", "usage", "__builtin_unreachable", "assert", "err", "errx", "process.exit",
    "System.exit",
];

/// Words of comments and attributes that say that it is intended.
const INTENDED: &[&str] = &["fall", "pass", "no break", "continue"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some(before) = node.previous().filter(|before| before.is(CASES)) {
        report(before, node, node, sink);
    }
    // The case below is old: what was added to this one falls into it.
    if let Some(next) = node
        .next()
        .filter(|next| next.is(CASES) && !starts_in_change(*next))
    {
        let last = body(node).last().copied();
        if let Some(last) = last.filter(|last| last.touches_change()) {
            report(node, next, last, sink);
        }
    }
}

fn starts_in_change(case: Node<'_>) -> bool {
    case.leaves().next().is_some_and(Node::touches_change)
}

fn report(before: Node<'_>, next: Node<'_>, at: Node<'_>, sink: &mut Sink<'_>) {
    let own = body(before);
    let Some(last) = own.last() else {
        return;
    };
    // A case before one that only leaves the `switch` does no more than that.
    let ends = body(next)
        .first()
        .is_some_and(|first| first.has_role(Role::Break));
    let never_returns = last
        .all(Role::Call)
        .filter_map(Node::call)
        .any(|call| ENDS.contains(&call.name) || ENDS.contains(&call.callee));
    let is_unclear = last.has_role(Role::Loop)
        || last.is(&[
            "labeled_statement", "goto_statement", "synchronized_statement", "attributed_statement",
        ]);
    let is_cut = body(next).is_empty() && !next.is_complete();
    let is_certain = before.is_usable() && !is_cut && !ends && !never_returns && !is_unclear;
    if !is_certain || !own.iter().all(|one| can_complete(*one)) || is_intended(before, *last, next)
    {
        return;
    }
    let value = before
        .field("value")
        .or_else(|| before.child_of_kind(&["switch_label"]));
    let label = value.map_or("default", Node::text);
    let label = label.trim_start_matches("case ");
    let summary = if at == next {
        format!("`case {}` above falls through into this one.", quote(label))
    } else {
        format!("`case {}` falls through into the next one.", quote(label))
    };
    sink.report(at, summary);
}

/// The statements of a case.
fn body(case: Node<'_>) -> Vec<Node<'_>> {
    let value = case.field("value");
    case.named_children()
        .filter(|part| Some(*part) != value && !part.is(&["switch_label"]))
        .collect()
}

/// Whether a comment or a word near the end of a case says that it is intended.
fn is_intended(before: Node<'_>, last: Node<'_>, next: Node<'_>) -> bool {
    let says_so = |text: &str| {
        let lower = text.to_ascii_lowercase();
        INTENDED.iter().any(|word| lower.contains(word))
    };
    let around = next.parent().into_iter().flat_map(Node::children);
    let between =
        around.filter(|note| note.index() > before.index() && note.index() <= next.index());
    let mut notes = before
        .descendants()
        .chain(between)
        .filter(|note| note.has_role(Role::Comment));
    last.text().to_ascii_lowercase().contains("fallthrough")
        || notes.any(|note| note.index() > last.index() || says_so(note.text()))
}
