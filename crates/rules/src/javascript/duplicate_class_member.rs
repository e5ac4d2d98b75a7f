//! Class members that are defined twice.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

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
        r#"
+class Cart {
+  total() { return 1; }
+  count() { return 2; }
+  total() { return 3; }
^
+}
"#,
        r#"
path: src/b.ts
+class Store {
+  private items: string[] = [];
+  private open = false;
+  private items = new Map();
^
+}
"#,
    ],
    negative: &[
        r#"
+class Cart {
+  get total() { return 1; }
+  set total(x) {}
+  static total() { return 3; }
+  count() { return 2; }
+}
"#,
        r#"
path: src/a.ts
+class Cart {
+  total(): number;
+  total(x: number): number;
+  total(x?: number) { return 3; }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<(&str, &str, bool)> = Vec::new();
    for member in node.named_children().filter(|member| {
        member.is(&[
            "method_definition", "field_definition", "public_field_definition",
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
