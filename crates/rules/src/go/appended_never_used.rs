//! A slice that is appended to but never read.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/appended-never-used",
    languages: &["Go"],
    title: "Slice appended to but never read",
    why: "The compiler counts the append as a use, so it does not report the variable. The collected elements are \
          discarded at the end of the function, although they should be returned or stored.",
    fix: "Return, store or read the slice, or remove it.",
    references: &["CWE-563"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["assignment_statement"]),
        run,
    },
    positive: &[
        r#"
+func names(items []Item) []string {
+	var names []string
+	for _, item := range items {
+		names = append(names, item.Name)
^
+	}
+	return nil
+}
"#,
        r#"
+func load(paths []string) error {
+	failed := []string{}
+	if len(paths) == 0 {
+		failed = append(failed, "none")
^
+	}
+	return nil
+}
"#,
    ],
    negative: &[
        r#"
+func names(items []Item) []string {
+	var names []string
+	for _, item := range items {
+		names = append(names, item.Name)
+	}
+	return names
+}
"#,
        r#"
+func names(items []Item) (names []string) {
+	for _, item := range items {
+		names = append(names, item.Name)
+	}
+	return
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = appended(node) else { return };
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| function.is_within_hunk())
    else {
        return;
    };
    let Some(body) = function.field("body").filter(|body| is_small(*body)) else {
        return;
    };
    let own: Vec<Node<'_>> = body
        .descendants()
        .filter(|used| used.is(&["identifier"]) && used.text() == name)
        .collect();
    let is_local = own.iter().any(|used| declares(*used));
    if is_local
        && own.iter().all(|used| {
            declares(*used)
                || used
                    .ancestors()
                    .take(4)
                    .any(|around| appended(around) == Some(name))
        })
    {
        sink.report(
            node,
            format!("`{name}` is appended to, but its elements are never read."),
        );
    }
}

/// The slice in `x = append(x, …)`, if the appended values do not use the slice.
fn appended(node: Node<'_>) -> Option<&str> {
    let target = node
        .is(&["assignment_statement"])
        .then(|| node.field("left"))??
        .named_children()
        .next()?;
    let call = node
        .field("right")?
        .named_children()
        .next()?
        .call()
        .filter(|call| call.callee == "append")?;
    let (first, rest) = call.arguments.split_first()?;
    let used_again = rest
        .iter()
        .any(|one| one.names().any(|name| name.text() == target.text()));
    (target.is(&["identifier"]) && first.says_same(target) && !used_again).then(|| target.text())
}

/// Whether the variable is declared here, with a value that nothing else shares.
fn declares(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else {
        return false;
    };
    if parent.is(&["var_spec"]) {
        return parent.field("value").is_none_or(is_fresh);
    }
    parent.is(&["expression_list"])
        && parent.parent().is_some_and(|line| {
            line.is(&["short_var_declaration"])
                && line.field("left") == Some(parent)
                && line.field("right").is_some_and(is_fresh)
        })
}

fn is_fresh(value: Node<'_>) -> bool {
    let text = value.text();
    text.starts_with("make(") || text.starts_with("[]") || text == "nil"
}
