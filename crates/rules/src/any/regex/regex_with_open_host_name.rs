//! Host names with unescaped dots in regular expressions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-open-host-name",
    languages: regexp::LANGUAGES,
    title: "Unescaped dot in a host name pattern",
    why: "An unescaped dot matches every character, so `www.example.com` also matches `wwwXexample.com`, which an \
          attacker can register. The pattern then does not restrict where a link leads.",
    fix: "Escape the dots as `\\.`, and anchor the pattern at both ends.",
    references: &["CWE-625"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(regexp::KINDS),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+if (/^https?:\/\/www.example.com\//.test(url)) {
^
+  go(url);
+}
"#,
        r#"
path: src/a.py
 def ok(url):
+    return re.match(r"https://api.example.org/", url)
^
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^https://www.example.com/");
^
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^https://www.example.com/");
^
"#,
        r#"
path: src/a.kt
+val name = Regex("^https://www.example.com/")
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^https:\/\/www\.example\.com\//.test(url);
+const file = /a.computed/.test(x);
"#,
        r#"
path: src/a.py
@@ def ok(url):
     if re.match(r"https://api.example.org/", url):
+        return re.match(r"https://api[.]example[.]org/", url)
+    return url.startswith("https://www.example.org/")
"#,
        r#"
path: src/A.java
 class A {
+    private static final Pattern NAME = Pattern.compile("^https://www\\.example\\.com/");
 }
"#,
        r#"
path: src/A.cs
+bool ok = Regex.IsMatch(text, @"^https://www\.example\.com/");
"#,
        r#"
path: src/a.kt
+val name = Regex("^https://www\\.example\\.com/")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    const ENDS: &[&str] = &["com", "org", "net", "io", "dev", "co", "gov", "edu"];
    let Some(regexp) =
        regexp::find(node).filter(|regexp| ENDS.iter().any(|end| regexp.text.contains(end)))
    else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    for item in tree.all() {
        let Item::Sequence(items) = item else {
            continue;
        };
        let word = |from: usize| -> String {
            items
                .iter()
                .skip(from)
                .map_while(|item| {
                    if let Item::Char(c) = item {
                        c.is_ascii_alphanumeric().then_some(*c)
                    } else {
                        None
                    }
                })
                .collect()
        };
        let is_letter = |place: usize| matches!(items.get(place), Some(Item::Char(c)) if c.is_ascii_alphanumeric());
        let open = items.iter().enumerate().any(|(place, item)| {
            let host =
                *item == Item::Any && place >= 2 && is_letter(place - 1) && is_letter(place - 2);
            // `.com` itself, or a dot before `name.com`.
            let next = word(place + 1);
            let after = matches!(
                items.get(place + 1 + next.len()),
                Some(Item::Any | Item::Char('.'))
            )
            .then(|| word(place + 2 + next.len()));
            host && (ENDS.contains(&next.as_str())
                || after.is_some_and(|after| !next.is_empty() && ENDS.contains(&after.as_str())))
        });
        if open {
            sink.report(
                regexp.node,
                format!(
                    "A dot in the host name in `{}` matches any character.",
                    quote(&regexp.text)
                ),
            );
            return;
        }
    }
}
