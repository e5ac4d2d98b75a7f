//! An argument that a call no longer passes, while the rest of the call remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/argument-dropped",
    languages: &[],
    title: "Argument dropped from a call",
    why: "The call passes one argument less than before and is otherwise the same. The function now uses its default \
          for it (no limit, no timeout, another mode), or an overload is called instead.",
    fix: "Pass the argument, or confirm that the default is intended here.",
    references: &["CWE-685"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def get(url):
-    return session.get(url, timeout=10)
+    return session.get(url)
^
"#,
        r#"
path: src/A.java
@@ String read(byte[] b) {
-        return new String(b, UTF_8);
+        return new String(b);
^
     }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def get(url):
-    return session.get(url, timeout=10)
+    return client.get(url)
"#,
        r#"
path: src/a.py
 def get(url):
-    return session.get(url, 10)
+    return session.get(url.with_timeout(10))
"#,
        r#"
path: src/a.rs
 fn tell(size: usize) {
-    fail!("size of {:?}", size);
+    fail!("size of {size:?}");
 }
"#,
        r#"
path: src/a.py
 def read(self):
-    return open(self.path, "rb")
+    return self.path.open("rb")
"#,
        r#"
path: src/a.go
@@ func load(name string) {
-	rows := fetchRows(name, limits)
+	rows := fetchRows(name)
 	show(rows, limits)
 }
path: src/b.go
-func fetchRows(name string, most Limits) []Row {
+func fetchRows(name string) []Row {
 	return nil
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Call)
        .filter(|node| node.touches_change() && context.times_removed(*node) <= 2)
    {
        let Some((now, dropped)) =
            shorter_call(context, old).filter(|_| context.mostly_takes_away(old))
        else {
            continue;
        };
        let (argument, name) = (
            quote(dropped.text()),
            now.call().map_or("the function", |call| call.name),
        );
        sink.report(
            now,
            format!(
                "`{argument}` is no longer passed to `{name}`; the other arguments are unchanged."
            ),
        );
    }
}

/// Whether the argument is now the receiver of the function, or is in a string that contains it by name.
fn is_passed_otherwise(now: &Call<'_>, dropped: Node<'_>) -> bool {
    let name = dropped.text();
    let is_receiver = now.receiver.is_some_and(|receiver| {
        receiver
            .names()
            .any(|inner| inner.text() == dropped.last_name())
    });
    let interpolates = |text: Node<'_>| {
        let parts = text.text().match_indices(name);
        let mut ends =
            parts.map(|(at, _)| (text.text().get(..at), text.text().get(at + name.len()..)));
        ends.any(|(before, after)| {
            let opens = before.is_some_and(|before| before.trim_end().ends_with('{'));
            opens && after.is_some_and(|after| after.trim_start().starts_with(['}', ':', '!', '=']))
        })
    };
    is_receiver
        || now
            .arguments
            .iter()
            .flat_map(|argument| argument.all(Role::Text).chain([*argument]))
            .any(interpolates)
}

/// The new form of a call that lost arguments and gained none, and the first lost argument.
fn shorter_call<'a>(context: &ChangeContext<'a>, old: Node<'a>) -> Option<(Node<'a>, Node<'a>)> {
    let call = old.call()?;
    let name = old.leaves().take_while(|leaf| {
        call.arguments
            .first()
            .is_none_or(|first| leaf.index() < first.index())
    });
    let name = name.filter(|leaf| leaf.text() == call.name).last()?;
    let now = context.new_of(name)?.enclosing(Role::Call)?;
    let after = now
        .call()
        .filter(|after| after.name == call.name && after.arguments.len() < call.arguments.len())?;
    let fresh = after
        .arguments
        .iter()
        .flat_map(|argument| context.inserted(*argument))
        .count();
    let same_receiver = call
        .receiver
        .zip(after.receiver)
        .is_none_or(|(old, new)| old.says_same(new));
    // A string in the place of another string was changed.
    let is_text = |place: usize, argument: Node<'_>| {
        argument.has_role(Role::Text)
            && after
                .arguments
                .get(place)
                .is_some_and(|now| now.has_role(Role::Text))
    };
    let lost = call
        .arguments
        .into_iter()
        .enumerate()
        .find(|(place, argument)| {
            context.similarity_to_new(*argument) <= 34 && !is_text(*place, *argument)
        });
    let (_, dropped) = lost?;
    // A value that no longer exists here was removed with its source, everywhere.
    let names = context.new_names();
    let is_constant = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    let still_exists = !dropped.has_role(Role::Name)
        || names.contains(dropped.text())
        || is_constant(dropped.text());
    (fresh <= 1
        && !is_passed_otherwise(&after, dropped)
        && !context.names_removed_identifier(dropped)
        && same_receiver
        && now.is_usable()
        && now.touches_change()
        && still_exists)
        .then_some((now, dropped))
}
