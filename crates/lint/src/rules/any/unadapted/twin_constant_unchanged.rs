//! A constant that was changed while another one of the same name and value was not.

use std::collections::HashMap;

use review::{Category, Priority};

use crate::facts::{Constant, Facts, Namesakes};
use crate::rule::{Check, DiffSink, Rule, Tests, shown_path};

pub(crate) const RULE: Rule = Rule {
    id: "any/twin-constant-unchanged",
    languages: &[],
    title: "Duplicate of a changed constant left unchanged",
    why: "A constant of the same name has the same value elsewhere in this diff, and only one of the two was changed. \
          Two copies of one decision now disagree.",
    fix: "Change both, or let one refer to the other.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Diff { run },
    positive: &[
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\n^\npath: src/server.py\n RETRY_LIMIT = 30\n+log(1)\n",
        "path: src/a.js\n-function get(url, timeoutMillis = 3000) {\n+function get(url, timeoutMillis = 9000) {\n^\n   return ask(url);\n }\n+log(1);\n function put(url, timeoutMillis = 3000) {\n   return tell(url);\n }\n",
    ],
    negative: &[
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\npath: src/server.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\n+log(1)\n",
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\npath: src/server.py\n RETRY_LIMIT = 10\n+log(1)\n",
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    let mut kept: HashMap<u64, (&Facts, &Constant)> = HashMap::new();
    for (own, constant) in names.constants().iter().filter(|(_, constant)| constant.changed.is_none()) {
        kept.entry(constant.before).or_insert((own, constant));
    }
    for (own, constant) in names.constants() {
        if let (Some((name, before, after)), Some((twin, there))) = (&constant.changed, kept.get(&constant.before)) {
            let place = format!("{}:{}", shown_path(&twin.path), there.line);
            sink.report(
                own,
                constant.line,
                format!("`{name}` changed from {before} to {after} here, but is still {before} in `{place}`."),
            );
        }
    }
}
