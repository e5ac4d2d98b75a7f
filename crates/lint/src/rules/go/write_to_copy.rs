//! A field assigned in a copy that is discarded.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::names::is_small;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/write-to-copy",
    languages: &["Go"],
    title: "Field assigned in a copy",
    why: "A value receiver and the variable of a range loop are copies. A field assigned in the copy is lost at \
          the end of the method or the iteration, and the original keeps its old value.",
    fix: "Use a pointer receiver, or assign to the element by its index.",
    references: &["https://go.dev/doc/faq#methods_on_values_or_pointers"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["assignment_statement", "inc_statement"]), run },
    positive: &[
        "+func (c Cart) Add(n int) {\n+\tc.count += n\n^\n+}\n",
        "+func reset(items []Item) {\n+\tfor _, item := range items {\n+\t\titem.Done = false\n^\n+\t}\n+}\n",
    ],
    negative: &[
        "+func (c *Cart) Add(n int) {\n+\tc.count += n\n+}\n+func (c Cart) With(n int) Cart {\n+\tc.count = n\n+\treturn c\n+}\n",
        "+func reset(items []*Item) {\n+\tfor _, item := range items {\n+\t\titem.Done = false\n+\t\tsave(item)\n+\t}\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let target = match node.field("left") {
        Some(list) => list.named_children().next(),
        None => node.named_children().next(),
    };
    let Some(target) = target.filter(|target| target.is(&["selector_expression"])) else { return };
    let Some(owner) = target.field("operand").filter(|owner| owner.is(&["identifier"])) else { return };
    let scope = receiver_scope(node, owner.text()).or_else(|| loop_scope(node, owner.text()));
    let Some(scope) = scope.filter(|scope| is_small(*scope)) else { return };
    let later = scope.descendants().filter(|used| used.is(&["identifier"]) && used.text() == owner.text());
    // Code that reads the copy, earlier in a loop or later, may see the new value.
    if later.into_iter().all(|used| {
        is_written(used)
            || used.index() < node.index() && scope.is(&["block"]) && !in_loop(node, scope) && is_field(used)
    }) {
        sink.report(node, format!("`{}` changes a field of a copy; the original stays unchanged.", quote(node.text())));
    }
}

/// The body of the method whose receiver it is, if that is a copy.
fn receiver_scope<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let method = node
        .enclosing(Role::Function)
        .filter(|method| method.is(&["method_declaration"]) && method.is_within_hunk())?;
    let own = method.field("receiver")?.named_children().next()?;
    let is_copy = own.field("name").is_some_and(|own| own.text() == name)
        && own.field("type").is_some_and(|kind| kind.is(&["type_identifier", "generic_type"]));
    is_copy.then(|| method.field("body"))?.filter(|_| node.enclosing(Role::Lambda).is_none())
}

/// The body of the loop over values of a slice, if its type is visible.
fn loop_scope<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let around = node.ancestors().find(|around| around.is(&["for_statement", "func_literal"]))?;
    let range = around.child_of_kind(&["range_clause"])?;
    let is_value = range.field("left")?.named_children().nth(1).is_some_and(|value| value.text() == name);
    let over = range.field("right").filter(|over| over.is(&["identifier"]))?;
    let function = node.enclosing(Role::Function)?;
    let of_values = function.field("parameters")?.named_children().any(|one| {
        one.field("name").is_some_and(|own| own.text() == over.text())
            && one.field("type").is_some_and(|kind| {
                kind.is(&["slice_type"])
                    && kind.named_children().all(|of| {
                        of.is(&["type_identifier"])
                            && of.text().starts_with(char::is_uppercase)
                            && !of.text().ends_with("er")
                    })
            })
    });
    (is_value && of_values).then(|| around.field("body"))?
}

fn in_loop(node: Node<'_>, scope: Node<'_>) -> bool {
    node.ancestors().take_while(|around| *around != scope).any(|around| around.has_role(Role::Loop))
}

fn is_field(used: Node<'_>) -> bool {
    used.parent().is_some_and(|parent| {
        parent.is(&["selector_expression"])
            && !parent
                .parent()
                .is_some_and(|call| call.is(&["call_expression"]) && call.field("function") == Some(parent))
    })
}

/// `x` of `x.field = …`.
fn is_written(used: Node<'_>) -> bool {
    let Some(field) = used.parent().filter(|field| field.is(&["selector_expression"])) else { return false };
    let Some(around) = field.parent() else { return false };
    let is_left = around.is(&["expression_list"])
        && around.parent().is_some_and(|line| line.is(&["assignment_statement"]) && line.field("left") == Some(around));
    is_left || around.is(&["inc_statement", "dec_statement"])
}
