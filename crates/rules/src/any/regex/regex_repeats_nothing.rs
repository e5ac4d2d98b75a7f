//! Repetition of a group that can be empty.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-repeats-nothing",
    languages: regexp::LANGUAGES,
    title: "Repetition of a possibly empty group",
    why: "The repeated group also matches the empty string, so the outer repetition adds nothing, or the engine has \
          to cut off an endless run of empty matches. One of the two quantifiers is probably a mistake.",
    fix: "Make the inner part match at least one character, or drop one quantifier.",
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
+const ok = /(a*)*b/.test(text);
^
"#,
        r#"
path: src/a.py
+pattern = re.compile(r"(x?|y*)+z")
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("(a*)*b");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"(a*)*b");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("(a*)*b")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /(a+,?)*b/.test(text);
+const other = /(?:a*b)*/.test(text);
"#,
        r#"
path: src/a.py
@@ def parse(text):
     old = re.match(r"(x?|y*)+z", text)
+    return re.match(r"(?:x*y)+z|(a?b)*", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("(a+,?)*b");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"(a+,?)*b");
"#,
        r#"
path: src/a.kt
+val name = Regex("(a+,?)*b")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let is_empty_run = |item: &&Item| matches!(item, Item::Repeat(inner, _, None) if matches!(**inner, Item::Group(..)) && inner.can_be_empty());
    if tree.all().iter().any(is_empty_run) {
        sink.report(
            regexp.node,
            format!(
                "`{}` repeats a group that can match the empty string.",
                quote(&regexp.text)
            ),
        );
    }
}
