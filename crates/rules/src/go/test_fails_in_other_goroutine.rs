//! A test stopped by a function that runs in another goroutine.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::visible_root;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/test-fails-in-other-goroutine",
    languages: &["Go"],
    title: "Goroutine running a test-stopping function",
    why: "`FailNow`, `Fatal` and `Skip` stop the goroutine that calls them and must be called from the goroutine \
          of the test. From another one the test continues after the failed check, or waits forever for the \
          stopped goroutine.",
    fix: "Use `Error` and wait for the goroutine, or send the error to the test over a channel.",
    references: &["https://pkg.go.dev/testing#T.FailNow"],
    priority: Priority::P2,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["go_statement"]),
        run,
    },
    positive: &[
        r#"
path: a_test.go
+func TestLoad(t *testing.T) {
+	go t.FailNow()
^
+}
"#,
        r#"
path: a_test.go
+func help(t *testing.T) {
+	t.Fatal("failed")
+}
+func TestLoad(t *testing.T) {
+	go help(t)
^
+}
"#,
    ],
    negative: &[
        r#"
path: a_test.go
+func help(t *testing.T) {
+	t.Error("failed")
+}
+func TestLoad(t *testing.T) {
+	go help(t)
+	t.FailNow()
+}
"#,
        r#"
path: a_test.go
+func TestLoad(t *testing.T) {
+	done := make(chan error)
+	go func() { done <- load() }()
+	if err := <-done; err != nil {
+		t.Fatal(err)
+	}
+}
"#,
    ],
};

const ENDS: &[&str] = &["Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .named_children()
        .next()
        .filter(|call| call.is(&["call_expression"]))
    else {
        return;
    };
    let Some(callee) = call
        .field("function")
        .filter(|callee| callee.is(&["identifier", "selector_expression"]))
    else {
        return;
    };
    let direct = callee
        .receiver()
        .is_some_and(|of| matches!(of.text(), "t" | "b" | "tb" | "f"));
    let ends = direct && ENDS.contains(&callee.last_name())
        || !direct && definition(node, callee.last_name()).is_some_and(ends_test);
    if ends {
        sink.report(
            node,
            format!(
                "`{}` can stop only the new goroutine; the test itself continues.",
                quote(call.text())
            ),
        );
    }
}

/// The function, method or local function literal with that name.
fn definition<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let top = visible_root(node)?;
    top.descendants().find(|one| {
        let named =
            one.has_role(Role::Function) && one.field("name").is_some_and(|own| own.text() == name);
        let local = one.is(&["func_literal"])
            && one.parent().and_then(Node::parent).is_some_and(|line| {
                line.is(&["short_var_declaration", "assignment_statement"])
                    && line.field("left").is_some_and(|left| left.text() == name)
            });
        named || local
    })
}

fn ends_test(function: Node<'_>) -> bool {
    function.descendants().filter_map(Node::call).any(|call| {
        ENDS.contains(&call.name)
            && call
                .receiver
                .is_some_and(|of| of.is(&["identifier"]) && is_test_handle(function, of.text()))
    })
}

/// A parameter of type `*testing.T` or a similar type, or the `t` of the enclosing test.
fn is_test_handle(function: Node<'_>, name: &str) -> bool {
    let parameter = function.field("parameters").is_some_and(|list| {
        list.named_children()
            .any(|one| one.text().contains("testing.") && one.names().any(|own| own.text() == name))
    });
    parameter || function.is(&["func_literal"]) && matches!(name, "t" | "b" | "tb")
}
