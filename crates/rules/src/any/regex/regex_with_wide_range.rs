//! Ranges in character classes that include more than they seem to.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item, Part};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-wide-range",
    languages: regexp::LANGUAGES,
    title: "Character range with unintended members",
    why: "A range includes all characters between two character codes. Brackets, the caret and the backtick lie \
          between `Z` and `a`, and a range between two punctuation marks may include all digits and letters. A check \
          with such a class accepts input that it should reject.",
    fix: "Write separate ranges, such as `A-Za-z`, and escape or move a literal hyphen.",
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
+const ok = /^[A-z]+$/.test(name);
^
"#,
        r#"
path: src/a.py
+PATTERN = re.compile(r"[\w,+-=]")
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^[A-z]+$");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^[A-z]+$");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("^[A-z]+$")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^[A-Za-z0-9_-]+$/.test(name);
+const printable = /[ -~]/;
+const high = /[\u0080-\uffff]/;
"#,
        r#"
path: src/a.py
@@ def ok(text):
     old = re.match(r"[A-z]+", text)
+    return re.match(r"[\w,+=-]+", text) and re.match(r"[+\-=]", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^[A-Za-z0-9_-]+$");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^[A-Za-z0-9_-]+$");
"#,
        r#"
path: src/a.kt
+val name = Regex("^[A-Za-z0-9_-]+$")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    for item in tree.all() {
        let Item::Class(_, parts) = item else {
            continue;
        };
        let wide = parts.iter().find_map(|part| match part {
            Part::Range(low, high) if is_wide(*low, *high) => Some((*low, *high)),
            _ => None,
        });
        if let Some((low, high)) = wide {
            sink.report(
                regexp.node,
                format!(
                    "The range `{low}-{high}` in `{}` includes unrelated characters.",
                    quote(&regexp.text)
                ),
            );
            return;
        }
    }
}

/// Whether a range of ASCII characters extends from one kind of character into another.
fn is_wide(low: char, high: char) -> bool {
    let kind = |c: char| match c {
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '0'..='9' => 3,
        '!'..='~' => 4,
        _ => 0,
    };
    let (first, last) = (kind(low), kind(high));
    if first == 0 || last == 0 || (low == '!' && high == '~') {
        return false;
    }
    let has_alphanumeric = (low..=high).any(|c| c.is_ascii_alphanumeric());
    first != last || (first == 4 && has_alphanumeric)
}
