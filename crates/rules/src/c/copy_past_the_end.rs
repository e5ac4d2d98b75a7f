//! A copy of a known size into an array that is too small.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{Variable, declared, number};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/copy-past-the-end",
    languages: &["C", "C++"],
    title: "Write past the end of a buffer",
    why: "The excess bytes overwrite the memory after the buffer: other variables, the heap's own data or the return \
          address. An attacker who controls them may take over the program.",
    fix: "Limit the copy with `sizeof` of the destination, or make the buffer larger.",
    references: &["CWE-787"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+void fill(void) {
+    char name[8];
+    strcpy(name, "unnamed!");
^
+    memset(name, 0, 16);
^
+    fgets(name, 80, stdin);
^
+}
"#,
        r#"
+void wide(const char *from) {
+    wchar_t name[8];
+    char text[8];
+    char *p = malloc(5);
+    fgetws(name, sizeof(name), stdin);
^
+    memset(text, 0, sizeof(text) + 1);
^
+    memset(text + 2, 0, sizeof(text));
^
+    memcpy(p, from, 6);
^
+}
"#,
        r#"
+void copy(const char *from) {
+    int values[4];
+    memcpy(values, from, 32);
^
+    sprintf(values_text, "%d", values[0]);
+}
"#,
    ],
    negative: &[
        r#"
+void fill(const char *from) {
+    char name[8];
+    int values[4];
+    strcpy(name, "unnamed");
+    memset(name, 0, 8);
+    memset(values, 0, 16);
+    memcpy(name, from, sizeof name);
+    fgets(name, 8, stdin);
+    snprintf(name, sizeof(name), "%s", from);
+}
"#,
        r#"
+void wide(wchar_t *to, const char *from) {
+    wchar_t name[8];
+    char text[8];
+    fgetws(name, sizeof(name) / sizeof(*name), stdin);
+    memset(name, 0, sizeof(name));
+    memset(text + 2, 0, sizeof(text) - 2);
+    mbstowcs(to, from, sizeof(text) * 4);
+}
"#,
    ],
};

/// Functions with their buffer, their count, and the unit of the count in bytes.
const LIMITED: &[(&str, usize, usize, u64)] = &[
    ("memset", 0, 2, 1),
    ("memcpy", 0, 2, 1),
    ("memmove", 0, 2, 1),
    ("memchr", 0, 2, 1),
    ("strncpy", 0, 2, 1),
    ("snprintf", 0, 1, 1),
    ("fgets", 0, 1, 1),
    ("strlcpy", 0, 2, 1),
    ("bzero", 0, 1, 1),
    ("vsnprintf", 0, 1, 1),
    ("stpncpy", 0, 2, 1),
    ("gethostname", 0, 1, 1),
    ("getcwd", 0, 1, 1),
    ("strftime", 0, 1, 1),
    ("strxfrm", 0, 2, 1),
    ("setvbuf", 1, 3, 1),
    ("wcstombs", 0, 2, 1),
    ("mbtowc", 1, 2, 1),
    ("mblen", 0, 1, 1),
    ("mbrtowc", 1, 2, 1),
    ("mbrlen", 0, 1, 1),
    ("read", 1, 2, 1),
    ("recv", 1, 2, 1),
    ("pread", 1, 2, 1),
    ("recvfrom", 1, 2, 1),
    ("write", 1, 2, 1),
    ("send", 1, 2, 1),
    ("readlink", 1, 2, 1),
    ("strlcat", 0, 2, 1),
    ("memcpy_s", 0, 1, 1),
    ("strcpy_s", 0, 1, 1),
    ("strcat_s", 0, 1, 1),
    ("wmemset", 0, 2, WIDE),
    ("wmemcpy", 0, 2, WIDE),
    ("wmemmove", 0, 2, WIDE),
    ("wmemchr", 0, 2, WIDE),
    ("wcsncpy", 0, 2, WIDE),
    ("fgetws", 0, 1, WIDE),
    ("mbstowcs", 0, 2, WIDE),
    ("swprintf", 0, 1, WIDE),
    ("vswprintf", 0, 1, WIDE),
    ("wcsftime", 0, 1, WIDE),
    ("wcsxfrm", 0, 2, WIDE),
];

