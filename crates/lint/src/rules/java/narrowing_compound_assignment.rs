//! `+=` with a wider type, which cuts the result without a word.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::type_of;

pub(crate) const RULE: Rule = Rule {
    id: "java/narrowing-compound-assignment",
    languages: &["Java"],
    title: "Compound assignment that cuts its result",
    why: "`a += b` casts the sum to the type of a, without saying so. A fraction is cut off, and a number that is too large becomes another one. The plain assignment would not compile.",
    fix: "Use a wider variable, or write the cast that is meant.",
    priority: Priority::P2,
    category: Category::DataIntegrity,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["assignment_expression"]), run },
    fires: &[
        "+    int total(int sum, double part) {\n+        sum += part;\n^\n+        return sum;\n+    }\n",
        "+    void count(long bytes) {\n+        int all = 0;\n+        all += bytes;\n^\n+    }\n",
    ],
    quiet: &[
        "+    void count(long bytes, int small, byte b) {\n+        long all = 0;\n+        all += bytes;\n+        all += small;\n+        b += 1;\n+        small *= 2;\n+    }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
    let operator = node.field("operator").map_or("", Node::text);
    if !matches!(operator, "+=" | "-=" | "*=" | "/=") {
        return;
    }
    let (Some(to), Some(from)) = (type_of(left), type_of(right)) else { return };
    let (Some(narrow), Some(wide)) = (width(&to), width(&from)) else { return };
    // Constants of type int fit where they are written; small types are computed as ints everywhere.
    let literal = right.unparenthesised().is(&["decimal_integer_literal", "hex_integer_literal", "character_literal"]);
    if wide > narrow && wide > 3 && !literal {
        sink.report(node, format!("`{}` cuts a {from} down to a {to}.", quote(node.text())));
    }
}

fn width(name: &str) -> Option<u32> {
    Some(match name {
        "byte" => 1,
        "short" | "char" => 2,
        "int" => 3,
        "long" => 4,
        "float" => 5,
        "double" => 6,
        _ => return None,
    })
}
