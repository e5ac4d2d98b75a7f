//! An integer converted to the character with that code point.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::type_of;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/integer-to-string",
    languages: &["Go"],
    title: "Integer converted to a one-character string",
    why: "`string(65)` is \"A\": the conversion of an integer returns the character with that code point, not its \
          digits. Code that expects \"65\" gets a wrong, often invisible, character.",
    fix: "Use `strconv.Itoa`, or `string(rune(n))` if the character is intended.",
    references: &["CWE-704", "https://go.dev/ref/spec#Conversions"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["call_expression"]), run },
    positive: &[
        "+func name(n int64) string {\n+\treturn string(n)\n^\n+}\n",
        "@@ func name(items []int) string {\n+\ttext := \"of \" + string(len(items))\n^\n",
    ],
    negative: &[
        "+func name(n int64, r rune, b byte, t []byte) string {\n+\treturn string(rune(n)) + string(r) + string(b) + string(t) + strconv.FormatInt(n, 10)\n+}\n",
        "@@ func name(items []int) string {\n \ttext := \"of \" + string(len(items))\n+\ttext += strconv.Itoa(len(items)) + string('x') + fmt.Sprint(items[0])\n \treturn text\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.callee == "string") else { return };
    let [argument] = call.arguments.as_slice() else { return };
    let counts = argument.call().is_some_and(|inner| {
        matches!(
            inner.callee,
            "len" | "cap" | "int" | "int64" | "int32" | "int16" | "uint" | "uint32" | "uint64" | "uint16"
        )
    });
    let whole = argument.is(&["int_literal"])
        || type_of(*argument).is_some_and(|kind| {
            matches!(
                kind.as_str(),
                "int" | "int8" | "int16" | "int64" | "uint" | "uint16" | "uint32" | "uint64" | "uintptr"
            )
        });
    if counts || whole {
        sink.report(
            node,
            format!(
                "`{}` returns the character with that code point, not the digits of the number.",
                quote(node.text())
            ),
        );
    }
}
