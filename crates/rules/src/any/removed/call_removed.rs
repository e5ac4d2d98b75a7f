//! A call statement that was removed, while its receiver remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary;
use syntax::tree::Call;

pub(crate) const RULE: Rule = Rule {
    id: "any/call-removed",
    languages: &[],
    title: "Call removed without a replacement",
    why: "A step of the function was removed and the steps around it remain. Its effect (a registration, an update, a \
          notification, a conversion in place) no longer happens, and later code may depend on it.",
    fix: "Confirm that neither the code below nor a caller depends on the effect of the call.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def add(self, item):
     self.items.append(item)
-    self.index.update(item)
^
     return item
"#,
        r#"
path: src/A.java
@@ void start(Server s) {
-        handlers.register(s);
^
         s.start();
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def add(self, item):
     self.items.append(item)
-    self.index.update(item)
+    self.index.refresh(item)
     return item
"#,
        r#"
path: src/a.py
 def add(self, item):
     self.items.append(item)
-    logger.info("added %s", item)
     return item
"#,
        r#"
path: src/a.py
 def add(self, item):
     self.items.append(item)
-    self.refresh_index(item)
     return item
path: src/b.py
-def refresh_index(item):
-    rows.append(item)
-    return rows
"#,
        r#"
path: src/a.js
-describe('a', () => {
-  setup();
-});
 run();
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .removed_calls()
        .into_iter()
        .filter(|old| is_a_step(&old.call) && context.only_takes_away(old.statement))
    {
        // Without a later use it may have been the last step for the object.
        let Some(used) = old.used else { continue };
        let summary = format!(
            "The call to `{}` was removed, and `{}` is still used below: its effect no longer happens.",
            quote(old.call.callee),
            quote(used.text())
        );
        sink.report(old.statement, summary);
    }
}

/// Whether it is one step of a function: not a definition with a body, an import, or a call that another rule covers.
fn is_a_step(call: &Call<'_>) -> bool {
    let has_own_rule = vocabulary::releases(call.name)
        || vocabulary::locks(call.name)
        || vocabulary::checks(call.name);
    let has_body = call.arguments.iter().any(|argument| {
        argument
            .all(Role::Lambda)
            .chain(argument.all(Role::Function))
            .next()
            .is_some()
    });
    !has_own_rule && !has_body && !is_import(call.name)
}

fn is_import(name: &str) -> bool {
    const LOADS: &[&str] = &[
        "require", "require_relative", "include", "import", "load", "autoload", "extend", "use",
        "super",
    ];
    LOADS.contains(&name)
}
