//! `except:` without a class, which also catches the interrupt signal.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/bare-except",
    languages: &["Python"],
    title: "Handler catching every exception",
    why: "A handler without a class also catches the interrupt signal, the exit of the program and programming errors \
          such as a misspelled name. Execution continues as if nothing had happened, and the cause is hidden.",
    fix: "Name the expected exceptions; at least catch Exception and log it.",
    references: &[],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Catch]),
        run,
    },
    positive: &[
        r#"
+try:
+    load()
+except:
^
+    pass
"#,
        r#"
@@ def read(path):
     try:
         return open(path).read()
-    except OSError:
+    except:
^
         return None
"#,
    ],
    negative: &[
        r#"
+try:
+    load()
+except OSError:
+    pass
"#,
        r#"
+try:
+    load()
+except:
+    close()
+    raise
"#,
        r#"
+try:
+    load()
+except:
+    log.exception("not loaded")
"#,
        r#"
@@ def read(path):
     try:
         return parse(path)
     except:
+        count()
         return None
"#,
    ],
};

/// Names that show that the error is passed on or logged.
const REPORTERS: &[&str] = &[
    "exception", "error", "warning", "format_exc", "print_exc", "exc_info", "exit", "_exit",
    "critical", "fail", "abort",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut children = node.children();
    let (Some(word), Some(colon)) = (children.next(), children.next()) else {
        return;
    };
    let is_reported = || {
        node.all(Role::Throw).next().is_some()
            || node.names().any(|name| REPORTERS.contains(&name.text()))
    };
    if word.text() == "except"
        && colon.text() == ":"
        && (node.is_complete() || node.named_children().last().is_some_and(Node::ends_in_exit))
        && !is_reported()
    {
        sink.report(
            word,
            "This handler catches every exception, including `KeyboardInterrupt` and `SystemExit`, and continues.",
        );
    }
}
