//! Anchors that apply to only one alternative.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-anchor-in-one-alternative",
    languages: regexp::LANGUAGES,
    title: "Regex anchors limited to one alternative",
    why: "`^a|b$` matches a string that starts with `a` or ends with `b`, because concatenation binds tighter than \
          `|`. A check that seems to cover the whole string accepts anything around the alternatives.",
    fix: "Group the alternatives: `^(?:a|b)$`.",
    references: &["CWE-625"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const ok = /^jpg|png|gif$/.test(type);
^
"#,
        r#"
path: src/a.py
 def ok(host):
+    return re.search(r"^a\.com|b\.com$", host)
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^jpg|png|gif$");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^jpg|png|gif$");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("^jpg|png|gif$")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^(?:jpg|png|gif)$/.test(type);
+const trim = text.replace(/^\s+|\s+$/g, "");
+const both = /^a|^b/.test(x);
"#,
        r#"
path: src/a.py
@@ def ok(host):
     if re.search(r"^a|b$", host):
+        return re.search(r"^(a\.com|b\.com)$", host)
+    return re.search(r"a\.com|b\.com", host)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^(?:jpg|png|gif)$");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^(?:jpg|png|gif)$");
"#,
        r#"
path: src/a.kt
+val name = Regex("^(?:jpg|png|gif)$")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else {
        return;
    };
    let Ok(Item::Alternation(branches)) = regexp.parse() else {
        return;
    };
    let starts =
        |item: &Item| matches!(item, Item::Sequence(items) if items.first() == Some(&Item::Start));
    let ends =
        |item: &Item| matches!(item, Item::Sequence(items) if items.last() == Some(&Item::End));
    let words = |item: &Item| matches!(item, Item::Sequence(items) if items.iter().any(|item| matches!(item, Item::Char(c) if c.is_alphanumeric())));
    let (Some(first), Some(last)) = (branches.first(), branches.last()) else {
        return;
    };
    let middle_is_free = branches
        .iter()
        .skip(1)
        .take(branches.len().saturating_sub(2))
        .all(|branch| !starts(branch) && !ends(branch));
    let split = starts(first) && !ends(first) && ends(last) && !starts(last) && middle_is_free;
    if split && branches.iter().all(words) {
        sink.report(
            regexp.node,
            format!(
                "In `{}`, `^` applies only to the first alternative and `$` only to the last.",
                quote(&regexp.text)
            ),
        );
    }
}
