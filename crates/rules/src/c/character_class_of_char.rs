//! A plain `char` passed to `isalpha` and its relatives.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/character-class-of-char",
    languages: &["C", "C++"],
    title: "Possibly negative char passed to a ctype function",
    why: "The functions of `ctype.h` accept the values of `unsigned char` and `EOF`. Where `char` is signed, a byte \
          above 127 is negative, and many implementations use it as an index before the start of a table.",
    fix: "Cast the argument to `unsigned char`.",
    references: &[
        "CWE-704",
        "https://en.cppreference.com/w/c/string/byte/isalpha",
    ],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+int count(const char *text) {
+    return isspace(*text) + isalpha(text[1]);
^
+}
"#,
        r#"
+static int is_word(char c)
+{
+    return c == '_' || isalnum(c);
^
+}
"#,
    ],
    negative: &[
        r#"
+int count(const char *text, unsigned char c, int d) {
+    return isspace((unsigned char)*text) + isalpha(c) + isdigit(d) + isdigit('7');
+}
"#,
        r#"
@@ static int words(const char *text)
     while (isalpha(*text))
+        count += isalpha((unsigned char)text[0]) || text[0] == '_';
"#,
    ],
};

const NAMES: &[&str] = &[
    "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint",
    "isgraph", "iscntrl", "isxdigit", "isblank", "toupper", "tolower",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| {
        NAMES.contains(&call.callee.trim_start_matches("std::")) && call.arguments.len() == 1
    }) else {
        return;
    };
    let Some(argument) = call
        .arguments
        .first()
        .map(|argument| argument.unparenthesised())
    else {
        return;
    };
    let (base, levels) = match argument.kind() {
        "pointer_expression" if argument.text().starts_with('*') => (argument.field("argument"), 1),
        "subscript_expression" => (argument.field("argument"), 1),
        _ => (Some(argument), 0),
    };
    let Some(variable) = base.map(|base| base.unparenthesised()).and_then(declared) else {
        return;
    };
    let depth = variable.stars + usize::from(variable.array.is_some());
    if depth == levels
        && matches!(
            variable.kind.trim_start_matches("const ").trim(),
            "char" | "signed char"
        )
    {
        sink.report(
            node,
            format!(
                "`{}` is a `char` and may be negative, which `{}` does not allow.",
                quote(argument.text()),
                call.name
            ),
        );
    }
}
