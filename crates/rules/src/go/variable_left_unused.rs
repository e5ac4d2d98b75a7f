//! A variable after the change removed its last use.

use std::collections::{HashMap, HashSet};

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::go::unused_variables;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/variable-left-unused",
    languages: &["Go"],
    title: "Variable left unused by the change",
    why: "The change removes the last use of the variable. Go rejects a variable that is not used: the package does not \
          compile.",
    fix: "Delete the variable, or assign to `_`.",
    references: &["https://go.dev/ref/spec#Variable_declarations"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: a.go (whole file)
 package a
 
 func total(prices []int) (sum int) {
 	tax := rate()
 	for _, price := range prices {
-		sum += price * tax
^
+		sum += price
 	}
 	return sum
 }
"#,
        r#"
path: b.go (whole file)
 package b
 
 func load(path string) error {
 	name := clean(path)
 	file, err := open(path)
-	keep(file, name)
^
+	keep(file, path)
 	return err
 }
"#,
    ],
    negative: &[
        r#"
path: a.go (whole file)
 package a
 
 func total(prices []int) (sum int) {
-	tax := rate()
 	for _, price := range prices {
-		sum += price * tax
+		sum += price
 	}
 	return sum
 }
"#,
        r#"
path: a.go (whole file)
 package a
 
 func total(prices []int, tax int) (sum int) {
 	for _, price := range prices {
-		sum += price * tax
+		sum += price
 	}
 	return sum
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let left = unused_variables(context.new);
    if left.is_empty() {
        return;
    }
    let unused = unused_variables(context.old);
    let before: HashSet<&str> = unused.into_iter().map(Node::text).collect();
    let removed = context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_leaf());
    let last_uses: HashMap<&str, Node<'_>> = removed.map(|leaf| (leaf.text(), leaf)).collect();
    for name in left
        .into_iter()
        .filter(|name| !name.touches_change() && !before.contains(name.text()))
    {
        if let Some(used) = last_uses.get(name.text()) {
            let line = name.line().unwrap_or_default();
            let summary = format!(
                "This was the last use of `{}`, which line {line} still declares: the file does not compile.",
                name.text()
            );
            sink.report(*used, summary);
        }
    }
}
