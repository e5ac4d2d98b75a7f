//! A cast that was removed from a value.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/cast-dropped",
    languages: &[],
    title: "Cast removed",
    why: "The value was converted before it was used and no longer is. In arithmetic the width of the operands \
          matters: a product that fits the wider type overflows the narrower one, and a signed value may be compared \
          as unsigned.",
    fix: "Keep the cast, or declare the variable with the wider type.",
    references: &["CWE-704"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.c
@@ static uint64_t area(uint32_t w, uint32_t h)
-	return (uint64_t) w * h;
+	return w * h;
^
 }
"#,
        r#"
path: src/A.java
@@ long area(int w, int h) {
-        return (long) w * h;
+        return w * h;
^
"#,
    ],
    negative: &[
        r#"
path: src/a.c
@@ static uint64_t area(uint32_t w, uint32_t h)
-	return (uint64_t) w * h;
+	return (size_t) w * h;
 }
"#,
        r#"
path: src/A.java
@@ long area(int w, int h) {
-        long area = (long) w * h;
+        long area = Math.multiplyFull(w, h);
         return area;
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    const CASTS: &[&str] = &["cast_expression", "type_cast_expression", "as_expression"];
    const WIDTHS: &[&str] = &[
        "long", "int64", "uint64", "u64", "i64", "size", "ssize", "double", "float", "unsigned",
        "char", "byte", "int", "u32", "uint32", "usize", "uintmax", "ptrdiff", "uint8", "int32",
        "u8", "off",
    ];
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .nodes()
        .filter(|node| node.is(CASTS) && node.touches_change() && node.is_usable())
    {
        let mut parts = old.named_children();
        let (Some(first), Some(second)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (kind, value) = if old.is(&["cast_expression"]) {
            (first, second)
        } else {
            (second, first)
        };
        let is_number = vocabulary::words_of(kind.text())
            .iter()
            .any(|word| WIDTHS.contains(&word.as_str()))
            && !kind.text().contains('*');
        let is_lost =
            context.similarity_to_new(kind) == 0 && context.similarity_to_new(value) == 100;
        let Some(now) = context
            .cover(value)
            .filter(|now| is_number && is_lost && now.is_usable() && now.touches_change())
        else {
            continue;
        };
        let in_arithmetic = now
            .ancestors()
            .take_while(|node| !node.is_statement())
            .any(|node| node.has_role(Role::Binary) || node.has_role(Role::Index));
        if context.inserted(now.statement()).next().is_none()
            && in_arithmetic
            && context.mostly_takes_away(old)
        {
            sink.report(
                now,
                format!(
                    "`{}` is no longer converted to `{}` first.",
                    quote(value.text()),
                    quote(kind.text())
                ),
            );
        }
    }
}
