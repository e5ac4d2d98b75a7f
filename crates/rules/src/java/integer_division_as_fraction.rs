//! An integer division with a result that is used as a fraction.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/integer-division-as-fraction",
    languages: &["Java"],
    title: "Integer division used as a fraction",
    why: "Dividing two integers discards the remainder. Converting the result to a floating-point type or rounding it \
          up comes too late: `1 / 2` is 0.",
    fix: "Convert one operand first, for example `(double) a / b`.",
    references: &[
        "CWE-682",
        "https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["binary_expression"]),
        run,
    },
    positive: &[
        r#"
 double share(int part, int whole) {
-        return (double) part / whole;
+        return part / whole;
^
     }
"#,
        r#"
+    int pages(int items) {
+        double half = items / 2;
^
+        return (int) Math.ceil(items / 20);
^
+    }
"#,
    ],
    negative: &[
        r#"
 double share(int part, int whole) {
+        return (double) part / whole;
     }
"#,
        r#"
+    int pages(int items, double size) {
+        double half = items / size;
+        double whole = 10 / 2;
+        return items / 20;
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node.binary().filter(|binary| binary.operator == "/") else {
        return;
    };
    let Some(wanted) = context(node) else { return };
    let is_whole = |side: Node<'_>| {
        type_of(side).is_some_and(|kind| matches!(kind.as_str(), "int" | "long" | "short" | "byte"))
    };
    if !is_whole(binary.left) || !is_whole(binary.right) || divides(binary.left, binary.right) {
        return;
    }
    sink.report(
        node,
        format!(
            "`{}` is an integer division: the fraction is lost before {wanted}.",
            quote(node.text())
        ),
    );
}

/// The construct that needs the fraction.
fn context(node: Node<'_>) -> Option<&'static str> {
    let mut inner = node;
    let mut parent = node.parent()?;
    while parent.is(&["parenthesized_expression"]) {
        inner = parent;
        parent = parent.parent()?;
    }
    let floating =
        |kind: Option<Node<'_>>| kind.is_some_and(|kind| matches!(kind.text(), "double" | "float"));
    match parent.kind() {
        "variable_declarator" => {
            floating(parent.parent()?.field("type")).then_some("it is converted to floating point")
        }
        "cast_expression" => floating(parent.field("type")).then_some("the cast"),
        "return_statement" => {
            let function = parent.enclosing_function()?;
            floating(function.field("type")).then_some("it is converted to floating point")
        }
        "assignment_expression" => {
            let left = parent.field("left").filter(|left| *left != inner)?;
            type_of(left)
                .filter(|kind| kind == "double" || kind == "float")
                .map(|_| "it is converted to floating point")
        }
        "argument_list" => {
            let call = parent.parent()?.call()?;
            matches!(
                call.callee,
                "Math.ceil" | "Math.floor" | "Math.round" | "Math.rint"
            )
            .then_some("it is rounded")
        }
        _ => None,
    }
}

/// Two constants, one of which is divisible by the other.
fn divides(left: Node<'_>, right: Node<'_>) -> bool {
    let number = |node: Node<'_>| {
        node.unparenthesised()
            .text()
            .trim_end_matches(['l', 'L'])
            .parse::<i64>()
            .ok()
    };
    number(left)
        .zip(number(right))
        .is_some_and(|(a, b)| b != 0 && a % b == 0)
}
