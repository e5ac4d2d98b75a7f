//! A replacement that should change every occurrence but changes only the first.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/replaces-only-the-first",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Replacement of only the first occurrence",
    why: "With a string as its pattern, `replace` changes only the first occurrence. A separator, a quote or a \
          bracket usually appears more than once, so the value is only partly escaped or converted.",
    fix: "Use `replaceAll`, or a regular expression with the `g` flag.",
    references: &[
        "CWE-116",
        "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/String/replaceAll",
    ],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const id = title.toLowerCase().replace(' ', '-');
^
+const safe = text.replace('<', '&lt;');
^
"#,
        r#"
path: src/a.ts
@@ function slug(title: string): string {
+  return title.trim().replace(" ", "-");
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const id = title.toLowerCase().replaceAll(' ', '-');
+const safe = text.replace(/</g, '&lt;');
+const name = path.replace('.js', '');
+const bare = path.replace('./', '');
"#,
        r#"
path: src/a.ts
@@ function slug(title: string): string {
   const old = title.replace(' ', '-');
+  return title.split(' ').join('-').replace(/\s+/g, '-');
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let first = node
        .field("arguments")
        .and_then(|list| list.named_children().next());
    if !first.is_some_and(|first| first.has_role(Role::Text)) {
        return;
    }
    let Some(call) = node
        .call()
        .filter(|call| call.name == "replace" && call.receiver.is_some())
    else {
        return;
    };
    let [pattern, with] = call.arguments.as_slice() else {
        return;
    };
    let is_separator = |text: &str| {
        matches!(
            text,
            " " | "_"
                | "-"
                | ","
                | ";"
                | "|"
                | "<"
                | ">"
                | "&"
                | "\\'"
                | "\\\""
                | "'"
                | "\""
                | "\\n"
                | "\\\\"
                | "\\t"
                | "+"
        )
    };
    let text = pattern.text();
    let inner = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    let inserts_other_text = with.string_value().is_some_and(|with| with != inner);
    let is_text = pattern.has_role(Role::Text) && is_separator(inner);
    if is_text && (inserts_other_text || with.text().len() == 2) && !is_repeated(node) {
        sink.report(
            node,
            format!(
                "Only the first {text} of `{}` is replaced.",
                call.receiver
                    .map_or_else(String::new, |of| quote(of.text()))
            ),
        );
    }
}

/// Whether a loop repeats it (a returned value is not repeated), or a split has left only one occurrence.
fn is_repeated(node: Node<'_>) -> bool {
    let of = node
        .call()
        .and_then(|call| call.receiver)
        .map_or("", Node::text);
    node.enclosing(Role::Loop).is_some() && node.enclosing(Role::Return).is_none()
        || of.contains("join(")
        || of.contains("split(")
        || of.contains(".to") && of.contains("Locale")
}
