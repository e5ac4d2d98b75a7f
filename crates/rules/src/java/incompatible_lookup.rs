//! A lookup in a collection with a value of a type that the collection never contains.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::{declared, equality_group, short, type_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/incompatible-lookup",
    languages: &["Java"],
    title: "Collection lookup with an incompatible type",
    why: "`contains`, `get` and `remove` accept any `Object`, so the compiler does not complain. A number is never \
          equal to a `String`, and an `Integer` is never equal to a `Long` or a `Short`, so the lookup never \
          succeeds.",
    fix: "Convert the value to the type of the collection's elements or keys, for example `1L` for a `Long`.",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Collection.html",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
 Order find(Map<Long, Order> orders, int id) {
-        return orders.get((long) id);
+        return orders.get(id);
^
     }
"#,
        r#"
+    boolean has(Set<String> names, Integer code, Set<Short> all, short n) {
+        return names.contains(code) && all.remove(n - 1);
^
+    }
"#,
    ],
    negative: &[
        r#"
 Order find(Map<Long, Order> orders, long id) {
+        return orders.get(id);
     }
"#,
        r#"
+    void run(List<String> names, int at, Map<Object, String> any, Set<Integer> numbers, char c) {
+        names.get(at);
+        names.remove(at);
+        any.get(at);
+        numbers.contains(at);
+        any.containsValue("a");
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let place = match call.name {
        "contains" | "indexOf" | "lastIndexOf" | "remove" | "get" | "containsKey"
        | "getOrDefault" => 0,
        "containsValue" => 1,
        _ => return,
    };
    let (Some(receiver), Some(argument)) = (call.receiver, call.arguments.first()) else {
        return;
    };
    let Some(own) = declared(receiver).and_then(|declared| declared.kind) else {
        return;
    };
    let Some(list) = own.child_of_kind(&["type_arguments"]) else {
        return;
    };
    let parameters: Vec<Node<'_>> = list.named_children().collect();
    let class = short(own.text());
    let fits = match parameters.len() {
        1 => {
            is_collection(&class)
                && matches!(call.name, "contains" | "indexOf" | "lastIndexOf" | "remove")
        }
        2 => is_map(&class) && !matches!(call.name, "contains" | "indexOf" | "lastIndexOf"),
        _ => false,
    };
    let Some(element) = parameters
        .get(place)
        .filter(|_| fits)
        .map(|kind| short(kind.text()))
    else {
        return;
    };
    let Some(given) = type_of(*argument) else {
        return;
    };
    if class.ends_with("List")
        && call.name == "remove"
        && matches!(given.as_str(), "int" | "short" | "byte" | "char")
    {
        return;
    }
    let (Some(wanted), Some(got)) = (equality_group(&element), equality_group(&given)) else {
        return;
    };
    if wanted != got {
        sink.report(
            node,
            format!(
                "`{}` never finds anything: it searches for a value of type `{given}` among values of \
                 type `{element}`.",
                quote(node.text())
            ),
        );
    }
}

fn is_collection(name: &str) -> bool {
    ["Set", "List", "Collection", "Queue", "Deque"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn is_map(name: &str) -> bool {
    name.ends_with("Map") && !name.starts_with("Multi") && !name.ends_with("IdentityHashMap")
}
