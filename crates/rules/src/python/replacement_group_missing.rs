//! Replacements that refer to a group missing from the pattern.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/replacement-group-missing",
    languages: &["Python"],
    title: "Replacement with an undefined group",
    why: "A number or name after a backslash refers to a group of the pattern. Without that group `re` raises an \
          error.",
    fix: "Refer to an existing group, or add the parentheses to the pattern.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call"]),
        run,
    },
    positive: &[
        r#"
+name = re.sub(r"(\w+) (\w+)", r"\2 \3", name)
^
+more = re.subn("a", r"\g<1>", name)
^
"#,
        r#"
@@ def swap(text):
+    return re.sub(r"(?:a)(b)", r"<\g<2>>", text)
^
"#,
    ],
    negative: &[
        r#"
+name = re.sub(r"(\w+) (\w+)", r"\2 \1", name)
+more = re.sub(r"(?P<a>x)\(", r"\g<a>\g<0>", name)
+other = re.sub(pattern, r"\3", name)
+octal = re.sub("a", "\1", name)
"#,
        r#"
@@ def swap(text):
     old = re.sub("a", r"\1", text)
+    return re.sub("(?P<key>a)=(b)", lambda match: match.group(2), text)
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| matches!(call.callee, "re.sub" | "re.subn"))
    else {
        return;
    };
    let (Some(pattern), Some(replacement)) = (call.arguments.first(), call.arguments.get(1)) else {
        return;
    };
    let raw = |text: &Node<'_>| text.text().starts_with(['r', 'R']);
    let (Some(pattern), Some(text)) = (
        pattern.string_value(),
        replacement.string_value().filter(|_| raw(replacement)),
    ) else {
        return;
    };
    if pattern.contains("(?P<") && text.contains("\\g<") && !text.contains("\\g<0") {
        return;
    }
    let count = groups(pattern);
    if let Some(wrong) = referred(text).into_iter().find(|number| *number > count) {
        sink.report(
            *replacement,
            format!("The replacement refers to group {wrong}, but the pattern has {count}."),
        );
    }
}

/// The number of capturing groups in a pattern.
fn groups(pattern: &str) -> usize {
    let mut count = 0;
    let mut in_class = false;
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let mut ahead = chars.clone();
                let captures = ahead.next() != Some('?')
                    || ahead.next() == Some('P') && ahead.next() == Some('<');
                count += usize::from(captures);
            }
            _ => {}
        }
    }
    count
}

/// The numbers of the groups that a replacement refers to.
fn referred(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once('\\') {
        let digits = tail.strip_prefix("g<").unwrap_or(tail);
        let end = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        found.extend(
            digits
                .get(..end)
                .and_then(|number| number.parse::<usize>().ok())
                .filter(|_| end <= 2),
        );
        let mut after = tail.chars();
        after.next();
        rest = after.as_str();
    }
    found
}
