//! A callback that ignores its error argument.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::mentions;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/callback-error-ignored",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Callback error ignored",
    why: "The callback receives an error as its first argument and never reads it. When the operation fails, the other \
          arguments are usually undefined, and the code continues with them.",
    fix: "Handle the error first, or pass it to the caller.",
    references: &["CWE-391"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Lambda, Role::Function]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+fs.readFile(path, (err, data) => {
^
+  show(data.toString());
+});
"#,
        r#"
path: src/a.js
+db.find(id, function (error, row) {
^
+  render(row);
+});
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+fs.readFile(path, (err, data) => {
+  if (err) return fail(err);
+  show(data.toString());
+});
"#,
        r#"
path: src/a.js
+fs.unlink(path, (err) => {});
+fs.unlink(path, (_err, data) => show(data));
+app.use((err, req, res, next) => {
+  res.status(500).end();
+});
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !node
        .parent()
        .is_some_and(|around| around.has_role(Role::Arguments))
    {
        return;
    }
    let (Some(list), Some(body)) = (node.field("parameters"), node.field("body")) else {
        return;
    };
    let parameters: Vec<Node<'_>> = list.named_children().collect();
    let [first, second, rest @ ..] = parameters.as_slice() else {
        return;
    };
    let name = first.names().next().map_or("", Node::text);
    let is_error =
        matches!(name, "err" | "error" | "er") && rest.len() <= 1 && !is_request(second.text());
    // `arguments` includes the error.
    let looks = mentions(body.text(), name) > 0 || mentions(body.text(), "arguments") > 0;
    if is_error
        && !looks
        && !body
            .text()
            .trim_matches(['{', '}', ' ', '\n', '\t'])
            .is_empty()
    {
        sink.report(
            *first,
            format!(
                "The callback never reads `{name}`, so it continues when the operation has failed."
            ),
        );
    }
}

fn is_request(name: &str) -> bool {
    matches!(
        name,
        "req" | "request" | "ctx" | "context" | "_req" | "instance" | "reply"
    )
}
