//! The same character twice in a character class.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item, Part};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-class-member-twice",
    languages: regexp::LANGUAGES,
    title: "Duplicate character in a character class",
    why: "A character class is a set, so the second occurrence has no effect. Often another character is intended, or \
          a group of alternatives is written in square brackets.",
    fix: "Remove the duplicate, write the intended character, or use `(a|b)`.",
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
+const ok = /[password|user]/.test(name);
^
"#,
        r#"
path: src/a.py
+PATTERN = re.compile("[a-zdA-Z]")
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("[password|user]");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"[password|user]");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("[password|user]")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /[pasword]/.test(name);
"#,
        r#"
path: src/a.py
@@ def words(text):
     old = re.findall("[a-zdA-Z]", text)
+    return re.findall(r"[a-z0-9_]+(?:-[a-z0-9_]+)*", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("[pasword]");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"[pasword]");
"#,
        r#"
path: src/a.kt
+val name = Regex("[pasword]")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    for item in tree.all() {
        let Item::Class(_, parts) = item else {
            continue;
        };
        let twice = parts.iter().enumerate().find(|(place, part)| {
            parts
                .iter()
                .take(*place)
                .chain(parts.iter().skip(place + 1))
                .any(|other| covers(other, part))
        });
        if let Some((_, Part::One(c, _))) = twice {
            sink.report(
                regexp.node,
                format!(
                    "`{}` appears more than once in a character class of `{}`.",
                    c.escape_default(),
                    quote(&regexp.text)
                ),
            );
            return;
        }
    }
}

fn covers(other: &Part, part: &Part) -> bool {
    match (other, part) {
        (Part::One(a, _), Part::One(b, _)) => a == b,
        (Part::Range(low, high), Part::One(c, _)) => {
            (low..=high).contains(&c) && c.is_ascii_alphanumeric()
        }
        _ => false,
    }
}
