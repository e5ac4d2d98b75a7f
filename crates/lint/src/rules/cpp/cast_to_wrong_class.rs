//! A pointer to a new object that is cast to an unrelated class.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::c::flow::{last_set, uncast};
use crate::semantics::names;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "cpp/cast-to-wrong-class",
    languages: &["C++"],
    title: "Pointer cast to an unrelated class",
    why: "The object was created as another class just before. Through the cast pointer its memory is interpreted with \
          the wrong layout: numbers become addresses, and virtual calls jump to arbitrary code.",
    fix: "Cast to the class of the object, or use `dynamic_cast` and test the result.",
    references: &["CWE-843"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["call_expression"]), run },
    positive: &[
        "+struct Animal {};\n+struct Cat : Animal {};\n+struct Dog : Animal {};\n+void run() {\n+    Animal *a = new Cat;\n+    Dog *d = static_cast<Dog *>(a);\n^\n+}\n",
        "+class Shape { int id; };\n+class Circle : public Shape { int radius; };\n+class Square : public Shape { int side; };\n+void run() {\n+    Shape *shape = new Square(4);\n+    draw(static_cast<Circle *>(shape));\n^\n+}\n",
    ],
    negative: &[
        "+struct Animal {};\n+struct Cat : Animal {};\n+struct Lion : Cat {};\n+void run() {\n+    Animal *a = new Lion;\n+    Cat *c = static_cast<Cat *>(a);\n+    void *v = new Cat;\n+    Animal *b = static_cast<Animal *>(v);\n+    void *w = new Cat;\n+    Other *o = static_cast<Other *>(w);\n+}\n",
        "+struct Shape {};\n+struct Circle : Shape {};\n+struct Square : Shape {};\n+void run(Shape *given) {\n+    Circle *circle = static_cast<Circle *>(given);\n+    Shape *shape = new Square;\n+    shape = new Circle;\n+    Circle *other = dynamic_cast<Circle *>(shape);\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((target, value)) = cast(node) else { return };
    let Some(wanted) = target.trim().strip_suffix('*').map(|name| name.trim().trim_start_matches("const ")) else {
        return;
    };
    let Some(made) = last_set(value).map(uncast).filter(|made| made.is(&["new_expression"])) else { return };
    let Some(kind) = made.field("type").map(Node::text).filter(|kind| *kind != wanted) else { return };
    let (Some(own), Some(other)) = (class(node, kind), class(node, wanted)) else { return };
    let holds =
        |one: Node<'_>, name: &str| one.field("body").is_some_and(|body| body.leaves().any(|leaf| leaf.text() == name));
    if comes_from(own, wanted, 0) || comes_from(other, kind, 0) || holds(own, wanted) || holds(other, kind) {
        return;
    }
    sink.report(node, format!("`{}` was created as `{kind}`, which is not a `{wanted}`.", quote(value.text())));
}

/// The type and the value of an unchecked cast between classes.
fn cast(node: Node<'_>) -> Option<(&str, Node<'_>)> {
    let function = node.field("function").filter(|function| function.is(&["template_function"]))?;
    let target = function.text().strip_prefix("static_cast<")?;
    let value = node.call()?.arguments.first().copied().filter(|value| value.is(&["identifier"]))?;
    Some((target.strip_suffix('>')?, value))
}

/// The only class of that name in the file, with its members.
fn class<'t>(at: Node<'t>, name: &str) -> Option<Node<'t>> {
    let is_it = |node: &Node<'_>| {
        node.has_role(Role::Class)
            && node.field("body").is_some()
            && node.field("name").is_some_and(|own| own.text() == name)
    };
    let mut found = names::visible_root(at)?.descendants().filter(is_it);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// It is derived from that class, or from a class outside the file.
fn comes_from(own: Node<'_>, name: &str, depth: u32) -> bool {
    let Some(clause) = own.child_of_kind(&["base_class_clause"]).filter(|_| depth < 8) else { return depth >= 8 };
    clause.named_children().filter(|base| base.is(&["type_identifier", "qualified_identifier", "template_type"])).any(
        |base| base.text() == name || class(own, base.text()).is_none_or(|parent| comes_from(parent, name, depth + 1)),
    )
}
