//! Special methods with a return type that Python rejects.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/special-method-result",
    languages: &["Python"],
    title: "Wrong return type of a special method",
    why: "Python checks the return values of these methods. A value of another type raises a TypeError in the caller, \
          far from this method.",
    fix: "Return the type that the protocol requires.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement"]),
        run,
    },
    positive: &[
        r#"
+class A:
+    def __len__(self):
+        return "3"
^
"#,
        r#"
+class A:
+    def __str__(self):
+        return None
^
"#,
        r#"
+class A:
+    def __init__(self):
+        return 1
^
"#,
    ],
    negative: &[
        r#"
+class A:
+    def __len__(self):
+        return 3
+    def __bool__(self):
+        return self.x
+    def __init__(self):
+        return
+    def __hash__(self):
+        return hash(self.x)
"#,
        r#"
@@ class A:
     def __len__(self):
         return "3"
+    def length(self):
+        return "3"
+    def __str__(self):
+        return f"{self.x}"
+    def __contains__(self, x):
+        return x in self.items
"#,
    ],
};

/// Methods, their required results, and the kinds of valid literals.
const RESULTS: &[(&str, &str, &[&str])] = &[
    ("__init__", "None", &["none"]),
    (
        "__len__",
        "a non-negative integer",
        &["integer", "true", "false"],
    ),
    ("__bool__", "True or False", &["true", "false"]),
    ("__str__", "a string", &["string", "concatenated_string"]),
    ("__repr__", "a string", &["string", "concatenated_string"]),
    ("__format__", "a string", &["string", "concatenated_string"]),
    ("__bytes__", "bytes", &["string", "concatenated_string"]),
    ("__hash__", "a whole number", &["integer", "true", "false"]),
    ("__index__", "a whole number", &["integer", "true", "false"]),
    ("__length_hint__", "a non-negative integer", &["integer"]),
    ("__int__", "a whole number", &["integer"]),
    ("__float__", "a float", &["float"]),
    ("__contains__", "", &[]),
    ("__getnewargs__", "a tuple", &["tuple"]),
    (
        "__getnewargs_ex__",
        "a pair of a tuple and a dict",
        &["tuple"],
    ),
    ("__iter__", "an iterator", &["generator_expression"]),
];
const LITERALS: &[&str] = &[
    "none", "integer", "float", "string", "concatenated_string", "list", "dictionary", "set",
    "tuple", "true", "false", "list_comprehension", "lambda", "generator_expression",
    "dictionary_comprehension",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node
        .ancestors()
        .find(|around| around.has_role(Role::Function) || around.is(&["lambda"]))
    else {
        return;
    };
    let Some(name) = function.field("name").map(Node::text) else {
        return;
    };
    let outer = function
        .parent()
        .filter(|parent| parent.is(&["decorated_definition"]))
        .unwrap_or(function);
    let in_class = outer
        .parent()
        .and_then(Node::parent)
        .is_some_and(|class| class.has_role(Role::Class));
    let Some((_, wanted, fine)) = RESULTS
        .iter()
        .find(|(method, wanted, _)| *method == name && !wanted.is_empty())
        .filter(|_| in_class)
    else {
        return;
    };
    let value = node.named_children().next();
    let wrong = match value {
        None => name != "__init__",
        Some(value) => {
            let bytes = value.is(&["string"]) && value.text().starts_with(['b', 'B']);
            (LITERALS.contains(&value.kind()) && !fine.contains(&value.kind()))
                || (value.is(&["string"])
                    && fine.contains(&"string")
                    && bytes != (name == "__bytes__"))
                || (name.starts_with("__len")
                    && value.text().starts_with('-')
                    && value.is(&["unary_operator"]))
        }
    };
    if wrong {
        sink.report(
            node,
            format!("`{name}` must return {wanted}; this raises a TypeError for the caller."),
        );
    }
}
