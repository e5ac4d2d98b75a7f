//! A result that its method says must be used, and that is dropped.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::short;

pub(crate) const RULE: Rule = Rule {
    id: "java/declared-result-ignored",
    languages: &["Java"],
    title: "Result that has to be used is dropped",
    why: "A method that is marked with @CheckReturnValue says that a call is useless without its result. A Mono, Flux, Single and the like is only a plan: \
          unless somebody subscribes to it, nothing of it is done and no error is seen.",
    fix: "Use the result: assign it, return it, or subscribe to it.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["expression_statement"]), run },
    fires: &[
        "+class Store {\n+    Mono<Void> save(User user) {\n+        return client.post(user);\n+    }\n+    void close(User user) {\n+        save(user);\n^\n+    }\n+}\n",
        "+class Money {\n+    @CheckReturnValue\n+    Money plus(Money other) {\n+        return new Money(cents + other.cents);\n+    }\n+    void pay(Money price) {\n+        this.plus(price);\n^\n+    }\n+}\n",
    ],
    quiet: &[
        "+class Store {\n+    Mono<Void> save(User user) {\n+        return client.post(user);\n+    }\n+    Mono<Void> close(User user) {\n+        users.save(user);\n+        return save(user);\n+    }\n+}\n",
        "+class Money {\n+    @CheckReturnValue\n+    Money plus(Money other) {\n+        return new Money(cents + other.cents);\n+    }\n+    @CanIgnoreReturnValue\n+    Single<Money> plus(int other) {\n+        return null;\n+    }\n+    void pay(Money price) {\n+        plus(price);\n+    }\n+}\n",
    ],
};

/// Types of values that do nothing before somebody subscribes to them.
const PLANS: &[&str] = &["Mono", "Flux", "Observable", "Single", "Maybe", "Flowable", "Completable", "Uni", "Multi"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.named_children().next().and_then(Node::call) else { return };
    if !call.receiver.is_none_or(|receiver| receiver.is(&["this"])) {
        return;
    }
    let methods = methods(node, call.name);
    let Some(reason) = methods.first().and_then(|method| reason(*method)) else { return };
    // Overloads may differ; which one is meant is told by types.
    if methods.iter().all(|method| self::reason(*method).is_some()) {
        sink.report(node, format!("The result of `{}` is dropped, but {reason}.", quote(call.name)));
    }
}

/// The methods of that name of the classes around a call.
fn methods<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let bodies = node.ancestors().filter(|around| around.is(&["class_body", "interface_body"]));
    let all = bodies.flat_map(Node::named_children).filter(|member| member.is(&["method_declaration"]));
    all.filter(|method| method.field("name").is_some_and(|own| own.text() == name)).collect()
}

fn reason(method: Node<'_>) -> Option<&'static str> {
    let marked = |holder: Node<'_>, mark: &str| {
        holder.child_of_kind(&["modifiers"]).is_some_and(|modifiers| modifiers.text().contains(mark))
    };
    if marked(method, "@CanIgnoreReturnValue") {
        return None;
    }
    let kind = method.field("type").filter(|kind| kind.text() != "void")?;
    let class = method.enclosing(Role::Class);
    if marked(method, "@CheckReturnValue") || class.is_some_and(|class| marked(class, "@CheckReturnValue")) {
        return Some("the method says that it must be used");
    }
    PLANS.contains(&short(kind.text()).as_str()).then_some("nothing of it happens before somebody subscribes to it")
}
