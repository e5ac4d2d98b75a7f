//! An ignored result of a method that declares that its result must be used.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::short;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/declared-result-ignored",
    languages: &["Java"],
    title: "Ignored result of a lazy or annotated method",
    why: "A call of a method annotated with `@CheckReturnValue` is useless without its result. A `Mono`, `Flux` or \
          `Single` only describes the work: without a subscriber nothing is executed, and no error appears.",
    fix: "Use the result: assign it, return it, or subscribe to it.",
    references: &[
        "CWE-252",
        "https://projectreactor.io/docs/core/release/reference/",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
+class Store {
+    Mono<Void> save(User user) {
+        return client.post(user);
+    }
+    void close(User user) {
+        save(user);
^
+    }
+}
"#,
        r#"
+class Money {
+    @CheckReturnValue
+    Money plus(Money other) {
+        return new Money(cents + other.cents);
+    }
+    void pay(Money price) {
+        this.plus(price);
^
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Store {
+    Mono<Void> save(User user) {
+        return client.post(user);
+    }
+    Mono<Void> close(User user) {
+        users.save(user);
+        return save(user);
+    }
+}
"#,
        r#"
+class Money {
+    @CheckReturnValue
+    Money plus(Money other) {
+        return new Money(cents + other.cents);
+    }
+    @CanIgnoreReturnValue
+    Single<Money> plus(int other) {
+        return null;
+    }
+    void pay(Money price) {
+        plus(price);
+    }
+}
"#,
    ],
};

/// Types of values that do nothing without a subscriber.
const PLANS: &[&str] = &[
    "Mono", "Flux", "Observable", "Single", "Maybe", "Flowable", "Completable", "Uni", "Multi",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.named_children().next().and_then(Node::call) else {
        return;
    };
    if !call.receiver.is_none_or(|receiver| receiver.is(&["this"])) {
        return;
    }
    let methods = methods(node, call.name);
    let Some(reason) = methods.first().and_then(|method| reason(*method)) else {
        return;
    };
    // Overloads may differ, and the types decide which one is called.
    if methods.iter().all(|method| self::reason(*method).is_some()) {
        sink.report(
            node,
            format!(
                "The result of `{}` is ignored, but {reason}.",
                quote(call.name)
            ),
        );
    }
}

/// The methods with that name in the classes around a call.
fn methods<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let bodies = node
        .ancestors()
        .filter(|around| around.is(&["class_body", "interface_body"]));
    let all = bodies
        .flat_map(Node::named_children)
        .filter(|member| member.is(&["method_declaration"]));
    all.filter(|method| method.field("name").is_some_and(|own| own.text() == name))
        .collect()
}

fn reason(method: Node<'_>) -> Option<&'static str> {
    let marked = |holder: Node<'_>, mark: &str| {
        holder
            .child_of_kind(&["modifiers"])
            .is_some_and(|modifiers| modifiers.text().contains(mark))
    };
    if method.may_start_earlier() || marked(method, "@CanIgnoreReturnValue") {
        return None;
    }
    let kind = method.field("type").filter(|kind| kind.text() != "void")?;
    let class = method.enclosing(Role::Class);
    if marked(method, "@CheckReturnValue")
        || class.is_some_and(|class| marked(class, "@CheckReturnValue"))
    {
        return Some("the method declares that it must be used");
    }
    PLANS
        .contains(&short(kind.text()).as_str())
        .then_some("nothing is executed without a subscriber")
}
