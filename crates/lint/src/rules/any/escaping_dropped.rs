//! A call that makes a value safe, dropped from around it.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/escaping-dropped",
    languages: &[],
    title: "Escaping or normalising dropped",
    why: "The value was escaped, encoded, cleaned or normalised before it was used, and now it is used as it \
          comes. If any part of it comes from outside, it can break out of the text that it is put into, or pass a \
          check that it should not.",
    fix: "Keep the call, or escape at the place where the value is put out.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.6,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.js\n function row(user) {\n-  return '<td>' + escapeHtml(user.name) + '</td>';\n+  return '<td>' + user.name + '</td>';\n^\n }\n",
        "path: src/a.php\n-$path = basename($name);\n+$path = $name;\n^\n include_file($path);\n",
    ],
    quiet: &[
        "path: src/a.js\n function row(user) {\n-  return '<td>' + escapeHtml(user.name) + '</td>';\n+  return '<td>' + escape(user.name) + '</td>';\n }\n",
        "path: src/a.js\n function row(user) {\n-  return trim(user.name);\n+  return user.name;\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for dropped in context.dropped_wrappers().into_iter().filter(|dropped| vocabulary::makes_safe(dropped.name)) {
        let (name, value) = (dropped.name, quote(dropped.value.text()));
        sink.report(dropped.now, format!("`{value}` is no longer passed through `{name}`: it is used as it comes."));
    }
}
