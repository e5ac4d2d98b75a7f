//! A loop with a condition on one variable and an update of another.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/loop-counter-not-advanced",
    languages: &["Java"],
    title: "Wrong loop variable updated",
    why: "The condition of a `for` loop depends on its variable. If the update changes another variable, the loop may \
          never end; if the body repeats the update, every second iteration is skipped.",
    fix: "Update the variable of the condition exactly once per iteration.",
    references: &["CWE-835"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["for_statement"]),
        run,
    },
    positive: &[
        r#"
 void run(int n) {
         for (int i = 0; i < n; i++) {
-            for (int j = 0; j < n; j++) {
+            for (int j = 0; j < n; i++) {
^
                 go(i, j);
             }
         }
"#,
        r#"
+    void run(int n) {
+        for (int i = 0; i < n; i++) {
^
+            go(i);
+            i++;
+        }
+    }
"#,
    ],
    negative: &[
        r#"
+    void run(int n, int k) {
+        for (int i = 0, j = n; i < j; i++) {
+            go(i);
+        }
+        for (int i = 0; i < n; k++) {
+            i = next(i);
+        }
+        for (int i = 0; more(i); k++) {
+            go(k);
+        }
+        for (int i = 0; i < n; i++) {
+            if (k > 0) {
+                i++;
+            }
+        }
+    }
"#,
        r#"
+    void run(int n) {
+        for (int i = 0, j = n; i < j; j--) {
+            go(i, j);
+        }
+        for (int i = 0, j = n - 1; i < n; j = i++) {
+            go(i, j);
+        }
+        for (Node node = head; node != null; node = node.next) {
+            go(node);
+        }
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else {
        return;
    };
    let updates: Vec<Node<'_>> = node
        .children()
        .filter(|part| part.index() > condition.index() && part.index() < body.index())
        .filter(|part| part.is(&["update_expression", "assignment_expression"]))
        .collect();
    // `j = i++` changes two.
    let counted: Vec<&str> = updates
        .iter()
        .flat_map(|update| std::iter::once(*update).chain(update.descendants()))
        .filter_map(changed)
        .collect();
    if counted.is_empty() || condition.descendants().any(|inner| !is_plain(inner)) {
        return;
    }
    let tested: Vec<&str> = names(condition);
    let changed_in_body = body
        .descendants()
        .filter_map(changed)
        .any(|name| tested.contains(&name));
    let leaves = body
        .descendants()
        .any(|inner| inner.is(&["break_statement", "return_statement", "throw_statement"]));
    let fields = tested.iter().any(|name| !is_local(node, name));
    if !tested.is_empty()
        && !tested.iter().any(|name| counted.contains(name))
        && !changed_in_body
        && !leaves
        && !fields
    {
        sink.report(
            node,
            format!(
                "The condition tests `{}`, but the update changes `{}`.",
                tested.join("`, `"),
                counted.join("`, `")
            ),
        );
    } else if let Some(again) = twice(body, &updates) {
        sink.report(
            node,
            format!(
                "`{}` is executed in the loop header and again in the body: every second iteration is skipped.",
                again.text()
            ),
        )
        .priority(Priority::P2);
    }
}

fn is_plain(node: Node<'_>) -> bool {
    !node.is(&[
        "method_invocation", "array_access", "assignment_expression", "update_expression",
        "object_creation_expression",
    ])
}

/// The variable that an assignment or an increment changes.
fn changed(node: Node<'_>) -> Option<&str> {
    let target = match node.kind() {
        "update_expression" => node.named_children().next()?,
        "assignment_expression" => node.field("left")?,
        _ => return None,
    };
    target.is(&["identifier"]).then(|| target.text())
}

fn names(condition: Node<'_>) -> Vec<&str> {
    let all = std::iter::once(condition).chain(condition.descendants());
    all.filter(|name| {
        name.is(&["identifier"])
            && !name
                .parent()
                .is_some_and(|around| around.is(&["field_access"]))
    })
    .map(Node::text)
    .filter(|name| name.starts_with(char::is_lowercase))
    .collect()
}

/// Whether only this function can change it.
fn is_local(node: Node<'_>, name: &str) -> bool {
    let Some(function) = node.enclosing(syntax::language::Role::Function) else {
        return false;
    };
    function.descendants().any(|inner| {
        inner.is(&["variable_declarator", "formal_parameter"])
            && inner.field("name").is_some_and(|own| own.text() == name)
    })
}

/// An update of the header that the body repeats in every iteration.
fn twice<'t>(body: Node<'t>, updates: &[Node<'t>]) -> Option<Node<'t>> {
    let lines = body
        .named_children()
        .filter(|line| body.is(&["block"]) && line.is(&["expression_statement"]));
    let mut steps = lines.filter_map(|line| line.named_children().next());
    let jumps = body
        .descendants()
        .any(|inner| inner.is(&["continue_statement", "break_statement"]));
    steps.find(|step| {
        !jumps
            && step.is(&["update_expression"])
            && updates.iter().any(|update| update.says_same(*step))
    })
}
