//! A character array that is read as a string before anything was written to it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{Value, declared};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/text-never-written",
    languages: &["C", "C++"],
    title: "Uninitialized array read as a string",
    why: "No string or terminator was stored in the array, so the function reads the previous contents of the memory \
          up to the first zero byte, possibly past the end of the array.",
    fix: "Initialize it as an empty string, or write to it first.",
    references: &["CWE-457", "CWE-908"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
+void greet(const char *name) {
+    char text[64];
+    strcat(text, name);
^
+}
"#,
        r#"
+char *copy(void) {
+    char *text = malloc(64);
+    char other[8];
+    printf("%s", other);
^
+    text[0] = 'a';
+    return strdup(text);
^
+}
"#,
    ],
    negative: &[
        r#"
+void greet(const char *name) {
+    char text[64] = "";
+    strcat(text, name);
+}
"#,
        r#"
+void greet(const char *name) {
+    static char last[8];
+    char text[64], other[8], third[4];
+    fill(text);
+    strcat(text, name);
+    other[0] = '\0';
+    strcat(other, name);
+    char *p = third;
+    *p = 0;
+    strlen(third);
+    strlen(last);
+    if (name)
+        strcpy(text, name);
+}
"#,
    ],
};

/// Functions that read a string, and the positions of the arguments that they read.
const READERS: &[(&str, &[usize])] = &[
    ("strlen", &[0]),
    ("strdup", &[0]),
    ("strcat", &[0, 1]),
    ("strncat", &[0, 1]),
    ("strcpy", &[1]),
    ("strcmp", &[0, 1]),
    ("strncmp", &[0, 1]),
    ("strcasecmp", &[0, 1]),
    ("strchr", &[0]),
    ("strrchr", &[0]),
    ("strstr", &[0, 1]),
    ("strtok", &[0]),
    ("atoi", &[0]),
    ("atol", &[0]),
    ("puts", &[0]),
    ("fputs", &[0]),
    ("printf", &[1, 2, 3, 4]),
    ("wcslen", &[0]),
    ("wcscat", &[0, 1]),
    ("wcsdup", &[0]),
    ("system", &[0]),
    ("fopen", &[0]),
    ("getenv", &[0]),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let name = call.callee.trim_start_matches("std::");
    let Some((_, places)) = READERS.iter().find(|(known, _)| *known == name) else {
        return;
    };
    for place in *places {
        let Some(text) = call
            .arguments
            .get(*place)
            .filter(|text| text.is(&["identifier"]))
        else {
            continue;
        };
        if is_unwritten(*text, node) {
            sink.report(
                node,
                format!(
                    "Nothing has written to `{}` before `{name}` reads it.",
                    quote(text.text())
                ),
            );
            return;
        }
    }
}

fn is_unwritten(text: Node<'_>, call: Node<'_>) -> bool {
    let Some(variable) =
        declared(text).filter(|variable| variable.is_local() && !variable.is_parameter)
    else {
        return false;
    };
    let is_array = variable.array.is_some() && variable.stars == 0 && variable.value.is_none();
    let is_text = matches!(variable.value_kind(), Value::Text | Value::WideText);
    if !is_text || !(is_array || variable.value.is_some_and(is_fresh_memory)) {
        return false;
    }
    let Some(function) = text.enclosing(Role::Function) else {
        return false;
    };
    let is_loop =
        |around: &Node<'_>| around.has_role(Role::Loop) && !variable.node.is_inside(*around);
    if !function.is_within_hunk() && !variable.node.is_within_hunk()
        || text.ancestors().any(|around| is_loop(&around))
    {
        return false;
    }
    let mentions = function
        .descendants()
        .filter(|node| node.is(&["identifier"]) && node.text() == text.text());
    let earlier =
        mentions.filter(|node| node.index() < call.index() && !node.is_inside(variable.node));
    !function
        .descendants()
        .any(|node| node.is(&["goto_statement", "labeled_statement"]))
        && earlier.into_iter().all(leaves_unwritten)
}

fn is_fresh_memory(value: Node<'_>) -> bool {
    let mut value = value.unparenthesised();
    while value.is(&["cast_expression"]) {
        let Some(inner) = value.field("value") else {
            return false;
        };
        value = inner.unparenthesised();
    }
    value
        .call()
        .is_some_and(|call| matches!(call.callee.trim_start_matches("std::"), "malloc" | "alloca"))
        || value.is(&["new_expression"]) && value.text().ends_with(']')
}

/// Whether it takes the size, tests for null, or sets one element to a value other than zero.
fn leaves_unwritten(mention: Node<'_>) -> bool {
    let Some(around) = mention.parent() else {
        return false;
    };
    if around
        .ancestors()
        .take(2)
        .chain([around])
        .any(|a| a.is(&["sizeof_expression"]))
    {
        return true;
    }
    if around.is(&["unary_expression"])
        || around
            .binary()
            .is_some_and(|binary| matches!(binary.operator, "==" | "!="))
    {
        return true;
    }
    if around.is(&["argument_list"]) {
        let call = around.parent().and_then(Node::call);
        return call
            .is_some_and(|call| matches!(call.callee, "free" | "strlen" | "strdup" | "puts"));
    }
    if !around.is(&["subscript_expression"]) {
        return false;
    }
    let set = around
        .parent()
        .and_then(Node::assignment)
        .filter(|set| set.target == around);
    set.is_some_and(|set| set.value.is(&["char_literal"]) && !set.value.text().contains("\\0"))
}
