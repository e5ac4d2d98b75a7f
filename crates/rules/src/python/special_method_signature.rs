//! Special methods with the wrong number of parameters.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/special-method-signature",
    languages: &["Python"],
    title: "Wrong parameters of a special method",
    why: "Python calls special methods itself, with a fixed number of arguments. With other parameters the operator, \
          the loop or the with statement raises a TypeError.",
    fix: "Take the parameters that the protocol requires.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["function_definition"]),
        run,
    },
    positive: &[
        r#"
+class A:
+    def __eq__(self):
^
+        return True
"#,
        r#"
+class A:
+    def __exit__(self):
^
+        self.close()
"#,
        r#"
+class A:
+    def __str__(self, width):
^
+        return ""
"#,
    ],
    negative: &[
        r#"
+class A:
+    def __eq__(self, other):
+        return True
+    def __exit__(self, *args):
+        pass
+    def __call__(self, a, b):
+        pass
+    def __str__(self, width=3):
+        return ""
+def __eq__(a):
+    pass
"#,
        r#"
@@ class A:
     def __eq__(self):
         return True
+    @staticmethod
+    def __new__(cls, *args):
+        return object.__new__(cls)
+    def __enter__(self):
+        return self
"#,
    ],
};

/// The number of parameters that Python passes, including `self`.
const PROTOCOL: &[(usize, &[&str])] = &[
    (
        1,
        &[
            "__str__", "__repr__", "__len__", "__bool__", "__hash__", "__iter__", "__next__",
            "__enter__", "__int__", "__float__", "__complex__", "__bytes__", "__neg__", "__pos__",
            "__abs__", "__invert__", "__index__", "__reversed__", "__del__", "__dir__",
            "__aiter__", "__anext__", "__aenter__", "__await__", "__copy__", "__getstate__",
            "__reduce__", "__length_hint__", "__sizeof__", "__trunc__", "__floor__", "__ceil__",
            "__getnewargs__", "__getnewargs_ex__", "__fspath__",
        ],
    ),
    (
        2,
        &[
            "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__",
            "__mul__", "__truediv__", "__floordiv__", "__mod__", "__and__", "__or__", "__xor__",
            "__lshift__", "__rshift__", "__matmul__", "__divmod__", "__radd__", "__rsub__",
            "__rmul__", "__rtruediv__", "__rfloordiv__", "__rmod__", "__rand__", "__ror__",
            "__rxor__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__iand__", "__ior__",
            "__contains__", "__getitem__", "__delitem__", "__getattr__", "__getattribute__",
            "__delattr__", "__missing__", "__format__", "__delete__", "__instancecheck__",
            "__subclasscheck__", "__deepcopy__", "__setstate__", "__reduce_ex__", "__imod__",
            "__ifloordiv__", "__rdivmod__", "__rlshift__", "__rrshift__", "__ilshift__",
            "__irshift__", "__ixor__", "__imatmul__", "__rmatmul__", "__mro_entries__",
        ],
    ),
    (
        3,
        &["__setitem__", "__setattr__", "__set__", "__set_name__"],
    ),
    (4, &["__exit__", "__aexit__"]),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(list)) = (node.field("name"), node.field("parameters")) else {
        return;
    };
    let Some((wanted, _)) = PROTOCOL
        .iter()
        .find(|(_, names)| names.contains(&name.text()))
    else {
        return;
    };
    let outer = node
        .parent()
        .filter(|parent| parent.is(&["decorated_definition"]))
        .unwrap_or(node);
    let in_class = outer
        .parent()
        .and_then(Node::parent)
        .is_some_and(|class| class.has_role(Role::Class));
    let is_static = outer.children().any(|child| {
        child.is(&["decorator"])
            && (child.text().contains("staticmethod") || child.text().contains("overload"))
    });
    if !in_class || is_static {
        return;
    }
    let open = list.named_children().any(|parameter| {
        parameter.is(&["list_splat_pattern"])
            || parameter.text().starts_with('*') && !parameter.text().starts_with("**")
    });
    let plain = list
        .named_children()
        .take_while(|parameter| !parameter.is(&["keyword_separator"]))
        .filter(|parameter| {
            !parameter.is(&[
                "positional_separator", "comment", "dictionary_splat_pattern",
            ]) && !parameter.text().starts_with("**")
        });
    let (mut required, mut all) = (0, 0);
    for parameter in plain {
        let optional = parameter.is(&["default_parameter", "typed_default_parameter"]);
        if !parameter.text().starts_with('*') {
            all += 1;
            required += usize::from(!optional);
        }
    }
    if required > *wanted || (all < *wanted && !open) {
        sink.report(
            name,
            format!(
                "Python calls `{}` with {wanted} arguments, including self; this one takes {all}.",
                name.text()
            ),
        );
    }
}
