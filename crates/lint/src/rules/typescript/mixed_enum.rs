//! Enums whose members are of different kinds.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "typescript/mixed-enum",
    languages: &["TypeScript", "TSX"],
    title: "Enum with numbers and texts",
    why: "Numeric members can be looked up by value and compared with numbers, text members cannot. Code that handles \
          one kind silently fails for the other.",
    fix: "Use one kind of value for all members.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["enum_declaration"]), run },
    positive: &[
        "+enum Level {\n+  Low = 1,\n+  High = \"high\",\n^\n+}\n",
        "+enum Level {\n+  Low,\n+  High = `high`,\n^\n+}\n",
    ],
    negative: &[
        "+enum Level {\n+  Low = \"low\",\n+  High = \"high\",\n+}\n+enum Size {\n+  Small,\n+  Big = 1 << 2,\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node.field("body") else { return };
    let mut members = body.named_children().map(|member| (member, is_text(member)));
    let Some((_, Some(first))) = members.next() else { return };
    if let Some((member, _)) = members.find(|(_, text)| text.is_some_and(|text| text != first)) {
        sink.report(member, "This member is of another kind than the ones before: some are numbers, some are texts.");
    }
}

/// Whether a member is a text; `None` if that cannot be told.
fn is_text(member: Node<'_>) -> Option<bool> {
    if !member.is(&["enum_assignment"]) {
        return Some(false);
    }
    match member.field("value")?.kind() {
        "string" | "template_string" => Some(true),
        "number" | "unary_expression" | "binary_expression" => Some(false),
        _ => None,
    }
}
