//! Control characters in regular expressions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item, Part};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-control-character",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Control character in a regular expression",
    why: "Control characters are very rare in text. Usually a backslash is missing or superfluous, and the pattern \
          does not match the intended input.",
    fix: "Write the intended escape, such as `\\n` or `\\d`.",
    references: &["CWE-185"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const ok = /\x1f/.test(text);
^
"#,
        r#"
path: src/a.ts
@@ function clean(text: string) {
+  return text.replace(/[\x01-\x06]/g, "");
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /\t\n\x20/.test(text);
"#,
        r#"
path: src/a.ts
@@ function clean(text: string) {
   const old = /\x1f/.test(text);
+  return text.replace(/[\r\n\u00a0]+/g, " ");
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else {
        return;
    };
    if !(regexp.text.contains("\\x")
        || regexp.text.contains("\\u")
        || regexp.text.chars().any(char::is_control))
    {
        return;
    }
    let Ok(tree) = regexp.parse() else { return };
    let odd = |c: char| {
        u32::from(c) < 0x20
            && !matches!(
                c,
                '\u{1b}' | '\n' | '\t' | '\r' | '\u{b}' | '\u{c}' | '\u{8}' | '\0'
            )
    };
    let found = tree.all().into_iter().any(|item| match item {
        Item::Char(c) => odd(*c),
        Item::Class(_, parts) => parts.iter().any(|part| match part {
            Part::One(c, _) => odd(*c),
            Part::Range(low, high) => odd(*low) || odd(*high),
            Part::Set(_) => false,
        }),
        _ => false,
    });
    if found {
        sink.report(
            regexp.node,
            format!("`{}` matches a control character.", quote(&regexp.text)),
        );
    }
}