/// Bytes of a `wchar_t` on most systems (2 on Windows).
const WIDE: u64 = 4;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let name = call.callee.trim_start_matches("std::");
    let (target, wanted) = if let Some((_, target, place, width)) =
        LIMITED.iter().find(|(known, ..)| *known == name)
    {
        let Some(count) = call.arguments.get(*place).and_then(|count| size(*count)) else {
            return;
        };
        (call.arguments.get(*target), count.checked_mul(*width))
    } else if name == "strcpy" {
        (
            call.arguments.first(),
            call.arguments.get(1).and_then(|text| length_of(*text)),
        )
    } else if name == "sprintf" && call.arguments.len() == 2 {
        (
            call.arguments.first(),
            call.arguments
                .get(1)
                .filter(|text| !text.text().contains('%'))
                .and_then(|text| length_of(*text)),
        )
    } else {
        return;
    };
    let (Some(target), Some(wanted)) = (target.map(|target| target.unparenthesised()), wanted)
    else {
        return;
    };
    let Some(room) = room(target) else { return };
    if wanted > room && (room > 1 || target.is(&["binary_expression"])) {
        sink.report(
            node,
            format!(
                "`{}` holds {room} bytes, and this call may access {wanted}.",
                quote(target.text())
            ),
        );
    }
}

/// A constant size: numbers, `sizeof` of known variables and types, and arithmetic with these.
fn size(node: Node<'_>) -> Option<u64> {
    let node = node.unparenthesised();
    if let Some(plain) = number(node) {
        return Some(plain);
    }
    match node.kind() {
        "sizeof_expression" => {
            let of = node.any_field(&["value", "type"])?.unparenthesised();
            match of.kind() {
                "identifier" => declared(of).and_then(|variable| array_room(&variable)),
                "pointer_expression" | "subscript_expression" => {
                    let array = of.named_children().next()?;
                    width_of(
                        declared(array)
                            .filter(|variable| variable.array.is_some())?
                            .kind,
                    )
                }
                _ => width_of(of.text()),
            }
        }
        "binary_expression" => {
            let binary = node.binary()?;
            let (left, right) = (size(binary.left)?, size(binary.right)?);
            match binary.operator {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Bytes that a literal takes, including its terminator.
fn length_of(text: Node<'_>) -> Option<u64> {
    let value = text
        .is(&["string_literal"])
        .then(|| text.text().strip_prefix('"')?.strip_suffix('"'))
        .flatten()?;
    let mut count = 1;
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            // Numeric escapes have several digits and are not parsed here.
            if chars.next()?.is_ascii_digit() {
                return None;
            }
        }
        count += c.len_utf8() as u64;
    }
    Some(count)
}

/// Bytes available at a name, or at an offset from it.
fn room(target: Node<'_>) -> Option<u64> {
    if let Some(binary) = target.binary().filter(|binary| binary.operator == "+") {
        let variable = declared(binary.left.unparenthesised())?;
        let skipped = number(binary.right)?.checked_mul(width_of(variable.kind)?)?;
        return array_room(&variable)?.checked_sub(skipped);
    }
    let variable = declared(target)?;
    array_room(&variable).or_else(|| made_room(&variable, target))
}

/// Bytes that an array holds.
fn array_room(variable: &Variable<'_>) -> Option<u64> {
    if variable.stars > 0 || variable.is_parameter {
        return None;
    }
    let is_nested = variable
        .node
        .descendants()
        .filter(|part| part.is(&["array_declarator"]))
        .count()
        > 1;
    variable
        .length()?
        .checked_mul(width_of(variable.kind)?)
        .filter(|_| !is_nested)
}

/// Bytes that `malloc` returned, if the variable is not assigned again.
fn made_room(variable: &Variable<'_>, used: Node<'_>) -> Option<u64> {
    let mut value = variable
        .value
        .filter(|_| variable.stars == 1)?
        .unparenthesised();
    if value.is(&["cast_expression"]) {
        value = value.field("value")?;
    }
    let call = value
        .call()
        .filter(|call| matches!(call.callee, "malloc" | "alloca"))?;
    let function = used.enclosing(Role::Function)?;
    let name = used.text();
    let mut sets = function.all(Role::Assign).filter_map(Node::assignment);
    let is_set = sets.any(|set| set.target.text() == name && !set.target.is_inside(variable.node));
    (!is_set).then(|| size(*call.arguments.first()?)).flatten()
}

fn width_of(kind: &str) -> Option<u64> {
    Some(match kind.trim_start_matches("const ").trim() {
        "char" | "unsigned char" | "signed char" | "uint8_t" | "int8_t" | "bool" => 1,
        "short" | "unsigned short" | "uint16_t" | "int16_t" => 2,
        "int" | "unsigned" | "unsigned int" | "float" | "uint32_t" | "int32_t" => 4,
        "double" | "long long" | "unsigned long long" | "uint64_t" | "int64_t" => 8,
        "wchar_t" => WIDE,
        _ => return None,
    })
}
