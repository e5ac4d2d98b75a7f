//! Memory released with a function that does not match its allocation, or that is not from the heap.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::c::flow::{last_set, uncast};
use syntax::semantics::c::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/freed-wrongly",
    languages: &["C", "C++"],
    title: "Mismatched allocation and release",
    why: "`free` belongs to `malloc` and its relatives, `delete` to `new`, and neither to arrays and variables of a \
          function. A mismatch corrupts the heap's own data: the program crashes elsewhere, or an attacker can exploit \
          it.",
    fix: "Release memory with the function that matches its allocation, and do not release memory that is not from the \
          heap.",
    references: &["CWE-762", "CWE-590"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression", "delete_expression"]),
        run,
    },
    positive: &[
        r#"
+void run(void) {
+    char text[16];
+    char *p = text;
+    use(p);
+    free(p);
^
+    free(text);
^
+}
"#,
        r#"
path: src/a.cpp
+void run() {
+    int *p = (int *)malloc(8);
+    delete p;
^
+    int *q = new int[4];
+    free(q);
^
+    int x;
+    int *r = &x;
+    delete r;
^
+}
"#,
    ],
    negative: &[
        r#"
+void run(void) {
+    char *p = malloc(16);
+    use(p);
+    free(p);
+}
"#,
        r#"
path: src/a.cpp
+void run(int *s) {
+    int *p = new int;
+    delete p;
+    char buffer[8];
+    char *q = buffer;
+    if (large)
+        q = (char *)malloc(99);
+    if (q != buffer)
+        free(q);
+    free(s);
+    int *t = take();
+    delete t;
+}
"#,
    ],
};

/// How memory was allocated.
#[derive(PartialEq, Eq)]
enum Taken {
    Malloc,
    New,
    NotAtAll,
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (freed, wanted) = match node.kind() {
        "delete_expression" => (node.named_children().last(), Taken::New),
        _ => {
            let call = node
                .call()
                .filter(|call| matches!(call.callee, "free" | "std::free" | "::free"));
            (
                call.and_then(|call| call.arguments.first().copied()),
                Taken::Malloc,
            )
        }
    };
    let Some(freed) = freed.map(uncast).filter(|freed| freed.is(&["identifier"])) else {
        return;
    };
    let how = taken(freed);
    let reason = match how {
        Some(Taken::NotAtAll) => "is not memory from the heap",
        Some(Taken::Malloc) if wanted == Taken::New => "was allocated with `malloc`",
        Some(Taken::New) if wanted == Taken::Malloc => "was allocated with `new`",
        _ => return,
    };
    sink.report(
        node,
        format!(
            "`{}` {reason}, so it must not be released like this.",
            quote(freed.text())
        ),
    );
}

fn taken(name: Node<'_>) -> Option<Taken> {
    let is_array = |node: Node<'_>| {
        declared(node).is_some_and(|variable| {
            variable.array.is_some() && variable.stars == 0 && !variable.is_parameter
        })
    };
    if is_array(name) {
        return Some(Taken::NotAtAll);
    }
    let value = uncast(last_set(name)?);
    if value.is(&["new_expression"]) {
        return (!value.text().starts_with("new (") && !value.text().starts_with("new("))
            .then_some(Taken::New);
    }
    if let Some(call) = value.call().filter(|_| value.is(&["call_expression"])) {
        return match call.callee.trim_start_matches("std::") {
            "malloc" | "calloc" | "realloc" | "strdup" | "strndup" => Some(Taken::Malloc),
            "alloca" | "_alloca" => Some(Taken::NotAtAll),
            _ => None,
        };
    }
    let is_address = value.is(&["pointer_expression"])
        && value.text().starts_with('&')
        && value
            .named_children()
            .next()
            .and_then(declared)
            .is_some_and(|variable| variable.stars == 0 && !variable.is_reference);
    (is_address || value.is(&["string_literal"]) || value.is(&["identifier"]) && is_array(value))
        .then_some(Taken::NotAtAll)
}
