//! A write into a string literal.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::c::flow::{last_set, uncast};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/literal-written",
    languages: &["C", "C++"],
    title: "Write into a string literal",
    why: "Writing to a string literal is undefined behavior. Literals usually are in read-only memory, so the program \
          crashes, and equal literals may share storage, so the change appears elsewhere.",
    fix: "Copy the string into an array first, for example `char text[] = \"…\";`.",
    references: &["https://en.cppreference.com/w/c/language/string_literal"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["assignment_expression", "call_expression"]), run },
    positive: &[
        "+void run(void) {\n+    char *name = \"shop\";\n+    name[0] = 'S';\n^\n+    strcat(name, \"s\");\n^\n+    *name = 0;\n^\n+}\n",
        "+void mark(void) {\n+    char *line = \"done\";\n+    strcpy(line, \"open\");\n^\n+}\n",
    ],
    negative: &[
        "+void run(const char *from) {\n+    char name[] = \"shop\";\n+    name[0] = 'S';\n+    char *other = \"a\";\n+    other = malloc(4);\n+    other[0] = 'b';\n+    strcpy(other, \"c\");\n+    const char **list = all;\n+    list[0] = \"x\";\n+}\n",
        "+void run(void) {\n+    const char *name = \"shop\";\n+    char first = name[0];\n+    char copy[8];\n+    strcpy(copy, name);\n+    copy[0] = first;\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let target = if node.is(&["call_expression"]) {
        const WRITERS: &[&str] = &[
            "strcpy", "strcat", "strncpy", "strncat", "sprintf", "snprintf", "memset", "memcpy", "strtok", "fgets",
            "mktemp", "mkstemp",
        ];
        node.call()
            .filter(|call| WRITERS.contains(&call.callee.trim_start_matches("std::")))
            .and_then(|call| call.arguments.first().copied())
    } else {
        node.field("left").and_then(|left| match left.kind() {
            "subscript_expression" | "pointer_expression" => left.field("argument"),
            _ => None,
        })
    };
    let Some(target) = target.map(Node::unparenthesised).filter(|target| target.is(&["identifier"])) else { return };
    if last_set(target).map(uncast).is_some_and(|value| value.is(&["string_literal"])) {
        sink.report(
            node,
            format!("`{}` points to a string literal, which must not be modified.", quote(target.text())),
        );
    }
}
