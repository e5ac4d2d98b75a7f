//! Characters that consist of several units, in a character class.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::regexp::{self, Item, Part};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-class-splits-character",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Multi-unit character in a character class",
    why: "A character class matches a single unit. An emoji, a letter with a combining accent or a flag consists of \
          several, so the class matches only their parts, and parts of other characters too.",
    fix: "Set the `u` flag for an emoji, or write the characters as alternatives: `(?:a|b)`.",
    references: &[
        "CWE-185",
        "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Regular_expressions/Character_class",
    ],
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
+const ok = /^[👍]$/.test(text);
^
"#,
        r#"
path: src/a.js
+const ok = /[Á]/u.test(text);
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const ok = /^[👍]$/u.test(text);
+const both = /(?:👍|a)/.test(text);
"#,
        r#"
path: src/a.ts
@@ function clean(text: string) {
   const old = /[👍👎]/.test(text);
+  return text.replace(/[äöü]/g, "");
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) =
        regexp::find(node).filter(|regexp| !regexp.text.is_ascii() || regexp.text.contains("\\u"))
    else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let unicode = regexp.has_flag('u');
    for item in tree.all() {
        let Item::Class(_, parts) = item else {
            continue;
        };
        let chars: Vec<char> = parts
            .iter()
            .filter_map(|part| {
                if let Part::One(c, _) = part {
                    Some(*c)
                } else {
                    None
                }
            })
            .collect();
        let split = chars.iter().enumerate().any(|(place, c)| {
            (!unicode && u32::from(*c) > 0xffff) || (place > 0 && joins(*c, chars.get(place - 1)))
        });
        if split {
            sink.report(
                regexp.node,
                format!(
                    "A character class in `{}` contains a character of several units.",
                    quote(&regexp.text)
                ),
            );
            return;
        }
    }
}

/// Whether a character belongs to the one before it.
fn joins(c: char, before: Option<&char>) -> bool {
    let is_flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    let combining = matches!(c, '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}');
    let base = before.is_some_and(|base| base.is_alphanumeric() || u32::from(*base) > 0x2000);
    (combining && base) || (is_flag(c) && before.is_some_and(|before| is_flag(*before)))
}
