//! A removed function that is still called.

use std::collections::{BTreeMap, BTreeSet};

use impact::{counted_calls, shown_path};
use lint::{Check, Definition, DiffSink, Namesakes, Rule, Tests};
use review::{Category, Priority};
use syntax::semantics::vocabulary::words_of;

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-function-called",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "PHP", "Ruby", "Go", "C", "C++", "Java", "C#",
        "Rust",
    ],
    title: "Call to a removed function",
    why: "The change removes or renames a function, and this call still uses the old name. In a language without a \
          compiler, that fails only when the line runs.",
    fix: "Call the replacement, or keep the function.",
    references: &[],
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Diff { run },
    positive: &[
        r#"
path: src/a.py
-def load_rows(path):
-    return read(path)
+def load_table(path):
^
+    return read(path)
 
 def show(path):
     return load_rows(path)
"#,
        r#"
path: src/store.js
-export function loadRows(path) {
^
-  return read(path);
-}
 export const size = 1;
path: src/show.js
 import { loadRows } from './store';
+log(1);
 show(loadRows('a'));
"#,
        r#"
path: src/a.php
 <?php
-function loadRows($path) {
-    return read($path);
+function loadTable($path) {
^
+    return read($path);
 }

 function show($path) {
     return loadRows($path);
 }
"#,
        r#"
path: src/a.rb
-def load_rows(path)
-  read(path)
+def load_table(path)
^
+  read(path)
 end

 def show(path)
   load_rows(path)
 end
"#,
        r#"
path: src/a.go
-func loadRows(path string) []Row {
-	return read(path)
+func loadTable(path string) []Row {
^
+	return read(path)
 }

 func show(path string) []Row {
 	return loadRows(path)
 }
"#,
        r#"
path: src/a.c
-int load_rows(const char *path) {
-    return take(path);
+int load_table(const char *path) {
^
+    return take(path);
 }

 int show(const char *path) {
     return load_rows(path);
 }
"#,
        r#"
path: src/A.java
 class A {
-    private Rows loadRows(String path) {
-        return read(path);
+    private Rows loadTable(String path) {
^
+        return read(path);
     }

     Rows show(String path) {
         return loadRows(path);
     }
 }
"#,
        r#"
path: src/A.cs
 class A
 {
-    private Rows LoadRows(string path)
+    private Rows LoadTable(string path)
^
     {
         return Read(path);
     }

     Rows Show(string path)
     {
         return LoadRows(path);
     }
 }
"#,
        r#"
path: src/a.rs
-fn load_rows(path: &Path) -> Rows {
-    read(path)
+fn load_table(path: &Path) -> Rows {
^
+    read(path)
 }

 fn show(path: &Path) -> Rows {
     load_rows(path)
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
-def load_rows(path):
-    return read(path)
+from store import load_rows
 
 def show(path):
     return load_rows(path)
"#,
        r#"
path: src/store.js
-export function loadRows(path) {
-  return read(path);
-}
 export const size = 1;
path: src/rows.js
+export function loadRows(path) {
+  return read(path);
+}
path: src/show.js
+import { loadRows } from './rows';
 show(loadRows('a'));
"#,
        r#"
path: src/a.py
-def load_rows(path):
-    return read(path)
 
 def show(path):
     return store.load_rows(path)
"#,
        r#"
path: src/a.php
 <?php
-function loadRows($path) {
-    return read($path);
+function loadTable($path) {
+    return read($path);
 }

 function show($path) {
-    return loadRows($path);
+    return loadTable($path);
 }
"#,
        r#"
path: src/a.rb
-def load_rows(path)
-  read(path)
+def load_table(path)
+  read(path)
 end

 def show(path)
-  load_rows(path)
+  load_table(path)
 end
"#,
        r#"
path: src/a.go
-func loadRows(path string) []Row {
-	return read(path)
+func loadTable(path string) []Row {
+	return read(path)
 }

 func show(path string) []Row {
-	return loadRows(path)
+	return loadTable(path)
 }
"#,
        r#"
path: src/a.c
-int load_rows(const char *path) {
-    return take(path);
+int load_table(const char *path) {
+    return take(path);
 }

 int show(const char *path) {
-    return load_rows(path);
+    return load_table(path);
 }
"#,
        r#"
path: src/A.java
 class A {
-    private Rows loadRows(String path) {
-        return read(path);
+    private Rows loadTable(String path) {
+        return read(path);
     }

     Rows show(String path) {
-        return loadRows(path);
+        return loadTable(path);
     }
 }
"#,
        r#"
path: src/A.cs
 class A
 {
-    private Rows LoadRows(string path)
+    private Rows LoadTable(string path)
     {
         return Read(path);
     }

     Rows Show(string path)
     {
-        return LoadRows(path);
+        return LoadTable(path);
     }
 }
"#,
        r#"
path: src/a.rs
-fn load_rows(path: &Path) -> Rows {
-    read(path)
+fn load_table(path: &Path) -> Rows {
+    read(path)
 }

 fn show(path: &Path) -> Rows {
-    load_rows(path)
+    load_table(path)
 }
"#,
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    if names
        .definitions()
        .iter()
        .any(|(_, definition)| definition.after.is_some())
    {
        return;
    }
    let mut unchanged = BTreeMap::new();
    let mut removed = names.meant(|definition| definition.name.len() >= 4);
    for (file, call) in names.calls() {
        let Some((home, definition)) = removed.find(file, call, |_, _, _| true) else {
            continue;
        };
        // A name of a single word may refer to another function in another file.
        if home.file != file.file && words_of(&definition.name).len() < 2 {
            continue;
        }
        if call.added {
            let place = if home.file == file.file {
                String::new()
            } else {
                format!(" of `{}`", shown_path(&home.path))
            };
            let fate = fate(definition);
            let summary = format!(
                "`{}`{place} {fate} but is still called here.",
                definition.name
            );
            sink.report(file, call.line, summary);
        } else {
            let own = unchanged
                .entry((home.file, definition.line))
                .or_insert_with(|| (home, definition, BTreeSet::new()));
            own.2.insert((file.path.as_str(), call.line));
        }
    }
    for (home, definition, calls) in unchanged.into_values() {
        let (name, fate) = (&definition.name, fate(definition));
        let left = counted_calls(calls.len());
        let summary = format!("`{name}` {fate}, but {left} left");
        sink.report_definition(home, definition, &summary, &calls);
    }
}

/// Whether the change removes or replaces a function.
fn fate(removed: &Definition) -> String {
    match &removed.replaced_by {
        Some(now) => format!("was replaced by `{now}`"),
        None => "was removed".to_owned(),
    }
}
