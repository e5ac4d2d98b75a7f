//! An error branch that uses the result instead of the error.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::mentions;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/failed-result-used",
    languages: &["Go"],
    title: "Error branch without a use of the error",
    why: "The branch is taken when the call has failed. It does not use the error: it uses the result, which is not \
          valid then, or returns nil, so that the caller assumes success.",
    fix: "Use the error: wrap it, return it or print it.",
    references: &["CWE-391"],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::If]),
        run,
    },
    positive: &[
        r#"
path: src/a.go
@@ func start() {
+	home, err := homedir.Dir()
+	if err != nil {
+		fmt.Println(home)
^
+		os.Exit(1)
+	}
"#,
        r#"
path: src/a.go
+func start() error {
+	home, err := homedir.Dir()
+	if err != nil {
+		return nil
^
+	}
+	return use(home)
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func start() {
+	home, err := homedir.Dir()
+	if err != nil {
+		fmt.Println(err)
+		os.Exit(1)
+	}
"#,
        r#"
path: src/a.go
+func start() *Home {
+	home, err := homedir.Dir()
+	if err != nil {
+		return nil
+	}
+	return home
+}
"#,
        r#"
path: src/a.go
+func start() error {
+	home, err := homedir.Dir()
+	if err != nil {
+		// There is no home on this system, which is fine.
+		return nil
+	}
+	return use(home)
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(branch) = node.branch() else { return };
    let Some((error, false)) = branch.condition.null_check() else {
        return;
    };
    let name = error.text();
    let is_error = name == "err" || name.ends_with("Err");
    if !is_error || mentions(branch.then.text(), name) > 0 {
        return;
    }
    let set = node
        .field("initializer")
        .or_else(|| node.previous())
        .and_then(Node::assignment);
    let Some(set) = set.filter(|set| mentions(set.target.text(), name) == 1) else {
        return;
    };
    let results: Vec<&str> = set
        .target
        .names()
        .map(Node::text)
        .filter(|own| *own != name && *own != "_")
        .collect();
    let used = branch
        .then
        .names()
        .find(|used| results.contains(&used.text()) && !is_set(*used));
    if let Some(used) = used {
        let summary = format!(
            "`{name}` is set here, so `{}` is not valid; the branch uses it instead of the error.",
            used.text()
        );
        sink.report(used, summary);
    } else if let Some(nothing) = returns_nil_error(branch.then) {
        let summary = format!(
            "`{}` has failed here, but the caller receives nil instead of the error.",
            quote(set.value.text())
        );
        sink.report(nothing, summary).priority(Priority::P3);
    }
}

/// Whether a name is assigned, closed or compared: then its use in the branch is deliberate.
fn is_set(used: Node<'_>) -> bool {
    used.ancestors().take(4).any(|around| {
        around
            .assignment()
            .is_some_and(|set| used.is_inside(set.target))
            || around.comparison().is_some()
            || around.has_role(Role::If)
    }) || used
        .parent()
        .is_some_and(|parent| parent.has_role(Role::Member))
        || used.enclosing(Role::Return).is_some()
}

/// `return nil` as the only statement of a branch, in a function whose last result is an error.
fn returns_nil_error(block: Node<'_>) -> Option<Node<'_>> {
    let statements = block.statements();
    let [only] = statements.as_slice() else {
        return None;
    };
    let function = only.enclosing_function()?;
    let result = function.field("result")?.text().trim_matches(['(', ')']);
    let gives_error = result == "error" || result.ends_with(" error") || result.ends_with(",error");
    let last = only
        .text()
        .trim_start_matches("return")
        .rsplit(',')
        .next()
        .unwrap_or_default()
        .trim();
    let explained = block.all(Role::Comment).next().is_some();
    (only.has_role(Role::Return) && gives_error && last == "nil" && !explained).then_some(*only)
}
