//! `equals` between two types with values that are never equal.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::{equality_group, type_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/incompatible-equals",
    languages: &["Java"],
    title: "equals between incompatible types",
    why: "`equals` first checks the class of the other object. A `String` is never equal to a number, a \
          `StringBuilder` or an enum value, and an `Integer` is never equal to a `Long`, even if they look the same. \
          The result is always false.",
    fix: "Convert one side to the type of the other before comparing.",
    references: &[
        "CWE-570",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Object.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
 boolean isOne(Long id) {
-        return id.equals(1L);
+        return id.equals(1);
^
     }
"#,
        r#"
+    boolean same(String name, StringBuilder text) {
+        return name.equals(text);
^
+    }
"#,
        r#"
+    boolean same(String name, Integer code, char[] raw) {
+        return Objects.equals(name, code) || name.equals(raw);
^
+    }
"#,
        r#"
+    boolean same(List<String> names, String name) {
+        return names.equals(name);
^
+    }
"#,
    ],
    negative: &[
        r#"
@@ boolean isOne(Long id) {
+        return id.equals(1L);
     }
"#,
        r#"
+    boolean same(Object a, String b, List<String> c, ArrayList<String> d, Integer e, int f, T g) {
+        return a.equals(b) || c.equals(d) || e.equals(f) || b.equals(g);
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.name == "equals") else {
        return;
    };
    let (left, right) = match (call.receiver, call.arguments.as_slice()) {
        (Some(_), [left, right])
            if call.callee.ends_with("Objects.equals")
                || call.callee.ends_with("Objects.equal") =>
        {
            (*left, *right)
        }
        (Some(receiver), [argument]) => (receiver, *argument),
        _ => return,
    };
    let (Some(a), Some(b)) = (type_of(left), type_of(right)) else {
        return;
    };
    let (Some(first), Some(second)) = (equality_group(&a), equality_group(&b)) else {
        return;
    };
    if first == second && (first != "an array" || a == b) {
        return;
    }
    let article = |name: &str| {
        if name.starts_with(['A', 'I', 'O']) {
            format!("an {name}")
        } else {
            format!("a {name}")
        }
    };
    sink.report(
        node,
        format!(
            "`{}` is always false: one operand is {}, the other {}.",
            quote(node.text()),
            article(&a),
            article(&b)
        ),
    );
}
