//! Brackets and commas that an edit removed.
//!
//! The parser completes the code that a hunk cuts off, so it also completes code that the edit broke. This rule looks
//! for errors that no surrounding code can fix: a bracket closed by another kind, a statement within parentheses, two
//! items without a comma.

use std::sync::LazyLock;

use lint::{BRACKET_LANGUAGES, Check, Open, Rule, Sink, Tests, TextContext, brackets, indent};
use regex::bytes::Regex;
use review::{Category, Lexical, Line, LineKind, Priority};
use syntax::semantics::secrets::compiled;

pub(crate) const RULE: Rule = Rule {
    id: "any/syntax-broken",
    languages: &[],
    title: "Bracket or comma lost in the edit",
    why: "The file was valid before this change and is no longer valid. It cannot be compiled, imported or loaded, so everything \
          that uses it fails.",
    fix: "Put the bracket or the comma back.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Unparsable { run },
    positive: &[
        r#"
path: src/a.py
 class A:
     def f(self, x):
-        if x:
+        if x
^
             return 1
"#,
        r#"
path: src/A.java
     void f() {
-        call(a);
+        call(a)
^
         other();
     }
"#,
        r#"
path: src/a.js
 const a = {
-  x: 1,
+  x: 1
^
   y: 2,
 };
"#,
        r#"
path: src/a.py
 D = {
-    'a': 1,
+    'a': 1
^
     'b': 2,
 }
"#,
        r#"
path: src/a.go
 func f() {
-	call(a)
+	call(a
^
 	b := 2
"#,
        r#"
path: src/a.ts
-import { A, B } from './b';
+import { A, B from './b';
^
 import { C } from './c';
"#,
        r#"
path: src/a.rb
 def f
-  call(a)
+  call(a
^
   other
 end
"#,
        r#"
path: a.yml
 services:
   db:
-    image: postgres:16
+	image: postgres:16
^
     ports:
"#,
        r#"
path: package.json
   "scripts": {
-    "a": "b"
+    "a": b
^
   },
"#,
        r#"
path: src/a.py
             name=name,
-            groups=[self.group.id],
+            groups=[self.group.id,
^
         )
"#,
        r#"
path: src/a.py
 def find(session, email):
-    statement = select(User).where(User.email == email)
+    statement = select(User).where(User.email == email
^
     found = session.exec(statement).first()
"#,
        r#"
path: src/a.ts
 function f() {
-  call(a);
+  call(a;
^
   other();
 }
"#,
        r#"
path: src/a.go
 func f() {
-	call(a)
+	call(a
^
 }
"#,
        r#"
path: package.json
     "test": "jest"
+    "lint": "tslint"
^
   },
"#,
        r#"
path: package.json
 {
+  "private": true,,
^
   "version": "0.0.0",
"#,
        r#"
path: package.json
     "a": "1",
-    "b": "2"
+    "b": "2",
^
   }
"#,
        r#"
path: db/schema.sql
 CREATE TABLE pets (
   name       TEXT,
-  birth_date DATE,
+  birth_date DATE
^
   type_id    INT NOT NULL
 );
"#,
        r#"
path: db/schema.sql
-SELECT count(id) FROM pets;
+SELECT count(id FROM pets;
^
 SELECT 1;
"#,
        r#"
path: src/A.java
         return List.of(
-            first,
+            first
^
             second);
"#,
    ],
    negative: &[
        r#"
path: src/a.tsx
   return (
     <div>
-      <p>Let it search.</p>
+      <p>
+        Let it search (if it can); others ignore this.
+      </p>
     </div>
   );
"#,
        r#"
path: src/a.ts
 interface A {
-  x: number,
+  x: number
   y: string
 }
"#,
        r#"
path: src/a.py
 def f(x):
-    if x:
+    if x and (
         y):
"#,
        r#"
path: src/A.java
     String a() {
-        return b;
+        return b
             .c();
     }
"#,
        r#"
path: a.yml
 A:
-	B: 1
+	B: 2
"#,
        r#"
path: a.yml
 text: |
+	not an entry
"#,
        r#"
path: src/a.js
-  call(a);
+  call(a, function () {
   const x = 1;
   return x;
"#,
        r#"
path: src/a.js
   value = String(value)
-    .replaceAll(/\s*\/\*[(]*?\*\//g, '')
+    .replaceAll(/\/\*.*?\*\//g, '')
     .trim();
"#,
        r#"
path: src/a.py
             name=name,
-            groups=[self.group.id],
+            groups=[
+                self.group.id,
+            ],
         )
"#,
        r#"
path: src/a.rb
-  mod.define_method(name) do |*args|
+  mod.define_method(name, share { |*args|
     last = args.last
"#,
        r#"
path: src/a.js
-  call(a);
+  call(a, () => {
     other();
"#,
        r#"
path: package.json
     "test": "jest",
+    "lint": "tslint"
   },
"#,
        r#"
path: src/a.js
-  // call(a)
+  // call(a
   const s = ':-(';
   call();
"#,
        r#"
path: src/a.c
-  for (i = 0; i < n; i++)
+  for (i = 0, j = 0; i < n;
+       i++)
     call(i);
"#,
        r#"
path: db/schema.sql
 CREATE TABLE pets (
-  birth_date DATE,
-  type_id    INT
+  birth_date DATE
 );
"#,
        r#"
path: src/a.py
 x = [
-    "a",
+    "a"
     if b else c,
 ]
"#,
        r#"
path: tsconfig.json
   "strict": true,
+  "noEmit": true,
 }
"#,
    ],
};

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let language = context.file.language;
    // A tab makes Linguist detect a dialect in which tabs are allowed. In that dialect, lines are not indented by
    // spaces.
    if language == "YAML" || language == "MiniYAML" {
        tabs(context, sink);
    }
    if !BRACKET_LANGUAGES.contains(&language) {
        return;
    }
    let side = |without: LineKind| {
        context
            .lines()
            .iter()
            .filter(|line| line.kind != without)
            .collect::<Vec<_>>()
    };
    let new = side(LineKind::Removed);
    match language {
        "JSON" => json(&new, context.file.path, sink),
        "SQL" => columns(&new, sink),
        _ => {}
    }
    let count = |kind| {
        let lines = context.lines().iter().filter(|line| line.kind == kind);
        "([{}])"
            .chars()
            .map(|bracket| {
                lines
                    .clone()
                    .map(|line| line.text.matches(bracket).count())
                    .sum()
            })
            .collect::<Vec<usize>>()
    };
    if context.removed().next().is_none() {
        return;
    }
    let lexical = Lexical::or_any(Some(language));
    let old = side(LineKind::Added);
    if count(LineKind::Added) != count(LineKind::Removed)
        && matches!(brackets(&old, language, lexical), Some(Ok(_)))
        && let Some(Err(broken)) = brackets(&new, language, lexical)
    {
        let is_added = |at: usize| new.get(at).filter(|line| line.kind == LineKind::Added);
        let line = is_added(broken.opened)
            .or_else(|| is_added(broken.seen))
            .or_else(|| new.get(broken.opened));
        if let Some(line) = line {
            sink.report(
                *line,
                format!(
                    "The `{}` that is opened here is not closed.",
                    broken.bracket
                ),
            );
            return;
        }
    }
    ends(context, language, sink);
    commas(context, language, lexical, sink);
}

/// YAML does not allow tabs before a key or an item.
fn tabs(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let mut former = context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Added);
    if !former.clone().any(|line| line.text.starts_with(' '))
        || former.any(|line| line.text.starts_with('\t'))
    {
        return;
    }
    let is_entry =
        |text: &str| text.starts_with("- ") || text.ends_with(':') || text.contains(": ");
    for line in context
        .added()
        .filter(|line| line.text.starts_with('\t') && !line.text.contains("{{"))
    {
        if is_entry(line.text.trim()) && !line.text.trim().starts_with(['#', '{', '[', '"']) {
            sink.report(line, "YAML does not allow a tab for indentation.");
        }
    }
}

/// Reports a line that lost the colon before a Python block, or the semicolon after a statement.
fn ends(context: &TextContext<'_>, language: &str, sink: &mut Sink<'_>) {
    const BLOCKS: &[&str] = &[
        "if ", "elif ", "else", "for ", "while ", "def ", "class ", "try", "except", "finally",
        "with ", "async ", "match ", "case ",
    ];
    let mark = match language {
        "Python" => ':',
        "Java" | "C#" | "PHP" | "C" | "C++" => ';',
        _ => return,
    };
    for lines in context.lines().windows(3) {
        let [old, line, next] = lines else { continue };
        if (old.kind, line.kind, next.kind)
            != (LineKind::Removed, LineKind::Added, LineKind::Context)
        {
            continue;
        }
        let (was, now, after) = (old.text.trim_end(), line.text.trim_end(), next.text.trim());
        let starts_word =
            after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$' || c == '_');
        if was.strip_suffix(mark) != Some(now) || !starts_word {
            continue;
        }
        let own = now.trim_start();
        // In C, a macro may end its statement itself.
        let may_be_macro = || {
            own.starts_with(|c: char| c.is_ascii_uppercase() || c == '#')
                && matches!(language, "C" | "C++")
        };
        let is_statement = || {
            now.ends_with(|c: char| {
                c.is_ascii_alphanumeric() || matches!(c, ')' | ']' | '"' | '\'')
            }) && after.ends_with([';', '{'])
                && indent(next.text) == indent(line.text)
                && !may_be_macro()
        };
        if mark == ':'
            && BLOCKS.iter().any(|word| own.starts_with(word))
            && indent(next.text) > indent(line.text)
        {
            sink.report(line, "The colon before this block is missing.");
        } else if mark == ';' && is_statement() {
            sink.report(line, "The semicolon after this statement is missing.");
        }
    }
}

/// `name: value`, as in an object.
fn is_entry(text: &str) -> bool {
    let Some((key, value)) = text.trim().split_once(':') else {
        return false;
    };
    let is_key =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '"' | '\'' | '$' | '-' | '.');
    !key.is_empty()
        && key.chars().all(is_key)
        && value.starts_with(' ')
        && !matches!(key, "default" | "case")
}

/// Names of JSON files with readers that follow the standard, without comments and trailing commas.
const STRICT: &[&str] = &[
    "package.json", "composer.json", "manifest.json", "package-lock.json", "openapi.json",
];

fn json(lines: &[&Line<'_>], path: &str, sink: &mut Sink<'_>) {
    let is_strict = STRICT.contains(&path.rsplit('/').next().unwrap_or(path));
    for pair in lines.windows(2) {
        let [first, second] = pair else { continue };
        let (before, after) = (first.text.trim(), second.text.trim());
        let is_changed = [first, second]
            .iter()
            .any(|line| line.kind == LineKind::Added);
        if !is_changed
            || before.is_empty()
            || after.is_empty()
            || before.starts_with("//")
            || before.contains("{{")
        {
            continue;
        }
        let place = if second.kind == LineKind::Added {
            second
        } else {
            first
        };
        let ends_value = before.ends_with(['"', '}', ']'])
            || before.ends_with(|c: char| c.is_ascii_digit())
            || ["true", "false", "null"]
                .iter()
                .any(|word| before.ends_with(word));
        let is_pair = |text: &str| text.starts_with('"') && text.contains("\":");
        if ends_value && is_pair(after) && (is_pair(before) || before.starts_with(['}', ']'])) {
            sink.report(*place, "A comma is missing before this entry.");
        } else if is_strict && before.ends_with(',') && after.starts_with(['}', ']']) {
            let place = if first.kind == LineKind::Added {
                first
            } else {
                second
            };
            sink.report(*place, "JSON does not allow a comma after the last entry.");
        }
    }
    let is_word = |line: &Line<'_>| {
        let value = line
            .text
            .trim()
            .strip_prefix('"')
            .and_then(|rest| rest.split_once("\":"))
            .map(|(_, value)| value.trim());
        let value = value.map_or("", |value| value.trim_end_matches(',').trim_end());
        value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '\'')
            && !matches!(value, "true" | "false" | "null")
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.'/ ".contains(&byte))
    };
    for line in lines
        .iter()
        .filter(|line| line.kind == LineKind::Added && is_strict && is_word(line))
    {
        sink.report(*line, "JSON requires double quotation marks around a text.");
    }
    for line in lines
        .iter()
        .filter(|line| line.kind == LineKind::Added && line.text.trim_end().ends_with(",,"))
    {
        sink.report(*line, "There is one comma too many.");
    }
}

static COLUMN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?i)^\s+["`\[]?\w+["`\]]?\s+(?:INT|INTEGER|BIGINT|SMALLINT|TINYINT|TEXT|VARCHAR|CHAR|DATE|DATETIME|TIMESTAMPTZ|TIMESTAMP|BOOLEAN|BOOL|NUMERIC|DECIMAL|SERIAL|BIGSERIAL|UUID|JSONB?|FLOAT|DOUBLE|REAL|BLOB|BYTEA)\b"#,
    )
});

/// Two columns of a table without a comma between them.
fn columns(lines: &[&Line<'_>], sink: &mut Sink<'_>) {
    let Some(column) = COLUMN.as_ref() else {
        return;
    };
    for pair in lines.windows(2) {
        let [first, second] = pair else { continue };
        let is_changed = [first, second]
            .iter()
            .any(|line| line.kind == LineKind::Added);
        let text = first.text.split("--").next().unwrap_or_default().trim_end();
        let is_column = |text: &str| column.is_match(text.as_bytes());
        if is_changed
            && is_column(text)
            && is_column(second.text)
            && !text.ends_with([',', '(', ';'])
        {
            let place = if first.kind == LineKind::Added {
                first
            } else {
                second
            };
            sink.report(*place, "A comma is missing after this column.");
        }
    }
}

/// A comma that was removed between two items that remain.
fn commas(context: &TextContext<'_>, language: &str, lexical: &Lexical, sink: &mut Sink<'_>) {
    const WORDS: &[&str] = &[
        "if", "for", "else", "and", "or", "in", "is", "not", "as", "instanceof", "unless", "async",
    ];
    if matches!(language, "JSON" | "SQL" | "Ruby" | "HCL") {
        return;
    }
    /// Maximum number of positions from which brackets are matched from the start of the hunk.
    const MOST: usize = 4;
    let mut looked_at = 0;
    let lines = context.lines();
    for (at, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind == LineKind::Added)
    {
        let Some(removed) = at
            .checked_sub(1)
            .and_then(|before| lines.get(before))
            .filter(|old| old.kind == LineKind::Removed)
        else {
            continue;
        };
        let Some(next) = lines
            .get(at + 1)
            .filter(|next| next.kind == LineKind::Context)
        else {
            continue;
        };
        let (was, now, after) = (
            removed.text.trim_end(),
            line.text.trim_end(),
            next.text.trim_start(),
        );
        let starts_item = after
            .starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"' || c == '\'');
        let is_word = WORDS.iter().any(|word| {
            after
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        if was.strip_suffix(',') != Some(now)
            || !starts_item
            || is_word
            || indent(now) != indent(next.text)
        {
            continue;
        }
        looked_at += 1;
        if looked_at > MOST {
            return;
        }
        // Only within parentheses or square brackets that are open according to the hunk.
        let above: Vec<&Line<'_>> = lines
            .iter()
            .take(at)
            .filter(|line| line.kind != LineKind::Removed)
            .collect();
        let are_entries = is_entry(now) && is_entry(after);
        let is_inside = |open: &[Open]| {
            open.last().is_some_and(|last| match last.bracket {
                '{' => last.is_value && are_entries,
                _ => true,
            })
        };
        if let Some(Ok(open)) = brackets(&above, language, lexical)
            && is_inside(&open)
        {
            sink.report(
                line,
                "The comma after this item is gone, but another item follows.",
            );
            return;
        }
    }
}
