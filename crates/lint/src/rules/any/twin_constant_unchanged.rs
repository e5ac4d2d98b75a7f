//! A constant was changed and another one of the same name and value was not.

use std::collections::HashMap;

use review::facts::{Constant, Facts};
use review::{Category, Priority};

use crate::facts::{DiffContext, DiffSink};
use crate::rule::{Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/twin-constant-unchanged",
    languages: &[],
    title: "Constant changed, its twin was not",
    why: "The same name has the same value at another place of this diff, and only one of the two was changed. Two \
          copies of one decision now disagree.",
    fix: "Change both, or let one place take the value from the other.",
    priority: Priority::P3,
    category: Category::LogicBug,
    confidence: 0.4,
    tests: Tests::Skip,
    check: Check::Diff { run },
    fires: &[
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\n^\npath: src/server.py\n RETRY_LIMIT = 30\n+log(1)\n",
        "path: src/a.js\n-function get(url, timeoutMillis = 3000) {\n+function get(url, timeoutMillis = 9000) {\n^\n   return ask(url);\n }\n+log(1);\n function put(url, timeoutMillis = 3000) {\n   return tell(url);\n }\n",
    ],
    quiet: &[
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\npath: src/server.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\n+log(1)\n",
        "path: src/client.py\n-RETRY_LIMIT = 30\n+RETRY_LIMIT = 60\npath: src/server.py\n RETRY_LIMIT = 10\n+log(1)\n",
    ],
};

fn run(context: &DiffContext<'_>, sink: &mut DiffSink<'_>) {
    let all = || context.files().iter().flat_map(|own| own.constants.iter().map(move |constant| (own, constant)));
    let mut kept: HashMap<(u64, u64), (&Facts, &Constant)> = HashMap::new();
    for (own, constant) in all().filter(|(_, constant)| constant.changed.is_none()) {
        kept.entry((constant.name, constant.before)).or_insert((own, constant));
    }
    for (own, constant) in all() {
        let twin = kept.get(&(constant.name, constant.before)).filter(|(twin, _)| twin.family == own.family);
        if let (Some((name, before, after)), Some((twin, there))) = (&constant.changed, twin) {
            let place = format!("{}:{}", twin.path, there.line);
            sink.report(
                own,
                constant.line,
                format!("`{name}` went from {before} to {after} here and is still {before} in `{place}`."),
            );
        }
    }
}
