//! A class that overrides only one of `equals` and `hashCode`, or declares `equals` with the wrong parameter.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/equals-without-hash-code",
    languages: &["Java"],
    title: "Inconsistent equals and hashCode",
    why: "Hash tables search for an object in the bucket of its hash code. If equal objects have different hash \
          codes, a `HashMap` or `HashSet` does not find them and keeps duplicates.",
    fix: "Override `equals(Object)` and `hashCode()` together, based on the same fields.",
    references: &[
        "CWE-581",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Object.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["class_body"]),
        run,
    },
    positive: &[
        r#"
+class Point {
+    final int x;
+    @Override
+    public boolean equals(Object other) {
^
+        return other instanceof Point && ((Point) other).x == x;
+    }
+}
"#,
        r#"
+class Point {
+    final int x;
+    @Override
+    public int hashCode() {
^
+        return x;
+    }
+}
"#,
        r#"
+class Point {
+    final int x;
+    public boolean equals(Point other) {
^
+        return other.x == x;
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Point {
+    final int x;
+    @Override
+    public boolean equals(Object other) {
+        return other instanceof Point && ((Point) other).x == x;
+    }
+    @Override
+    public int hashCode() {
+        return x;
+    }
+}
"#,
        r#"
@@ class Point {
     final int x;
+    public boolean equals(Object other) {
+        return other instanceof Point;
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(class) = node
        .parent()
        .filter(|class| class.is(&["class_declaration"]) && class.is_within_hunk())
    else {
        return;
    };
    let methods: Vec<_> = node
        .named_children()
        .filter(|child| child.is(&["method_declaration"]))
        .collect();
    let named = |name: &str, parameters: &dyn Fn(&[Node<'_>]) -> bool| {
        methods.iter().copied().find(|method| {
            let own = method.field("name").is_some_and(|own| own.text() == name);
            let list: Vec<_> = method
                .field("parameters")
                .into_iter()
                .flat_map(Node::named_children)
                .collect();
            own && parameters(&list)
                && !method
                    .child_of_kind(&["modifiers"])
                    .is_some_and(|words| words.text().contains("static"))
        })
    };
    let is_object = |list: &[Node<'_>]| matches!(list, [only] if only.field("type").is_some_and(|kind| kind.text().ends_with("Object")));
    let equals = named("equals", &is_object);
    let own_equals = named(
        "equals",
        &|list| matches!(list, [only] if only.field("type").is_some_and(|kind| Some(kind.text()) == class.field("name").map(Node::text))),
    );
    let hash = named("hashCode", &|list| list.is_empty());
    let inherits = class.field("superclass").is_some();
    // Without state, all objects are equal anyway, or the superclass defines equality.
    let has_state = node
        .named_children()
        .any(|child| child.is(&["field_declaration"]));
    match (equals, hash) {
        (Some(equals), None) if !is_abstract(equals) && (has_state || inherits) => {
            sink.report(
                at(equals),
                "`equals` is overridden but `hashCode` is not: equal objects have different hash codes, \
                 so hash tables lose them.",
            );
        }
        (None, Some(hash)) if !inherits && !is_abstract(hash) => {
            sink.report(
                at(hash),
                "`hashCode` is overridden but `equals(Object)` is not: objects with the same hash code are \
                 still unequal.",
            );
        }
        (None, None) => {
            if let Some(own) = own_equals.filter(|_| !inherits) {
                sink.report(
                    at(own),
                    "This `equals` overloads `equals(Object)` instead of overriding it, so collections never call it.",
                );
            }
        }
        _ => {}
    }
}

fn at(method: Node<'_>) -> Node<'_> {
    method.field("name").unwrap_or(method)
}

fn is_abstract(method: Node<'_>) -> bool {
    method.field("body").is_none()
}
