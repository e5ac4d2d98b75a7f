//! Repetition of something that can be empty.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp::{self, Item};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-repeats-nothing",
    languages: regexp::LANGUAGES,
    title: "Repetition of a part that can be empty",
    why: "The repeated part matches the empty text too, so the repetition around it adds nothing, or the \
          engine has to break off an endless run of empty matches. One of the two quantifiers was not \
          meant.",
    fix: "Let the inner part match at least one character, or drop one quantifier.",
    priority: Priority::P3,
    category: Category::LogicBug,
    confidence: 0.6,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &[
        "path: src/a.js\n+const ok = /(a*)*b/.test(text);\n^\n",
        "path: src/a.py\n+pattern = re.compile(r\"(x?|y*)+z\")\n^\n",
    ],
    quiet: &["path: src/a.js\n+const ok = /(a+,?)*b/.test(text);\n+const other = /(?:a*b)*/.test(text);\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node).filter(|regexp| !regexp.is_verbose()) else { return };
    let Ok(tree) = regexp.parse() else { return };
    let is_empty_run = |item: &&Item| matches!(item, Item::Repeat(inner, _, None) if matches!(**inner, Item::Group(..)) && inner.can_be_empty());
    if tree.all().iter().any(is_empty_run) {
        sink.report(regexp.node, format!("`{}` repeats a group that can match nothing.", quote(&regexp.text)));
    }
}
