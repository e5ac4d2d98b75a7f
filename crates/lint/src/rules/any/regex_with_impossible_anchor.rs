//! Anchors that can never hold.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-with-impossible-anchor",
    languages: regexp::LANGUAGES,
    title: "Anchor that can never hold",
    why: "`^` holds at the beginning of the text and `$` at its end. With a character in front of the one, \
          or behind the other, no text can match.",
    fix: "Escape the sign if it is meant as a character; else move it, or set the flag for several lines.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &[
        "path: src/a.js\n+const ok = /a^b/.test(text);\n^\n",
        "path: src/a.py\n+PATTERN = re.compile(r\"\\$[a-z]+$[0-9]+\")\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n+const ok = /a\\^b/.test(text);\n+const lines = /a$\\nb/m.test(text);\n+const opt = /(a|^)b(c|$)/.test(text);\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose() && !regexp.is_multiline()) else {
        return;
    };
    let Ok(tree) = regexp.parse() else { return };
    let takes = |item: &Item| !item.can_be_empty() && !matches!(item, Item::Group(..));
    let stuck = tree.all().into_iter().any(|item| {
        let Item::Sequence(items) = item else { return false };
        items.iter().enumerate().any(|(place, item)| match item {
            Item::Start => items.iter().take(place).any(takes),
            Item::End => items.iter().skip(place + 1).any(|next| takes(next) && *next != Item::Char('\n')),
            _ => false,
        })
    });
    if stuck {
        sink.report(regexp.node, format!("An anchor in `{}` can never hold: nothing matches.", quote(&regexp.text)));
    }
}
