//! Elements with the same attribute twice.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/duplicate-attribute",
    languages: &["JavaScript", "TSX"],
    title: "Duplicate attribute on an element",
    why: "The last attribute silently wins, and the value of the first is lost. Usually a line was copied and not \
          changed.",
    fix: "Remove one of the two, or correct its name.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["jsx_opening_element", "jsx_self_closing_element"]),
        run,
    },
    positive: &[
        r#"
path: src/a.jsx
+const box = <Box size={1} name="a" size={2} />;
^
"#,
        r#"
path: src/a.jsx
+const box = <Box {...props} name="a" {...props}>b</Box>;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.jsx
+const box = <Box size={1} name="a" {...props} {...more} />;
+const two = <Box><Box size={1} /><Box size={1} /></Box>;
"#,
        r#"
path: src/a.jsx
@@ function Cart({ size }) {
   return (
     <Box size={1} size={size}
+      name="a"
+      data-name="b"
     />
   );
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for attribute in node
        .named_children()
        .filter(|part| part.is(&["jsx_attribute", "jsx_expression"]))
    {
        let Some(name) = name_of(attribute) else {
            continue;
        };
        if seen.contains(&name) {
            sink.report(
                attribute,
                format!(
                    "`{}` is already an attribute of this element: the first value is lost.",
                    quote(name)
                ),
            );
        }
        seen.push(name);
    }
}

/// The name of an attribute, or the whole text of a spread.
fn name_of(attribute: Node<'_>) -> Option<&str> {
    let first = attribute.named_children().next()?;
    if attribute.is(&["jsx_attribute"]) {
        return Some(first.text());
    }
    first.is(&["spread_element"]).then(|| attribute.text())
}
