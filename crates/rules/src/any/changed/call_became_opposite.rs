//! A test or a choice by a function that became the opposite function.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote, squeeze};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/call-became-opposite",
    languages: &[],
    title: "Function replaced by its opposite",
    why: "The same values are now passed to the opposite function, and the code around it is unchanged: what was refused is \
          accepted, the first becomes the last, one match suffices where all were required.",
    fix: "Check which of the two is intended, and cover both cases with a test.",
    references: &["CWE-480"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.java
@@ void check(Pet pet) {
-        if (pet.getBirthDate().isAfter(today)) {
+        if (pet.getBirthDate().isBefore(today)) {
^
             reject(pet);
         }
"#,
        r#"
path: src/a.py
 def allowed(user, rights):
-    return all(right in user.rights for right in rights)
+    return any(right in user.rights for right in rights)
^
"#,
        r#"
path: src/a.ts
 function allowed(user: User, rights: string[]) {
-  return rights.every((right) => user.has(right));
+  return rights.some((right) => user.has(right));
^
 }
"#,
        r#"
path: src/a.go
 func local(name string) bool {
-	return strings.HasSuffix(name, domain)
+	return strings.HasPrefix(name, domain)
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void check(Pet pet) {
-        if (pet.getBirthDate().isAfter(today)) {
+        if (today.isBefore(pet.getBirthDate())) {
             reject(pet);
         }
"#,
        r#"
path: src/A.java
@@ void check(Pet pet) {
-        if (pet.getBirthDate().isAfter(today)) {
+        if (!pet.getBirthDate().isBefore(today)) {
             reject(pet);
         }
"#,
        r#"
path: src/a.ts
 function allowed(user: User, rights: string[]) {
-  return !rights.every((right) => user.has(right));
+  return rights.some((right) => !user.has(right));
 }
"#,
    ],
};

const OPPOSITES: &[[&str; 2]] = &[
    ["isAfter", "isBefore"],
    ["After", "Before"],
    ["after", "before"],
    ["is_after", "is_before"],
    ["isPast", "isFuture"],
    ["startsWith", "endsWith"],
    ["StartsWith", "EndsWith"],
    ["startswith", "endswith"],
    ["starts_with", "ends_with"],
    ["start_with?", "end_with?"],
    ["str_starts_with", "str_ends_with"],
    ["HasPrefix", "HasSuffix"],
    ["any", "all"],
    ["Any", "All"],
    ["any?", "all?"],
    ["some", "every"],
    ["anyMatch", "allMatch"],
    ["anyMatch", "noneMatch"],
    ["any", "none"],
    ["min", "max"],
    ["Min", "Max"],
    ["minOf", "maxOf"],
    ["isPresent", "isEmpty"],
    ["isSome", "isNone"],
    ["is_some", "is_none"],
    ["is_ok", "is_err"],
    ["isNotEmpty", "isEmpty"],
    ["isNotBlank", "isBlank"],
    ["assertTrue", "assertFalse"],
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (was, now) in context.replaced_names() {
        let are_opposite = OPPOSITES
            .iter()
            .any(|pair| pair.contains(&was.text()) && pair.contains(&now.text()));
        if !are_opposite
            || context
                .edit_block_of(was)
                .is_none_or(|edit| edit.removed > 2 || edit.added > 2)
        {
            continue;
        }
        let (Some(old), Some(new)) = (called(was), called(now)) else {
            continue;
        };
        // Nothing else in the statement may have changed, including negations.
        let plain =
            |node: Node<'_>| squeeze(&node.statement().text().replace(was.text(), now.text()));
        if plain(old) == plain(new) {
            let (was, name) = (quote(was.text()), quote(now.text()));
            sink.report(
                now,
                format!(
                    "`{was}` became `{name}` with the same values: the result is the opposite."
                ),
            );
        }
    }
}

/// The call of the function with this name.
fn called(name: Node<'_>) -> Option<Node<'_>> {
    let call = name
        .ancestors()
        .take(4)
        .find(|around| around.has_role(Role::Call))?;
    call.call()
        .is_some_and(|of| of.name == name.text())
        .then_some(call)
}
