//! Class members that are defined twice.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/duplicate-class-member",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Duplicate class member",
    why: "The last definition silently wins; the first is never used. Usually a method was copied and its name not \
          changed.",
    fix: "Rename one of them, or delete it.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["class_body"]),
        run,
    },
    positive: &[
        "+class Cart {\n+  total() { return 1; }\n+  count() { return 2; }\n+  total() { return 3; }\n^\n+}\n",
        "path: src/b.ts\n+class Store {\n+  private items: string[] = [];\n+  private open = false;\n+  private items = new Map();\n^\n+}\n",
    ],
    negative: &[
        "+class Cart {\n+  get total() { return 1; }\n+  set total(x) {}\n+  static total() { return 3; }\n+  count() { return 2; }\n+}\n",
        "path: src/a.ts\n+class Cart {\n+  total(): number;\n+  total(x: number): number;\n+  total(x?: number) { return 3; }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<(&str, &str, bool)> = Vec::new();
    for member in node.named_children().filter(|member| {
        member.is(&[
            "method_definition",
            "field_definition",
            "public_field_definition",
        ])
    }) {
        let Some(name) = member
            .any_field(&["name", "property"])
            .filter(|name| !name.is(&["computed_property_name"]))
        else {
            continue;
        };
        let words = |word: &str| {
            member
                .children()
                .take_while(|child| child.index() < name.index())
                .any(|child| child.text() == word)
        };
        let kind = if words("get") {
            "get"
        } else if words("set") {
            "set"
        } else {
            ""
        };
        let text = name.string_value().unwrap_or(name.text());
        let clash = seen.iter().any(|(other, other_kind, other_static)| {
            *other == text
                && *other_static == words("static")
                && (*other_kind == kind || kind.is_empty() || other_kind.is_empty())
        });
        if clash {
            sink.report(
                name,
                format!(
                    "`{}` is already a member of this class: the first definition is lost.",
                    quote(text)
                ),
            );
        } else {
            seen.push((text, kind, words("static")));
        }
    }
}
