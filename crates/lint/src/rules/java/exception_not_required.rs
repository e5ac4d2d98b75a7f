//! A test that expects an exception, but passes without it.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/exception-not-required",
    languages: &["Java"],
    title: "Test passing without the expected exception",
    why: "The test checks the exception in the `catch` block. If the call no longer throws, the `catch` block is \
          skipped and the test still passes.",
    fix: "Use `assertThrows`, or end the `try` block with `fail()`.",
    references: &["https://junit.org/junit5/docs/current/user-guide/"],
    priority: Priority::P2,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["try_statement"]), run },
    positive: &[
        "path: src/test/java/CartTest.java\n+    @Test\n+    public void refuses() {\n+        try {\n+            cart.add(null);\n^\n+        } catch (IllegalArgumentException expected) {\n+        }\n+    }\n",
        "path: src/test/java/ParserTest.java\n@@ public class ParserTest {\n     @Test\n     void rejectsText() {\n+        try {\n+            parser.parse(\"x\");\n^\n+        } catch (NumberFormatException e) {\n+            // expected\n+        }\n     }\n",
    ],
    negative: &[
        "path: src/test/java/CartTest.java\n+    @Test\n+    public void refuses() {\n+        try {\n+            cart.add(null);\n+            fail();\n+        } catch (IllegalArgumentException expected) {\n+        }\n+    }\n+    @Test\n+    public void cleans() {\n+        try {\n+            cart.close();\n+        } catch (IOException e) {\n+            log(e);\n+        }\n+    }\n",
        "+    public void close() {\n+        try {\n+            cart.close();\n+        } catch (IOException ignored) {\n+        }\n+    }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node.enclosing(Role::Function).filter(|function| is_test(*function)) else { return };
    let Some(body) = node.field("body") else { return };
    let Some(last) = body.named_children().last().filter(|last| last.is(&["expression_statement"])) else { return };
    let stops = [
        "fail(",
        "fail (",
        "shouldHaveThrown",
        "AssertionError",
        "shouldThrow",
        "Fail.",
        "failBecause",
        "expectThrows",
    ];
    let demands = stops.iter().any(|word| function.text().contains(word));
    let leaves = body
        .descendants()
        .any(|inner| inner.is(&["return_statement", "throw_statement", "break_statement", "continue_statement"]));
    let catches: Vec<Node<'_>> = node.children().filter(|part| part.has_role(Role::Catch)).collect();
    // A block that ends in a check of its own does not expect the exception.
    let checks = ["assert", "verify", "Assert."].iter().any(|word| last.text().starts_with(word));
    let last_of_all = node.next().is_none();
    let looped = node.ancestors().take_while(|around| *around != function).any(|around| around.has_role(Role::Loop));
    if checks
        || demands
        || leaves
        || looped
        || !last_of_all
        || catches.is_empty()
        || !catches.iter().all(|one| waits(*one))
    {
        return;
    }
    sink.report(last, format!("If `{}` does not throw, the test still passes.", quote(last.text())));
}

fn is_test(function: Node<'_>) -> bool {
    let marked = function.child_of_kind(&["modifiers"]).is_some_and(|words| {
        words.named_children().any(|word| word.field("name").is_some_and(|name| name.last_name() == "Test"))
    });
    let named = function.field("name").is_some_and(|name| name.text().starts_with("test"))
        && function.field("parameters").is_some_and(|list| list.named_children().next().is_none());
    marked || named
}

/// A handler that only examines the exception.
fn waits(handler: Node<'_>) -> bool {
    let kind = handler.child_of_kind(&["catch_formal_parameter"]).map_or("", Node::text);
    let broad =
        ["Throwable", "InterruptedException", "AssertionError", "Error "].iter().any(|word| kind.contains(word));
    let named = ["expected", "ignored", "ok", "success"].iter().any(|word| kind.ends_with(word));
    let Some(body) = handler.field("body") else { return false };
    let mut lines = body.named_children().peekable();
    let is_empty = lines.peek().is_none();
    let asserts = |line: Node<'_>| line.text().trim_start().starts_with("assert");
    !broad
        && (is_empty && (named || body.text().to_ascii_lowercase().contains("expected"))
            || !is_empty && lines.all(asserts))
}
