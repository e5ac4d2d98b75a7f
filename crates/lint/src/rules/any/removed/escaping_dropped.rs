//! An escaping or normalizing call that was removed from around a value.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::semantics::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/escaping-dropped",
    languages: &[],
    title: "Escaping or normalization removed",
    why: "The value was escaped, encoded, sanitized or normalized before it was used, and is now used unchanged. If \
          any part of it is untrusted, it can inject syntax into the string that it is inserted into, or pass a check \
          that it should not.",
    fix: "Keep the call, or escape the value where it is output.",
    references: &["CWE-116"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function row(user) {\n-  return '<td>' + escapeHtml(user.name) + '</td>';\n+  return '<td>' + user.name + '</td>';\n^\n }\n",
        "path: src/a.php\n-$path = basename($name);\n+$path = $name;\n^\n include_file($path);\n",
    ],
    negative: &[
        "path: src/a.js\n function row(user) {\n-  return '<td>' + escapeHtml(user.name) + '</td>';\n+  return '<td>' + escape(user.name) + '</td>';\n }\n",
        "path: src/a.js\n function row(user) {\n-  return trim(user.name);\n+  return user.name;\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for dropped in context.dropped_wrappers().into_iter().filter(|dropped| vocabulary::makes_safe(dropped.name)) {
        let (name, value) = (dropped.name, quote(dropped.value.text()));
        sink.report(dropped.now, format!("`{value}` is no longer passed through `{name}`: it is used unchanged."));
    }
}
