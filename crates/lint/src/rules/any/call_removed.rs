//! A call that stood alone and is gone, while what it worked on stays.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::syntax::Call;
use crate::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/call-removed",
    languages: &[],
    title: "Call removed, nothing took its place",
    why: "A step of the function is gone and the steps around it stay. What it did (a registration, an update, a \
          notification, a conversion in place) is not done any more, and the code behind it may count on it.",
    fix: "Make sure that nothing below, and no caller, counts on what the call did.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.3,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.py\n def add(self, item):\n     self.items.append(item)\n-    self.index.update(item)\n^\n     return item\n",
        "path: src/A.java\n@@ void start(Server s) {\n-        handlers.register(s);\n^\n         s.start();\n",
    ],
    quiet: &[
        "path: src/a.py\n def add(self, item):\n     self.items.append(item)\n-    self.index.update(item)\n+    self.index.refresh(item)\n     return item\n",
        "path: src/a.py\n def add(self, item):\n     self.items.append(item)\n-    logger.info(\"added %s\", item)\n     return item\n",
        "path: src/a.js\n-describe('a', () => {\n-  setup();\n-});\n run();\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in
        context.removed_calls().into_iter().filter(|old| is_a_step(&old.call) && context.only_takes_away(old.statement))
    {
        let still =
            old.used.map(|used| format!(", and `{}` is still used below", quote(used.text()))).unwrap_or_default();
        let summary =
            format!("The call of `{}` was removed{still}: what it did is not done any more.", quote(old.call.callee));
        // Without a use below it may have been the last step of what it prepared.
        if old.used.is_some() {
            sink.report(old.statement, summary).confidence(0.35);
        } else {
            sink.report(old.statement, summary).priority(Priority::P3).confidence(0.25);
        }
    }
}

/// Whether it is one step of a function: no definition with a body, no import, and not what another rule is for.
fn is_a_step(call: &Call<'_>) -> bool {
    let has_own_rule = vocabulary::releases(call.name) || vocabulary::locks(call.name) || vocabulary::checks(call.name);
    let has_body = call
        .arguments
        .iter()
        .any(|argument| argument.all(Role::Lambda).chain(argument.all(Role::Function)).next().is_some());
    !has_own_rule && !has_body && !is_import(call.name)
}

fn is_import(name: &str) -> bool {
    const LOADS: &[&str] =
        &["require", "require_relative", "include", "import", "load", "autoload", "extend", "use", "super"];
    LOADS.contains(&name)
}
