//! A compound assignment with a wider type, which silently narrows the result.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::type_of;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/narrowing-compound-assignment",
    languages: &["Java"],
    title: "Silent narrowing in a compound assignment",
    why: "`a += b` implicitly casts the result to the type of `a`. A fraction is cut off, and a number out of range \
          becomes a different one. The equivalent plain assignment would not compile.",
    fix: "Use a variable of a wider type, or write the intended cast explicitly.",
    references: &["CWE-197", "https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html"],
    priority: Priority::P2,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["assignment_expression"]), run },
    positive: &[
        "+    int total(int sum, double part) {\n+        sum += part;\n^\n+        return sum;\n+    }\n",
        "+    void count(long bytes) {\n+        int all = 0;\n+        all += bytes;\n^\n+    }\n",
    ],
    negative: &[
        "+    void count(long bytes, int small, byte b) {\n+        long all = 0;\n+        all += bytes;\n+        all += small;\n+        b += 1;\n+        small *= 2;\n+    }\n",
        "@@ int total(int sum, double part) {\n         sum += part;\n+        sum += (int) part;\n+        double all = 0;\n+        all += sum;\n",
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
    // Constants of type int fit in practice; operations on small types are always computed as int.
    let literal = right.unparenthesised().is(&["decimal_integer_literal", "hex_integer_literal", "character_literal"]);
    if wide > narrow && wide > 3 && !literal {
        sink.report(node, format!("`{}` implicitly casts the {from} result to {to}.", quote(node.text())));
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
