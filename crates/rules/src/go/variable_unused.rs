//! An added variable that is never used.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::go::unused_variables;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/variable-unused",
    languages: &["Go"],
    title: "Variable declared and not used",
    why: "Nothing reads the variable. Go rejects that: the package does not compile. An assignment does not count as a use.",
    fix: "Use the variable, delete it, or assign to `_`.",
    references: &["https://go.dev/ref/spec#Variable_declarations"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["source_file"]),
        run,
    },
    positive: &[
        r#"
path: a.go
+package a
+
+func total(prices []int) (sum int) {
+	tax := rate()
^
+	for _, price := range prices {
+		sum += price
+	}
+	return sum
+}
"#,
        r#"
path: a.go
+package a
+
+func load() error {
+	data, err := read()
+	if err != nil {
+		err := wrap(err)
^
+		err = nil
+	}
+	use(data)
+	return err
+}
"#,
    ],
    negative: &[
        r#"
path: a.go
+package a
+
+func total(prices []int) (sum int) {
+	tax := rate()
+	for _, price := range prices {
+		sum += price * tax
+	}
+	return sum
+}
"#,
        r#"
path: a.go
+package a
+
+func run(value any) (err error) {
+	const limit = 3
+	value, err = next()
+	switch kind := value.(type) {
+	case string, int:
+		use(kind)
+	}
+	count := 0
+	count++
+	return
+}
"#,
        r#"
path: a.go
+package a
+
+func make(name string) *Cart {
+	limit := 3
+	item := Item{limit: limit}
+	item.count = 1
+	return &Cart{item}
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for name in unused_variables(node.tree()) {
        let summary = format!(
            "`{}` is declared and not used: the file does not compile.",
            name.text()
        );
        sink.report(name, summary);
    }
}
