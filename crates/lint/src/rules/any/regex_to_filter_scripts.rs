//! Script tags looked for with a regular expression.

use review::{Category, Priority};

use crate::node::Node;
use crate::regexp;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-to-filter-scripts",
    languages: regexp::LANGUAGES,
    title: "Script tags filtered by a regular expression",
    why: "Browsers read tags far more generously than a pattern does: other case, white space or \
          attributes in the closing tag, tags that appear once the inner one was cut out. What the filter \
          lets through runs.",
    fix: "Use a sanitiser that parses the markup, or show the text escaped.",
    priority: Priority::P3,
    category: Category::Security,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(regexp::KINDS), run },
    fires: &["path: src/a.js\n+const safe = html.replace(/<script.*?>.*?<\\/script>/gi, \"\");\n^\n"],
    quiet: &["path: src/a.js\n+const safe = DOMPurify.sanitize(html);\n+const tag = /<div>/.test(html);\n"],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(regexp) = regexp::find(node) else { return };
    let text = regexp.text.to_ascii_lowercase();
    if text.contains("<script") && (text.contains("/script") || text.contains(r"\/script")) {
        sink.report(regexp.node, "A regular expression cannot find script tags as browsers read them.");
    }
}
