//! A constant that is assigned twice in the same class or file.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "ruby/constant-set-twice",
    languages: &["Ruby"],
    title: "Constant assigned twice",
    why: "Ruby prints a warning and keeps the second value. Code that runs between the two assignments reads the \
          first value, so parts of the program use different values of the same constant.",
    fix: "Rename one of the constants, or remove the redundant assignment.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment"]),
        run,
    },
    positive: &[
        r#"
+class Cart
+  LIMIT = 3
+  SIZE = 1
+  LIMIT = 4
^
+end
"#,
        r#"
+LIMIT = 3
+self::LIMIT = 4
^
"#,
    ],
    negative: &[
        r#"
+class Cart
+  LIMIT = 3
+end
+class Bag
+  LIMIT = 4
+end
"#,
        r#"
+LIMIT = 3
+LIMIT ||= 4
+if old
+  SIZE = 1
+else
+  SIZE = 2
+end
+Bag::LIMIT = 5
+remove_const :LIMIT
+LIMIT = 5
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(block)) = (node.field("left"), node.parent()) else {
        return;
    };
    if !left.is(&["constant", "scope_resolution"]) || !block.is(&["body_statement", "program"]) {
        return;
    }
    if !block
        .parent()
        .is_none_or(|around| around.is(&["class", "module", "singleton_class"]))
    {
        return;
    }
    let name = own_name(left);
    let mut earlier = block
        .named_children()
        .take_while(|one| one.index() < node.index());
    let is_same = |one: &Node<'_>| {
        one.is(&["assignment"]) && one.field("left").is_some_and(|own| own_name(own) == name)
    };
    let Some(first) = earlier.find(is_same) else {
        return;
    };
    let mut between = block
        .named_children()
        .filter(|one| (first.index()..node.index()).contains(&one.index()));
    if between.any(|one| one.text().contains("remove_const")) {
        return;
    }
    sink.report(
        left,
        format!("`{}` has already been assigned.", quote(left.text())),
    );
}

fn own_name(left: Node<'_>) -> &str {
    left.text()
        .trim_start_matches("self::")
        .trim_start_matches("::")
}
