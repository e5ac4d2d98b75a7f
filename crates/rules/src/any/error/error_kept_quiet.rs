//! A handler that neither reads the error nor reports it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::mentions;
use syntax::semantics::vocabulary::{has_word, only_tells, words_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-kept-quiet",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Java", "C#", "PHP", "C++",
    ],
    title: "Error silently turned into an ordinary value",
    why: "On any failure in the block, the handler returns an ordinary value and reports neither the error nor its \
          cause. A bug in the code then looks like an empty result.",
    fix: "Catch only the expected error, or log the caught one.",
    references: &["CWE-391", "CWE-396"],
    priority: Priority::P3,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Catch]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
 function load(path) {
   try {
     return parse(read(path));
+  } catch (error) {
^
+    return null;
+  }
 }
"#,
        r#"
path: src/A.java
@@ Rows load(String path) {
         try {
             return parse(read(path));
+        } catch (Exception e) {
^
+            return null;
+        }
"#,
        r#"
path: src/A.cs
 public Rows Load(string path)
 {
     try
     {
         return Parse(Read(path));
     }
+    catch (Exception e)
^
+    {
+        return null;
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
 function load($path)
 {
     try {
         return parse(read($path));
+    } catch (Exception $e) {
^
+        return null;
+    }
 }
"#,
        r#"
path: src/a.cpp
 int load(const std::string& path) {
     try {
         return parse(read(path));
+    } catch (...) {
^
+        return 0;
+    }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function load(path) {
   try {
     return parse(read(path));
+  } catch (error) {
+    log(error);
+    return null;
+  }
 }
"#,
        r#"
path: src/A.java
@@ Rows load(String path) {
         try {
             return parse(read(path));
+        } catch (NumberFormatException e) {
+            return null;
+        }
"#,
        r#"
path: src/a.js
 function load(path) {
   try {
     return parse(read(path));
+  } catch (error) {
+    // There may be no file yet.
+    return null;
+  }
 }
"#,
        r#"
path: src/a.js
 function isOpen(door) {
   try {
     probe(door);
     return true;
+  } catch {
+    return false;
+  }
 }
"#,
        r#"
path: src/A.java
 class Doors {
     /** The door, or null if there is none. */
     Door find(String name) {
         try {
             return load(name);
+        } catch (Exception e) {
+            return null;
+        }
     }
     Door other(String name) {
         try {
             return load(name);
+        } catch (Exception ignored) {
+            return null;
+        }
     }
 }
"#,
        r#"
path: src/A.cs
 public Rows Load(string path)
 {
     try
     {
         return Parse(Read(path));
     }
+    catch (FileNotFoundException e)
+    {
+        return null;
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
 function load($path)
 {
     try {
         return parse(read($path));
+    } catch (Exception $e) {
+        report($e);
+        return null;
+    }
 }
"#,
        r#"
path: src/a.cpp
 int load(const std::string& path) {
     try {
         return parse(read(path));
+    } catch (const NotFound& error) {
+        return 0;
+    }
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node.field("body").or_else(|| {
        node.children()
            .filter(|child| child.has_role(Role::Block))
            .last()
    }) else {
        return;
    };
    let statements = body.statements();
    let [only] = statements.as_slice() else {
        return;
    };
    let explained = node.all(Role::Comment).next().is_some();
    let returned = only
        .has_role(Role::Return)
        .then(|| only.named_children().next())
        .flatten();
    let plain = returned.is_some_and(|value| {
        value.is_null()
            || value.all(Role::Name).next().is_none() && value.all(Role::Call).next().is_none()
    });
    let answers_no = returned.is_some_and(|value| value.text() == "false");
    if answers_no && is_question(node) || is_expected(node, body) || documents_failure(node) {
        return;
    }
    let reports = body
        .all(Role::Call)
        .any(|call| call.call().is_some_and(|call| only_tells(call.callee)));
    if tried(node).is_some()
        && plain
        && !explained
        && !reports
        && is_wide(node)
        && !uses_error(node, body)
    {
        sink.report(
            node,
            format!(
                "Every error ends in `{}` here and is not reported.",
                quote(only.text())
            ),
        );
    }
}

/// The block that may fail, if all of it is shown.
fn tried(node: Node<'_>) -> Option<Node<'_>> {
    node.parent()
        .filter(|around| around.is_complete())
        .and_then(|around| around.field("body"))
}

/// Whether the enclosing block tests something by whether it fails: it also returns a boolean, or its function is named
/// after a question.
fn is_question(node: Node<'_>) -> bool {
    const QUESTIONS: &[&str] = &[
        "is", "has", "can", "try", "exists", "supports", "should", "probe", "test", "matches",
    ];
    let Some(tried) = tried(node) else {
        return false;
    };
    let answers = |way: Node<'_>| {
        way.named_children().next().is_some_and(|value| {
            let value = value.unparenthesised();
            matches!(value.text(), "true" | "false")
                || value.comparison().is_some()
                || value.negated().is_some()
        })
    };
    let is_named = || {
        function_around(node).is_some_and(|name| {
            words_of(name)
                .first()
                .is_some_and(|word| QUESTIONS.contains(&word.as_str()))
                || name.ends_with("Exists")
        })
    };
    tried.all(Role::Return).any(answers) || is_named()
}

/// Whether the name of the error shows that it was expected.
fn is_expected(node: Node<'_>, body: Node<'_>) -> bool {
    let head = node
        .children()
        .take_while(|child| child.index() < body.index());
    let name = head.flat_map(Node::names).last().map_or("", Node::text);
    let bare = name
        .trim_start_matches('$')
        .trim_start_matches('_')
        .to_ascii_lowercase();
    name == "_" || ["ignore", "ignored", "expected", "unused"].contains(&bare.as_str())
}

/// Whether the function's name shows that it may find nothing, or a comment on it states its result in case of failure.
fn documents_failure(node: Node<'_>) -> bool {
    const SOFT: &[&str] = &[
        "try", "safe", "safely", "maybe", "optional", "best", "probe",
    ];
    const FAILURES: &[&str] = &[
        "best-effort", "best effort", "undefined", "null", "false", "optional", "ignore", "fail",
        "missing", "invalid",
    ];
    let is_soft = function_around(node).is_some_and(|name| has_word(name, SOFT));
    let Some(function) = node.enclosing(Role::Function) else {
        return is_soft;
    };
    let statement = if function
        .parent()
        .is_some_and(|around| around.is(&["export_statement"]))
    {
        function.parent().unwrap_or(function)
    } else {
        function
    };
    let note = statement.parent().into_iter().flat_map(Node::children);
    let note = note
        .take_while(|child| child.index() < statement.index())
        .last()
        .filter(|note| note.has_role(Role::Comment));
    let reports = |note: Node<'_>| {
        let text = note.text().to_ascii_lowercase();
        FAILURES.iter().any(|word| text.contains(word))
    };
    is_soft || note.is_some_and(reports)
}

/// The name of the enclosing function.
fn function_around(node: Node<'_>) -> Option<&str> {
    node.enclosing(Role::Function)?
        .function()
        .map(|function| function.name.text())
}

/// Whether it catches every exception and not a specific one.
fn is_wide(node: Node<'_>) -> bool {
    let head = node.text().split('{').next().unwrap_or_default();
    match node.tree().grammar().name() {
        "JavaScript" | "TypeScript" | "TSX" => true,
        _ => {
            let inner = head.split_once('(').map_or("", |(_, inner)| inner);
            let kind = inner
                .split_whitespace()
                .find(|word| *word != "final")
                .unwrap_or_default()
                .trim_end_matches(')');
            matches!(
                kind,
                "Exception"
                    | "Throwable"
                    | "\\Exception"
                    | "\\Throwable"
                    | "RuntimeException"
                    | "..."
                    | ""
                    | "e:"
            ) || inner.contains(": Exception")
                || inner.contains(": Throwable")
        }
    }
}

fn uses_error(node: Node<'_>, body: Node<'_>) -> bool {
    let head = node
        .children()
        .take_while(|child| child.index() < body.index());
    let name = head.flat_map(Node::names).last().map_or("", Node::text);
    mentions(body.text(), name.trim_start_matches('$')) > 0
}
