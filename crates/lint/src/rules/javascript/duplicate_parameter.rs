//! Functions with two parameters of the same name.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/duplicate-parameter",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Two parameters of the same name",
    why: "The name means the last of them; the first argument can never be read. In strict code and in modules it is a \
          syntax error.",
    fix: "Give each parameter its own name.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["formal_parameters"]), run },
    positive: &["+function add(a, b, a) {\n^\n+  return a + b;\n+}\n"],
    negative: &["+function add(a, _, _, { b }) {\n+  return (a, c) => a + b + c;\n+}\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for parameter in node.named_children() {
        let name = parameter.any_field(&["pattern", "left"]).unwrap_or(parameter);
        if !name.is(&["identifier"]) || name.text().chars().all(|c| c == '_') {
            continue;
        }
        if seen.contains(&name.text()) {
            let message = format!("Another parameter is called `{}` too: that one can never be read.", name.text());
            sink.report(name, message);
            return;
        }
        seen.push(name.text());
    }
}
