//! `equals`, `hashCode` and `toString` of an array, which ignore its elements.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/array-object-method",
    languages: &["Java"],
    title: "Array compared, hashed or printed by identity",
    why: "Arrays inherit `equals`, `hashCode` and `toString` from `Object`. These use the array's identity: two \
          arrays with the same elements are not equal, have different hash codes and print as something like \
          `[I@1b6d3586`.",
    fix: "Use `Arrays.equals`, `Arrays.hashCode` or `Arrays.toString` (the deep variants for nested arrays).",
    references: &[
        "CWE-595",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Arrays.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call, Role::Binary]),
        run,
    },
    positive: &[
        r#"
 boolean same(byte[] a, byte[] b) {
-        return Arrays.equals(a, b);
+        return a.equals(b);
^
     }
"#,
        r#"
+class Key {
+    private final String[] parts;
+    public int hashCode() {
+        return Objects.hashCode(parts);
^
+    }
+    public String toString() {
+        return "Key " + parts;
^
+    }
+}
"#,
        r#"
+    void show(int[] numbers) {
+        System.out.println(numbers.toString());
^
+    }
"#,
    ],
    negative: &[
        r#"
@@ boolean same(byte[] a, byte[] b) {
+        return Arrays.equals(a, b);
     }
"#,
        r#"
+    void show(int[] numbers, char[] text, List<String> names) {
+        log("count " + numbers.length + names.toString() + String.valueOf(text) + numbers[0]);
+    }
"#,
    ],
};

fn is_array(node: Node<'_>) -> bool {
    type_of(node).is_some_and(|name| name.ends_with("[]"))
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some(array) = misused(node) {
        let what = if node.has_role(Role::Binary) {
            "concatenates the identity"
        } else {
            "uses the identity"
        };
        sink.report(
            node,
            format!(
                "`{}` {what} of the array `{}`, not its content.",
                quote(node.text()),
                quote(array.text())
            ),
        );
    }
}

fn misused(node: Node<'_>) -> Option<Node<'_>> {
    if let Some(binary) = node.binary() {
        if binary.operator != "+" {
            return None;
        }
        let is_text = |side: Node<'_>| type_of(side).is_some_and(|name| name == "String");
        let hit = |array: Node<'_>, other: Node<'_>| {
            is_text(other) && type_of(array).is_some_and(|name| name.ends_with("[]"))
        };
        return if hit(binary.left, binary.right) {
            Some(binary.left)
        } else {
            Some(binary.right).filter(|right| hit(*right, binary.left))
        };
    }
    let call = node.call()?;
    let first = call.arguments.first().copied();
    match (call.name, call.receiver) {
        ("equals", Some(receiver)) if receiver.text().ends_with("Objects") => call
            .arguments
            .iter()
            .copied()
            .find(|argument| is_array(*argument)),
        ("hashCode" | "toString", Some(receiver)) if receiver.text().ends_with("Objects") => {
            first.filter(|argument| is_array(*argument))
        }
        ("hash", Some(receiver))
            if receiver.text().ends_with("Objects") && call.arguments.len() > 1 =>
        {
            call.arguments
                .iter()
                .copied()
                .find(|argument| is_array(*argument))
        }
        ("equals" | "hashCode" | "toString", Some(receiver))
            if call.arguments.len() == usize::from(call.name == "equals") =>
        {
            Some(receiver).filter(|receiver| is_array(*receiver))
        }
        ("valueOf", Some(receiver)) if receiver.text() == "String" && call.arguments.len() == 1 => {
            first.filter(|argument| {
                is_array(*argument) && type_of(*argument).is_some_and(|name| name != "char[]")
            })
        }
        ("println" | "print", Some(receiver)) if receiver.text().starts_with("System.") => first
            .filter(|argument| {
                is_array(*argument) && type_of(*argument).is_some_and(|name| name != "char[]")
            }),
        ("append", Some(receiver))
            if type_of(receiver).is_some_and(|name| name.starts_with("StringBu"))
                && call.arguments.len() == 1 =>
        {
            first.filter(|argument| {
                type_of(*argument).is_some_and(|name| name.ends_with("[]") && name != "char[]")
            })
        }
        _ => None,
    }
}
