//! A shell command built from values.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/shell-command-built",
    languages: &["C", "C++"],
    title: "Shell command built from values",
    why: "The shell interprets the whole string as a program. A quote, semicolon or backtick in a value ends the \
          intended command and starts another, with the privileges of this process.",
    fix: "Start the program with `execv` or `posix_spawn`, and pass each value as a separate argument.",
    references: &["CWE-78"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+void archive(const char *name) {
+    char command[200];
+    snprintf(command, sizeof command, "tar czf %s.tgz", name);
+    system(command);
^
+}
"#,
        r#"
+int main(int argc, char **argv) {
+    return system(argv[1]);
^
+}
"#,
        r#"
path: src/a.cpp
+void archive(const std::string& name) {
+    system(("tar czf " + name).c_str());
^
+}
"#,
    ],
    negative: &[
        r#"
+void archive(int number) {
+    char command[200];
+    snprintf(command, sizeof command, "tar czf %d.tgz", number);
+    system(command);
+    system("make all");
+}
"#,
        r#"
path: src/a.cpp
+void archive(const std::string& name) {
+    const std::string command = "tar czf all.tgz .";
+    system(command.c_str());
+    std::string title = "tar czf " + name;
+    print(title);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| {
        matches!(
            call.callee.trim_start_matches("std::"),
            "system" | "popen" | "_popen" | "_wsystem" | "wordexp"
        )
    }) else {
        return;
    };
    let Some(command) = call
        .arguments
        .first()
        .map(|command| command.unparenthesised())
    else {
        return;
    };
    let is_outside = command.is(&["subscript_expression"])
        && command
            .field("argument")
            .is_some_and(|of| of.text() == "argv")
        || command.call().is_some_and(|inner| inner.callee == "getenv");
    let is_sum = command
        .call()
        .filter(|inner| matches!(inner.name, "c_str" | "data"))
        .and_then(|inner| inner.receiver)
        .is_some_and(is_concatenation);
    if is_outside || is_sum || is_filled(node, command) {
        sink.report(
            node,
            format!(
                "`{}` is built from values and run by a shell.",
                quote(command.text())
            ),
        );
    }
}

fn is_concatenation(receiver: Node<'_>) -> bool {
    let inner = receiver.unparenthesised();
    let has_text = inner.descendants().any(|part| part.is(&["string_literal"]));
    inner.binary().is_some_and(|binary| binary.operator == "+")
        && has_text
        && inner
            .descendants()
            .any(|part| part.is(&["identifier", "call_expression", "field_expression"]))
}

/// Whether a buffer was filled before by `sprintf` with `%s`, or by `strcat` with an argument that is not a literal.
fn is_filled(node: Node<'_>, command: Node<'_>) -> bool {
    if !command.is(&["identifier"]) {
        return false;
    }
    let Some(function) = node
        .enclosing(Role::Function)
        .or_else(|| node.tree().root())
    else {
        return false;
    };
    function
        .all(Role::Call)
        .take_while(|other| other.index() < node.index())
        .any(|other| {
            let Some(call) = other.call() else {
                return false;
            };
            let fills = call
                .arguments
                .first()
                .is_some_and(|first| first.says_same(command));
            let place = match call.callee.trim_start_matches("std::") {
                "sprintf" => 1,
                "snprintf" => 2,
                "strcat" | "strncat" => {
                    return fills
                        && call.arguments.get(1).is_some_and(|text| {
                            !text.is(&["string_literal"])
                                && text.text().chars().any(|c| c.is_ascii_lowercase())
                        });
                }
                _ => return false,
            };
            let is_text = |value: &Node<'_>| {
                !value.is(&["string_literal", "number_literal"])
                    && value.text().chars().any(|c| c.is_ascii_lowercase())
            };
            fills
                && call
                    .arguments
                    .get(place)
                    .is_some_and(|format| format.text().contains("%s"))
                && call.arguments.iter().skip(place + 1).any(is_text)
        })
}
