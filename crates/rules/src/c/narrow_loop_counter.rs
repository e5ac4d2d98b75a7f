//! A loop counter of a type that is too small for its limit.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::c::types::{Variable, declared, number};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/narrow-loop-counter",
    languages: &["C", "C++"],
    title: "Loop counter too narrow for its limit",
    why: "When the limit exceeds the range of the counter, the counter wraps around and never reaches it: the loop \
          runs forever over the same elements.",
    fix: "Declare the counter with the type of the limit.",
    references: &["CWE-835", "CWE-190"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["for_statement", "while_statement", "do_statement"]),
        run,
    },
    positive: &[
        r#"
+void fill(char *to, size_t size) {
+    for (uint8_t i = 0; i < size; i++)
^
+        to[i] = 0;
+}
"#,
        r#"
+void run(int n) {
+    short i = 0;
+    while (n > i) {
^
+        step(i);
+        i += 1;
+    }
+}
"#,
    ],
    negative: &[
        r#"
+void fill(char *to, size_t size) {
+    for (size_t i = 0; i < size; i++)
+        to[i] = 0;
+}
"#,
        r#"
+void fill(char *to, uint8_t size, int n) {
+    for (uint8_t i = 0; i < size; i++)
+        to[i] = 0;
+    for (uint8_t i = 0; i < 16; i++)
+        to[i] = 0;
+    char c = 0;
+    while (c < n)
+        c = next();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.field("condition").map(Node::unparenthesised) else {
        return;
    };
    let Some(binary) = condition.comparison() else {
        return;
    };
    let (counter, limit) = match binary.operator {
        "<" | "<=" => (binary.left, binary.right),
        ">" | ">=" => (binary.right, binary.left),
        "!=" => (binary.left, binary.right),
        _ => return,
    };
    let (counter, limit) = (counter.unparenthesised(), limit.unparenthesised());
    let Some(small) = declared(counter) else {
        return;
    };
    let Some(narrow) = bits(&small).filter(|bits| *bits < 32 && counts(node, counter)) else {
        return;
    };
    let is_beyond = match number(limit) {
        Some(most) => most > highest(&small, narrow),
        None => declared(limit).is_some_and(|large| {
            bits(&large).is_some_and(|wide| wide > narrow) && !is_fixed(&large)
        }),
    };
    if !is_beyond {
        return;
    }
    sink.report(
        condition,
        format!(
            "`{}` has the type `{}`, and `{}` may exceed its range.",
            quote(counter.text()),
            quote(small.kind),
            quote(limit.text())
        ),
    );
}

/// Bits of an integer type; `None` if the width differs between systems.
fn bits(variable: &Variable<'_>) -> Option<u32> {
    if variable.stars > 0 || variable.array.is_some() {
        return None;
    }
    let kind = variable
        .kind
        .trim_start_matches("const ")
        .trim_start_matches("volatile ")
        .trim();
    Some(match kind.trim_start_matches("std::") {
        "char" | "signed char" | "unsigned char" | "uint8_t" | "int8_t" | "u8" | "BYTE"
        | "UCHAR" | "byte" => 8,
        "short" | "unsigned short" | "short int" | "uint16_t" | "int16_t" | "u16" | "WORD"
        | "USHORT" | "wchar_t" => 16,
        "int" | "unsigned" | "unsigned int" | "uint32_t" | "int32_t" | "u32" | "DWORD" | "UINT" => {
            32
        }
        "long long" | "unsigned long long" | "uint64_t" | "int64_t" | "u64" | "size_t"
        | "ssize_t" | "long" | "unsigned long" => 64,
        _ => return None,
    })
}

/// Whether the loop increments the counter.
fn counts(node: Node<'_>, counter: Node<'_>) -> bool {
    node.descendants().any(|inner| {
        let steps = inner.is(&["update_expression"]) && inner.text().contains("++")
            || inner.is(&["assignment_expression"])
                && inner
                    .assignment()
                    .is_some_and(|set| set.operator == "+=" && set.value.is(&["number_literal"]));
        steps
            && inner
                .named_children()
                .next()
                .is_some_and(|target| target.text() == counter.text())
    })
}

/// The largest value of the counter.
fn highest(counter: &Variable<'_>, bits: u32) -> u64 {
    let all = (1_u64 << bits) - 1;
    if counter.is_unsigned() || counter.kind.starts_with("unsigned") {
        all
    } else {
        all / 2
    }
}

/// Whether the limit is a literal constant.
fn is_fixed(limit: &Variable<'_>) -> bool {
    limit.value.is_some_and(|value| number(value).is_some()) && limit.node.text().contains("const")
}
