//! A copy of a known size into an array that is smaller.

use review::{Category, Priority};

use crate::c_types::{declared, number};
use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "c/copy-past-the-end",
    languages: &["C", "C++"],
    title: "More written than the array holds",
    why: "What does not fit goes into the memory behind the array: other variables, the heap's own data or the return address.",
    fix: "Limit the copy with sizeof of the destination, or make the array larger.",
    priority: Priority::P0,
    category: Category::Security,
    confidence: 0.92,
    tests: Tests::Include,
    check: Check::Node { on: On::Roles(&[Role::Call]), run },
    fires: &[
        "+void fill(void) {\n+    char name[8];\n+    strcpy(name, \"unnamed!\");\n^\n+    memset(name, 0, 16);\n^\n+    fgets(name, 80, stdin);\n^\n+}\n",
        "+void copy(const char *from) {\n+    int values[4];\n+    memcpy(values, from, 32);\n^\n+    sprintf(values_text, \"%d\", values[0]);\n+}\n",
    ],
    quiet: &[
        "+void fill(const char *from) {\n+    char name[8];\n+    int values[4];\n+    strcpy(name, \"unnamed\");\n+    memset(name, 0, 8);\n+    memset(values, 0, 16);\n+    memcpy(name, from, sizeof name);\n+    fgets(name, 8, stdin);\n+    snprintf(name, sizeof(name), \"%s\", from);\n+}\n",
    ],
};

/// Functions that fill their first argument, and the place of the count.
const LIMITED: &[(&str, usize)] = &[
    ("memset", 2),
    ("memcpy", 2),
    ("memmove", 2),
    ("strncpy", 2),
    ("snprintf", 1),
    ("fgets", 1),
    ("wmemset", 2),
    ("strlcpy", 2),
    ("bzero", 1),
    ("vsnprintf", 1),
    ("stpncpy", 2),
    ("gethostname", 1),
    ("getcwd", 1),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let name = call.callee.trim_start_matches("std::");
    let (target, wanted) = if let Some((_, place)) = LIMITED.iter().find(|(known, _)| *known == name) {
        let Some(count) = call.arguments.get(*place) else { return };
        (call.arguments.first(), number(*count))
    } else if matches!(name, "read" | "recv") {
        let Some(count) = call.arguments.get(2) else { return };
        (call.arguments.get(1), number(*count))
    } else if name == "strcpy" {
        (call.arguments.first(), call.arguments.get(1).and_then(|text| length_of(*text)))
    } else if name == "sprintf" && call.arguments.len() == 2 {
        (
            call.arguments.first(),
            call.arguments.get(1).filter(|text| !text.text().contains('%')).and_then(|text| length_of(*text)),
        )
    } else {
        return;
    };
    let (Some(target), Some(wanted)) = (target.map(|target| target.unparenthesised()), wanted) else { return };
    let Some(room) = room(target) else { return };
    if wanted > room && room > 1 {
        sink.report(
            node,
            format!("`{}` holds {room} bytes, and up to {wanted} are written to it.", quote(target.text())),
        );
    }
}

/// Bytes that a literal takes with its terminating zero.
fn length_of(text: Node<'_>) -> Option<u64> {
    let value = text.is(&["string_literal"]).then(|| text.text().strip_prefix('"')?.strip_suffix('"')).flatten()?;
    let mut count = 1;
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            // Numeric escapes have several digits; nobody needs them here.
            if chars.next()?.is_ascii_digit() {
                return None;
            }
        }
        count += c.len_utf8() as u64;
    }
    Some(count)
}

/// Bytes that an array holds.
fn room(target: Node<'_>) -> Option<u64> {
    let variable = declared(target)?;
    if variable.stars > 0 || variable.is_parameter {
        return None;
    }
    let width = match variable.kind.trim_start_matches("const ").trim() {
        "char" | "unsigned char" | "signed char" | "uint8_t" | "int8_t" | "bool" => 1,
        "short" | "unsigned short" | "uint16_t" | "int16_t" => 2,
        "int" | "unsigned" | "unsigned int" | "float" | "uint32_t" | "int32_t" => 4,
        "double" | "long long" | "unsigned long long" | "uint64_t" | "int64_t" => 8,
        _ => return None,
    };
    let is_nested = variable.node.descendants().filter(|part| part.is(&["array_declarator"])).count() > 1;
    variable.length()?.checked_mul(width).filter(|_| !is_nested)
}
