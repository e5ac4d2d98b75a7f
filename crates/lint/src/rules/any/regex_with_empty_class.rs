//! Classes without a member.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-empty-class",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Empty class in a regular expression",
    why: "An empty class matches no character at all, so the whole pattern, or this branch of it, never \
          matches.",
    fix: "Write the characters that were meant, or escape the brackets.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.95,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &["path: src/a.js\n+const ok = /^abc[]/.test(text);\n^\n"],
    quiet: &["path: src/a.js\n+const ok = /^abc[\\]]/.test(text);\n+const any = /[^]/;\n+const both = /\\[]/;\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else { return };
    let Ok(tree) = regexp.parse() else { return };
    if tree.all().iter().any(|item| matches!(item, Item::Class(false, parts) if parts.is_empty())) {
        sink.report(
            regexp.node,
            format!("`{}` holds a class without members, which matches nothing.", quote(&regexp.text)),
        );
    }
}
