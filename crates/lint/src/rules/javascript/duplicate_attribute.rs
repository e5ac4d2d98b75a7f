//! Tags that give the same attribute twice.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/duplicate-attribute",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "The same attribute twice on a tag",
    why: "The last one wins without a word, and what the first one says is lost. Mostly a line was copied and not changed.",
    fix: "Drop one of the two, or give it the name that was meant.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["jsx_opening_element", "jsx_self_closing_element"]), run },
    positive: &[
        "path: src/a.jsx\n+const box = <Box size={1} name=\"a\" size={2} />;\n^\n",
        "path: src/a.jsx\n+const box = <Box {...props} name=\"a\" {...props}>b</Box>;\n^\n",
    ],
    negative: &[
        "path: src/a.jsx\n+const box = <Box size={1} name=\"a\" {...props} {...more} />;\n+const two = <Box><Box size={1} /><Box size={1} /></Box>;\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for attribute in node.named_children().filter(|part| part.is(&["jsx_attribute", "jsx_expression"])) {
        let Some(name) = name_of(attribute) else { continue };
        if seen.contains(&name) {
            sink.report(attribute, format!("`{}` stands on this tag already: the first one is lost.", quote(name)));
        }
        seen.push(name);
    }
}

/// The name of an attribute, or all of a spread.
fn name_of(attribute: Node<'_>) -> Option<&str> {
    let first = attribute.named_children().next()?;
    if attribute.is(&["jsx_attribute"]) {
        return Some(first.text());
    }
    first.is(&["spread_element"]).then(|| attribute.text())
}
