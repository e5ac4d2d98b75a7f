//! Backslashes in front of characters that need none.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/unknown-escape",
    languages: &["Python"],
    title: "Backslash that is no escape",
    why: "Python does not know this escape and leaves the backslash in the text, with a warning that is to become \
          an error. What was meant as a regular expression or a path changes its meaning with the next letter.",
    fix: "Write the text with r in front, or double the backslash.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["string"]), run },
    positive: &["+PATTERN = \"\\d+\"\n^\n", "+path = \"C:\\Programs\"\n^\n"],
    negative: &["+PATTERN = r\"\\d+\"\n+text = \"a\\n\\t\\x41\\u0041\\\\d \\N{DASH}\"\n+more = \"a\\\n+b\"\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text();
    let Some(start) = text.find(['"', '\'']) else { return };
    let prefix = text.get(..start).unwrap_or_default().to_ascii_lowercase();
    if prefix.contains('r') || !text.contains('\\') {
        return;
    }
    let is_bytes = prefix.contains('b');
    for content in node.named_children().filter(|child| child.is(&["string_content"])) {
        let mut chars = content.text().chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                continue;
            }
            let Some(next) = chars.next() else { break };
            let known = matches!(
                next,
                '\n' | '\r' | '\\' | '\'' | '"' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' | '0'..='7'
            ) || (!is_bytes && matches!(next, 'N' | 'u' | 'U'));
            if !known {
                sink.report(
                    content,
                    format!("`\\{}` is no escape: the backslash stays in the text.", next.escape_default()),
                );
                return;
            }
        }
    }
}
