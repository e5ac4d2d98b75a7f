//! Members of an enum that have the same value.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "typescript/duplicate-enum-value",
    languages: &["TypeScript", "TSX"],
    title: "Two members of an enum with the same value",
    why: "The two cannot be told apart: a switch reaches the first one only, and the name of a value is that of the last \
          one. Mostly a line was copied.",
    fix: "Give each member a value of its own.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["enum_body"]), run },
    positive: &["+enum Level {\n+  Low = 1,\n+  Middle = 2,\n+  High = 1,\n^\n+}\n"],
    negative: &["+enum Level {\n+  Low = 1,\n+  Middle = 2,\n+  High = \"1\",\n+  Default = Low,\n+}\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for member in node.named_children().filter(|member| member.is(&["enum_assignment"])) {
        let Some(value) = member.field("value").filter(|value| value.is(&["number", "string"])) else { continue };
        if seen.contains(&value.text()) {
            sink.report(member, format!("Another member of this enum has the value {} already.", value.text()));
        }
        seen.push(value.text());
    }
}
