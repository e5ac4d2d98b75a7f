//! Scripts that no longer stop at the first error.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, Line, LineKind, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "shell/error-exit-removed",
    languages: &["Shell"],
    title: "Script no longer stops at an error",
    why: "A command that fails is ignored, and the following ones run on its leftovers: a migration on a database that \
          is not there, a release of a build that failed.",
    fix: "Keep `set -e`, and write `|| true` after a command that may fail.",
    references: &["https://www.gnu.org/software/bash/manual/html_node/The-Set-Builtin.html"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: start.sh
 #! /usr/bin/env bash
 
-set -e
^
 set -x
 
 python prepare.py
"#,
        r#"
path: start.sh
 #!/bin/bash
-set -euo pipefail
+set -u
^
 
"#,
        r#"
path: start.sh
-#!/bin/bash -e
+#!/bin/bash
^
 
 cd /srv
"#,
        r#"
path: start.sh
-set -eo pipefail
+set -e
^
"#,
    ],
    negative: &[
        r#"
path: start.sh
 #!/bin/bash
-set -e
+set -euo pipefail
 
"#,
        r#"
path: start.sh
-#!/bin/bash -e
+#!/bin/bash
+set -o errexit
 
"#,
        r#"
path: start.sh
 build
-set +e
-try_it
-set -e
"#,
        r#"
path: start.sh
-#!/bin/bash
-set -e
-build
"#,
        r#"
path: start.sh
-set -eo pipefail
+set -e
+set -o pipefail
"#,
    ],
};

#[derive(Debug, Clone, Copy, Default)]
struct Options {
    exits: bool,
    pipes: bool,
}

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let lines = context.lines();
    let mut stays = Options::default();
    for line in lines.iter().filter(|line| line.kind != LineKind::Removed) {
        let own = options(line.text);
        stays = Options {
            exits: stays.exits || own.exits,
            pipes: stays.pipes || own.pipes,
        };
    }
    // A part that ran with `set +e` had to enable it again.
    let toggles = lines
        .iter()
        .any(|line| line.text.trim_start().starts_with("set +"));
    let has_rest = lines
        .iter()
        .any(|line| line.kind != LineKind::Removed && !line.text.trim().is_empty());
    if toggles || !has_rest {
        return;
    }
    for edit in context.edits() {
        for old in &edit.removed {
            let was = options(old.text);
            let lost = match (was.exits && !stays.exits, was.pipes && !stays.pipes) {
                (true, _) => "The script continues after a failed command: `set -e` is gone.",
                (false, true) => {
                    "The script no longer notices that a command in a pipeline failed: `pipefail` is gone."
                }
                _ => continue,
            };
            let is_setting = |line: &&&Line<'_>| {
                line.text.starts_with("#!") || line.text.trim_start().starts_with("set ")
            };
            let place = edit.added.iter().find(is_setting).unwrap_or(old);
            sink.report(*place, lost);
            return;
        }
    }
}

/// The options that a line enables: `set -euo pipefail`, `set -o errexit`, `#!/bin/bash -e`.
fn options(line: &str) -> Options {
    let text = line.trim();
    let flags = match (text.strip_prefix("set "), text.strip_prefix("#!")) {
        (Some(rest), _) => rest,
        (None, Some(rest)) => rest.split_once(" -").map_or("", |(_, flags)| flags),
        _ => return Options::default(),
    };
    let is_shebang = text.starts_with("#!");
    let words = flags.split([' ', ';', '&']).take_while(|word| *word != "#");
    let has_letter = |word: &str| {
        let letters = if is_shebang {
            Some(word.trim_start_matches('-'))
        } else {
            word.strip_prefix('-')
        };
        letters.is_some_and(|letters| {
            letters.len() <= 6
                && letters.contains('e')
                && letters.bytes().all(|byte| byte.is_ascii_lowercase())
        })
    };
    let mut found = Options::default();
    for word in words {
        found.exits |= word == "errexit" || has_letter(word) && word != "pipefail";
        found.pipes |= word == "pipefail";
    }
    found
}
