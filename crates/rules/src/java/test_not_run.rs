//! A method that looks like a test but has no annotation.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/test-not-run",
    languages: &["Java"],
    title: "Test method without @Test",
    why: "JUnit 4 and 5 run only annotated methods. A method without `@Test` is silently skipped, so its checks can \
          never fail.",
    fix: "Add `@Test`, or make the method private if it is a helper.",
    references: &["https://junit.org/junit5/docs/current/user-guide/"],
    priority: Priority::P2,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_declaration"]),
        run,
    },
    positive: &[
        r#"
path: src/test/java/CartTest.java
@@ class CartTest {
     @Test
     public void testAdd() {
         assertEquals(1, cart.size());
     }
 
+    public void testRemove() {
^
+        assertEquals(0, cart.size());
+    }
"#,
        r#"
path: src/test/java/CartTest.java
+@RunWith(JUnit4.class)
+public class CartTest {
+    public void testRemove() {
^
+        run();
+    }
+}
"#,
    ],
    negative: &[
        r#"
path: src/test/java/CartTest.java
@@ class CartTest {
     @Test
     public void testAdd() {
         assertEquals(1, cart.size());
     }
 
+    @ParameterizedTest
+    public void testRemove() {
+        assertEquals(0, cart.size());
+    }
+    private void testHelp() {}
+    public void testOf(int n) {}
"#,
        r#"
path: src/test/java/CartTest.java
+public class CartTest extends TestCase {
+    public void testRemove() {
+        run();
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return;
    };
    let modifiers = node.child_of_kind(&["modifiers"]).map_or("", Node::text);
    let plain =
        modifiers.contains("public") && !modifiers.contains('@') && !modifiers.contains("abstract");
    let shape = node.field("type").is_some_and(|kind| kind.text() == "void")
        && node
            .field("parameters")
            .is_some_and(|list| list.named_children().next().is_none());
    if !plain || !shape {
        return;
    }
    let Some(class) = node
        .parent()
        .filter(|class| class.is(&["class_body", "program"]))
    else {
        return;
    };
    let holder = class
        .parent()
        .filter(|holder| holder.is(&["class_declaration"]));
    if holder.is_some_and(|holder| {
        holder.field("superclass").is_some()
            || holder
                .child_of_kind(&["modifiers"])
                .is_some_and(|words| words.text().contains("abstract"))
    }) {
        return;
    }
    let is_test = |method: Node<'_>| {
        method.child_of_kind(&["modifiers"]).is_some_and(|words| {
            words.named_children().any(|word| {
                word.is(&["marker_annotation", "annotation"])
                    && word.field("name").is_some_and(|name| {
                        matches!(
                            name.last_name(),
                            "Test" | "Before" | "After" | "BeforeEach" | "AfterEach"
                        )
                    })
            })
        })
    };
    let runner = holder.is_some_and(|holder| {
        holder
            .child_of_kind(&["modifiers"])
            .is_some_and(|words| words.text().contains("@RunWith"))
    });
    let among_tests = runner
        || class
            .named_children()
            .any(|method| method.is(&["method_declaration"]) && method != node && is_test(method));
    let asserts = ["assert", "verify(", "fail("]
        .iter()
        .any(|word| body.text().contains(word));
    let named = name.text().strip_prefix("test").is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_uppercase() || c == '_') || rest.is_empty()
    });
    let spoken = ["should", "test", "when", "given"]
        .iter()
        .any(|word| name.text().starts_with(word))
        && asserts;
    let used = class.text().matches(&format!("{}(", name.text())).count() > 1;
    if among_tests && (named || spoken) && !used {
        sink.report(
            name,
            format!(
                "`{}` has no `@Test` annotation, so it never runs.",
                name.text()
            ),
        );
    }
}
