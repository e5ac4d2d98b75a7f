//! The same expression on both sides of an operator, with a constant or redundant result.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/same-operand-twice",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "Kotlin", "C", "C++",
        "Rust", "Ruby", "PHP",
    ],
    title: "Same expression on both sides of an operator",
    why: "A value compared with itself, or subtracted from itself, has a constant result. Usually one side should be \
          another variable, another index or another object.",
    fix: "Correct one of the sides; to test for NaN, call the function for that purpose.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ boolean same(Point other) {
-        return x == other.x && y == other.y;
+        return x == other.x && y == y;
^
     }
"#,
        r#"
path: src/a.go
+func ok(a, b int) bool {
+	return a > 0 || a > 0
^
+}
"#,
        r#"
path: src/A.cs
+int width = box.Right - box.Right;
^
"#,
        r#"
path: src/a.kt
+fun same(a: Int, b: Int) = a == a
^
"#,
        r#"
path: src/a.py
 def count(user):
-    return select(Item).where(Item.owner_id == user.id)
+    return select(Item).where(Item.owner_id == Item.owner_id)
^
"#,
        r#"
path: src/a.ts
 function size(body) {
+  if (body instanceof Blob || body instanceof Blob) {
^
     return body.size;
   }
 }
"#,
        r#"
path: src/a.py
+def fits(a, b):
+    return a.start <= b.start and a.start <= b.start
^
"#,
        r#"
path: src/a.go
 func equal(a, b *Config) bool {
+	return normalize(a.Bucket) == normalize(a.Bucket)
^
 }
"#,
        r#"
path: src/a.js
 function same(a, b) {
+  return a.x === b.x && a.y === a.y;
^
 }
"#,
        r#"
path: src/a.c
 int same(struct point *a, struct point *b) {
+    return a->x == b->x && a->y == a->y;
^
 }
"#,
        r#"
path: src/a.rs
 fn same(a: &Point, b: &Point) -> bool {
+    a.x == b.x && a.y == a.y
^
 }
"#,
        r#"
path: src/a.rb
 def same?(other)
+  @x == other.x && @y == @y
^
 end
"#,
        r#"
path: src/a.php
 <?php
+$same = $a->x === $b->x && $a->y === $a->y;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
+const isNumber = (x: number) => x === x;
+const odd = a.next() === a.next();
"#,
        r#"
path: src/a.py
+def clean(x):
+    return [y for y in x if y == y] + [z for z in x if z != z]
"#,
        r#"
path: src/A.java
@@ boolean same(Point other) {
+        return x == other.x && y == other.y;
     }
"#,
        r#"
path: src/a.go
+func f(a float64) float64 {
+	if next() == next() {
+		return a * a + a
+	}
+	return 1 << 1
+}
"#,
        r#"
path: src/a.kt
+fun ends(text: String, at: Int): Boolean {
+    return text[at] == ',' || text[at] == ';'
+}
"#,
        r#"
path: src/A.java
+boolean isNan(double x) {
+    return x != x;
+}
"#,
        r#"
path: src/a.js
 function same(a, b) {
+  return a.x === b.x && a.y === b.y;
 }
"#,
        r#"
path: src/A.cs
+bool Same(Point a, Point b)
+{
+    return a.X == b.X && a.Y == b.Y;
+}
"#,
        r#"
path: src/a.c
 int same(struct point *a, struct point *b) {
+    return a->x == b->x && a->y == b->y;
 }
"#,
        r#"
path: src/a.rs
 fn same(a: &Point, b: &Point) -> bool {
+    a.x == b.x && a.y == b.y
 }
"#,
        r#"
path: src/a.rb
 def same?(other)
+  @x == other.x && @y == other.y
 end
"#,
        r#"
path: src/a.php
 <?php
+$same = $a->x === $b->x && $a->y === $b->y;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node.binary() else { return };
    let result = match binary.operator {
        "==" | "<=" | ">=" | "===" => "always true",
        "!=" | "<" | ">" | "!==" => "always false",
        "-" | "^" => "always 0",
        "/" => "always 1",
        "%" => "always 0",
        "&&" | "||" | "and" | "or" | "&" | "|" | "&^" => "redundant",
        "??" | "?:" => "the same as its left side",
        _ => return,
    };
    let (left, right) = (
        binary.left.unparenthesised(),
        binary.right.unparenthesised(),
    );
    let (left, same) = if left.says_same(right) {
        (left, true)
    } else {
        let is_repeated = is_in_chain(left, right, binary.operator);
        (
            right,
            is_repeated && (binary.operator != "&&" || is_condition(node)),
        )
    };
    if !same || !is_steady(left) || is_nan_test(node, left, binary.operator) {
        return;
    }
    sink.report(
        node,
        format!(
            "`{}` has `{}` on both sides: it is {result}.",
            quote(node.text()),
            quote(left.text())
        ),
    );
}

