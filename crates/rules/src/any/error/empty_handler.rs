//! A handler that does nothing with any error.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/empty-handler",
    languages: &[
        "C#", "C++", "Java", "JavaScript", "Kotlin", "PHP", "Python", "Ruby", "TSX", "TypeScript",
    ],
    title: "Every error ignored",
    why: "The handler catches every error and does nothing, not even with a comment that says why. Bugs, full disks and lost connections \
          go unnoticed, and the code below continues as if the operation had succeeded.",
    fix: "Catch only the expected error, and report or pass on the others. Say in a comment why an error may be ignored.",
    references: &["CWE-391"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Catch]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
 class Store {
     void save(Order order) {
         try {
             repository.save(order);
+        } catch (Exception e) {
^
+        }
     }
 }
"#,
        r#"
path: src/a.py
 def save(order):
     try:
         repository.save(order)
+    except Exception:
^
+        pass
"#,
        r#"
path: src/a.js
+async function save(order) {
+  try {
+    await repository.save(order);
+  } catch (error) {}
^
+}
"#,
        r#"
path: src/a.ts
+async function save(order: Order) {
+  try {
+    await repository.save(order);
+  } catch {
^
+  }
+}
"#,
        r#"
path: src/a.tsx
+const Save = ({ order }) => {
+  const save = () => {
+    try {
+      repository.save(order);
+    } catch (error) {
^
+    }
+  };
+  return <button onClick={save} />;
+};
"#,
        r#"
path: src/A.cs
 class Store
 {
     void Save(Order order)
     {
         try { _repository.Save(order); }
+        catch (Exception) { }
^
     }
 }
"#,
        r#"
path: src/A.kt
+fun save(order: Order) {
+    try {
+        repository.save(order)
+    } catch (e: Exception) {
^
+    }
+}
"#,
        r#"
path: src/a.php
 <?php
 function save($order) {
     try {
         $this->repository->save($order);
+    } catch (\Throwable $e) {
^
+    }
 }
"#,
        r#"
path: src/a.rb
 def save(order)
   @repository.save(order)
+rescue StandardError
^
+  nil
 end
"#,
        r#"
path: src/a.cpp
 void save(Order& order) {
   try {
     repository.save(order);
+  } catch (...) {
^
+  }
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
 class Store {
     void save(Order order) {
         try {
             repository.save(order);
+        } catch (NotFoundException e) {
+        } catch (Exception e) {
+            // The next run saves it again.
+        }
     }
 }
"#,
        r#"
path: src/a.py
 def save(order):
     try:
         repository.save(order)
+    except KeyError:
+        pass
+    except Exception:
+        log.exception("cannot save")
"#,
        r#"
path: src/a.js
+async function close(order) {
+  try {
+    await order.close();
+  } catch (error) {
+    // It is closed already.
+  }
+}
"#,
        r#"
path: src/a.ts
 async function save(order: Order) {
   try {
+    await repository.save(order);
   } catch {
   }
 }
"#,
        r#"
path: src/a.tsx
+const Save = ({ order }) => {
+  const save = () => {
+    try {
+      repository.save(order);
+    } catch (error) {
+      setError(error);
+    }
+  };
+  return <button onClick={save} />;
+};
"#,
        r#"
path: src/A.cs
 class Store
 {
     void Save(Order order)
     {
         try { _repository.Save(order); }
+        catch (OperationCanceledException) { }
+        catch (Exception error) when (error is IOException) { }
     }
 }
"#,
        r#"
path: src/A.kt
+fun save(order: Order) {
+    try {
+        repository.save(order)
+    } catch (e: IOException) {
+    }
+}
"#,
        r#"
path: src/a.php
 <?php
 function save($order) {
     try {
         $this->repository->save($order);
+    } catch (NotFound $e) {
+    }
 }
"#,
        r#"
path: src/a.rb
 def save(order)
   @repository.save(order)
+rescue KeyError
+  nil
 end
"#,
        r#"
path: src/a.cpp
 void save(Order& order) {
   try {
     repository.save(order);
+  } catch (const NotFound&) {
+  }
 }
"#,
    ],
};

/// The classes of all errors, or of nearly all.
const EVERYTHING: &[&str] = &[
    "Exception", "Throwable", "Error", "BaseException", "StandardError", "RuntimeException",
    "exception",
];

/// Names of calls that may fail without consequences: closing, cleaning up, and features that a platform may lack.
const OPTIONAL: &[&str] = &[
    "close", "chmod", "Close", "dispose", "Dispose", "unlink", "remove", "Remove", "delete",
    "Delete", "kill", "stop", "Stop", "cancel", "Cancel", "disconnect", "Disconnect",
    "localStorage", "sessionStorage", "sleep", "Sleep", "import", "rollback", "Rollback",
    "cleanup", "destroy", "shutdown", "Shutdown", "quit", "terminate", "flush", "Flush", "detach",
    "abort",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let block = node.any_field(&["body", "consequence"]).or_else(|| {
        node.children()
            .filter(|part| part.has_role(Role::Block) || part.is(&["then", "statements"]))
            .last()
    });
    let is_nothing = |part: Node<'_>| {
        part.is_null()
            || part.is(&["pass_statement", "ellipsis"])
            || matches!(part.text(), "nil" | "pass" | "..." | ";")
    };
    // Kotlin has no node for an empty block.
    let is_kotlin = node.tree().grammar().name() == "Kotlin";
    if block.is_none() && !is_kotlin {
        return;
    }
    let has_comment = node.all(Role::Comment).next().is_some()
        || node.next().is_some_and(|next| next.has_role(Role::Comment));
    let does_nothing = block.is_none_or(|block| block.named_children().all(is_nothing));
    if !does_nothing || has_comment || !node.is_complete() || !catches_everything(node, block) {
        return;
    }
    let tried = node
        .parent()
        .filter(|around| around.has_role(Role::Try) || around.is(&["body_statement"]));
    let Some(tried) = tried else {
        return;
    };
    let before = tried
        .named_children()
        .filter(|part| part.index() < node.index())
        .filter(|part| !part.has_role(Role::Catch));
    let is_optional = before
        .flat_map(Node::names)
        .any(|name| OPTIONAL.contains(&name.text()));
    if !is_optional {
        let head = node.text().split('\n').next().unwrap_or_default();
        sink.report(
            node,
            format!(
                "`{}` ignores every error of the block above.",
                quote(head.trim_end_matches(['{', ' ']))
            ),
        );
    }
}

/// Whether a handler names no class of errors, or one that has nearly all.
fn catches_everything(handler: Node<'_>, block: Option<Node<'_>>) -> bool {
    let head: Vec<Node<'_>> = handler
        .named_children()
        .filter(|part| block.is_none_or(|block| part.index() < block.index()))
        .collect();
    let has_filter = head.iter().any(|part| part.is(&["catch_filter_clause"]));
    let names: Vec<&str> = head
        .iter()
        .flat_map(|part| {
            part.all(Role::Name).chain(
                part.descendants()
                    .filter(|one| one.is(&["type_identifier", "namespace_identifier"])),
            )
        })
        .map(Node::text)
        .collect();
    let is_script = matches!(
        handler.tree().grammar().name(),
        "JavaScript" | "TypeScript" | "TSX"
    );
    !has_filter
        && (is_script || names.is_empty() || names.iter().any(|name| EVERYTHING.contains(name)))
}
