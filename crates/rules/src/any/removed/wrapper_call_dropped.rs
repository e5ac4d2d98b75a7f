//! A call around or on a value that was dropped while the value remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/wrapper-call-dropped",
    languages: &[],
    title: "Wrapper call dropped",
    why: "The value was passed through a function and is now used directly. The work of the function (trim, copy, \
          convert, filter, look up, wait) no longer happens, and nothing else in the statement changed.",
    fix: "Keep the call, or make sure that the raw value is correct here.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def same(a, b):
-    return a.name.lower() == b
+    return a.name == b
^
"#,
        r#"
path: src/A.java
@@ int[] get() {
-        return values.clone();
+        return values;
^
     }
"#,
        r#"
path: src/a.js
 function save(list) {
-  store(copyOf(list), now);
+  store(list, now);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def same(a, b):
-    return a.name.lower() == b
+    return a.name.casefold() == b
"#,
        r#"
path: src/a.js
 function save(list) {
-  store(copyOf(list), now);
+  store(list, copyOf(now));
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for dropped in context
        .dropped_wrappers()
        .into_iter()
        .filter(|dropped| !vocabulary::makes_safe(dropped.name))
    {
        if is_conversion_by_type(context, dropped.name) || !context.mostly_takes_away(dropped.old) {
            continue;
        }
        let (name, value) = (dropped.name, quote(dropped.value.text()));
        let summary = match name {
            "then" | "catch" | "finally" => {
                format!(
                    "`.{name}(…)` was removed from the promise `{value}`: what it did no longer happens."
                )
            }
            _ => format!("`{value}` is no longer passed through `{name}`."),
        };
        sink.report(dropped.now, summary);
    }
}

/// Whether the compiler enforces the call or its absence: a getter, or a conversion of Rust.
fn is_conversion_by_type(context: &ChangeContext<'_>, name: &str) -> bool {
    const BY_TYPE: &[&str] = &[
        "into", "as_ref", "as_mut", "as_str", "as_slice", "as_bytes", "clone", "to_owned",
        "to_string", "borrow", "iter", "into_iter", "unwrap", "expect", "as_deref", "to_vec",
        "from", "key", "value", "inner", "deref", "cloned", "copied", "Some", "Ok", "Box", "new",
        "into_boxed_path",
    ];
    let is_getter = name.starts_with("get") || name.contains("Get");
    is_getter || (context.file.language == "Rust" && BY_TYPE.contains(&name))
}