/// Whether only the truth of an expression counts. The value of `a && f(a) && a` is its last operand.
fn is_condition(node: Node<'_>) -> bool {
    let decides = |around: Node<'_>| {
        around
            .condition()
            .is_some_and(|condition| condition == node || node.is_inside(condition))
    };
    node.ancestors().take(6).any(decides)
}

/// `a || b || a`: the operand already appears further left.
fn is_in_chain(left: Node<'_>, right: Node<'_>, operator: &str) -> bool {
    let mut node = left;
    while let Some(binary) = node.binary().filter(|binary| {
        matches!(operator, "&&" | "||" | "and" | "or") && binary.operator == operator
    }) {
        if binary.right.unparenthesised().says_same(right)
            || binary.left.unparenthesised().says_same(right)
        {
            return true;
        }
        node = binary.left;
    }
    false
}

/// Whether it returns the same value when it is evaluated twice.
fn is_steady(node: Node<'_>) -> bool {
    let changes = |node: Node<'_>| {
        node.is(&[
            "update_expression", "assignment_expression", "postfix_unary_expression",
            "postfix_expression", "await_expression",
        ]) || node.text().starts_with("<-")
            || node.has_role(Role::Lambda)
    };
    let literal = node.has_role(Role::Number)
        || node.has_role(Role::Text)
        || node.is(&[
            "true", "false", "decimal_integer_literal", "hex_integer_literal", "int_literal",
            "integer_literal", "character_literal", "rune_literal",
            "decimal_floating_point_literal", "float_literal",
        ]);
    let moves = |node: Node<'_>| node.call().is_some_and(|call| !is_pure(node, &call));
    !literal
        && !std::iter::once(node)
            .chain(node.descendants())
            .any(|part| changes(part) || moves(part))
}

/// Whether a call only reads: a getter, or a function that converts the value of a name or member.
fn is_pure(node: Node<'_>, call: &Call<'_>) -> bool {
    if call.arguments.is_empty() {
        return is_getter(call.name);
    }
    const CONVERTS: &[&str] = &[
        "normali", "trim", "strip", "lower", "upper", "parse", "format", "clean", "canonical",
        "hash", "abs", "round", "floor", "string", "convert", "encode", "decode", "escape",
    ];
    let name = call.name.to_ascii_lowercase();
    CONVERTS.iter().any(|part| name.contains(part))
        && call
            .arguments
            .iter()
            .all(|argument| argument.has_role(Role::Name) || argument.has_role(Role::Member))
        && !node.descendants().any(|inner| inner.has_role(Role::Call))
}

fn is_getter(name: &str) -> bool {
    [
        "get", "Get", "is", "Is", "has", "Has", "size", "length", "Len", "Length", "Count", "Name",
        "name", "Type", "type",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        && ![
            "next", "Next", "read", "Read", "poll", "pop", "And", "Increment",
        ]
        .iter()
        .any(|part| name.contains(part))
}

/// Only NaN differs from itself, and some code uses that as a test for it.
fn is_nan_test(node: Node<'_>, operand: Node<'_>, operator: &str) -> bool {
    let floating = syntax::semantics::types::type_of(operand).is_some_and(|name| {
        matches!(
            name.as_str(),
            "double" | "float" | "Double" | "Float" | "float64" | "float32"
        )
    });
    let named = node.enclosing(Role::Function).is_some_and(|function| {
        function
            .field("name")
            .is_some_and(|name| name.text().to_ascii_lowercase().contains("nan"))
    });
    // In scripts, this is the usual test for NaN on a variable. On a member it is still an error.
    let is_script =
        ["Python", "JavaScript", "TypeScript", "TSX"].contains(&node.tree().grammar().name());
    matches!(operator, "!=" | "==" | "!==" | "===")
        && ((is_script && operand.has_role(Role::Name))
            || floating
            || named
            || node
                .parent()
                .is_some_and(|parent| parent.text().to_ascii_lowercase().contains("nan")))
}
