//! A function that returns what its own declaration does not allow.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_types::{self, Value};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/return-of-wrong-kind",
    languages: &["PHP"],
    title: "Returned value does not fit the declared type",
    why: "PHP checks what a function returns against its declaration, each time that it returns: a value that does not fit stops the \
          script with a TypeError, and a value in a `void` function does not even compile.",
    fix: "Return what is declared, or correct the declaration.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["return_statement"]), run },
    fires: &[
        "+function names(): array {\n+    if (!ready()) {\n+        return null;\n^\n+    }\n+    return load();\n+}\n",
        "+class Cart {\n+    public function __toString() {\n+        return 3;\n^\n+    }\n+}\n",
        "+function save(): void {\n+    return true;\n^\n+}\n+function size(): int {\n+    return 'many';\n^\n+}\n+function key(): string {\n+    return;\n^\n+}\n",
    ],
    quiet: &[
        "+function names(): ?array {\n+    if (!ready()) {\n+        return null;\n+    }\n+    return load();\n+}\n",
        "+function save(): void {\n+    return;\n+}\n+function size(): float {\n+    return 3;\n+}\n+function text(): string {\n+    return 3;\n+}\n+function all(): iterable {\n+    return [];\n+}\n+function each(): Generator {\n+    yield 1;\n+    return 2;\n+}\n+function made(): Shape {\n+    return new Square();\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let function = node.ancestors().find(|around| {
        around.is(&["function_definition", "method_declaration", "anonymous_function", "arrow_function"])
    });
    let Some(function) = function.filter(|function| !function.is(&["arrow_function"])) else { return };
    let value = node.named_children().next();
    let Some(kind) = function.field("return_type") else { return magic(function, value, sink) };
    let declared = kind.text().to_ascii_lowercase();
    let problem = match (declared.as_str(), value) {
        ("void", Some(value)) => {
            Some(format!("`{}` is returned by a function that is declared `void`.", quote(value.text())))
        }
        ("never", _) => Some("This returns from a function that is declared never to return.".to_owned()),
        ("void", None) => None,
        (_, None) if is_generator(function) => None,
        (_, None) => Some(format!("This returns nothing from a function that is declared `{}`.", quote(kind.text()))),
        (_, Some(value)) => unfit(value, kind).filter(|_| !is_generator(function)),
    };
    if let Some(problem) = problem {
        sink.report(node, problem);
    }
}

/// The methods that PHP itself calls, and what it wants from them.
fn magic(function: Node<'_>, value: Option<Node<'_>>, sink: &mut Sink<'_>) {
    let Some(name) =
        function.field("name").filter(|name| function.is(&["method_declaration"]) && name.text().starts_with("__"))
    else {
        return;
    };
    let Some(found) = value.and_then(php_types::value_of) else { return };
    let (fits, wanted) = match name.text().to_ascii_lowercase().as_str() {
        "__tostring" => (found == Value::Text, "a string"),
        "__isset" => (found == Value::Bool, "true or false"),
        "__serialize" | "__sleep" => (found == Value::List, "an array"),
        "__debuginfo" => (matches!(found, Value::List | Value::Null), "an array"),
        "__set_state" => (matches!(found, Value::Object(_)), "an object"),
        "__clone" | "__set" | "__unset" | "__wakeup" | "__unserialize" | "__construct" | "__destruct" => {
            (false, "nothing")
        }
        _ => return,
    };
    if let Some(value) = value.filter(|_| !fits) {
        let text =
            format!("`{}` is to return {wanted}, and `{}` is {}.", name.text(), quote(value.text()), found.name());
        sink.report(value, text);
    }
}

fn unfit(value: Node<'_>, kind: Node<'_>) -> Option<String> {
    let found = php_types::value_of(value)?;
    let fits = php_types::fits(found, value, kind);
    (!fits).then(|| {
        format!("`{}` is {}, and the function is declared `{}`.", quote(value.text()), found.name(), quote(kind.text()))
    })
}

fn is_generator(function: Node<'_>) -> bool {
    let Some(body) = function.field("body") else { return false };
    body.descendants().any(|inner| inner.is(&["yield_expression"]))
}
