//! Names in `__all__` that the file does not define.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority, Status};
use syntax::semantics::names::is_small;
use syntax::tree::{Node, binds};

pub(crate) const RULE: Rule = Rule {
    id: "python/exported-name-missing",
    languages: &["Python"],
    title: "Undefined name in __all__",
    why: "`from module import *` raises an AttributeError, and readers of the list expect the name to exist. Usually \
          it was renamed or misspelled.",
    fix: "Correct the name, or remove it from the list.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module"]),
        run,
    },
    positive: &[
        r#"
+__all__ = ["load", "save"]
^
+
+def load(path):
+    return open(path)
"#,
        r#"
@@
+__all__ = ("VERSION", "Cart")
^
+
+VERSION = "1"
+
+class Basket:
+    pass
"#,
    ],
    negative: &[
        r#"
+__all__ = ["load", "save"]
+from .store import save
+
+def load(path):
+    return open(path)
"#,
        r#"
+__all__ = ["load"]
+from .store import *
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text();
    // A package also exports its modules.
    if context.file.path.ends_with("__init__.py")
        || context.file.status != Status::Added
        || !text.contains("__all__")
        || !is_small(node)
    {
        return;
    }
    if text.contains("import *") || text.contains("__getattr__") || text.contains("globals()") {
        return;
    }
    let exported = node
        .named_children()
        .filter_map(|statement| statement.named_children().next())
        .filter(|inner| {
            inner.is(&["assignment", "augmented_assignment"])
                && inner
                    .field("left")
                    .is_some_and(|left| left.text() == "__all__")
        });
    let values = exported
        .filter_map(|inner| inner.field("right"))
        .filter(|right| right.is(&["list", "tuple"]));
    for value in values
        .flat_map(Node::named_children)
        .filter(|value| value.is(&["string"]))
    {
        let Some(name) = value.string_value() else {
            continue;
        };
        let has = |inner: Node<'_>| inner.text() == name && binds(inner) && is_at_top(inner);
        if !matches!(name, "__version__" | "__doc__") && !node.descendants().any(has) {
            sink.report(
                value,
                format!("`__all__` names `{name}`, which this file does not define."),
            );
        }
    }
}

/// Whether a name belongs to the file, and not to a function or class in it.
fn is_at_top(name: Node<'_>) -> bool {
    let mut inner = name;
    for around in name.ancestors() {
        if around.is(&["function_definition", "class_definition", "lambda"])
            && around.field("name") != Some(inner)
        {
            return false;
        }
        inner = around;
    }
    true
}
