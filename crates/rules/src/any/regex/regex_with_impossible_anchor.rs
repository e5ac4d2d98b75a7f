//! Anchors that can never match.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-impossible-anchor",
    languages: regexp::LANGUAGES,
    title: "Regex anchor in an impossible position",
    why: "`^` matches at the beginning of the input and `$` at its end. With a character before `^` or after `$`, no \
          input matches.",
    fix: "Escape the character if it is a literal; otherwise move it, or set the multiline flag.",
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
+const ok = /a^b/.test(text);
^
"#,
        r#"
path: src/a.py
+PATTERN = re.compile(r"\$[a-z]+$[0-9]+")
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("a^b");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"a^b");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("a^b")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /a\^b/.test(text);
+const lines = /a$\nb/m.test(text);
+const opt = /(a|^)b(c|$)/.test(text);
"#,
        r#"
path: src/a.py
@@ def price(text):
     old = re.search(r"a$b", text)
+    return re.search(r"^\$\d+$", text) or re.search(r"[$^]\d", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("(a|^)b(c|$)");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"(a|^)b(c|$)");
"#,
        r#"
path: src/a.kt
+val name = Regex("(a|^)b(c|$)")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) =
        regexp::find(node).filter(|regexp| !regexp.is_verbose() && !regexp.is_multiline())
    else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let takes = |item: &Item| !item.can_be_empty() && !matches!(item, Item::Group(..));
    let stuck = tree.all().into_iter().any(|item| {
        let Item::Sequence(items) = item else {
            return false;
        };
        items.iter().enumerate().any(|(place, item)| match item {
            Item::Start => items.iter().take(place).any(takes),
            Item::End => items
                .iter()
                .skip(place + 1)
                .any(|next| takes(next) && *next != Item::Char('\n')),
            _ => false,
        })
    });
    if stuck {
        sink.report(
            regexp.node,
            format!(
                "An anchor in `{}` can never match, so neither can the pattern.",
                quote(&regexp.text)
            ),
        );
    }
}
