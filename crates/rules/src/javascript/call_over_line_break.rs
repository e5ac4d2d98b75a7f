//! Lines joined by a missing semicolon.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, indent, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/call-over-line-break",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Missing semicolon joining two lines",
    why: "A line that starts with a parenthesis, a bracket or a backtick continues the previous line if that has no \
          semicolon: the value there is called or indexed.",
    fix: "End the previous line with a semicolon.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression", "subscript_expression"]),
        run,
    },
    positive: &[
        r#"
+const size = total
+(first || second).go();
^
"#,
        r#"
+const last = names
+[1, 2].forEach(go);
^
"#,
        r#"
+const x = y
+`text`;
^
"#,
    ],
    negative: &[
        r#"
+(function (define) {
+  define(require("core"));
+})
+
+(function (core) {
+  core.add();
+});
"#,
        r#"
+const rows = source
+    .query("posts")
+    ["countAll"]("posts.size")
+    .all()
"#,
        r#"
+const size = total;
+(first || second).go();
+const last = go(
+  1,
+)
+  .then(x);
+const f = find
+  .all(
+    1
+  )[0];
"#,
        r#"
@@ function f(names) {
   const last = names
   [1, 2].forEach(go);
+  const first = names
+    .map(trim)
+  ;[1, 2].forEach(go)
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(before) = node.any_field(&["function", "object"]) else {
        return;
    };
    let Some(mark) = node
        .children()
        .find(|child| child.index() > before.index() && !child.is_inside(before))
    else {
        return;
    };
    let starts = mark.text().starts_with(['(', '[', '`']);
    // `styled.div<{ … }>` over several lines: the mark follows the end of the type arguments.
    let starts_line = mark.hunk_lines().is_some_and(|(line, _)| {
        let text = context.lines().get(line).map_or("", |line| line.text);
        text.trim_start().starts_with(['(', '[', '`'])
    });
    if !starts || !starts_line || mark.line() <= before.last_line() || mark.line().is_none() {
        return;
    }
    // A line that is indented deeper than the expression continues it on purpose.
    let indent_of = |node: Node<'_>| Some(indent(context.lines().get(node.hunk_lines()?.0)?.text));
    if before.last_line() != before.line() && indent_of(mark) > indent_of(before) {
        return;
    }
    // `(function (define) { … })(function (require) { … })`: a module that is defined on purpose.
    let definer = before.unparenthesised();
    let takes_module = definer
        .field("parameters")
        .is_some_and(|list| list.named_children().next().is_some());
    if definer.is(&["function_expression"]) && takes_module {
        return;
    }
    let message = format!(
        "No semicolon precedes this line, so it continues the expression `{}`.",
        quote(before.text())
    );
    sink.report(mark, message);
}
