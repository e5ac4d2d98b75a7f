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
        "+class Cat extends Animal {\n+  constructor(name) {\n^\n+    if (name) {\n+      super(name);\n+    }\n+  }\n+}\n",
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
    let fixed = heritage.map(|text| text.trim_start_matches("extends").trim());
    let no_class = fixed.is_some_and(|base| {
        base.starts_with(['"', '\'', '`'])
            || base.starts_with(|c: char| c.is_ascii_digit())
            || matches!(base, "true" | "false")
    });
    if no_class {
        sink.report(name, "The class extends a value that is no class: making an object of it throws.");
        return;
    }
    let some_way_without = derived && !calls.is_empty() && calls.iter().all(|call| is_conditional(*call, body));
    if some_way_without && !gives_object && !throws {
        let message = "On some ways through this constructor of a derived class `super` is not called: it then throws.";
        sink.report(name, message).confidence(0.75);
    } else if derived && calls.is_empty() && !gives_object && !throws {
        sink.report(name, "This constructor of a derived class does not call `super`: it throws as soon as it runs.");
    } else if heritage.is_none() && !calls.is_empty() {
        sink.report(
            name,
            "This constructor calls `super`, but the class extends nothing: it throws as soon as it runs.",
        );
    }
}

/// Whether a call stands where it may be left out, with nothing that makes up for it.
fn is_conditional(call: Node<'_>, body: Node<'_>) -> bool {
    let mut inner = call;
    for around in call.ancestors().take_while(|around| *around != body) {
        let is_part = |field: &str| around.field(field) == Some(inner);
        let skips = match around.kind() {
            "if_statement" => !is_part("condition") && !both_ways(around),
            "while_statement" | "for_in_statement" | "for_statement" => is_part("body"),
            "binary_expression" => {
                is_part("right") && around.binary().is_some_and(|binary| matches!(binary.operator, "&&" | "||" | "??"))
            }
            "catch_clause" => true,
            _ => false,
        };
        if skips {
            return true;
        }
        inner = around;
    }
    false
}

/// Whether both branches call `super`, or leave.
fn both_ways(branch: Node<'_>) -> bool {
    let does = |part: Option<Node<'_>>| {
        part.is_some_and(|part| part.text().contains("super(") || part.text().contains("return"))
    };
    does(branch.field("consequence")) && does(branch.field("alternative"))
}
