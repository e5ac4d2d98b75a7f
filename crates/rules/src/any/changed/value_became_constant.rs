//! A value that could vary and is now a constant.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/value-became-constant",
    languages: &[],
    title: "Value replaced by a constant",
    why: "A value that could vary is now always the same, and the code around it is unchanged. The setting, limit, \
          parameter or state that determined it no longer has an effect here.",
    fix: "Use the original source of the value, or document why only this constant is possible.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.rs
 fn texture(&self) -> Texture {
     Texture {
-        samples: self.samples,
+        samples: 1,
^
         size: self.size,
     }
 }
"#,
        r#"
path: src/a.py
 def send(self, order):
-    return self.post(order, self.timeout)
+    return self.post(order, None)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def send(self, order):
-    return self.post(order, LONG_TIMEOUT)
+    return self.post(order, 30)
"#,
        r#"
path: src/a.py
 def send(self, order):
-    return self.post(order, self.timeout)
+    return self.put(order, None)
"#,
        r#"
path: src/a.py
-def send(self, order, timeout):
-    return self.post(order, timeout)
+def send(self, order):
+    return self.post(order, None)
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (gone, constant) in context.replaced_by_constants() {
        let Some(first) = gone.first().copied() else {
            continue;
        };
        let alone = context
            .edit_block_of(first)
            .is_some_and(|run| run.removed == run.added && run.removed <= 3);
        let statement = constant.statement();
        let others = context
            .inserted(statement)
            .filter(|leaf| *leaf != constant)
            .count();
        if alone
            && others == 0
            && fits(constant)
            && is_value(&gone)
            && !is_taken_back(context, &gone)
            && context.mostly_takes_away(first)
        {
            let was: String = gone.iter().map(|leaf| leaf.text()).collect();
            let summary = format!(
                "`{}` became the constant `{}`, and the rest is unchanged.",
                quote(&was),
                constant.text()
            );
            sink.report(constant, summary);
        }
    }
}

/// Null may represent a missing value, but not as an argument in place of one.
fn fits(constant: Node<'_>) -> bool {
    !constant.is_null()
        || constant
            .parent()
            .is_some_and(|around| around.has_role(Role::Arguments))
}

/// Whether tokens are one value that can vary: names and member accesses, including calls without arguments. A name in
/// capitals is a constant itself.
fn is_value(tokens: &[Node<'_>]) -> bool {
    let is_link = |text: &str| {
        matches!(
            text,
            "." | "->" | "::" | "?." | "(" | ")" | "self" | "this" | "$this"
        )
    };
    let mut names = tokens.iter().rev().filter(|leaf| leaf.has_role(Role::Name));
    let varies = names
        .next()
        .is_some_and(|name| name.text().contains(|c: char| c.is_lowercase()));
    varies
        && tokens
            .iter()
            .all(|leaf| leaf.has_role(Role::Name) || is_link(leaf.text()))
}

fn is_taken_back(context: &ChangeContext<'_>, tokens: &[Node<'_>]) -> bool {
    tokens
        .iter()
        .any(|leaf| context.names_removed_identifier(*leaf))
}
