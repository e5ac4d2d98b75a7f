//! A statement whose computed value is never used.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority, Status};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "ruby/comparison-without-effect",
    languages: &["Ruby"],
    title: "Discarded value of an expression",
    why: "As a statement of its own, a comparison, a calculation or a modified copy has no effect; only the last \
          expression of a method is its result. Usually an assignment or a method with an exclamation mark was \
          intended.",
    fix: "Assign the value, use the method that modifies its receiver, or remove the line.",
    references: &["CWE-482"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "body_statement", "block_body", "then", "else", "program", "begin", "ensure", "do",
        ]),
        run,
    },
    positive: &[
        r#"
+def reset
+  @size == 0
^
+  save
+end
"#,
        r#"
+def clean(text)
+  text.strip
^
+  text.sort.reverse
^
+  :done
^
+  @a + 1
^
+  -> { stop }
^
+  text
+end
"#,
        r#"
+def initialize(size)
+  @size = size
+  @total == 1
^
+end
"#,
    ],
    negative: &[
        r#"
+class Site
+  def config=(config)
+    @config = config.dup
+    @config
+  end
+end
"#,
        r#"
+def reset
+  @size = 0
+  save
+end
"#,
        r#"
+def clean(text)
+  text.strip!
+  log << text
+  text == '' and return
+  text.sort { |a, b| seen << a; a <=> b }
+  x = text.sort
+  rows.delete(1)
+  text == 1
+end
+let(:a) { 1 }
+run do
+  it == 1
+end
"#,
    ],
};

/// Methods that return a modified copy and leave their receiver unchanged; each has a variant with an exclamation mark.
const COPIES: &[&str] = &[
    "capitalize", "chomp", "chop", "collect", "compact", "downcase", "flatten", "lstrip", "map",
    "reverse", "rotate", "rstrip", "shuffle", "sort", "sort_by", "squeeze", "strip", "succ",
    "swapcase", "uniq", "upcase",
];

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_whole = match node.parent() {
        Some(around) => around.is_within_hunk() && node.is_within_hunk(),
        None => context.file.status == Status::Added,
    };
    if !is_whole {
        return;
    }
    let mut inner: Vec<Node<'_>> = node
        .named_children()
        .filter(|part| {
            !part.is(&[
                "rescue", "ensure", "else", "exceptions", "exception_variable", "empty_statement",
            ])
        })
        .collect();
    let drops_last = node.is(&["ensure"]) || is_in_initializer(node);
    // A variable at the end of a setter is there for readers of the code.
    if !drops_last
        || inner
            .last()
            .is_some_and(|last| last.is(&["instance_variable"]))
    {
        inner.pop();
    }
    for statement in inner {
        if is_without_effect(statement) {
            sink.report(
                statement,
                format!(
                    "`{}` computes a value that is never used.",
                    quote(statement.text())
                ),
            );
        }
    }
}

fn is_in_initializer(node: Node<'_>) -> bool {
    node.is(&["body_statement"])
        && node.parent().is_some_and(|method| {
            let is_setter = |name: Node<'_>| name.text() == "initialize" || name.is(&["setter"]);
            method.is(&["method"]) && method.field("name").is_some_and(is_setter)
        })
}

fn is_without_effect(statement: Node<'_>) -> bool {
    match statement.kind() {
        "binary" => statement.binary().is_some_and(|binary| {
            matches!(
                binary.operator,
                "==" | "!="
                    | "==="
                    | "<"
                    | ">"
                    | "<="
                    | ">="
                    | "<=>"
                    | "+"
                    | "-"
                    | "*"
                    | "/"
                    | "%"
                    | "**"
            ) && !is_of_library(binary.left)
        }),
        "integer" | "float" | "simple_symbol" | "constant" | "self" | "true" | "false" | "nil"
        | "lambda" | "range" | "scope_resolution" | "instance_variable" => true,
        "string" | "array" | "hash" | "regex" => !has_effects(statement),
        "unary" => statement.text().starts_with("defined?"),
        "call" => is_lost_copy(statement),
        _ => false,
    }
}

/// `it == 1`, `expect(…) > 2`: operators of a library for tests or queries.
fn is_of_library(left: Node<'_>) -> bool {
    let text = left.text();
    ["it", "should", "must", "expect", "task", "column", "arel"]
        .iter()
        .any(|word| text.starts_with(word))
        || text.contains(".should")
        || text.contains("must")
}

fn has_effects(node: Node<'_>) -> bool {
    node.descendants().any(|inner| {
        inner.is(&[
            "call", "interpolation", "identifier", "assignment", "element_reference",
        ])
    })
}

fn is_lost_copy(node: Node<'_>) -> bool {
    let Some(call) = node.call() else {
        return false;
    };
    if call.receiver.is_none() {
        return matches!(call.name, "lambda" | "proc") && node.field("block").is_some();
    }
    if call.name == "new" && call.receiver.is_some_and(|of| of.text() == "Proc") {
        return true;
    }
    let block = node.field("block");
    let is_plain = block.is_none()
        || matches!(call.name, "map" | "collect") && !block.is_some_and(may_have_side_effects);
    COPIES.contains(&call.name)
        && is_plain
        && !call
            .arguments
            .iter()
            .any(|argument| argument.is(&["block_argument"]))
}

/// A block that may have side effects.
fn may_have_side_effects(block: Node<'_>) -> bool {
    block.descendants().any(|inner| {
        inner.is(&[
            "assignment", "operator_assignment", "call", "if", "unless", "yield", "next",
            "identifier",
        ]) && !inner
            .parent()
            .is_some_and(|around| around.is(&["block_parameters"]))
    })
}
