//! An index past the end of its array.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{declared, number};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/index-past-the-end",
    languages: &["C", "C++"],
    title: "Index past the end of the array",
    why: "The last element of an array of n elements has the index n - 1. Reading past it returns unrelated memory, \
          and writing past it corrupts other variables or the return address.",
    fix: "Keep the index below the number of elements, or make the array larger.",
    references: &["CWE-125", "CWE-787"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Index]),
        run,
    },
    positive: &[
        r#"
+void fill(void) {
+    int values[10];
+    values[10] = 0;
^
+}
"#,
        r#"
+#define SIZE 8
+int last(void) {
+    int values[SIZE] = {0};
+    for (int i = 0; i <= SIZE; i++)
+        values[i] = i;
^
+    return values[0];
+}
"#,
    ],
    negative: &[
        r#"
+void fill(int *other) {
+    int values[10];
+    values[9] = 0;
+    int *end = &values[10];
+    for (int i = 0; i < 10; i++)
+        values[i] = 0;
+    for (int i = 1; i <= 10; i++)
+        values[i - 1] = sizeof(values[10]);
+    other[10] = 0;
+}
"#,
        r#"
+#define SIZE 8
+int last(void) {
+    int values[SIZE + 1] = {0};
+    for (int i = 0; i <= SIZE; i++)
+        values[i] = i;
+    return values[SIZE];
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(base) = node
        .field("argument")
        .filter(|base| base.is(&["identifier"]))
    else {
        return;
    };
    let Some(index) = index_of(node) else { return };
    let is_unread = node
        .ancestors()
        .take_while(|around| !around.has_role(Role::Block))
        .any(|around| around.is(&["sizeof_expression", "decltype"]));
    let is_address = node
        .parent()
        .is_some_and(|parent| parent.is(&["pointer_expression"]) && parent.text().starts_with('&'));
    if is_unread {
        return;
    }
    let Some(variable) = declared(base) else {
        return;
    };
    if variable.stars > 0 {
        return;
    }
    let Some(length) = variable.length() else {
        return;
    };
    if let Some(place) = number(index) {
        let is_behind = if is_address {
            place > length
        } else {
            place >= length
        };
        if is_behind && length > 1 {
            sink.report(
                node,
                format!(
                    "`{}` has {length} elements; `{}` is past the last one.",
                    quote(base.text()),
                    quote(node.text())
                ),
            );
        }
    } else if !is_address && index.is(&["identifier"]) && runs_to(index, length) {
        sink.report(
            node,
            format!(
                "`{}` reaches {length} in this loop, but `{}` has {length} elements: the last index is {}.",
                quote(index.text()),
                quote(base.text()),
                length - 1
            ),
        )
        .priority(Priority::P1);
    }
}

fn index_of(node: Node<'_>) -> Option<Node<'_>> {
    let list = node.field("indices").or_else(|| node.field("index"))?;
    let index = if list.is(&["subscript_argument_list"]) {
        list.named_children().next()?
    } else {
        list
    };
    Some(index.unparenthesised())
}

/// Whether the enclosing loop counts this name up to and including `length`.
fn runs_to(index: Node<'_>, length: u64) -> bool {
    let name = index.text();
    let Some(around) = index
        .ancestors()
        .find(|around| around.is(&["for_statement"]))
    else {
        return false;
    };
    let Some(condition) = around
        .field("condition")
        .and_then(|condition| condition.unparenthesised().comparison())
    else {
        return false;
    };
    let counts_up = around.field("update").is_some_and(|update| {
        update.is(&["update_expression"])
            && update.text().contains("++")
            && update.text().contains(name)
    });
    let is_moved = around.field("body").is_some_and(|body| {
        body.all(Role::Assign).any(|assign| {
            assign
                .assignment()
                .is_some_and(|assignment| assignment.target.text() == name)
        })
    });
    let is_guarded = index
        .ancestors()
        .take_while(|node| *node != around)
        .any(|node| node.has_role(Role::If) || node.has_role(Role::Ternary));
    let leaves = around.field("body").is_some_and(|body| {
        body.descendants()
            .any(|node| node.has_role(Role::Break) || node.has_role(Role::Return))
    });
    let limit = if condition.operator == "<=" {
        number(condition.right)
    } else {
        None
    };
    let limit = limit.or_else(|| {
        if condition.operator == "<" {
            number(condition.right)?.checked_sub(1)
        } else {
            None
        }
    });
    counts_up
        && !is_moved
        && !is_guarded
        && !leaves
        && condition.left.text() == name
        && limit.is_some_and(|limit| limit >= length)
}
