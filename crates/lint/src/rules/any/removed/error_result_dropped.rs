//! An error that was read from a call and is now discarded.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-result-dropped",
    languages: &[],
    title: "Error result no longer checked",
    why: "The call reports failure through its result. The result used to be kept and is now ignored, so a failure goes \
          unnoticed.",
    fix: "Keep the result and check it.",
    references: &["CWE-252"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.go\n@@ func Load(p string) error {\n-\tdata, err := os.ReadFile(p)\n+\tdata, _ := os.ReadFile(p)\n^\n \treturn parse(data)\n }\n",
        "path: src/a.go\n@@ func Save(f *os.File) error {\n-\tif err := f.Sync(); err != nil {\n-\t\treturn err\n-\t}\n+\tf.Sync()\n^\n \treturn nil\n }\n",
        "path: src/a.rs\n fn load(p: &Path) -> Result<String, Error> {\n-    let text = fs::read_to_string(p)?;\n+    let text = fs::read_to_string(p).unwrap();\n^\n     Ok(text)\n }\n",
    ],
    negative: &[
        "path: src/a.go\n@@ func Load(p string) error {\n-\tdata, err := os.ReadFile(p)\n+\tdata, err = os.ReadFile(p)\n \treturn parse(data)\n }\n",
        "path: src/a.go\n@@ func Save(f *os.File) error {\n-\tif err := f.Sync(); err != nil {\n-\t\treturn err\n-\t}\n+\terr := f.Sync()\n+\tif err != nil {\n+\t\treturn err\n+\t}\n \treturn nil\n }\n",
        "path: src/a.rs\n fn load(p: &Path) -> Result<String, Error> {\n-    let text = fs::read_to_string(p).expect(\"there\");\n+    let text = fs::read_to_string(p).unwrap();\n     Ok(text)\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.with_role(Role::Assign).filter(|node| node.touches_change()) {
        let Some(assignment) = old.assignment() else { continue };
        let error = assignment.target.names().find(|name| is_error(name.text()) && context.new_of(*name).is_none());
        let call = assignment.value.all(Role::Call).next().filter(|call| context.similarity_to_new(*call) >= 99);
        let (Some(error), Some(call)) = (error, call) else { continue };
        let Some(now) = context.cover(call).filter(|now| now.is_usable() && now.touches_change()) else { continue };
        let still_kept = now.ancestors().find(|node| node.assignment().is_some()).and_then(Node::assignment);
        let thrown_away = match still_kept {
            Some(after) => after.target.text().split(',').any(|part| part.trim() == "_"),
            None => now.statement().statements().first().is_some_and(|first| *first == now),
        };
        if thrown_away {
            sink.report(
                now,
                format!(
                    "The error of `{}` used to be kept in `{}` and is now ignored.",
                    quote(call.text()),
                    error.text()
                ),
            );
        }
    }
    for old in
        context.old.nodes().filter(|node| node.is(&["try_expression"]) && node.touches_change() && node.is_usable())
    {
        let Some(value) = old.named_children().next().filter(|value| context.similarity_to_new(*value) >= 99) else {
            continue;
        };
        let now = context.cover(value).and_then(|now| now.ancestors().find(|node| node.has_role(Role::Call)));
        let Some((now, call)) = now.and_then(|now| Some((now, now.call()?))) else { continue };
        if matches!(call.name, "unwrap" | "expect")
            && context.inserted(now).any(|leaf| leaf.text() == call.name)
            && now.is_usable()
        {
            sink.report(
                now,
                format!("An error from `{}` used to be returned; now it ends the program.", quote(value.text())),
            );
        }
    }
}

fn is_error(name: &str) -> bool {
    matches!(name, "err" | "error" | "e" | "ret" | "rc" | "status") || name.ends_with("Err") || name.ends_with("Error")
}
