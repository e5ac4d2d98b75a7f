//! A function that returns a value that its own declaration does not allow.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::types::Value;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/return-of-wrong-kind",
    languages: &["PHP"],
    title: "Return value incompatible with the declared type",
    why: "PHP checks each returned value against the declared return type: an incompatible value raises a \
          `TypeError`. A value returned from a `void` function is a compile-time error.",
    fix: "Return a value of the declared type, or correct the declaration.",
    references: &[
        "CWE-394",
        "https://www.php.net/manual/en/language.types.declarations.php",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement"]),
        run,
    },
    positive: &[
        r#"
+function names(): array {
+    if (!ready()) {
+        return null;
^
+    }
+    return load();
+}
"#,
        r#"
+class Cart {
+    public function __toString() {
+        return 3;
^
+    }
+}
"#,
        r#"
+function save(): void {
+    return true;
^
+}
+function size(): int {
+    return 'many';
^
+}
+function key(): string {
+    return;
^
+}
"#,
    ],
    negative: &[
        r#"
+function names(): ?array {
+    if (!ready()) {
+        return null;
+    }
+    return load();
+}
"#,
        r#"
+function save(): void {
+    return;
+}
+function size(): float {
+    return 3;
+}
+function text(): string {
+    return 3;
+}
+function all(): iterable {
+    return [];
+}
+function each(): Generator {
+    yield 1;
+    return 2;
+}
+function made(): Shape {
+    return new Square();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let function = node.ancestors().find(|around| {
        around.is(&[
            "function_definition", "method_declaration", "anonymous_function", "arrow_function",
        ])
    });
    let Some(function) = function.filter(|function| !function.is(&["arrow_function"])) else {
        return;
    };
    let value = node.named_children().next();
    let Some(kind) = function.field("return_type") else {
        return magic(function, value, sink);
    };
    let declared = kind.text().to_ascii_lowercase();
    let problem = match (declared.as_str(), value) {
        ("void", Some(value)) => Some(format!(
            "`{}` is returned from a function declared `void`.",
            quote(value.text())
        )),
        ("never", _) => Some("This returns from a function declared `never`.".to_owned()),
        ("void", None) => None,
        (_, None) if is_generator(function) => None,
        (_, None) => Some(format!(
            "This returns no value from a function declared `{}`.",
            quote(kind.text())
        )),
        (_, Some(value)) => unfit(value, kind).filter(|_| !is_generator(function)),
    };
    if let Some(problem) = problem {
        sink.report(node, problem);
    }
}

/// The magic methods that PHP itself calls, and the values that they must return.
fn magic(function: Node<'_>, value: Option<Node<'_>>, sink: &mut Sink<'_>) {
    let Some(name) = function
        .field("name")
        .filter(|name| function.is(&["method_declaration"]) && name.text().starts_with("__"))
    else {
        return;
    };
    let Some(found) = value.and_then(php::types::value_of) else {
        return;
    };
    let (fits, wanted) = match name.text().to_ascii_lowercase().as_str() {
        "__tostring" => (found == Value::Text, "a string"),
        "__isset" => (found == Value::Bool, "true or false"),
        "__serialize" | "__sleep" => (found == Value::List, "an array"),
        "__debuginfo" => (matches!(found, Value::List | Value::Null), "an array"),
        "__set_state" => (matches!(found, Value::Object(_)), "an object"),
        "__clone" | "__set" | "__unset" | "__wakeup" | "__unserialize" | "__construct"
        | "__destruct" => (found == Value::Null, "nothing"),
        _ => return,
    };
    if let Some(value) = value.filter(|_| !fits) {
        let text = format!(
            "`{}` must return {wanted}, but `{}` is {}.",
            name.text(),
            quote(value.text()),
            found.name()
        );
        sink.report(value, text);
    }
}

fn unfit(value: Node<'_>, kind: Node<'_>) -> Option<String> {
    let found = php::types::value_of(value)?;
    let fits = php::types::fits(found, value, kind);
    (!fits).then(|| {
        format!(
            "`{}` is {}, but the function is declared `{}`.",
            quote(value.text()),
            found.name(),
            quote(kind.text())
        )
    })
}

fn is_generator(function: Node<'_>) -> bool {
    let Some(body) = function.field("body") else {
        return false;
    };
    body.descendants()
        .any(|inner| inner.is(&["yield_expression"]))
}
