//! A function is gone, and a call of it is still there.

use review::{Category, Priority};

use crate::facts::{DiffContext, DiffSink};
use crate::rule::{Check, Rule, Tests};
use crate::vocabulary::words_of;

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-function-called",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "PHP", "Ruby", "Go", "C", "C++", "Java", "C#", "Rust"],
    title: "Removed function is still called",
    why: "The change takes a function away, or gives it another name, and this call still asks for it by the old one. \
          Where no compiler looks, that is found only when the line runs.",
    fix: "Call what took its place, or keep the function.",
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    confidence: 0.6,
    tests: Tests::Include,
    check: Check::Diff { run },
    fires: &[
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n+def load_table(path):\n+    return read(path)\n \n def show(path):\n     return load_rows(path)\n^\n",
        "path: src/store.js\n-export function loadRows(path) {\n-  return read(path);\n-}\n export const size = 1;\npath: src/show.js\n import { loadRows } from './store';\n+log(1);\n show(loadRows('a'));\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n+from store import load_rows\n \n def show(path):\n     return load_rows(path)\n",
        "path: src/store.js\n-export function loadRows(path) {\n-  return read(path);\n-}\n export const size = 1;\npath: src/rows.js\n+export function loadRows(path) {\n+  return read(path);\n+}\npath: src/show.js\n+import { loadRows } from './rows';\n show(loadRows('a'));\n",
        "path: src/a.py\n-def load_rows(path):\n-    return read(path)\n \n def show(path):\n     return store.load_rows(path)\n",
    ],
};

fn run(context: &DiffContext<'_>, sink: &mut DiffSink<'_>) {
    for (home, definition) in context.changed().filter(|(_, definition)| definition.after.is_none()) {
        for (file, call) in context.calls_of(home, definition) {
            let is_defined = context.meant_by(file, call).any(|(_, other)| other.after.is_some());
            // A short name of one word means another thing in another file.
            let is_telling = home.file == file.file || words_of(&definition.name).len() >= 2;
            if is_defined || definition.name.len() < 4 || !is_telling {
                continue;
            }
            let now = definition.replaced_by.as_ref().map(|now| format!("; `{now}` stands in its place now"));
            let place = if home.file == file.file { String::new() } else { format!(" from `{}`", home.path) };
            let summary = format!(
                "`{}` was removed{place} and is still called here{}.",
                definition.name,
                now.unwrap_or_default()
            );
            let confidence = if home.file == file.file { 0.7 } else { 0.5 };
            sink.report(file, call.line, summary).confidence(confidence);
        }
    }
}
