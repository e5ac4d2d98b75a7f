//! Constructors that do not call super.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "javascript/super-call-missing",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Constructor of a derived class without super",
    why: "In a derived class `this` does not exist until super has been called. The constructor throws a \
          ReferenceError each time an object is made.",
    fix: "Call super first; drop it where the class extends nothing.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.95,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["method_definition"]), run },
    fires: &[
        "+class Cat extends Animal {\n+  constructor(name) {\n^\n+    this.name = name;\n+  }\n+}\n",
        "+class Cat {\n+  constructor(name) {\n^\n+    super(name);\n+  }\n+}\n",
    ],
    quiet: &[
        "+class Cat extends Animal {\n+  constructor(name) {\n+    super();\n+    this.name = name;\n+  }\n+}\n",
        "+class Cat extends Animal {\n+  constructor(name) {\n+    return make(name);\n+  }\n+}\n+class Dog {\n+  constructor() {\n+    const x = class extends A { constructor() { super(); } };\n+  }\n+}\n",
        "+declare class Cat extends Animal {\n+  constructor(name: string);\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else { return };
    let Some(class) =
        node.parent().and_then(Node::parent).filter(|class| class.has_role(Role::Class) && class.is_within_hunk())
    else {
        return;
    };
    if name.text() != "constructor" {
        return;
    }
    let is_own = |inner: &Node<'_>| inner.ancestors().find(|around| around.has_role(Role::Class)) == Some(class);
    let calls: Vec<Node<'_>> = body
        .all(Role::Call)
        .filter(|call| call.field("function").is_some_and(|callee| callee.text() == "super") && is_own(call))
        .collect();
    let heritage = class.child_of_kind(&["class_heritage"]).map(Node::text);
    let derived = heritage.is_some_and(|text| text.starts_with("extends") && !text.ends_with("null"));
    let gives_object =
        body.descendants().any(|inner| inner.has_role(Role::Return) && inner.named_children().next().is_some());
    let throws = body.descendants().any(|inner| inner.has_role(Role::Throw));
    if derived && calls.is_empty() && !gives_object && !throws {
        sink.report(name, "This constructor of a derived class does not call `super`: it throws as soon as it runs.");
    } else if heritage.is_none() && !calls.is_empty() {
        sink.report(
            name,
            "This constructor calls `super`, but the class extends nothing: it throws as soon as it runs.",
        );
    }
}
