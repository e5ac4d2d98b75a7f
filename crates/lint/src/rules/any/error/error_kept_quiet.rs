//! A handler that neither reads the error nor reports it.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::names::mentions;
use crate::semantics::vocabulary::only_tells;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/error-kept-quiet",
    languages: &["JavaScript", "TypeScript", "TSX", "Java", "C#", "PHP", "Kotlin", "Ruby", "C++"],
    title: "Error silently turned into an ordinary value",
    why: "On any failure in the block, the handler returns an ordinary value and reports neither the error nor its \
          cause. A bug in the code then looks like an empty result.",
    fix: "Catch only the expected error, or log the caught one.",
    references: &["CWE-391", "CWE-396"],
    priority: Priority::P3,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Catch]), run },
    positive: &[
        "path: src/a.js\n function load(path) {\n   try {\n     return parse(read(path));\n+  } catch (error) {\n^\n+    return null;\n+  }\n }\n",
        "path: src/A.java\n@@ Rows load(String path) {\n         try {\n             return parse(read(path));\n+        } catch (Exception e) {\n^\n+            return null;\n+        }\n",
    ],
    negative: &[
        "path: src/a.js\n function load(path) {\n   try {\n     return parse(read(path));\n+  } catch (error) {\n+    log(error);\n+    return null;\n+  }\n }\n",
        "path: src/A.java\n@@ Rows load(String path) {\n         try {\n             return parse(read(path));\n+        } catch (NumberFormatException e) {\n+            return null;\n+        }\n",
        "path: src/a.js\n function load(path) {\n   try {\n     return parse(read(path));\n+  } catch (error) {\n+    // There may be no file yet.\n+    return null;\n+  }\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node.field("body").or_else(|| node.children().filter(|child| child.has_role(Role::Block)).last())
    else {
        return;
    };
    let statements = body.statements();
    let [only] = statements.as_slice() else { return };
    let explained = node.all(Role::Comment).next().is_some();
    let gives = only.has_role(Role::Return).then(|| only.named_children().next()).flatten();
    let plain = gives.is_some_and(|value| {
        value.is_null() || value.all(Role::Name).next().is_none() && value.all(Role::Call).next().is_none()
    });
    let tells = body.all(Role::Call).any(|call| call.call().is_some_and(|call| only_tells(call.callee)));
    if plain && !explained && !tells && is_wide(node) && !uses_error(node, body) {
        sink.report(node, format!("Every error ends in `{}` here and is not reported.", quote(only.text())));
    }
}

/// Whether it catches every exception and not a specific one.
fn is_wide(node: Node<'_>) -> bool {
    let head = node.text().split('{').next().unwrap_or_default();
    match node.tree().grammar().name() {
        "JavaScript" | "TypeScript" | "TSX" => true,
        "Ruby" => !head.lines().next().unwrap_or_default().contains("::") && node.field("exceptions").is_none(),
        _ => {
            let inner = head.split_once('(').map_or("", |(_, inner)| inner);
            let kind = inner.split_whitespace().find(|word| *word != "final").unwrap_or_default().trim_end_matches(')');
            matches!(
                kind,
                "Exception" | "Throwable" | "\\Exception" | "\\Throwable" | "RuntimeException" | "..." | "" | "e:"
            ) || inner.contains(": Exception")
                || inner.contains(": Throwable")
        }
    }
}

fn uses_error(node: Node<'_>, body: Node<'_>) -> bool {
    let head = node.children().take_while(|child| child.index() < body.index());
    let name = head.flat_map(Node::names).last().map_or("", Node::text);
    mentions(body.text(), name.trim_start_matches('$')) > 0
}
