//! Values raised or caught that are not exceptions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::{Kind, is_exception, kind_if};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/exception-of-wrong-type",
    languages: &["Python"],
    title: "Non-exception raised or caught",
    why: "Only classes that inherit from BaseException can be raised or caught. Anything else raises a TypeError in \
          place of the intended error, or while that is being handled.",
    fix: "Let the class inherit from Exception, or name the intended exception.",
    references: &[],
    priority: Priority::P1,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["raise_statement", "except_clause"]),
        run,
    },
    positive: &[
        r#"
+class Missing:
+    pass
+
+def f(x):
+    if not x:
+        raise Missing()
^
+    try:
+        g(x)
+    except Missing:
^
+        pass
"#,
        r#"
+try:
+    load()
+except (None, ValueError):
^
+    pass
"#,
        r#"
@@ def f():
+    raise NotImplemented
^
"#,
    ],
    negative: &[
        r#"
+class Missing(Exception):
+    pass
+
+class Gone(Missing):
+    pass
+
+def f(x):
+    raise Gone(x) from x
"#,
        r#"
+ERRORS = (Denied, Missing)
+def login(client):
+    try:
+        return client.get()
+    except ERRORS as e:
+        raise SystemExit(str(e))
"#,
        r#"
+from base import Failure
+class Missing(Failure):
+    pass
+
+def f(x):
+    try:
+        raise Missing
+    except (Missing, ValueError):
+        raise
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let value = if node.is(&["raise_statement"]) {
        node.named_children().next()
    } else {
        node.field("value").or_else(|| {
            node.named_children()
                .next()
                .filter(|first| !first.is(&["block"]))
        })
    };
    let Some(mut value) = value.map(Node::unparenthesised) else {
        return;
    };
    if value.is(&["as_pattern"]) {
        value = value.named_children().next().unwrap_or(value);
    }
    let parts: Vec<Node<'_>> = if value.is(&["tuple"]) {
        value.named_children().collect()
    } else {
        vec![value]
    };
    for part in parts {
        let is_raise = node.is(&["raise_statement"]);
        let names_no_exception = part.text() == "NotImplemented" || part.text() == "object";
        // Another rule reports a plain string or number.
        let literal = is_raise
            && part.is(&[
                "string", "integer", "float", "concatenated_string", "tuple", "none",
            ]);
        if literal {
            continue;
        }
        if names_no_exception || kind_if(part, |kind| is_wrong(kind, is_raise)).is_some() {
            let does = if is_raise { "raised" } else { "caught" };
            sink.report(
                part,
                format!(
                    "`{}` is not an exception, so it cannot be {does}: TypeError.",
                    quote(part.text())
                ),
            );
            return;
        }
    }
}

fn is_wrong(kind: Kind<'_>, is_raise: bool) -> bool {
    match kind {
        Kind::Class(class) => inherits(class, 5) == Some(false),
        Kind::Instance(class) => is_raise && inherits(class, 5) == Some(false),
        // `except ERRORS` catches the classes of a tuple.
        Kind::Tuple => is_raise,
        Kind::Iterator | Kind::Coroutine | Kind::AsyncGenerator => false,
        _ => true,
    }
}

/// Whether a class inherits from an exception; `None` if a base is not known.
fn inherits(class: Node<'_>, depth: u32) -> Option<bool> {
    if depth == 0
        || class
            .parent()
            .is_some_and(|parent| parent.is(&["decorated_definition"]))
    {
        return None;
    }
    for base in class
        .field("superclasses")
        .into_iter()
        .flat_map(Node::named_children)
    {
        if !base.is(&["identifier"])
            || is_exception(base.text())
            || base.text().ends_with("Warning")
        {
            return None;
        }
        if base.text() == "object" {
            continue;
        }
        match kind_if(base, |_| true) {
            Some(Kind::Class(parent)) if inherits(parent, depth - 1) == Some(false) => {}
            _ => return None,
        }
    }
    Some(false)
}
