//! An escaping or normalizing call that was removed from around a value.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary;
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/escaping-dropped",
    languages: &[],
    title: "Escaping or normalization removed",
    why: "The value was escaped, encoded, sanitized or normalized before it was used, and is now used unchanged. If \
          any part of it is untrusted, it can inject syntax into the string that it is inserted into, or pass a check \
          that it should not.",
    fix: "Keep the call, or escape the value where it is output.",
    references: &["CWE-116"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
 function row(user) {
-  return '<td>' + escapeHtml(user.name) + '</td>';
+  return '<td>' + user.name + '</td>';
^
 }
"#,
        r#"
path: src/a.php
-$path = basename($name);
+$path = $name;
^
 include_file($path);
"#,
        r#"
path: src/a.go
 func write(out *strings.Builder, row Row) {
-	out.WriteString(html.EscapeString(row.Text))
+	out.WriteString(strings.TrimRight(row.Text, "\r"))
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func write(out *strings.Builder, row Row) {
+	text := html.EscapeString(strings.TrimRight(row.Text, "\r"))
-	out.WriteString(html.EscapeString(row.Text))
+	out.WriteString(text)
 }
"#,
        r#"
path: src/a.js
 function row(user) {
-  return '<td>' + escapeHtml(user.name) + '</td>';
+  return '<td>' + escape(user.name) + '</td>';
 }
"#,
        r#"
path: src/a.js
 function row(user) {
-  return trim(user.name);
+  return user.name;
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for dropped in context
        .dropped_wrappers()
        .into_iter()
        .filter(|dropped| vocabulary::makes_safe(dropped.name))
    {
        let (name, value) = (dropped.name, quote(dropped.value.text()));
        sink.report(
            dropped.now,
            format!("`{value}` is no longer passed through `{name}`: it is used unchanged."),
        );
    }
    for (escaped, now) in exchanged(context) {
        let (name, value) = (escaped.name, quote(now.text()));
        sink.report(
            now,
            format!(
                "`{value}` takes the place of `{name}(…)`, and the value is no longer escaped."
            ),
        );
    }
}

/// Calls that escaped a value, each with the call that wraps the same value now, in a change that adds no escaping.
fn exchanged<'a>(context: &ChangeContext<'a>) -> Vec<(Call<'a>, Node<'a>)> {
    let is_safe = |node: Node<'_>| {
        node.call()
            .is_some_and(|call| vocabulary::makes_safe(call.name))
    };
    let escapes_elsewhere = context
        .new
        .with_role(Role::Call)
        .any(|call| call.touches_change() && is_safe(call));
    if escapes_elsewhere {
        return Vec::new();
    }
    let gone = context
        .old
        .with_role(Role::Call)
        .filter(|old| old.touches_change() && is_safe(*old));
    gone.filter_map(|old| {
        let call = old.call()?;
        let [value] = call.arguments.as_slice() else {
            return None;
        };
        if value.has_role(Role::Text)
            || context.similarity_to_new(*value) < 100
            || context.reappears(old)
        {
            return None;
        }
        let kept = context.cover(*value)?;
        let around = kept
            .ancestors()
            .find(|around| around.has_role(Role::Call) && around.is_usable())?;
        let exchanged = around.call()?;
        let is_value = |argument: &Node<'_>| argument.says_same(*value);
        let same_function = old
            .ancestors()
            .filter_map(Node::call)
            .any(|outer| outer.callee == exchanged.callee);
        let fits =
            exchanged.arguments.iter().any(is_value) && !same_function && !decodes(exchanged.name);
        (fits && around.touches_change()).then_some((call, around))
    })
    .collect()
}

/// Whether a call converts a value into something other than text, or into another kind of escaped text.
fn decodes(name: &str) -> bool {
    const OTHER: &[&str] = &[
        "parse", "int", "format", "number", "float", "bind", "param", "text", "json", "hash",
    ];
    let name = name.to_ascii_lowercase();
    OTHER.iter().any(|word| name.contains(word))
}
