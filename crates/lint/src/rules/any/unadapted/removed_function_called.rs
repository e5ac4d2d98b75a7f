//! A function that is gone while a call to it remains.

use review::{Category, Priority};

use crate::facts::Namesakes;
use crate::rule::{Check, DiffSink, Rule, Tests, shown_path};
use crate::semantics::vocabulary::words_of;

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-function-called",
    languages: &[
        "Python",
        "JavaScript",
        "TypeScript",
        "TSX",
        "PHP",
        "Ruby",
        "Go",
        "C",
        "C++",
        "Java",
        "C#",
        "Rust",
    ],
    title: "Call to a removed function",
    why: "The change removes or renames a function, and this call still uses the old name. In a language without a \
          compiler, that fails only when the line runs.",
    fix: "Call the replacement, or keep the function.",
    references: &[],
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Diff { run },
    positive: &[
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n+def load_table(path):\n+    return read(path)\n \n def show(path):\n     return load_rows(path)\n^\n",
        "path: src/store.js\n-export function loadRows(path) {\n-  return read(path);\n-}\n export const size = 1;\npath: src/show.js\n import { loadRows } from './store';\n+log(1);\n show(loadRows('a'));\n^\n",
    ],
    negative: &[
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n+from store import load_rows\n \n def show(path):\n     return load_rows(path)\n",
        "path: src/store.js\n-export function loadRows(path) {\n-  return read(path);\n-}\n export const size = 1;\npath: src/rows.js\n+export function loadRows(path) {\n+  return read(path);\n+}\npath: src/show.js\n+import { loadRows } from './rows';\n show(loadRows('a'));\n",
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n \n def show(path):\n     return store.load_rows(path)\n",
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    if names
        .definitions()
        .iter()
        .any(|(_, definition)| definition.after.is_some())
    {
        return;
    }
    let mut removed = names.meant(|definition| definition.name.len() >= 4);
    for (file, call) in names.calls() {
        let Some((home, definition)) = removed.find(file, call, |_, _, _| true) else {
            continue;
        };
        // A name of a single word may refer to another function in another file.
        if home.file != file.file && words_of(&definition.name).len() < 2 {
            continue;
        }
        let now = definition
            .replaced_by
            .as_ref()
            .map(|now| format!("; `{now}` replaced it"));
        let place = if home.file == file.file {
            String::new()
        } else {
            format!(" from `{}`", shown_path(&home.path))
        };
        let summary = format!(
            "`{}` was removed{place} but is still called here{}.",
            definition.name,
            now.unwrap_or_default()
        );
        sink.report(file, call.line, summary);
    }
}
