//! Character classes without a member.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-empty-class",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Empty character class in a regular expression",
    why: "An empty class matches no character, so the whole pattern, or this branch of it, never matches.",
    fix: "Write the intended characters, or escape the brackets.",
    references: &["CWE-185"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const ok = /^abc[]/.test(text);
^
"#,
        r#"
path: src/a.ts
@@ function parse(text: string) {
+  return text.split(/[]|,/);
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^abc[\]]/.test(text);
+const any = /[^]/;
+const both = /\[]/;
"#,
        r#"
path: src/a.ts
@@ function parse(text: string) {
   const old = /^abc[]/.test(text);
+  return text.split(/[[\]]/);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    if tree
        .all()
        .iter()
        .any(|item| matches!(item, Item::Class(false, parts) if parts.is_empty()))
    {
        sink.report(
            regexp.node,
            format!(
                "`{}` contains an empty character class, which never matches.",
                quote(&regexp.text)
            ),
        );
    }
}
