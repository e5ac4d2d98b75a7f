//! A handler that passed its error on, or reported it, and no longer does.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/exception-swallowed",
    languages: &[],
    title: "Error is now swallowed",
    why: "The handler passed the error on or reported it. Now it does nothing, only logs, or returns an ordinary value, and \
          the code continues as if the operation had succeeded.",
    fix: "Pass the error on, or handle it: logging alone does not handle it.",
    references: &["CWE-391"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.java
@@ void save() {
         try {
             write();
         } catch (IOException e) {
-            throw new StoreException(e);
+            log.warn("cannot write", e);
^
         }
"#,
        r#"
path: src/a.py
 def save(self):
     try:
         self.write()
     except OSError:
-        raise
+        pass
^
"#,
        r#"
path: src/A.java
@@ Rows load() {
         try {
             return read();
         } catch (IOException e) {
-            throw new JsonIOException(e);
+            return null;
^
         }
"#,
        r#"
path: src/a.js
 app.get('/', async (req, res, next) => {
   try {
     res.json(await load());
   } catch (error) {
-    next(error);
^
   }
 });
"#,
        r#"
path: src/a.rb
 def load
   read
 rescue IOError => e
-  raise LoadError, e.message
+  nil
^
 end
"#,
        r#"
path: src/a.kt
 fun load(): Rows? {
     try {
         return read()
     } catch (e: IOException) {
-        throw LoadException(e)
+        return null
^
     }
 }
"#,
        r#"
path: src/a.py
 def send(mail):
     try:
         post(mail)
     except MailError:
-        logger.exception('mail')
+        pass
^
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void save() {
         try {
             write();
         } catch (IOException e) {
-            throw new StoreException(e);
+            throw new UncheckedIOException(e);
         }
"#,
        r#"
path: src/a.py
 def save(self):
     try:
         self.write()
     except OSError:
-        raise
+        self.retry()
"#,
        r#"
path: src/a.py
 def save(self):
     try:
         self.write()
-    except OSError:
-        raise
+    except FileNotFoundError:
+        pass
+    except OSError:
+        raise
"#,
        r#"
path: src/a.js
 app.get('/', async (req, res, next) => {
   try {
     res.json(await load());
   } catch (error) {
-    next(error);
+    res.status(500).json({ error: 'failed' });
   }
 });
"#,
        r#"
path: src/a.py
 def send(mail):
     try:
         post(mail)
     except MailError:
-        logger.exception('mail')
+        logger.exception('mail of %s', mail)
"#,
    ],
};

/// How a handler treats its error.
enum Before<'t> {
    /// It passes it on.
    PassesOn(Node<'t>),
    /// It only reports it.
    Reports(Node<'t>),
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .with_role(Role::Catch)
        .filter(|node| node.touches_change())
    {
        swallowed(context, old, sink);
    }
}

fn swallowed<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    let before = match passes_on(old) {
        Some(call) => Before::PassesOn(call),
        None => Before::Reports(reports(old)?),
    };
    let keyword = old.leaves().next().and_then(|leaf| context.new_of(leaf))?;
    let new = keyword
        .enclosing(Role::Catch)
        .filter(|new| new.is_usable())?;
    // It catches the same kinds of errors.
    let head = |catch: Node<'a>| body(catch).map_or(catch.end(), |body| body.start());
    let head_changed = new
        .leaves()
        .take_while(|leaf| leaf.start() < head(new))
        .any(|leaf| leaf.has_role(Role::Name) && context.old_of(leaf).is_none());
    if head_changed || passes_on(new).is_some() {
        return None;
    }
    let left = left_of(new)?;
    let summary = match before {
        Before::PassesOn(call) if call.touches_change() && !context.reappears(call) => {
            let call = quote(call.text().lines().next().unwrap_or_default());
            match left {
                Left::Nothing => {
                    format!("The handler no longer runs `{call}`: the error is swallowed here.")
                }
                Left::Logs => format!(
                    "The handler only logs now instead of `{call}`: the code continues as if nothing had failed."
                ),
                Left::Gives(value) => {
                    format!(
                        "The handler gives `{}` now instead of `{call}`: the caller no longer learns of the error.",
                        quote(value.text())
                    )
                }
            }
        }
        Before::Reports(call) if matches!(left, Left::Nothing) && call.touches_change() => {
            let is_explained = new.all(Role::Comment).next().is_some();
            if is_explained || context.reappears(call) {
                return None;
            }
            format!(
                "The handler no longer runs `{}`: the error leaves no trace.",
                quote(call.text())
            )
        }
        _ => return None,
    };
    let at = body(new)
        .filter(|body| body.touches_change() && body.start() > new.start())
        .unwrap_or(new);
    sink.report(if at.touches_change() { at } else { old }, summary);
    Some(())
}

fn body(catch: Node<'_>) -> Option<Node<'_>> {
    catch.field("body").or_else(|| {
        catch
            .children()
            .filter(|node| node.has_role(Role::Block))
            .last()
    })
}

/// The node that throws the error or passes it on.
fn passes_on(catch: Node<'_>) -> Option<Node<'_>> {
    let kotlin = |node: &Node<'_>| node.has_role(Role::Return) && node.text().starts_with("throw");
    let call = |node: &Node<'_>| {
        node.call().is_some_and(|call| {
            matches!(
                call.name,
                "raise" | "reject" | "next" | "done" | "callback" | "cb" | "fail"
            ) && (call.name == "raise" || !call.arguments.is_empty())
                && call
                    .receiver
                    .is_none_or(|receiver| receiver.text() != "iterator")
        })
    };
    // Ruby's `raise` without arguments is a bare name.
    let bare = |node: &Node<'_>| node.is(&["identifier"]) && node.text() == "raise";
    catch
        .descendants()
        .find(|node| node.has_role(Role::Throw) || kotlin(node) || call(node) || bare(node))
}

/// The only statement of the handler, if it logs.
fn reports(catch: Node<'_>) -> Option<Node<'_>> {
    let statements = body(catch)?.statements();
    let [only] = statements.as_slice() else {
        return None;
    };
    only.call()
        .filter(|call| vocabulary::only_tells(call.callee))
        .map(|_| *only)
}

/// The remaining code of a handler.
enum Left<'t> {
    Nothing,
    Logs,
    Gives(Node<'t>),
}

fn left_of(catch: Node<'_>) -> Option<Left<'_>> {
    let Some(body) = body(catch) else {
        return Some(Left::Nothing);
    };
    let mut left = Left::Nothing;
    for node in body.statements() {
        if node == body || node.is(&["pass_statement", "empty_statement", ";"]) {
            continue;
        }
        if node
            .call()
            .is_some_and(|call| vocabulary::only_tells(call.callee))
        {
            left = Left::Logs;
            continue;
        }
        let value = if node.has_role(Role::Return) {
            node.named_children().next()
        } else {
            Some(node)
        };
        let is_plain = |value: &Node<'_>| {
            value.is_null()
                || matches!(
                    value.text(),
                    "false" | "true" | "False" | "True" | "[]" | "{}" | "\"\"" | "''" | "0" | "-1"
                )
        };
        match value.filter(is_plain) {
            Some(value) => left = Left::Gives(value),
            None => return None,
        }
    }
    Some(left)
}
