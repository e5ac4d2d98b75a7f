//! The type of an expression as its language writes it, for rules that must not guess.

use super::python::types::{Kind, kind};
use super::{script, types};
use crate::language::Role;
use crate::tree::Node;

/// The type of an expression, as far as the hunk shows it: `byte[]`, `http.Header`, `str`, `number`. `None` means that
/// it is unknown.
pub fn type_name(node: Node<'_>) -> Option<String> {
    match node.tree().grammar().name() {
        "Java" | "C#" | "Kotlin" | "Go" => types::type_of(node),
        "Python" => python(node).map(str::to_owned),
        "JavaScript" | "TypeScript" | "TSX" => script(node)
            .or_else(|| constructed(node))
            .map(str::to_owned),
        _ => None,
    }
}

/// Whether a value is certainly a number, which cannot inject anything.
pub(crate) fn is_number(node: Node<'_>) -> bool {
    const NUMBERS: &[&str] = &[
        "int", "long", "short", "byte", "float", "double", "decimal", "Integer", "Long", "Short",
        "Double", "Int", "uint", "ulong", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64", "float32", "float64", "number",
    ];
    type_name(node).is_some_and(|name| NUMBERS.contains(&name.as_str()))
}

/// Whether the declared type of a parameter excludes syntax in its text: an identifier, a date, a boolean, one of a few
/// literals.
pub(crate) fn is_of_fixed_form(name: Node<'_>) -> bool {
    const PARAMETERS: &[&str] = &[
        "typed_parameter", "typed_default_parameter", "required_parameter", "optional_parameter",
        "formal_parameter", "parameter", "parameter_declaration", "simple_parameter",
    ];
    let Some(function) = name
        .ancestors()
        .find(|around| around.has_role(Role::Function))
    else {
        return false;
    };
    let declared = name
        .bindings_within(name.text(), function.inside())
        .next()
        .and_then(Node::parent);
    let written = declared
        .filter(|around| around.is(PARAMETERS))
        .and_then(|around| {
            around.field("type").or_else(|| {
                around
                    .named_children()
                    .last()
                    .filter(|_| around.is(&["parameter"]))
            })
        });
    written.is_some_and(is_fixed_type)
}

/// Whether a written type excludes syntax in its texts.
pub(crate) fn is_fixed_type(written: Node<'_>) -> bool {
    const TYPES: &[&str] = &[
        "UUID", "Guid", "bool", "boolean", "Boolean", "Bool", "date", "datetime", "Decimal",
        "LocalDate", "Instant", "DateTime", "BigDecimal", "BigInteger", "Uuid", "IpAddr",
        "Ipv4Addr", "Ipv6Addr", "NaiveDate", "u8", "u16", "u32", "u64", "usize", "i16", "i32",
        "i64", "isize", "f64", "size_t", "pid_t",
    ];
    let text = written.text().trim_start_matches([':', ' ']);
    let last = text
        .trim_end_matches('?')
        .rsplit(['.', ':'])
        .next()
        .unwrap_or(text);
    TYPES.contains(&last) || text.starts_with("Literal[")
}

fn python(node: Node<'_>) -> Option<&'static str> {
    if let Some(found) = kind(node) {
        return match found {
            Kind::Text => Some("str"),
            Kind::Bytes => Some("bytes"),
            Kind::Int => Some("int"),
            Kind::Float => Some("float"),
            Kind::Bool => Some("bool"),
            Kind::List => Some("list"),
            Kind::Dict => Some("dict"),
            _ => None,
        };
    }
    parameter(node).filter(|_| node.is(&["identifier"]))
}

/// The declared type of a name, if its only definition is a parameter of the enclosing function.
fn parameter(name: Node<'_>) -> Option<&'static str> {
    let function = name
        .ancestors()
        .find(|around| around.is(&["function_definition", "lambda"]))?;
    let mut bindings = name.bindings_within(name.text(), function.inside());
    let (only, None) = (bindings.next()?, bindings.next()) else {
        return None;
    };
    let declared = only
        .parent()
        .filter(|around| around.is(&["typed_parameter", "typed_default_parameter"]))?;
    ["str", "bytes", "int", "float", "bool", "list", "dict"]
        .into_iter()
        .find(|known| {
            declared
                .field("type")
                .is_some_and(|written| written.text() == *known)
        })
}

fn script(node: Node<'_>) -> Option<&'static str> {
    match script::types::only_type(node)? {
        script::types::Type::Text => Some("string"),
        script::types::Type::Number => Some("number"),
        script::types::Type::Bool => Some("boolean"),
        script::types::Type::Array(_) => Some("array"),
        _ => None,
    }
}

/// The class of the object that a constant is initialized with: `Headers` in `const headers = new Headers()`.
fn constructed(name: Node<'_>) -> Option<&str> {
    let declared = script::types::declared(name).filter(|_| name.is(&["identifier"]))?;
    let is_constant = declared
        .parent()
        .is_some_and(|around| around.text().starts_with("const "));
    let value = declared
        .field("value")
        .filter(|value| is_constant && value.is(&["new_expression"]))?;
    value.field("constructor").map(Node::text)
}

#[cfg(test)]
mod tests {
    use super::type_name;
    use crate::tree::testing::of_last;

    fn of(language: &str, code: &str, text: &str) -> Option<String> {
        of_last(language, code, text, type_name)
    }

    #[test]
    fn a_type_is_inferred_only_from_visible_code() {
        let known = |name: &str| Some(name.to_owned());
        let java = "class A {\n  char[] letters;\n  void f(byte[] raw) {\n    go(raw);\n    go(letters);\n    go(other);\n  }\n}\n";
        assert_eq!(of("Java", java, "raw"), known("byte[]"));
        assert_eq!(of("Java", java, "letters"), known("char[]"));
        assert_eq!(of("Java", java, "other"), None);
        let python = "def f(name: str, row):\n    size = len(row)\n    go(name, row, size)\n";
        assert_eq!(of("Python", python, "name"), known("str"));
        assert_eq!(of("Python", python, "size"), known("int"));
        assert_eq!(of("Python", python, "row"), None);
        let script = "function f(id: number, x) {\n  go(id, x);\n}\n";
        assert_eq!(of("TypeScript", script, "id"), known("number"));
        assert_eq!(of("TypeScript", script, "x"), None);
        let made =
            "const headers = new Headers();\nlet other = new Headers();\ngo(headers, other);\n";
        assert_eq!(of("JavaScript", made, "headers"), known("Headers"));
        assert_eq!(of("JavaScript", made, "other"), None);
        let go = "package a\n\nfunc f(r *http.Request, head http.Header) {\n\tgo2(r, head)\n}\n";
        assert_eq!(of("Go", go, "head"), known("http.Header"));
        assert_eq!(of("Go", go, "r"), known("*http.Request"));
    }
}
