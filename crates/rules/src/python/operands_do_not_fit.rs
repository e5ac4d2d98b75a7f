//! Operators on incompatible types.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::{Kind, kind_if};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/operands-do-not-fit",
    languages: &["Python"],
    title: "Operator on incompatible types",
    why: "Python does not convert the operands: a number and a string, or a list and a tuple, cannot be added or \
          ordered.",
    fix: "Convert one of the operands, or use the intended operator.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "binary_operator", "comparison_operator", "augmented_assignment",
        ]),
        run,
    },
    positive: &[
        r#"
+def f(items):
+    count = len(items)
+    return "found: " + count
^
"#,
        r#"
+age = input()
+print(age < 18)
^
"#,
        r#"
+class Money:
+    pass
+
+total = Money() + Money()
^
"#,
        r#"
+names = []
+names += 1
^
"#,
    ],
    negative: &[
        r#"
+def f(items):
+    count = len(items)
+    return "found: " + str(count) + "=" * count
"#,
        r#"
+age = int(input())
+print(age < 18, 1 == "1", 2 ** 0.5, 3 * [0], "%s" % 1)
"#,
        r#"
+class Money:
+    def __add__(self, other):
+        return self
+
+total = Money() + Money()
+x = {1} - {2} | {3}
+Maybe = Money | None
"#,
        r#"
+names = []
+names += "ab"
+d = {} | {}
+n = 5 & 3 << 1
+q = True + 1
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut operands = node.named_children();
    let (Some(left), Some(right), None) = (operands.next(), operands.next(), operands.next())
    else {
        return;
    };
    let between = node
        .children()
        .find(|word| word.index() > left.index() && !word.is_named() && !word.is_inside(left));
    let Some(operator) = between
        .map(|word| word.text())
        .filter(|word| !matches!(*word, "in" | "is" | "==" | "!="))
    else {
        return;
    };
    let is_update = node.is(&["augmented_assignment"]);
    let base = if is_update {
        operator.trim_end_matches('=')
    } else {
        operator
    };
    if node.ancestors().any(|around| around.is(&["type"])) || !is_operator(base) {
        return;
    }
    let Some(first) = kind_if(left, |kind| is_plain(kind)) else {
        return;
    };
    let Some(second) = kind_if(right, |kind| {
        is_plain(kind) && !fits(first, base, kind, is_update)
    }) else {
        return;
    };
    let (text, one, other) = (quote(node.text()), first.described(), second.described());
    sink.report(
        node,
        format!("`{text}`: `{operator}` between {one} and {other} raises a TypeError."),
    );
}

fn is_operator(operator: &str) -> bool {
    matches!(
        operator,
        "+" | "-"
            | "*"
            | "/"
            | "//"
            | "%"
            | "**"
            | "<<"
            | ">>"
            | "&"
            | "|"
            | "^"
            | "<"
            | "<="
            | ">"
            | ">="
    )
}

fn is_plain(kind: Kind<'_>) -> bool {
    !matches!(
        kind,
        Kind::Class(_) | Kind::Coroutine | Kind::AsyncGenerator
    )
}

fn fits(left: Kind<'_>, operator: &str, right: Kind<'_>, is_update: bool) -> bool {
    use Kind::{
        Bool, Bytes, Complex, Dict, Float, FrozenSet, Int, List, None, Set, Text, Tuple, View,
    };
    let whole = |kind: Kind<'_>| matches!(kind, Bool | Int);
    let sets = |kind: Kind<'_>| matches!(kind, Set | FrozenSet | View);
    if matches!(left, Kind::Instance(_)) || matches!(right, Kind::Instance(_)) {
        return instances_fit(left, operator, right);
    }
    if left.is_number() && right.is_number() {
        return match operator {
            "<<" | ">>" | "&" | "|" | "^" => whole(left) && whole(right),
            "%" | "//" | "<" | "<=" | ">" | ">=" => left != Complex && right != Complex,
            _ => true,
        };
    }
    match operator {
        "+" if is_update && left == List => right.has("__iter__") != Some(false),
        "+" => left == right && matches!(left, Text | Bytes | List | Tuple),
        "*" => {
            let repeats = |kind: Kind<'_>| matches!(kind, Text | Bytes | List | Tuple);
            repeats(left) && whole(right) || repeats(right) && whole(left)
        }
        "%" => matches!(left, Text | Bytes),
        "|" if left == None || right == None => true,
        "|" if left == Dict => right == Dict || is_update,
        "-" | "&" | "|" | "^" => sets(left) && sets(right),
        "<" | "<=" | ">" | ">=" => {
            left == right && matches!(left, Text | Bytes | List | Tuple)
                || sets(left) && sets(right)
        }
        _ => matches!((left, right), (Float, Float)),
    }
}

/// Whether one of the operands defines the operator.
fn instances_fit(left: Kind<'_>, operator: &str, right: Kind<'_>) -> bool {
    let Some((own, turned)) = methods(operator) else {
        return true;
    };
    let brings = |kind: Kind<'_>, method: &str| match kind {
        Kind::Instance(_) => kind.has(method) != Some(false),
        _ => false,
    };
    let shifts = matches!(left, Kind::Text | Kind::Bytes) && operator == "%";
    shifts || brings(left, own) || brings(right, turned)
}

fn methods(operator: &str) -> Option<(&'static str, &'static str)> {
    Some(match operator {
        "+" => ("__add__", "__radd__"),
        "-" => ("__sub__", "__rsub__"),
        "*" => ("__mul__", "__rmul__"),
        "/" => ("__truediv__", "__rtruediv__"),
        "//" => ("__floordiv__", "__rfloordiv__"),
        "%" => ("__mod__", "__rmod__"),
        "**" => ("__pow__", "__rpow__"),
        "<<" => ("__lshift__", "__rlshift__"),
        ">>" => ("__rshift__", "__rrshift__"),
        "&" => ("__and__", "__rand__"),
        "|" => ("__or__", "__ror__"),
        "^" => ("__xor__", "__rxor__"),
        "<" => ("__lt__", "__gt__"),
        "<=" => ("__le__", "__ge__"),
        ">" => ("__gt__", "__lt__"),
        ">=" => ("__ge__", "__le__"),
        _ => return None,
    })
}
