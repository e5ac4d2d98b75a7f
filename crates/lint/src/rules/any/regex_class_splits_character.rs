//! Characters of several parts in a class.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item, Part};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-class-splits-character",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Character of several parts in a class",
    why: "A class matches one unit. An emoji, a letter with a separate accent or a flag consists of \
          several: the class then matches the pieces, and finds halves of other characters.",
    fix: "Set the u flag, or write the characters as alternatives: (?:a|b).",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &[
        "path: src/a.js\n+const ok = /^[👍]$/.test(text);\n^\n",
        "path: src/a.js\n+const ok = /[Á]/u.test(text);\n^\n",
    ],
    quiet: &["path: src/a.js\n+const ok = /^[👍]$/u.test(text);\n+const both = /(?:👍|a)/.test(text);\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.text.is_ascii() || regexp.text.contains("\\u"))
    else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let unicode = regexp.has_flag('u');
    for item in tree.all() {
        let Item::Class(_, parts) = item else { continue };
        let chars: Vec<char> =
            parts.iter().filter_map(|part| if let Part::One(c, _) = part { Some(*c) } else { None }).collect();
        let split = chars
            .iter()
            .enumerate()
            .any(|(place, c)| (!unicode && u32::from(*c) > 0xffff) || (place > 0 && joins(*c, chars.get(place - 1))));
        if split {
            sink.report(
                regexp.node,
                format!("A class in `{}` holds a character that consists of several parts.", quote(&regexp.text)),
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
