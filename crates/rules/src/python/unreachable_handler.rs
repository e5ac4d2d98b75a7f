//! Handlers after one that catches the same exception.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/unreachable-handler",
    languages: &["Python"],
    title: "Unreachable exception handler",
    why: "Handlers are tried from top to bottom. An earlier one catches this class or a base class of it, so this one \
          never runs and its special treatment is lost.",
    fix: "Put the more specific handler first, or delete this one.",
    references: &[],
    priority: Priority::P1,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Try]),
        run,
    },
    positive: &[
        r#"
+try:
+    load()
+except Exception:
+    log()
+except ValueError:
^
+    fix()
"#,
        r#"
@@ def f():
     try:
         load()
     except OSError:
         log()
+    except (FileNotFoundError, PermissionError):
^
+        make()
"#,
    ],
    negative: &[
        r#"
+try:
+    load()
+except ValueError:
+    fix()
+except Exception:
+    log()
"#,
        r#"
+try:
+    load()
+except OSError:
+    log()
+except (KeyError, FileNotFoundError):
+    make()
"#,
    ],
};

/// Built-in exceptions and the class above each.
const PARENTS: &[(&str, &str)] = &[
    ("Exception", "BaseException"),
    ("KeyboardInterrupt", "BaseException"),
    ("SystemExit", "BaseException"),
    ("GeneratorExit", "BaseException"),
    ("ArithmeticError", "Exception"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("FloatingPointError", "ArithmeticError"),
    ("LookupError", "Exception"),
    ("KeyError", "LookupError"),
    ("IndexError", "LookupError"),
    ("OSError", "Exception"),
    ("IOError", "Exception"),
    ("EnvironmentError", "Exception"),
    ("FileNotFoundError", "OSError"),
    ("FileExistsError", "OSError"),
    ("PermissionError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("NotADirectoryError", "OSError"),
    ("TimeoutError", "OSError"),
    ("InterruptedError", "OSError"),
    ("BlockingIOError", "OSError"),
    ("ChildProcessError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("ConnectionError", "OSError"),
    ("BrokenPipeError", "ConnectionError"),
    ("ConnectionAbortedError", "ConnectionError"),
    ("ConnectionRefusedError", "ConnectionError"),
    ("ConnectionResetError", "ConnectionError"),
    ("ValueError", "Exception"),
    ("UnicodeError", "ValueError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeEncodeError", "UnicodeError"),
    ("TypeError", "Exception"),
    ("AttributeError", "Exception"),
    ("NameError", "Exception"),
    ("UnboundLocalError", "NameError"),
    ("RuntimeError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("ImportError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("StopIteration", "Exception"),
    ("StopAsyncIteration", "Exception"),
    ("AssertionError", "Exception"),
    ("EOFError", "Exception"),
    ("MemoryError", "Exception"),
    ("SyntaxError", "Exception"),
    ("IndentationError", "SyntaxError"),
    ("SystemError", "Exception"),
    ("BufferError", "Exception"),
    ("ReferenceError", "Exception"),
];

fn is_a(class: &str, above: &str) -> bool {
    let plain = |name| {
        if matches!(name, "IOError" | "EnvironmentError") {
            "OSError"
        } else {
            name
        }
    };
    let (mut class, above) = (plain(class), plain(above));
    loop {
        if class == above {
            return true;
        }
        match PARENTS.iter().find(|(name, _)| *name == class) {
            Some((_, parent)) => class = plain(parent),
            None => return false,
        }
    }
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut caught: Vec<&str> = Vec::new();
    for handler in node.children().filter(|child| child.has_role(Role::Catch)) {
        let classes = classes(handler);
        let is_caught = |class: &&str| caught.iter().any(|earlier| is_a(class, earlier));
        if !classes.is_empty() && classes.iter().all(is_caught) {
            let word = handler.children().next().unwrap_or(handler);
            sink.report(
                word,
                format!(
                    "`{}` is already caught by a handler above: this one never runs.",
                    quote(&classes.join(", "))
                ),
            );
        }
        caught.extend(classes);
    }
}

fn classes(handler: Node<'_>) -> Vec<&str> {
    let Some(what) = handler
        .named_children()
        .next()
        .filter(|what| !what.has_role(Role::Block))
    else {
        return Vec::new();
    };
    let what = if what.is(&["as_pattern"]) {
        what.named_children().next().unwrap_or(what)
    } else {
        what
    }
    .unparenthesised();
    if what.is(&["tuple"]) {
        what.named_children().map(Node::text).collect()
    } else {
        vec![what.text()]
    }
}
