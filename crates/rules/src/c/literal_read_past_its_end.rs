//! A string literal with a length that is longer than the literal.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/literal-read-past-its-end",
    languages: &["C", "C++"],
    title: "Length greater than the string literal",
    why: "The call reads more bytes than the literal has, including its terminator. It reads unrelated memory after \
          the literal: the output contains stray bytes, or the comparison never succeeds.",
    fix: "Pass the length of the literal, preferably as `sizeof literal - 1`.",
    references: &["CWE-126"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.cpp
+static const auto marks = std::string(" \t", 5).find(c);
^
"#,
        r#"
path: src/a.c
@@ static int is_get(const char *line)
+	return memcmp(line, "GET ", 8) == 0;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.cpp
+static const auto marks = std::string(" \t\0", 3).find(c);
+static const auto all = std::string("\x41\101b", 4);
"#,
        r#"
path: src/a.c
@@ static int is_get(const char *line)
+	return memcmp(line, "GET", 4) == 0 && strncmp(line, "GET", 8) && memcmp(line, "a" "b", 4);
"#,
    ],
};

/// Functions that read as many bytes as their last argument says.
const READERS: &[&str] = &[
    "memcpy", "memmove", "memcmp", "bcmp", "mempcpy", "string", "string_view",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| READERS.contains(&call.name)) else {
        return;
    };
    let Some((length, values)) = call.arguments.split_last() else {
        return;
    };
    let Ok(asked) = length.text().parse::<usize>() else {
        return;
    };
    let is_text = values.len() == 1 || call.name.starts_with('m') || call.name == "bcmp";
    for literal in values.iter().filter(|_| is_text) {
        if let Some(size) = size(*literal).filter(|size| asked > *size) {
            let text = quote(literal.text());
            sink.report(
                *literal,
                format!(
                    "{text} has {size} bytes including its terminator, but the call reads {asked}."
                ),
            );
        }
    }
}

/// The bytes of a plain literal, including its terminator.
fn size(literal: Node<'_>) -> Option<usize> {
    let text = literal
        .text()
        .strip_prefix('"')?
        .strip_suffix('"')
        .filter(|_| literal.is(&["string_literal"]))?;
    let mut rest = text.bytes().peekable();
    let mut size = 1;
    while let Some(byte) = rest.next() {
        size += 1;
        if byte != b'\\' {
            continue;
        }
        match rest.next()? {
            b'x' => while rest.next_if(u8::is_ascii_hexdigit).is_some() {},
            b'0'..=b'7' => {
                for _ in 0..2 {
                    rest.next_if(|digit| (b'0'..=b'7').contains(digit));
                }
            }
            b'u' | b'U' | b'N' => return None,
            _ => {}
        }
    }
    Some(size)
}
