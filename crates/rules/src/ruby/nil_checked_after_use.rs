//! `a.b` followed by `a&.c`: if `a` can be nil, the first call already fails.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary::nil_answers;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "ruby/nil-checked-after-use",
    languages: &["Ruby"],
    title: "Safe navigation after an unsafe call on the same object",
    why: "The earlier call raises if the object is nil, so the safe navigation after it comes too late. Either the \
          first call needs it as well, or the object is never nil and the check misleads the reader.",
    fix: "Use `&.` from the first call on, or not at all.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call"]),
        run,
    },
    positive: &[
        r#"
+show(user) if user.active? && user&.name
^
"#,
        r#"
+def title(user)
+  user.touch
+  user&.name
^
+end
"#,
    ],
    negative: &[
        "+show(user) if user&.active? && user&.name\n",
        r#"
+def title(user)
+  log(user.inspect, user.nil?)
+  user&.name
+end
+def other(user)
+  user.touch if user
+  user = find(1)
+  user&.name
+  rows.each { |row| row.save }
+  row&.name
+  a = user || row.x
+  row&.b
+end
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node
        .field("operator")
        .is_none_or(|operator| operator.text() != "&.")
    {
        return;
    }
    let Some(of) = node
        .field("receiver")
        .filter(|of| of.is(&["identifier", "instance_variable"]))
    else {
        return;
    };
    if let Some(earlier) = used_before(node, of) {
        sink.report(
            node,
            format!(
                "`{}` calls a method on `{}` before this checks it for nil.",
                quote(earlier.text()),
                quote(of.text())
            ),
        );
    }
}

/// A plain call on the same object that certainly runs before: in the same `&&`, or an earlier statement of the block.
fn used_before<'t>(node: Node<'t>, of: Node<'t>) -> Option<Node<'t>> {
    let mut inner = node;
    for around in node.ancestors().take(8) {
        if around.is(&["binary"])
            && around.field("right") == Some(inner)
            && let Some(found) = around.field("left").and_then(|left| plain_use(left, of))
        {
            return Some(found);
        }
        if around.is(&["body_statement", "block_body", "then", "program"]) {
            let earlier: Vec<Node<'t>> = around
                .named_children()
                .take_while(|one| one.index() < inner.index())
                .collect();
            for statement in earlier.into_iter().rev().take(6) {
                if sets(statement, of) {
                    return None;
                }
                if let Some(found) = plain_use(statement, of) {
                    return Some(found);
                }
            }
            return None;
        }
        if around.is(&[
            "method", "block", "do_block", "lambda", "assignment", "operator_assignment",
        ]) && sets(around, of)
        {
            return None;
        }
        inner = around;
    }
    None
}

fn sets(statement: Node<'_>, of: Node<'_>) -> bool {
    statement.descendants().chain([statement]).any(|inner| {
        let is_target = inner.field("left").is_some_and(|left| {
            left.text() == of.text()
                || left.is(&["left_assignment_list"]) && left.text().contains(of.text())
        });
        inner.is(&["assignment", "operator_assignment"]) && is_target
    })
}

/// A plain call on it that always runs before this.
fn plain_use<'t>(node: Node<'t>, of: Node<'_>) -> Option<Node<'t>> {
    match node.kind() {
        "call" => {
            let is_plain = node
                .field("operator")
                .is_some_and(|operator| operator.text() == ".");
            let is_it = node.field("receiver").is_some_and(|receiver| {
                receiver.kind() == of.kind() && receiver.text() == of.text()
            });
            let name = node.field("method").map_or("", Node::text);
            if is_plain && is_it && !nil_answers(name) {
                return Some(node);
            }
            let inside = [node.field("receiver"), node.field("arguments")];
            inside
                .into_iter()
                .flatten()
                .find_map(|part| plain_use(part, of))
        }
        "binary" => {
            let binary = node.binary()?;
            plain_use(binary.left, of).or_else(|| {
                let is_sum = !matches!(binary.operator, "&&" | "||" | "and" | "or");
                is_sum.then(|| plain_use(binary.right, of)).flatten()
            })
        }
        "assignment" => node.field("right").and_then(|right| plain_use(right, of)),
        "argument_list"
        | "parenthesized_statements"
        | "array"
        | "return"
        | "unary"
        | "element_reference" => node.named_children().find_map(|part| plain_use(part, of)),
        "if" | "unless" | "if_modifier" | "unless_modifier" => node
            .field("condition")
            .and_then(|condition| plain_use(condition, of)),
        _ => None,
    }
}
