//! A variable format without arguments: an untrusted string is interpreted as a format.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/format-not-constant",
    languages: &["C", "C++"],
    title: "Variable string passed as a format",
    why: "Each `%` in the string is interpreted as a conversion. In an untrusted string, `%s` and `%x` read the stack \
          and `%n` writes to memory; even a harmless `100%` prints garbage.",
    fix: "Print it with a constant format, as in `printf(\"%s\", text)`, or use `fputs`.",
    references: &["CWE-134"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+void warn_user(const char *message) {
+    printf(message);
^
+}
"#,
        r#"
@@ int main(int argc, char **argv)
-    printf("%s", argv[1]);
+    fprintf(stderr, argv[1]);
^
"#,
    ],
    negative: &[
        r#"
+void warn_user(const char *message, const char *fmt) {
+    printf("%s", message);
+    printf(_("done"));
+    printf(USAGE);
+    printf(fmt);
+    printf(fmt, message);
+}
"#,
        r#"
+void show(void) {
+    const char *text = "done\n";
+    printf(text);
+}
"#,
    ],
};

const PLACES: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("sprintf", 1),
    ("snprintf", 2),
    ("syslog", 1),
    ("dprintf", 1),
    ("wprintf", 0),
    ("fwprintf", 1),
    ("printk", 0),
    ("g_print", 0),
    ("g_printerr", 0),
    ("errx", 1),
    ("warnx", 0),
    ("err", 1),
    ("warn", 0),
    ("asprintf", 1),
    ("swprintf", 2),
    ("vprintf", 0),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let name = call.callee.trim_start_matches("std::");
    let Some((_, place)) = PLACES.iter().find(|(known, _)| *known == name) else {
        return;
    };
    if call.arguments.len() != place + 1 {
        return;
    }
    if let Some(format) = call
        .arguments
        .last()
        .map(|format| format.unparenthesised())
        .filter(|format| is_text_from_elsewhere(*format))
    {
        sink.report(
            node,
            format!(
                "`{}` is passed as a format: each % in it is interpreted as a conversion.",
                quote(format.text())
            ),
        );
    }
}

fn is_text_from_elsewhere(format: Node<'_>) -> bool {
    let is_named_format = |name: &str| {
        let lower = name.to_ascii_lowercase();
        lower.contains("fmt")
            || lower.contains("format")
            || lower.contains("usage")
            || lower.contains("help")
            || name.chars().all(|c| !c.is_ascii_lowercase())
    };
    match format.kind() {
        "identifier" => {
            !is_named_format(format.text())
                && declared(format).is_some_and(|variable| {
                    !variable
                        .value
                        .is_some_and(|value| value.is(&["string_literal", "concatenated_string"]))
                })
        }
        "subscript_expression" => format
            .field("argument")
            .is_some_and(|of| matches!(of.text(), "argv" | "args")),
        "field_expression" => !is_named_format(format.last_name()),
        "call_expression" => format.call().is_some_and(|call| {
            matches!(call.name, "getenv" | "c_str" | "data" | "strerror" | "what")
        }),
        _ => false,
    }
}
