//! Unpacking into more or fewer names than there are values.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::{Kind, kind_if, literal};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/unpacking-count-mismatch",
    languages: &["Python"],
    title: "Wrong number of values",
    why: "The value does not have the length that the code assumes, so the line raises a ValueError or an IndexError. \
          Iterating over a dict yields its keys only.",
    fix: "Match the number of names or the index to the length; use items() for keys and values.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment", "subscript", "for_statement", "for_in_clause"]),
        run,
    },
    positive: &[
        r#"
+a, b = 1, 2, 3
^
+pair = (1, 2)
+x, y, z = pair
^
"#,
        r#"
+sizes = {"a": 1}
+for name, size in sizes:
^
+    print(name, size)
"#,
        r#"
+print([1, 2][2])
^
"#,
    ],
    negative: &[
        r#"
+a, b = 1, 2
+first, *rest = [1, 2, 3]
+a, b = *x, 1
+pair = (1, 2)
+pair += (3,)
+x, y, z = pair
"#,
        r#"
+sizes = {"a": 1}
+for name, size in sizes.items():
+    print(name, size)
+for x, y in {(1, 2): 3}:
+    print([1, 2][1])
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["subscript"]) {
        index(node, sink);
        return;
    }
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    if !left.is(&["pattern_list", "tuple_pattern", "list_pattern"]) {
        return;
    }
    let names = left.named_children().count();
    let has_rest = left.child_of_kind(&["list_splat_pattern"]).is_some();
    if node.is(&["assignment"]) {
        let Some(given) = length(right) else { return };
        if if has_rest {
            given + 1 < names
        } else {
            given != names
        } {
            let message = format!("{given} values are unpacked into {names} names: ValueError.");
            sink.report(node, message);
        }
    } else if kind_if(right, |kind| kind == Kind::Dict).is_some()
        && literal(right).is_none_or(has_plain_keys)
    {
        let text = quote(right.text());
        sink.report(
            left,
            format!("Iterating over `{text}` yields its keys, not pairs of keys and values."),
        );
    }
}

/// The number of values of a literal, or of a name that refers to one.
fn length(value: Node<'_>) -> Option<usize> {
    let list = if value.is(&["expression_list"]) {
        value
    } else {
        literal(value)?
    };
    let known = list.is(&["expression_list", "tuple", "list"])
        && list.child_of_kind(&["list_splat"]).is_none();
    known.then(|| list.named_children().count())
}

fn has_plain_keys(dict: Node<'_>) -> bool {
    let mut keys = dict
        .named_children()
        .filter_map(|pair| pair.field("key"))
        .peekable();
    keys.peek().is_some() && keys.all(|key| key.is(&["string", "integer", "float"]))
}

fn index(node: Node<'_>, sink: &mut Sink<'_>) {
    let (Some(value), Some(at)) = (node.field("value"), node.field("subscript")) else {
        return;
    };
    if !value.is(&["list", "tuple"]) || !at.is(&["integer"]) {
        return;
    }
    let Some(count) = length(value) else { return };
    if at.text().parse::<usize>().is_ok_and(|at| at >= count) {
        let text = quote(node.text());
        sink.report(
            node,
            format!("`{text}`: the value has only {count} items: IndexError."),
        );
    }
}
