//! A promise returned out of a try, past its catch.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::script::types::{Type, is_async, types};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/return-without-await-in-try",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Promise returned from try without await",
    why: "The try statement ends before the promise settles. If it rejects, the catch block of this function does not \
          run.",
    fix: "Write return await.",
    references: &[],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement"]),
        run,
    },
    positive: &[
        "+async function load(path) {\n+  try {\n+    return fetch(path);\n^\n+  } catch (error) {\n+    return null;\n+  }\n+}\n",
        "+async function save() {}\n+async function run() {\n+  try {\n+    return save();\n^\n+  } finally {\n+    close();\n+  }\n+}\n",
    ],
    negative: &[
        "+async function load(path) {\n+  try {\n+    return await fetch(path);\n+  } catch (error) {\n+    return fetch(other);\n+  }\n+}\n",
        "+async function load(path) {\n+  return fetch(path);\n+}\n+function both(path) {\n+  try {\n+    return fetch(path);\n+  } catch (error) {\n+    return null;\n+  }\n+}\n",
        "@@ function load(path) {\n   try {\n     check(path);\n+    return fetch(path);\n   } catch (error) {\n     return null;\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next().map(Node::unparenthesised) else {
        return;
    };
    if value.is(&[
        "await_expression",
        "identifier",
        "object",
        "string",
        "number",
        "true",
        "false",
        "null",
        "array",
    ]) {
        return;
    }
    let mut inner = node;
    let mut guarded = false;
    for around in node.ancestors() {
        if around.has_role(Role::Function) || around.has_role(Role::Lambda) {
            guarded &= is_async(around);
            break;
        }
        // In the handler the promise may leave, unless a finally block follows.
        guarded |= around.is(&["try_statement"])
            && (around.field("body") == Some(inner)
                || around.field("handler") == Some(inner) && around.field("finalizer").is_some());
        inner = around;
    }
    if guarded
        && types(value)
            .iter()
            .any(|one| matches!(one, Type::Promise(_)))
    {
        let text = quote(value.text());
        let message = format!(
            "`{text}` settles after the `try` has ended: `catch` misses a rejection, `finally` is early."
        );
        sink.report(node, message);
    }
}
