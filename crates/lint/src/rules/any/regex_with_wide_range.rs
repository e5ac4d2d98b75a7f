//! Ranges in classes that take in more than they say.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item, Part};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-wide-range",
    languages: regexp::LANGUAGES,
    title: "Range in a class that takes in too much",
    why: "A range goes by the numbers of the characters. Between `Z` and `a` lie brackets, the caret and \
          the backtick; from a sign to a sign there may be all digits and letters. A check with such a \
          class lets through what was to be kept out.",
    fix: "Write separate ranges, such as A-Za-z, and escape or move a hyphen that is meant as one.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &[
        "path: src/a.js\n+const ok = /^[A-z]+$/.test(name);\n^\n",
        "path: src/a.py\n+PATTERN = re.compile(r\"[\\w,+-=]\")\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n+const ok = /^[A-Za-z0-9_-]+$/.test(name);\n+const printable = /[ -~]/;\n+const high = /[\\u0080-\\uffff]/;\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else { return };
    let Ok(tree) = regexp.parse() else { return };
    for item in tree.all() {
        let Item::Class(_, parts) = item else { continue };
        let wide = parts.iter().find_map(|part| match part {
            Part::Range(low, high) if is_wide(*low, *high) => Some((*low, *high)),
            _ => None,
        });
        if let Some((low, high)) = wide {
            sink.report(
                regexp.node,
                format!("`{low}-{high}` in `{}` takes in other characters than it seems to.", quote(&regexp.text)),
            );
            return;
        }
    }
}

/// Whether a range of ASCII signs goes from one kind of character into another.
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
    let takes_in = (low..=high).any(|c| c.is_ascii_alphanumeric());
    first != last || (first == 4 && takes_in)
}
