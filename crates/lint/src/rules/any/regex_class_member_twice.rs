//! The same member twice in a class.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item, Part};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-class-member-twice",
    languages: regexp::LANGUAGES,
    title: "The same character twice in a class",
    why: "A class is a set: the second one has no effect. Often another character was meant, or a group of \
          alternatives was written in the wrong brackets.",
    fix: "Delete the second one, write the character that was meant, or use (a|b).",
    priority: Priority::P3,
    category: Category::LogicBug,
    confidence: 0.55,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &[
        "path: src/a.js\n+const ok = /[password|user]/.test(name);\n^\n",
        "path: src/a.py\n+PATTERN = re.compile(\"[a-zdA-Z]\")\n^\n",
    ],
    quiet: &["path: src/a.js\n+const ok = /[pasword]/.test(name);\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else { return };
    let Ok(tree) = regexp.parse() else { return };
    for item in tree.all() {
        let Item::Class(_, parts) = item else { continue };
        let twice = parts.iter().enumerate().find(|(place, part)| {
            parts.iter().take(*place).chain(parts.iter().skip(place + 1)).any(|other| covers(other, part))
        });
        if let Some((_, Part::One(c, _))) = twice {
            sink.report(
                regexp.node,
                format!("`{}` is in a class of `{}` more than once.", c.escape_default(), quote(&regexp.text)),
            );
            return;
        }
    }
}

fn covers(other: &Part, part: &Part) -> bool {
    match (other, part) {
        (Part::One(a, _), Part::One(b, _)) => a == b,
        (Part::Range(low, high), Part::One(c, _)) => (low..=high).contains(&c) && c.is_ascii_alphanumeric(),
        _ => false,
    }
}
