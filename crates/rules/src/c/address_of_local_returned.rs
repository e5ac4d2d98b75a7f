//! The address of a local variable, returned to the caller.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/address-of-local-returned",
    languages: &["C", "C++"],
    title: "Address of a local variable returned",
    why: "The lifetime of a local variable ends when its function returns. The caller receives a dangling pointer: \
          reading it yields garbage, and writing through it overwrites the variables of a later call.",
    fix: "Return the value itself, let the caller pass a buffer, or allocate on the heap.",
    references: &["CWE-562"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement"]),
        run,
    },
    positive: &[
        r#"
+char *name(int id) {
+    char text[20];
+    snprintf(text, sizeof text, "n%d", id);
+    return text;
^
+}
"#,
        r#"
+int *top(void) {
+    int value = 3;
+    return &value;
^
+}
"#,
        r#"
path: src/a.cpp
+const char* name(int id) {
+    std::string text = std::to_string(id);
+    return text.c_str();
^
+}
"#,
    ],
    negative: &[
        r#"
+char *name(char *text) {
+    static char kept[20];
+    char local[20];
+    if (text) return text;
+    if (local[0]) return strdup(local);
+    return kept;
+}
+int first(void) {
+    int values[3];
+    return values[0] + *(&values[1]);
+}
"#,
        r#"
path: src/a.cpp
+std::string name() {
+    char text[20];
+    return text;
+}
+const char* name(const std::string& text) {
+    static std::string kept;
+    return text.empty() ? kept.c_str() : text.c_str();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next().map(stripped) else {
        return;
    };
    let Some(function) = node
        .enclosing_function()
        .filter(|around| around.has_role(Role::Function))
    else {
        return;
    };
    let returns = function
        .field("declarator")
        .map(|declarator| declarator.kind());
    let is_pointer = returns == Some("pointer_declarator");
    let is_reference = returns == Some("reference_declarator");
    let Some((name, how)) = escaping(value, is_pointer, is_reference) else {
        return;
    };
    let Some(variable) = declared(name)
        .filter(|variable| variable.is_local() && !variable.is_parameter && !variable.is_reference)
    else {
        return;
    };
    let wrong = match how {
        How::Address => !variable.kind.is_empty(),
        How::Array => variable.array.is_some(),
        How::Itself => variable.stars == 0 || is_reference,
        How::Text => {
            variable.stars == 0
                && matches!(
                    variable.kind.trim_start_matches("const ").trim(),
                    "std::string"
                        | "string"
                        | "std::ostringstream"
                        | "std::stringstream"
                        | "QByteArray"
                )
        }
    };
    if wrong {
        sink.report(
            node,
            format!(
                "The lifetime of The lifetime of `{}` ends with this function, but its address is returned.",
                quote(name.text())
            ),
        );
    }
}

enum How {
    Address,
    Array,
    Itself,
    Text,
}

fn stripped(value: Node<'_>) -> Node<'_> {
    let value = value.unparenthesised();
    match value
        .is(&["cast_expression"])
        .then(|| value.field("value"))
        .flatten()
    {
        Some(inner) => inner.unparenthesised(),
        None => value,
    }
}

fn escaping(value: Node<'_>, is_pointer: bool, is_reference: bool) -> Option<(Node<'_>, How)> {
    match value.kind() {
        "identifier" if is_pointer => Some((value, How::Array)),
        "identifier" if is_reference => Some((value, How::Itself)),
        "pointer_expression" if is_pointer && value.text().starts_with('&') => {
            let inner = value.field("argument")?.unparenthesised();
            let base = if inner.is(&["subscript_expression"]) {
                inner.field("argument")?
            } else {
                inner
            };
            let how = if inner.is(&["subscript_expression"]) {
                How::Array
            } else {
                How::Address
            };
            base.is(&["identifier"]).then_some((base, how))
        }
        "call_expression" if is_pointer => {
            let call = value.call()?;
            let receiver = call
                .receiver
                .filter(|receiver| receiver.is(&["identifier"]))?;
            (matches!(call.name, "c_str" | "data") && call.arguments.is_empty())
                .then_some((receiver, How::Text))
        }
        _ => None,
    }
}
