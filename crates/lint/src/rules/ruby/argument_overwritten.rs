//! A parameter that gets another value before anybody looked at it.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "ruby/argument-overwritten",
    languages: &["Ruby"],
    title: "Argument overwritten before it is read",
    why: "What the caller hands over is thrown away before anybody looked at it. Either another variable was to be set, or the value was \
          to be a default.",
    fix: "Set a variable of its own, or write ||= where a default is meant.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["method", "singleton_method", "block", "do_block"]), run },
    fires: &[
        "+def total(size)\n+  size = 4\n^\n+  size * 2\n+end\n",
        "+rows.each do |row|\n+  row = find(1)\n^\n+  show(row)\n+end\n",
    ],
    quiet: &[
        "+def total(size)\n+  size = size.to_i\n+  size * 2\n+end\n",
        "+def total(size, *)\n+  log(size)\n+  size = 4\n+  size\n+end\n+def other(a)\n+  if b\n+    a = 1\n+  end\n+  a\n+end\n+def more(a = nil)\n+  a ||= 3\n+  a += 1\n+end\n+def last(a)\n+  super\n+  a = 1\n+end\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(parameters), Some(body)) = (node.field("parameters"), node.field("body")) else { return };
    let statements: Vec<Node<'_>> = body.named_children().take(12).collect();
    for parameter in parameters.named_children() {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "optional_parameter" | "keyword_parameter" => parameter.field("name"),
            _ => None,
        };
        let Some(name) = name.filter(|name| !name.text().starts_with('_')) else { continue };
        if let Some(lost) = overwritten(&statements, name.text()) {
            sink.report(lost, format!("What was handed over as `{}` is overwritten here unread.", quote(name.text())));
        }
    }
}

/// The first statement that mentions the name, if all that it does is to set it.
fn overwritten<'t>(statements: &[Node<'t>], name: &str) -> Option<Node<'t>> {
    let mentions = |node: Node<'_>| {
        node.descendants().chain([node]).any(|inner| {
            inner.is(&["identifier"]) && inner.text() == name
                || inner.is(&["super", "yield"])
                || inner.text() == "binding"
        })
    };
    let first = statements.iter().copied().find(|statement| mentions(*statement))?;
    let is_set = first.is(&["assignment"]) && first.field("left").is_some_and(|left| left.text() == name);
    let is_read = first.field("right").is_none_or(mentions);
    (is_set && !is_read).then_some(first)
}
