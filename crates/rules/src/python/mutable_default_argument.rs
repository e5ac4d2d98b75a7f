//! A list, a dict or another value that can change as the default of a parameter.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/mutable-default-argument",
    languages: &["Python"],
    title: "Mutable default argument",
    why: "Python evaluates a default value once, when the function is defined. A list, dict or set is therefore the \
          same object in every call, and a change made in one call leaks into all later ones.",
    fix: "Use `None` as the default and create the object inside the function.",
    references: &["https://docs.python.org/3/faq/programming.html"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["default_parameter", "typed_default_parameter"]),
        run,
    },
    positive: &[
        r#"
+def add(item, basket=[]):
^
+    basket.append(item)
+    return basket
"#,
        r#"
@@ class Basket:
     def total(self):
         return 1
 
-    def add(self, item, seen=None):
+    def add(self, item, seen: set = set()):
^
         seen.add(item)
"#,
        r#"
@@
 def load(
     path,
+    options=dict(),
^
 ):
     return read(path, options)
"#,
        r#"
+def names(parts, prefixes={}):
^
+    return [prefixes.get(part, part) for part in parts]
"#,
    ],
    negative: &[
        r#"
+def add(item, basket=None):
+    basket = [] if basket is None else basket
+    basket.append(item)
+    return basket
"#,
        r#"
@@
 def load(path, options={}):
-    return read(path)
+    return read(path, options)
"#,
        r#"
+def load(path, names=(), limit=10, kind="x"):
+    return call(path, key=[])
"#,
        "+handlers.append(lambda event, seen=[]: seen.append(event))\n",
    ],
};

const LITERALS: &[&str] = &[
    "list", "dictionary", "set", "list_comprehension", "dictionary_comprehension",
    "set_comprehension",
];
const CONSTRUCTORS: &[&str] = &[
    "list", "dict", "set", "bytearray", "defaultdict", "OrderedDict", "Counter", "deque",
];
/// Methods that change nothing.
const READING: &[&str] = &[
    "copy", "count", "get", "index", "issubset", "issuperset", "items", "keys", "union", "values",
];
/// Builtins that keep and change nothing.
const BUILTINS: &[&str] = &[
    "all", "any", "bool", "dict", "enumerate", "frozenset", "len", "list", "max", "min", "print",
    "repr", "set", "sorted", "str", "sum", "tuple", "zip",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
        return;
    };
    let is_mutable = value.is(LITERALS)
        || value.call().is_some_and(|call| {
            CONSTRUCTORS.contains(
                &call
                    .callee
                    .strip_prefix("collections.")
                    .unwrap_or(call.callee),
            )
        });
    let function = node
        .parent()
        .filter(|list| list.is(&["parameters"]))
        .and_then(Node::parent);
    let Some(function) =
        function.filter(|function| is_mutable && function.is(&["function_definition"]))
    else {
        return;
    };
    let finding = sink.report(
        value,
        format!(
            "The default `{}` is created once and shared by all calls: an item added in one call is visible in the next.",
            quote(value.text())
        ),
    );
    if is_only_read(function, name.text()) {
        finding.priority(Priority::P3);
    }
}

/// Whether every use of the parameter in the function is visible and only reads it.
fn is_only_read(function: Node<'_>, name: &str) -> bool {
    let Some(body) = function
        .field("body")
        .filter(|body| function.is_within_hunk() && is_small(*body))
    else {
        return false;
    };
    let mut uses = body
        .descendants()
        .filter(|used| used.is(&["identifier"]) && used.text() == name)
        .peekable();
    uses.peek().is_some() && uses.all(is_read)
}

/// Whether a use only reads: looks up an element, iterates, compares, or calls a method or a builtin that changes nothing.
fn is_read(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else {
        return false;
    };
    let above = parent.parent();
    match parent.kind() {
        "attribute" => {
            parent.field("object") == Some(used)
                && READING.contains(&parent.last_name())
                && above.is_some_and(|above| above.has_role(Role::Call))
        }
        "subscript" => {
            parent.field("value") == Some(used)
                && above.is_some_and(|above| {
                    let is_set = above.is(&["assignment", "augmented_assignment"])
                        && above.field("left") == Some(parent);
                    !is_set && !above.is(&["delete_statement"])
                })
        }
        "argument_list" => above
            .and_then(Node::call)
            .is_some_and(|call| call.receiver.is_none() && BUILTINS.contains(&call.callee)),
        "for_statement" | "for_in_clause" => parent.field("right") == Some(used),
        "comparison_operator" | "not_operator" | "list_splat" | "dictionary_splat" => true,
        "if_statement" | "elif_clause" | "while_statement" => {
            parent.field("condition") == Some(used)
        }
        _ => false,
    }
}
