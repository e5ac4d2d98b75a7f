//! Strings that are not valid regular expressions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Problem};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-invalid",
    languages: regexp::LANGUAGES,
    title: "Invalid regular expression",
    why: "The pattern cannot be compiled, so the line throws when it runs, possibly in code that rarely runs.",
    fix: "Correct the pattern; escape brackets and quantifiers that are literal characters.",
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
+const broken = new RegExp("(abc");
^
"#,
        r#"
path: src/a.py
 def f(text):
+    return re.search(r"*abc", text)
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("(abc");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"(abc");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("(abc")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+KEY = re.compile(r"key:\s*\"(\w+)\"")
"#,
        r#"
path: src/a.js
+const fine = new RegExp("\\(abc");
"#,
        r#"
path: src/a.py
+x = re.search(r"[*]abc{2,}", text)
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("(abc)");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"(abc)");
"#,
        r#"
path: src/a.kt
+val name = Regex("(abc)")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) =
        regexp::find(node).filter(|regexp| !regexp.is_literal && !regexp.is_verbose())
    else {
        return;
    };
    if let Err(Problem::Invalid(reason)) = regexp.parse() {
        sink.report(
            regexp.node,
            format!(
                "`{}` is not a valid regular expression: {reason}.",
                quote(&regexp.text)
            ),
        );
        return;
    }
    let is_javascript = node.tree().grammar().row().folder.ends_with("script");
    let flags = regexp.flags.trim_matches(['"', '\'', '`']);
    let quoted = flags.len() + 2 == regexp.flags.len();
    let wrong = |c: char| !"dgimsuvy".contains(c) || flags.matches(c).count() > 1;
    if is_javascript && quoted && flags.chars().any(wrong) {
        sink.report(
            regexp.node,
            format!(
                "`{}` is not a valid set of flags: the line throws an error.",
                quote(flags)
            ),
        );
    }
}
