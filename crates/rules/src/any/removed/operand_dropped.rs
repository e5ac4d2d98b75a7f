//! A term that was dropped from a sum, a product or a mask.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/operand-dropped",
    languages: &[],
    title: "Term dropped from an expression",
    why: "A part of an arithmetic or bitwise expression is gone, and the rest is unchanged. The result differs now: a \
          header is not counted, a mask is not applied, or a guard against zero is missing.",
    fix: "Keep the term, unless the reason for it is gone too.",
    references: &["CWE-682"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def mean(score, mask):
-    return score / (mask.sum() + EPSILON)
+    return score / (mask.sum())
^
"#,
        r#"
path: src/a.c
@@ static size_t need(size_t n)
-	return n * sizeof(int) + HEADER;
+	return n * sizeof(int);
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def mean(score, mask):
-    return score / (mask.sum() + EPSILON)
+    return score / (mask.sum() + TINY)
"#,
        r#"
path: src/a.py
 def mean(score):
-    return "a" + "b"
+    return "a"
"#,
        r#"
path: src/a.js
 function next(sum, rate) {
-  sum = sum * rate;
+  sum *= rate;
   return sum;
 }
"#,
        r#"
path: src/A.java
@@ int flip(int bits) {
-        return bits ^ -1;
+        return ~bits;
     }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Binary)
        .filter(|node| node.touches_change())
    {
        let Some(binary) = old.binary().filter(|binary| is_arithmetic(binary.operator)) else {
            continue;
        };
        let (kept, lost) = match (
            context.similarity_to_new(binary.left),
            context.similarity_to_new(binary.right),
        ) {
            (100, ..=34) => (binary.left, binary.right),
            (..=34, 100) => (binary.right, binary.left),
            _ => continue,
        };
        let is_text = old.all(Role::Text).next().is_some();
        let Some(now) = context
            .cover(kept)
            .filter(|now| !is_text && now.is_usable() && now.touches_change())
        else {
            continue;
        };
        if is_compound(now, binary.operator, lost) {
            continue;
        }
        let gained = context.inserted(now.statement()).next().is_some() || context.reappears(old);
        if !gained && lost.text() != "1" && context.only_takes_away(old) {
            let (term, rest) = (quote(lost.text()), quote(now.text()));
            sink.report(
                now,
                format!("The term `{term}` was dropped, which leaves `{rest}`."),
            );
        }
    }
}

/// Whether `a = a + b` became `a += b`, or `-1 ^ a` became the complement of `a`.
fn is_compound(now: Node<'_>, operator: &str, lost: Node<'_>) -> bool {
    let joins = |node: Node<'_>| {
        node.assignment().is_some_and(|set| {
            set.operator.strip_suffix('=') == Some(operator) && set.target.says_same(lost)
        })
    };
    let around = || std::iter::once(now).chain(now.ancestors().take(4));
    let is_complement = |node: Node<'_>| node.has_role(Role::Unary) && node.text().starts_with('~');
    around().any(joins) || (operator == "^" && lost.text() == "-1" && around().any(is_complement))
}

fn is_arithmetic(operator: &str) -> bool {
    matches!(
        operator,
        "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | "//" | "**"
    )
}
