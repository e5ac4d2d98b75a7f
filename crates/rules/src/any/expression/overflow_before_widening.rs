//! Arithmetic in a narrow type whose result is stored in a wider one.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::{declared, short, type_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/overflow-before-widening",
    languages: &["Java", "C#"],
    title: "Arithmetic in too narrow a type",
    why: "The type of an operation is that of its operands, whatever type the result is stored in. A product of ints \
          overflows before it is widened to a long, and a quotient of ints loses its fraction before it becomes a \
          double.",
    fix: "Widen one operand first: `(long) a * b`, `a / 2.0`.",
    references: &["CWE-190", "CWE-682"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["binary_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void run() {
-        long year = 365L * 24 * 3600 * 1000;
+        long year = 365 * 24 * 3600 * 1000;
^
"#,
        r#"
path: src/A.java
+long area(int width, int height) {
+    long size = width * height;
^
+    return (long) (width * height);
^
+}
"#,
        r#"
path: src/A.cs
+double Share(int part, int all)
+{
+    double share = part / all;
^
+    return share;
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void run() {
+        long year = 365L * 24 * 3600 * 1000;
+        long day = 24 * 3600;
"#,
        r#"
path: src/A.java
+long area(int width, long height, List<String> all) {
+    long size = width * height;
+    double half = width / 2.0;
+    double steps = all.size() * 2;
+    return size + 4 * 1024;
+}
"#,
        r#"
path: src/A.cs
+long Area(int width, int height)
+{
+    long size = (long)width * height;
+    return size;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node
        .binary()
        .filter(|binary| matches!(binary.operator, "*" | "/"))
    else {
        return;
    };
    let Some(target) = target(node) else { return };
    if type_of(node).is_none_or(|kind| kind != "int" && kind != "long" || kind == target) {
        return;
    }
    let is_int = type_of(node).is_some_and(|kind| kind == "int");
    let shown = quote(node.text());
    let constant = constant(node);
    match (binary.operator, target.as_str()) {
        ("*", "long" | "Long") if is_int => {
            match constant {
                Some(exact) if i32::try_from(exact).is_err() => {
                    sink.report(
                    node,
                    format!("`{shown}` is computed as an int and overflows, because {exact} does not fit."),
                )
                .priority(Priority::P1);
                }
                None if is_open(binary.left) && is_open(binary.right) => {
                    sink.report(
                    node,
                    format!("`{shown}` is computed as an int and can overflow before it becomes a long."),
                );
                }
                _ => {}
            }
        }
        ("/", "double" | "float" | "Double" | "Float") => {
            let exact = constant_pair(binary.left, binary.right)
                .is_some_and(|(left, right)| right != 0 && left % right == 0);
            if !exact {
                sink.report(
                    node,
                    format!(
                        "`{shown}` is an integer division: the fraction is lost before the result becomes a {target}."
                    ),
                );
            }
        }
        _ => {}
    }
}

/// A value that may be large: not a small constant, a character or a byte.
fn is_open(node: Node<'_>) -> bool {
    constant(node).is_none_or(|value| value.abs() >= 1000)
        && type_of(node).is_none_or(|kind| kind == "int")
        && !node
            .last_name()
            .chars()
            .all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
}

/// The type that the value of an expression is converted to directly.
fn target(node: Node<'_>) -> Option<String> {
    let mut at = node;
    for around in node.ancestors() {
        match around.kind() {
            "parenthesized_expression" => {}
            // Only the outermost arithmetic counts.
            "binary_expression" => return None,
            "variable_declarator" => {
                return around
                    .parent()?
                    .field("type")
                    .map(|kind| short(kind.text()))
                    .filter(|kind| !kind.contains('['));
            }
            "assignment_expression"
                if around.field("right") == Some(at) && around.assignment()?.operator == "=" =>
            {
                return type_of(around.field("left")?);
            }
            "cast_expression" if around.field("value") == Some(at) => {
                return around
                    .field("type")
                    .map(|kind| short(kind.text()))
                    .filter(|kind| {
                        kind != "float" && kind != "double"
                            || node.binary().is_some_and(|binary| binary.operator == "/")
                    });
            }
            "return_statement" => {
                let function = around.enclosing_function()?;
                return function
                    .any_field(&["type", "returns"])
                    .filter(|_| function.has_role(Role::Function))
                    .map(|kind| short(kind.text()));
            }
            _ => return None,
        }
        at = around;
    }
    None
}

/// The value of an expression of literals, and of constant fields that hold literals.
fn constant(node: Node<'_>) -> Option<i128> {
    let node = node.unparenthesised();
    if node.is(&["decimal_integer_literal", "integer_literal"]) {
        return node.text().replace('_', "").parse().ok();
    }
    if node.is(&["identifier"]) && node.text().chars().all(|c| !c.is_lowercase()) {
        return declared(node)?
            .value
            .filter(|value| value.is(&["decimal_integer_literal", "integer_literal"]))
            .and_then(constant);
    }
    let binary = node.binary()?;
    let (left, right) = constant_pair(binary.left, binary.right)?;
    match binary.operator {
        "*" => left.checked_mul(right),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        _ => None,
    }
}

fn constant_pair(left: Node<'_>, right: Node<'_>) -> Option<(i128, i128)> {
    Some((constant(left)?, constant(right)?))
}
