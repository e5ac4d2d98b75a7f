//! Memory used right after its allocation, without a null check.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{following, uses};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/unchecked-allocation",
    languages: &["C", "C++"],
    title: "Allocation used without a null check",
    why: "`malloc` returns null when memory is exhausted, and when a computed size is absurd. The next write then \
          crashes at address zero, or with a large offset corrupts other memory.",
    fix: "Test the pointer before its first use, and handle the failure.",
    references: &["CWE-690", "CWE-476"],
    priority: Priority::P3,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+struct item *make(void) {
+    struct item *item = malloc(sizeof(*item));
+    item->count = 0;
^
+    return item;
+}
"#,
        r#"
@@ void grow(struct list *l)
+    copy = calloc(n, 4);
+    memcpy(copy, old, 4);
^
"#,
    ],
    negative: &[
        r#"
+struct item *make(void) {
+    struct item *item = malloc(sizeof(*item));
+    if (!item)
+        return NULL;
+    item->count = 0;
+    char *name = xmalloc(3);
+    name[0] = 0;
+    return item;
+}
"#,
        r#"
@@ int grow(struct list *l)
     copy = calloc(n, 4);
+    if (copy == NULL)
+        abort();
     memcpy(copy, old, 4);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    if !matches!(
        call.callee,
        "malloc"
            | "calloc"
            | "realloc"
            | "std::malloc"
            | "std::calloc"
            | "strdup"
            | "strndup"
            | "fopen"
    ) {
        return;
    }
    let Some(assignment) = node.ancestors().take(4).find_map(Node::assignment) else {
        return;
    };
    let target = assignment
        .target
        .leaves()
        .filter(|leaf| leaf.has_role(Role::Name))
        .last()
        .filter(|_| {
            !assignment
                .target
                .is(&["field_expression", "subscript_expression"])
        });
    let Some(target) = target else { return };
    let statement = node.statement();
    let rest = following(statement).filter(|later| !later.has_role(Role::Comment));
    let Some(first) = rest
        .take(6)
        .find_map(|later| uses(later, target).next().map(|at| (later, at)))
    else {
        return;
    };
    let (later, at) = first;
    if later.has_role(Role::If)
        || later.has_role(Role::Loop)
        || later.has_role(Role::Switch)
        || later.is(&["declaration", "labeled_statement"])
    {
        return;
    }
    if is_touched(at) {
        sink.report(
            later,
            format!(
                "`{}` may be null here: the result of `{}` was not checked.",
                quote(target.text()),
                call.name
            ),
        );
    }
}

fn is_touched(at: Node<'_>) -> bool {
    let Some(parent) = at.parent() else {
        return false;
    };
    let is_member = parent.is(&["field_expression"]) && parent.text().contains("->");
    let is_element = parent.is(&["subscript_expression"]) && parent.field("argument") == Some(at);
    let is_behind = parent.is(&["pointer_expression"]) && parent.text().starts_with('*');
    let fills = parent.is(&["argument_list"])
        && parent.named_children().next() == Some(at)
        && parent.parent().and_then(Node::call).is_some_and(|call| {
            matches!(
                call.callee.trim_start_matches("std::"),
                "memcpy"
                    | "memset"
                    | "strcpy"
                    | "strncpy"
                    | "sprintf"
                    | "strcat"
                    | "memmove"
                    | "strlen"
                    | "fclose"
                    | "fgetc"
            )
        });
    (is_member || is_element || is_behind || fills)
        && !at
            .ancestors()
            .any(|around| around.is(&["sizeof_expression"]))
}
