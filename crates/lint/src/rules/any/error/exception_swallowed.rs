//! A handler that rethrew its error and no longer does.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::semantics::vocabulary;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/exception-swallowed",
    languages: &[],
    title: "Rethrown exception now swallowed",
    why: "The handler rethrew the error, or turned it into another one. Now it does nothing or only logs, and the code \
          continues as if the operation had succeeded.",
    fix: "Rethrow the error, or handle it: logging alone does not handle it.",
    references: &["CWE-391"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/A.java\n@@ void save() {\n         try {\n             write();\n         } catch (IOException e) {\n-            throw new StoreException(e);\n^\n+            log.warn(\"cannot write\", e);\n         }\n",
        "path: src/a.py\n def save(self):\n     try:\n         self.write()\n     except OSError:\n-        raise\n^\n+        pass\n",
    ],
    negative: &[
        "path: src/A.java\n@@ void save() {\n         try {\n             write();\n         } catch (IOException e) {\n-            throw new StoreException(e);\n+            throw new UncheckedIOException(e);\n         }\n",
        "path: src/a.py\n def save(self):\n     try:\n         self.write()\n     except OSError:\n-        raise\n+        self.retry()\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.with_role(Role::Catch).filter(|node| node.touches_change()) {
        let Some(throw) = throws(old) else { continue };
        let keyword = old.leaves().next().and_then(|leaf| context.new_of(leaf));
        let Some(new) = keyword.and_then(|leaf| leaf.enclosing(Role::Catch)).filter(|new| new.is_usable()) else {
            continue;
        };
        if throws(new).is_none() && does_nothing(new) && throw.touches_change() && !context.reappears(throw) {
            sink.report(
                throw,
                format!("The handler no longer runs `{}`: the error is swallowed here.", quote(throw.text())),
            );
        }
    }
}

fn throws(catch: Node<'_>) -> Option<Node<'_>> {
    let kotlin = |node: &Node<'_>| node.has_role(Role::Return) && node.text().starts_with("throw");
    let call = |node: &Node<'_>| node.call().is_some_and(|call| matches!(call.name, "raise" | "reject"));
    catch.descendants().find(|node| node.has_role(Role::Throw) || kotlin(node) || call(node))
}

/// Whether the body is empty or only logs.
fn does_nothing(catch: Node<'_>) -> bool {
    let body = catch.field("body").or_else(|| catch.descendants().find(|node| node.has_role(Role::Block)));
    let Some(body) = body else { return true };
    body.statements().into_iter().all(|node| {
        node.is(&["pass_statement", "empty_statement"])
            || node.call().is_some_and(|call| vocabulary::only_tells(call.callee))
            || node == body
    })
}
