//! Promises, functions and objects used as a string or a number.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/object-in-text",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Promise, function or object used as a string",
    why: "In a string a promise becomes \"[object Promise]\", an object \"[object Object]\" and a function its source; \
          in arithmetic they become NaN. Usually an await, a call or a property access is missing.",
    fix: "Await the promise, call the function, or access the intended property.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "template_substitution", "binary_expression", "unary_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+async function load() {}
+function title() {
+  return `from ${load()}`;
^
+}
"#,
        r#"
+const sizes = { a: 1 };
+log("sizes: " + sizes);
^
+const half = -sizes;
^
"#,
        r#"
+function count() { return 1; }
+const next = count - 1;
^
"#,
    ],
    negative: &[
        r#"
+function name() {
+  return 1;
+}
+function list(all) {
+  for (var name = 0; name < all.length; name++) {
+    all[name].mark();
+  }
+  return all.length - name;
+}
"#,
        r#"
+async function load() {}
+async function title() {
+  return `from ${await load()}`;
+}
"#,
        r#"
+const sizes = { a: 1 };
+log("sizes: " + sizes.a + JSON.stringify(sizes));
+const more = { toString() { return "x"; } };
+log(`${more} ${[1, 2]} ${new Date() - start}`);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let parts: Vec<Node<'_>> = match node.kind() {
        "template_substitution" => {
            let is_tagged = node
                .parent()
                .and_then(Node::parent)
                .is_some_and(|around| around.is(&["call_expression"]));
            node.named_children().filter(|_| !is_tagged).collect()
        }
        "unary_expression" => {
            let is_minus = node
                .children()
                .next()
                .is_some_and(|sign| matches!(sign.text(), "-" | "~"));
            node.field("argument")
                .filter(|_| is_minus)
                .into_iter()
                .collect()
        }
        _ => {
            let operator = node
                .field("operator")
                .map_or("", |operator| operator.text());
            let counts = matches!(operator, "+" | "-" | "*" | "/" | "%" | "**");
            ["left", "right"]
                .into_iter()
                .filter_map(|name| node.field(name))
                .filter(|_| counts)
                .collect()
        }
    };
    for part in parts.into_iter().map(Node::unparenthesised) {
        if !part.is(&["identifier", "call_expression", "member_expression"]) {
            continue;
        }
        let all = types(part);
        if let [only] = all.as_slice()
            && is_useless(*only)
        {
            let message = format!(
                "`{}` is {}: its string or number value is meaningless here.",
                quote(part.text()),
                only.described()
            );
            sink.report(part, message);
            return;
        }
    }
}

fn is_useless(of: Type<'_>) -> bool {
    match of {
        Type::Promise(_) | Type::Function(_) | Type::Collection => true,
        Type::Object(Some(of)) => {
            of.is(&["object"])
                && !of.text().contains("toString")
                && !of.text().contains("valueOf")
                && !of.text().contains("...")
                && !of.text().contains("toPrimitive")
        }
        _ => false,
    }
}
