//! A narrow string that is cast to a wide one.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::c::types::{Value, declared};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/text-cast-to-wide",
    languages: &["C", "C++"],
    title: "String cast to another character width",
    why: "A cast does not convert the characters: two or four of them are read as one, and the search for the \
          terminator continues past the end of the string.",
    fix: "Convert with `mbstowcs` or `MultiByteToWideChar`, or prefix a literal with `L`.",
    references: &["CWE-704", "CWE-125"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["cast_expression"]),
        run,
    },
    positive: &[
        r#"
+void show(char *name) {
+    wchar_t *wide = (wchar_t *)name;
^
+    draw((LPCWSTR)"title");
^
+}
"#,
        r#"
+void show(LPCSTR name, const wchar_t *wide) {
+    draw((LPWSTR)name);
^
+    print((char *)wide);
+}
"#,
    ],
    negative: &[
        r#"
+void show(wchar_t *name, unsigned char *bytes) {
+    draw((LPCWSTR)name);
+    draw((LPCWSTR)L"title");
+    wchar_t *wide = (wchar_t *)bytes;
+    wchar_t *made = (wchar_t *)malloc(8);
+}
"#,
        r#"
@@ void show(char *name)
     draw((LPCWSTR)name);
+    draw((LPCSTR)name);
+    MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, 64);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(kind), Some(value)) = (node.field("type"), node.field("value")) else {
        return;
    };
    let wanted: String = kind
        .text()
        .split_whitespace()
        .filter(|word| !matches!(*word, "const" | "CONST"))
        .collect();
    if !matches!(
        wanted.as_str(),
        "wchar_t*"
            | "LPWSTR"
            | "LPCWSTR"
            | "PWSTR"
            | "PCWSTR"
            | "WCHAR*"
            | "char16_t*"
            | "LPOLESTR"
    ) {
        return;
    }
    let value = value.unparenthesised();
    let is_narrow = match value.kind() {
        "string_literal" => value.text().starts_with('"'),
        "identifier" => declared(value).is_some_and(|variable| {
            let kind = variable.kind.trim_start_matches("const ").trim();
            let is_named =
                matches!(kind, "LPSTR" | "LPCSTR" | "PSTR" | "PCSTR") && variable.stars == 0;
            is_named
                || matches!(kind, "char" | "CHAR") && variable.value_kind() == Value::Text
                || kind == "CHAR" && variable.stars == 1
        }),
        _ => false,
    };
    if is_narrow {
        let text = format!(
            "`{}` holds one-byte characters, but `{}` reads wide ones.",
            quote(value.text()),
            quote(kind.text())
        );
        sink.report(node, text);
    }
}
