//! List elements without a key.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/list-item-without-key",
    languages: &["JavaScript", "TSX"],
    title: "List element without a key",
    why: "React identifies list elements by key, and falls back to their position. After an insertion or a sort, \
          input, focus and state then end up on the wrong element.",
    fix: "Give each element a stable key, such as the item's id.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call_expression", "array"]),
        run,
    },
    positive: &[
        r#"
path: src/a.jsx
+const List = ({ rows }) => rows.map((row) => <li>{row.name}</li>);
^
"#,
        r#"
path: src/a.jsx
+const List = ({ rows }) => rows.map((row) => {
+  return <Row data={row} />;
^
+});
"#,
    ],
    negative: &[
        r#"
path: src/a.jsx
+const List = ({ rows }) => rows.map((row) => <li key={row.id}>{row.name}</li>);
+const More = ({ rows }) => rows.map((row) => <Row {...row} />);
+const one = <p>a</p>;
+const none = rows.map((row) => row.name);
"#,
        r#"
path: src/a.jsx
@@ function List({ rows }) {
   const old = rows.map((row) => <li>{row.name}</li>);
+  rows.forEach((row) => draw(<li>{row.name}</li>));
+  return <ul>{rows.map((row) => { return <Row key={row.id} data={row} />; })}</ul>;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["array"]) {
        let elements: Vec<Node<'_>> = node.named_children().collect();
        for element in elements
            .into_iter()
            .filter(|_| node.named_children().count() > 1)
        {
            report(element, sink);
        }
        return;
    }
    let Some(call) = node.call() else { return };
    let callback = match call.name {
        "map" | "flatMap" => call.arguments.first(),
        "from" if call.callee == "Array.from" => call.arguments.get(1),
        _ => None,
    };
    let Some(body) = callback
        .filter(|callback| callback.is(&["arrow_function", "function_expression"]))
        .and_then(|callback| callback.field("body"))
    else {
        return;
    };
    if call.callee.ends_with("Children.map") {
        return;
    }
    if !body.is(&["statement_block"]) {
        report(body, sink);
        return;
    }
    for way in body
        .descendants()
        .filter(|node| node.has_role(Role::Return))
    {
        let own = !way
            .ancestors()
            .take_while(|around| *around != body)
            .any(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda));
        if let Some(value) = way.named_children().next().filter(|_| own) {
            report(value, sink);
        }
    }
}

/// Reports the elements that a value can be, if they have no key.
fn report(value: Node<'_>, sink: &mut Sink<'_>) {
    let value = value.unparenthesised();
    if value.is(&["ternary_expression"]) {
        let parts = [value.field("consequence"), value.field("alternative")];
        parts
            .into_iter()
            .flatten()
            .for_each(|part| report(part, sink));
        return;
    }
    if let Some(binary) = value.binary() {
        report(binary.right, sink);
        return;
    }
    let opening = if value.is(&["jsx_element"]) {
        value.child_of_kind(&["jsx_opening_element"])
    } else {
        Some(value).filter(|value| value.is(&["jsx_self_closing_element"]))
    };
    let Some(opening) = opening else { return };
    let has_key = opening
        .named_children()
        .any(|child| child.text().starts_with("key=") || child.text().starts_with("{..."));
    if !has_key {
        sink.report(
            opening,
            format!(
                "`{}` is a list element without a key.",
                quote(opening.text())
            ),
        );
    }
}
