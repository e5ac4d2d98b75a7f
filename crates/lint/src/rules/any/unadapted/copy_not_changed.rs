//! A line that was changed in several places and left unchanged in one.

use std::collections::BTreeMap;

use review::{Category, LineKind, Priority};

use crate::change::squeeze;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/copy-not-changed",
    languages: &[],
    title: "Copy of a changed line left unchanged",
    why: "The change gives identical lines in several places the same new form, but leaves one copy as it was. Copies \
          that are changed together usually all have to change.",
    fix: "Change the copy too, or document why it differs.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function f(a) {\n-  send(a, options.timeout);\n+  send(a, options.limit);\n^\n   wait(a);\n-  send(a, options.timeout);\n+  send(a, options.limit);\n   wait(a);\n   send(a, options.timeout);\n }\n",
    ],
    negative: &[
        "path: src/a.js\n function f(a) {\n-  send(a, options.timeout);\n+  send(a, options.limit);\n   wait(a);\n   send(a, options.timeout);\n }\n",
        "path: src/a.js\n function f(a) {\n-  send(a, options.timeout);\n+  send(a, options.limit);\n   wait(a);\n-  send(a, options.timeout);\n+  send(a, options.limit);\n }\n",
    ],
};

/// Letters and digits that a line needs to be distinctive.
const TELLING: usize = 12;

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let mut changed = BTreeMap::<(String, String), Vec<&review::Line<'_>>>::new();
    for (old, new) in context.pairs() {
        let key = (squeeze(old.text), squeeze(new.text));
        if key.0 != key.1 && key.0.chars().filter(|c| c.is_alphanumeric()).count() >= TELLING && key.0.contains('(') {
            changed.entry(key).or_default().push(new);
        }
    }
    for ((old, _), places) in changed.into_iter().filter(|(_, places)| places.len() >= 2) {
        let is_copy = |line: &&review::Line<'_>| line.kind == LineKind::Context && squeeze(line.text) == old;
        let copies: Vec<_> = context.lines().iter().filter(is_copy).collect();
        if let ([copy], Some(place)) = (copies.as_slice(), places.first()) {
            let line = copy.new.map(|line| format!(" in line {line}")).unwrap_or_default();
            let summary = format!(
                "This line was changed in {} places; its copy `{}`{line} was not.",
                places.len(),
                quote(copy.text)
            );
            sink.report(*place, summary);
        }
    }
}
