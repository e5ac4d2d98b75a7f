//! Script tags matched with a regular expression.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::regexp;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-to-filter-scripts",
    languages: regexp::LANGUAGES,
    title: "Script tags filtered by a regular expression",
    why: "Browsers accept far more forms of a tag than a pattern does: other case, white space or attributes in the \
          closing tag, and tags that appear once an inner one is removed. Any script that passes the filter runs.",
    fix: "Use a sanitizer that parses the markup, or escape the output.",
    references: &["CWE-79", "CWE-185"],
    priority: Priority::P3,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const safe = html.replace(/<script.*?>.*?<\/script>/gi, "");
^
"#,
        r#"
path: src/a.py
@@ def clean(html):
+    return re.sub(r"<script[^>]*>.*?</script>", "", html)
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern SCRIPT = Pattern.compile("<script.*?>.*?</script>");
^
 }
"#,
        r#"
path: src/A.cs
+string safe = Regex.Replace(html, @"<script.*?>.*?</script>", "");
^
"#,
        r#"
path: src/a.kt
+val safe = html.replace(Regex("<script.*?>.*?</script>"), "")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const safe = DOMPurify.sanitize(html);
+const tag = /<div>/.test(html);
"#,
        r#"
path: src/a.py
@@ def clean(html):
     old = re.sub(r"<script[^>]*>.*?</script>", "", html)
+    return nh3.clean(re.sub(r"<br */?>", " ", html))
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern SCRIPT = Pattern.compile("<div>");
 }
"#,
        r#"
path: src/A.cs
+string safe = Regex.Replace(html, @"<div>", "");
"#,
        r#"
path: src/a.kt
+val safe = html.replace(Regex("<div>"), "")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else {
        return;
    };
    let text = regexp.text.to_ascii_lowercase();
    if text.contains("<script") && (text.contains("/script") || text.contains(r"\/script")) {
        sink.report(
            regexp.node,
            "A regular expression does not match all script tags that a browser accepts.",
        );
    }
}
