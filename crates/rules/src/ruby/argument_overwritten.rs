//! A parameter that is overwritten before it is read.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "ruby/argument-overwritten",
    languages: &["Ruby"],
    title: "Parameter overwritten before it is read",
    why: "The argument that the caller passes is discarded before the method uses it. Either another variable was \
          intended as the target, or the value was intended as a default.",
    fix: "Assign a separate variable, or use `||=` for a default.",
    references: &["CWE-563"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method", "singleton_method", "block", "do_block"]),
        run,
    },
    positive: &[
        r#"
+def total(size)
+  size = 4
^
+  size * 2
+end
"#,
        r#"
+rows.each do |row|
+  row = find(1)
^
+  show(row)
+end
"#,
    ],
    negative: &[
        r#"
+def total(size)
+  size = size.to_i
+  size * 2
+end
"#,
        r#"
+def total(size, *)
+  log(size)
+  size = 4
+  size
+end
+def other(a)
+  if b
+    a = 1
+  end
+  a
+end
+def more(a = nil)
+  a ||= 3
+  a += 1
+end
+def last(a)
+  super
+  a = 1
+end
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(parameters), Some(body)) = (node.field("parameters"), node.field("body")) else {
        return;
    };
    let statements: Vec<Node<'_>> = body.named_children().take(12).collect();
    for parameter in parameters.named_children() {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "optional_parameter" | "keyword_parameter" => parameter.field("name"),
            _ => None,
        };
        let Some(name) = name.filter(|name| !name.text().starts_with('_')) else {
            continue;
        };
        if let Some(lost) = overwritten(&statements, name.text()) {
            sink.report(
                lost,
                format!(
                    "The argument `{}` is overwritten here before it is read.",
                    quote(name.text())
                ),
            );
        }
    }
}

/// The first statement that mentions the name, if it only assigns it.
fn overwritten<'t>(statements: &[Node<'t>], name: &str) -> Option<Node<'t>> {
    let mentions = |node: Node<'_>| {
        node.descendants().chain([node]).any(|inner| {
            inner.is(&["identifier"]) && inner.text() == name
                || inner.is(&["super", "yield"])
                || inner.text() == "binding"
        })
    };
    let first = statements
        .iter()
        .copied()
        .find(|statement| mentions(*statement))?;
    let is_set =
        first.is(&["assignment"]) && first.field("left").is_some_and(|left| left.text() == name);
    let is_read = first.field("right").is_none_or(mentions);
    (is_set && !is_read).then_some(first)
}
