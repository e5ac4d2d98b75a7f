//! Names that are listed twice.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::is_exception;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/name-twice-in-list",
    languages: &["Python"],
    title: "Duplicate base class, parameter or exception",
    why: "A duplicate base class or parameter raises an error when the module is loaded. An exception that another one \
          in the same clause already covers is redundant; often a different one was intended.",
    fix: "Write the intended name, or delete the duplicate.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["class_definition", "parameters", "except_clause"]),
        run,
    },
    positive: &[
        r#"
+class Cart(Base, Mixin, Base):
^
+    pass
"#,
        r#"
+try:
+    load()
+except (ValueError, OSError, ValueError):
^
+    pass
+except (IOError, FileNotFoundError):
^
+    pass
"#,
    ],
    negative: &[
        r#"
+class Cart(Base, Mixin, metaclass=Base):
+    pass
+def f(a, b=a, *c, **d):
+    pass
"#,
        r#"
+try:
+    load()
+except (ValueError, OSError, KeyError):
+    pass
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let names = match node.kind() {
        "class_definition" => {
            let bases = node
                .field("superclasses")
                .into_iter()
                .flat_map(Node::named_children);
            bases
                .filter(|base| base.is(&["identifier", "attribute"]))
                .collect()
        }
        "parameters" => node.named_children().filter_map(parameter_name).collect(),
        _ => caught(node),
    };
    let is_handler = node.is(&["except_clause"]);
    for (place, name) in names.iter().enumerate() {
        let mut others = names
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place);
        let earlier = names
            .iter()
            .take(place)
            .any(|other| other.text() == name.text());
        let covered = is_handler && others.any(|(_, other)| covers(other.text(), name.text()));
        if earlier || covered {
            let text = quote(name.text());
            let what = if earlier {
                "is already in this list"
            } else {
                "is already caught by another name of this list"
            };
            sink.report(*name, format!("`{text}` {what}."));
            return;
        }
    }
}

fn parameter_name(parameter: Node<'_>) -> Option<Node<'_>> {
    parameter
        .field("name")
        .unwrap_or(parameter)
        .leaves()
        .find(|leaf| leaf.is(&["identifier"]))
}

/// The exceptions of a handler's list.
fn caught(clause: Node<'_>) -> Vec<Node<'_>> {
    let value = clause
        .field("value")
        .or_else(|| clause.named_children().next());
    let list = value.map(|value| {
        if value.is(&["as_pattern"]) {
            value.named_children().next().unwrap_or(value)
        } else {
            value
        }
    });
    list.filter(|list| list.is(&["tuple"]))
        .into_iter()
        .flat_map(Node::named_children)
        .collect()
}

/// Whether catching one built-in exception catches the other one too.
fn covers(wide: &str, narrow: &str) -> bool {
    match wide {
        "Exception" => narrow.ends_with("Error") && is_exception(narrow),
        "OSError" | "IOError" | "EnvironmentError" => matches!(
            narrow,
            "FileNotFoundError"
                | "PermissionError"
                | "TimeoutError"
                | "ConnectionError"
                | "FileExistsError"
                | "IsADirectoryError"
                | "NotADirectoryError"
                | "BrokenPipeError"
                | "ConnectionResetError"
        ),
        "ValueError" => matches!(
            narrow,
            "UnicodeError" | "UnicodeDecodeError" | "UnicodeEncodeError"
        ),
        "ArithmeticError" => matches!(
            narrow,
            "ZeroDivisionError" | "OverflowError" | "FloatingPointError"
        ),
        "LookupError" => matches!(narrow, "KeyError" | "IndexError"),
        "ImportError" => narrow == "ModuleNotFoundError",
        "RuntimeError" => matches!(narrow, "NotImplementedError" | "RecursionError"),
        _ => false,
    }
}
