//! A variable or field that is assigned to itself.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/self-assignment",
    languages: &["Go"],
    title: "Variable or field assigned to itself",
    why: "The assignment has no effect. Usually a field or a variable of a similar name is missing on one side, \
          and the intended value is never stored.",
    fix: "Correct one side of the assignment, or delete the line.",
    references: &["https://go.dev/ref/spec#Assignment_statements"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment_statement"]),
        run,
    },
    positive: &[
        r#"
@@ func (u *User) Set(name string) {
-	u.name = name
+	name = name
^
"#,
        r#"
+func (u *User) Set(name string, age int) {
+	u.name, u.age = name, u.age
^
+}
"#,
    ],
    negative: &[
        r#"
@@ func (u *User) Set(name string) {
+	u.name = name
"#,
        r#"
+func run(items []int) {
+	for _, item := range items {
+		item := item
+		a, b = b, a
+		_ = item
+		x[next()] = x[next()]
+	}
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    if node
        .field("operator")
        .is_some_and(|operator| operator.text() != "=")
        || left.named_children().count() != right.named_children().count()
    {
        return;
    }
    let is_steady =
        |value: Node<'_>| value.all(Role::Call).next().is_none() && !value.text().contains("<-");
    let same = left
        .named_children()
        .zip(right.named_children())
        .find(|(target, value)| {
            target.text() != "_" && target.says_same(*value) && is_steady(*target)
        });
    if let Some((target, _)) = same {
        sink.report(
            node,
            format!("`{}` is assigned to itself.", quote(target.text())),
        );
    }
}
