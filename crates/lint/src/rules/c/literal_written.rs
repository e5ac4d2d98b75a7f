//! A write into a string literal.

use review::{Category, Priority};

use crate::c_flow::{last_set, uncast};
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "c/literal-written",
    languages: &["C", "C++"],
    title: "Write into a text that stands in the code",
    why: "String literals lie in memory that cannot be written, and equal ones may be one and the same: the program crashes, or a text \
          changes somewhere else.",
    fix: "Copy the text into an array first.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.92,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["assignment_expression", "call_expression"]), run },
    fires: &[
        "+void run(void) {\n+    char *name = \"shop\";\n+    name[0] = 'S';\n^\n+    strcat(name, \"s\");\n^\n+    *name = 0;\n^\n+}\n",
    ],
    quiet: &[
        "+void run(const char *from) {\n+    char name[] = \"shop\";\n+    name[0] = 'S';\n+    char *other = \"a\";\n+    other = malloc(4);\n+    other[0] = 'b';\n+    strcpy(other, \"c\");\n+    const char **list = all;\n+    list[0] = \"x\";\n+}\n",
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
            format!("`{}` points at a text in the code, which must not be written.", quote(target.text())),
        );
    }
}
