//! A method that is defined twice in the same class.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "ruby/method-defined-twice",
    languages: &["Ruby"],
    title: "Method defined twice",
    why: "Ruby keeps the last definition and silently discards the first one. Usually a copied method was not \
          renamed, and the behavior of the first definition is lost.",
    fix: "Rename one of the methods, or remove it.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method", "singleton_method"]),
        run,
    },
    positive: &[
        r#"
+class Cart
+  def size
+    1
+  end
+
+  def size
^
+    2
+  end
+end
"#,
        r#"
+class Cart
+  attr_reader :name
+  def self.open
+    1
+  end
+  def self.open
^
+    2
+  end
+  def name
^
+    'x'
+  end
+end
"#,
    ],
    negative: &[
        r#"
+class Cart
+  def size
+    1
+  end
+
+  def count
+    2
+  end
+end
"#,
        r#"
+class Cart
+  def size
+    1
+  end
+  alias_method :old_size, :size
+  def size
+    old_size + 1
+  end
+  def self.size
+    3
+  end
+  if RUBY_VERSION > '3'
+    def load; end
+  else
+    def load; end
+  end
+end
+class Bag
+  attr_writer :name
+  def name; @name; end
+  def name=(x); @x = x; end if x
+end
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(block)) = (node.field("name"), node.parent()) else {
        return;
    };
    if !block.is(&["body_statement", "program"]) || !runs_once(block) {
        return;
    }
    let mut earlier = block
        .named_children()
        .take_while(|one| one.index() < node.index());
    let is_same = |one: &Node<'_>| {
        one.kind() == node.kind()
            && class_of(*one) == class_of(node)
            && one
                .field("name")
                .is_some_and(|own| own.text() == name.text())
    };
    let reads = |one: &Node<'_>| {
        node.is(&["method"])
            && one.call().is_some_and(|call| {
                matches!(call.name, "attr_reader" | "attr_accessor")
                    && call.receiver.is_none()
                    && call
                        .arguments
                        .iter()
                        .any(|field| field.text().strip_prefix(':') == Some(name.text()))
            })
    };
    let Some(first) = earlier.find(|one| is_same(one) || reads(one)) else {
        return;
    };
    let between = block
        .named_children()
        .filter(|one| (first.index()..node.index()).contains(&one.index()));
    let is_kept = |one: Node<'_>| {
        let text = one.text();
        let takes = [
            "alias", "undef", "remove_method", "memoize", "wrap", "override", "overload",
        ];
        one.is(&["alias", "undef", "call", "identifier"])
            && takes
                .iter()
                .any(|word| text.starts_with(word) || text.contains(&format!("{word}_")))
    };
    if between.into_iter().any(is_kept) {
        return;
    }
    sink.report(
        name,
        format!(
            "`{}` is already defined in this class, and the earlier definition is lost.",
            quote(name.text())
        ),
    );
}

fn class_of(method: Node<'_>) -> Option<&str> {
    method.field("object").map(Node::text)
}

/// Whether it is the body of a class or module, and not that of a block, which can run repeatedly.
fn runs_once(block: Node<'_>) -> bool {
    block.is(&["program"])
        || block
            .parent()
            .is_some_and(|around| around.is(&["class", "module", "singleton_class"]))
}
