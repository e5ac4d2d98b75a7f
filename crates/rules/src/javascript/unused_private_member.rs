//! Private members that the class never uses.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/unused-private-member",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Unused private member",
    why: "Only the class itself can access a private member. If it never does, either the member is a leftover, or a \
          method that should use it does not.",
    fix: "Use it, or delete it.",
    references: &[],
    priority: Priority::P2,
    category: Category::Maintainability,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["class_body"]),
        run,
    },
    positive: &[
        r#"
+class Cart {
+  #limit = 10;
^
+  #items = [];
+  add(item) {
+    this.#items.push(item);
+  }
+}
"#,
        r#"
path: src/a.ts
+class Cart {
+  private limit = 10;
^
+  constructor(private readonly clock: Clock) {}
^
+  private reset() { this.limit = 0; }
^
+}
"#,
    ],
    negative: &[
        r#"
+class Cart {
+  #limit = 10;
+  full(n) {
+    return n > this.#limit;
+  }
+}
"#,
        r#"
path: src/a.ts
+class Cart {
+  private limit = 10;
+  private constructor(private readonly clock: Clock) { super(); }
+  size() { const { limit } = this; return limit + this["clock"]; }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text();
    if !(text.contains('#') || text.contains("private ")) || !is_small(node) {
        return;
    }
    for name in node.named_children().flat_map(private_names) {
        let used = |other: Node<'_>| other.text() == name.text() && other != name && reads(other);
        let as_text = |other: Node<'_>| {
            other.is(&["string_fragment"])
                && other.text() == name.text()
                && !name.text().starts_with('#')
        };
        if !node
            .descendants()
            .any(|other| used(other) || as_text(other))
        {
            sink.report(
                name,
                format!("The class never uses its private member `{}`.", name.text()),
            );
        }
    }
}

/// The private names that a class member defines.
fn private_names(member: Node<'_>) -> Vec<Node<'_>> {
    let is_private = |node: Node<'_>| {
        node.child_of_kind(&["accessibility_modifier"])
            .is_some_and(|modifier| modifier.text() == "private")
    };
    let Some(name) = member.any_field(&["name", "property"]) else {
        return Vec::new();
    };
    if name.text() == "constructor" {
        let list = member
            .field("parameters")
            .into_iter()
            .flat_map(Node::named_children);
        return list
            .filter(|one| is_private(*one))
            .filter_map(|one| one.field("pattern"))
            .collect();
    }
    let is_plain = name.is(&["private_property_identifier", "property_identifier"]);
    let is_decorated = member.field("decorator").is_some();
    let hidden = name.is(&["private_property_identifier"]) || is_private(member);
    if is_plain && hidden && !is_decorated {
        vec![name]
    } else {
        Vec::new()
    }
}

/// Whether a member is read here, and not only set.
fn reads(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        "member_expression" => !is_only_set(parent),
        "object_pattern" | "binary_expression" | "pair_pattern" | "object_assignment_pattern" => {
            true
        }
        // In the constructor, a parameter property is also a plain parameter.
        "required_parameter"
        | "optional_parameter"
        | "public_field_definition"
        | "field_definition"
        | "method_definition"
        | "property_signature" => false,
        _ => node.is(&[
            "identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
        ]),
    }
}

fn is_only_set(access: Node<'_>) -> bool {
    let Some(around) = access.parent() else {
        return false;
    };
    let is_statement = around
        .parent()
        .is_some_and(|outer| outer.is(&["expression_statement"]));
    let is_left = around.field("left") == Some(access);
    around.is(&["assignment_expression", "for_in_statement"]) && is_left
        || is_statement
            && (around.is(&["update_expression"])
                || around.is(&["augmented_assignment_expression"]) && is_left)
}
