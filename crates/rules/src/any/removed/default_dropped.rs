//! A value that no longer falls back to a default.

use lint::{ChangeContext, Check, LostClause, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/default-dropped",
    languages: &[],
    title: "Default value removed",
    why: "The value fell back to another one when it was missing or empty, and no longer does. If it is missing, the \
          code that uses it now receives a null or undefined value, or an error.",
    fix: "Keep the default, or make sure that the value is always present.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
-  const lines = text.match(/\n/g) || [];
+  const lines = text.match(/\n/g);
^
   return lines.length;
"#,
        r#"
path: src/a.php
-$command = $this->make($name, $options ?: array());
+$command = $this->make($name, $options);
^
 $command->run();
"#,
        r#"
path: src/a.kt
 fun label(user: User): String {
-    return user.name ?: "unknown"
+    return user.name
^
 }
"#,
        r#"
path: src/a.py
-    total = getattr(self, "total", None)
+    total = self.total
^
     return total
"#,
    ],
    negative: &[
        r#"
path: src/a.rs
 fn fits(side: Side) -> Fit {
-    Fit::new(side.is_wide || side.is_open)
+    Fit::new(side.is_wide)
 }
"#,
        r#"
path: src/a.h
-#if defined(WIDE) || defined(OPEN)
+#if defined(WIDE)
 #define SIDE 2
 #endif
"#,
        r#"
path: src/a.js
-  const lines = text.match(/\n/g) || [];
+  const lines = text.match(/\n/g) ?? [];
   return lines.length;
"#,
        r#"
path: src/a.js
-  if (a.ready || b.ready) {
+  if (a.ready) {
     go();
   }
"#,
        r#"
path: src/a.py
-    total = self.total or 0
+    total = self.count or 0
     return total
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context
        .lost_clauses()
        .into_iter()
        .filter(|lost| !lost.is_condition() && gives_default(lost))
    {
        let (value, default) = (quote(lost.left.text()), quote(lost.clause.text()));
        let is_default = lost.clause.index()
            > lost
                .chain
                .operands_of(lost.operation)
                .first()
                .map_or(0, |first| first.index());
        if is_default && lost.left.touches_change() {
            sink.report(
                lost.left,
                format!("`{value}` no longer falls back to `{default}`."),
            );
        }
    }
    for old in context
        .old
        .with_role(Role::Ternary)
        .filter(|node| node.touches_change() && node.named_children().count() == 2)
    {
        let (Some(value), Some(default)) =
            (old.named_children().next(), old.named_children().nth(1))
        else {
            continue;
        };
        let now = context.cover(value).filter(|now| {
            context.similarity_to_new(value) == 100 && now.touches_change() && now.is_usable()
        });
        if let Some(now) = now.filter(|now| {
            context.is_gone(default) && context.inserted(now.statement()).next().is_none()
        }) {
            sink.report(
                now,
                format!(
                    "`{}` no longer falls back to `{}`.",
                    quote(value.text()),
                    quote(default.text())
                ),
            );
        }
    }
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change())
    {
        if let Some((value, now)) = strict_lookup(context, old) {
            let (before, value) = (quote(old.text()), quote(value.text()));
            sink.report(
                now,
                format!("`{before}` is now read without a default: the access fails if `{value}` does not have it."),
            );
        }
    }
}

/// Whether the chain returns one of its values, and not a boolean: `a ?? b`, and `a || b` in languages in which that
/// selects a value.
fn gives_default(lost: &LostClause<'_>) -> bool {
    const BY_TRUTH: &[&str] = &["JavaScript", "TypeScript", "TSX", "Python", "Ruby"];
    let is_directive = lost
        .chain
        .ancestors()
        .any(|around| around.kind().starts_with("preproc"));
    let by_truth = BY_TRUTH.contains(&lost.chain.tree().grammar().name());
    !is_directive && (lost.operation != Operation::Or || by_truth)
}

/// `d.get(k)` that became `d[k]`, `getattr(o, "k", None)` that became `o.k`. Returns the object and the new form.
fn strict_lookup<'a>(context: &ChangeContext<'a>, old: Node<'a>) -> Option<(Node<'a>, Node<'a>)> {
    const SOFT: &[&str] = &[
        "get", "getattr", "getOrDefault", "fetch", "dig", "GetValueOrDefault", "unwrap_or",
        "unwrap_or_default", "orElse", "getOrElse",
    ];
    let call = old.call().filter(|call| {
        SOFT.contains(&call.name) && context.lost(old).any(|leaf| leaf.text() == call.name)
    })?;
    let value = if call.name == "getattr" {
        call.arguments.first().copied()?
    } else {
        call.receiver?
    };
    let key_is_kept = call
        .arguments
        .iter()
        .any(|argument| *argument != value && context.similarity_to_new(*argument) >= 99);
    let now = context
        .cover(value)
        .filter(|_| context.similarity_to_new(value) >= 99)?;
    let lookup = now.ancestors().find(|node| {
        !(node.named_children().next() == Some(now) && node.is(&["parenthesized_expression"]))
    })?;
    let opens =
        lookup.has_role(Role::Index) || (call.name == "getattr" && lookup.has_role(Role::Member));
    let gained = context
        .inserted(lookup)
        .any(|leaf| !leaf.has_role(Role::Name));
    (opens && !gained && (key_is_kept || call.name == "getattr")).then_some((value, lookup))
}
