//! Invalid escape sequences.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/unknown-escape",
    languages: &["Python"],
    title: "Invalid escape sequence",
    why: "Python keeps the backslash of an unknown escape sequence, with a warning that will become an error. In a \
          path or a regular expression the next letter decides whether the backslash is kept or lost.",
    fix: "Use a raw string (r prefix), or double the backslash.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["string"]),
        run,
    },
    positive: &[
        r#"
+PATTERN = "\d+"
^
"#, r#"
+path = "C:\Programs"
^
"#,
    ],
    negative: &[
        r#"
+PATTERN = r"\d+"
+text = "a\n\t\x41\u0041\\d \N{DASH}"
+more = "a\
+b"
"#,
        r#"
@@ def f(text):
     old = re.match("\d+", text)
+    return re.match(rb"\d+", text) or text == "\\d" or text == '\'\"\t'
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text();
    let Some(start) = text.find(['"', '\'']) else {
        return;
    };
    let prefix = text.get(..start).unwrap_or_default().to_ascii_lowercase();
    if prefix.contains('r') || !text.contains('\\') {
        return;
    }
    let is_bytes = prefix.contains('b');
    for content in node
        .named_children()
        .filter(|child| child.is(&["string_content"]))
    {
        let mut chars = content.text().chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                continue;
            }
            let Some(next) = chars.next() else { break };
            let known = matches!(
                next,
                '\n' | '\r'
                    | '\\'
                    | '\''
                    | '"'
                    | 'a'
                    | 'b'
                    | 'f'
                    | 'n'
                    | 'r'
                    | 't'
                    | 'v'
                    | 'x'
                    | '0'..='7'
            ) || (!is_bytes && matches!(next, 'N' | 'u' | 'U'));
            if !known {
                sink.report(
                    content,
                    format!(
                        "`\\{}` is not an escape sequence: the backslash stays in the string.",
                        next.escape_default()
                    ),
                );
                return;
            }
        }
    }
}
