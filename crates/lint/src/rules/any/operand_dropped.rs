//! A term that was dropped from a sum, a product or a mask.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/operand-dropped",
    languages: &[],
    title: "Term dropped from an expression",
    why: "A part of an arithmetic or bit expression is gone and the rest is as it was. The value is another one \
          now: a header not counted, a mask not applied, a guard against zero not added.",
    fix: "Say what the term was for, and keep it unless that has gone too.",
    priority: Priority::P3,
    category: Category::LogicBug,
    confidence: 0.4,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.py\n def mean(score, mask):\n-    return score / (mask.sum() + EPSILON)\n+    return score / (mask.sum())\n^\n",
        "path: src/a.c\n@@ static size_t need(size_t n)\n-\treturn n * sizeof(int) + HEADER;\n+\treturn n * sizeof(int);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n def mean(score, mask):\n-    return score / (mask.sum() + EPSILON)\n+    return score / (mask.sum() + TINY)\n",
        "path: src/a.py\n def mean(score):\n-    return \"a\" + \"b\"\n+    return \"a\"\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context.old.with_role(Role::Binary).filter(|node| node.touches_change()) {
        let Some(binary) = old.binary().filter(|binary| is_arithmetic(binary.operator)) else { continue };
        let (kept, lost) = match (context.kept(binary.left), context.kept(binary.right)) {
            (100, ..=34) => (binary.left, binary.right),
            (..=34, 100) => (binary.right, binary.left),
            _ => continue,
        };
        let is_text = old.all(Role::Text).next().is_some();
        let Some(now) = context.cover(kept).filter(|now| !is_text && now.is_usable() && now.touches_change()) else {
            continue;
        };
        let gained = context.fresh(now.statement()).next().is_some() || context.reappears(old);
        if !gained && lost.text() != "1" && context.only_takes_away(old) {
            let (term, rest) = (quote(lost.text()), quote(now.text()));
            sink.report(now, format!("The term `{term}` was dropped; `{rest}` is left."));
        }
    }
}

fn is_arithmetic(operator: &str) -> bool {
    matches!(operator, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | "//" | "**")
}
