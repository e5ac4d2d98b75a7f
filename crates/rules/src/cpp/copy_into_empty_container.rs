//! An algorithm that writes to the start of an empty container.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{Variable, declared};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "cpp/copy-into-empty-container",
    languages: &["C++"],
    title: "Algorithm output into an empty container",
    why: "The algorithms overwrite existing elements and insert none. In an empty container they write past its end: \
          other data is overwritten, or the program crashes much later. `reserve` does not create elements either.",
    fix: "Write through `std::back_inserter`, or resize the container first.",
    references: &[
        "CWE-787",
        "https://en.cppreference.com/w/cpp/iterator/back_inserter",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
+void copy(const std::vector<int> &from) {
+    std::vector<int> to;
+    std::copy(from.begin(), from.end(), to.begin());
^
+}
"#,
        r#"
+void change(const std::vector<int> &from, std::vector<int> &to) {
+    std::vector<int> other;
+    other.reserve(from.size());
+    std::transform(from.begin(), from.end(), other.begin(), twice);
^
+    std::copy_if(from.begin(), from.end(), to.begin(), is_good);
^
+}
"#,
    ],
    negative: &[
        r#"
+void copy(const std::vector<int> &from) {
+    std::vector<int> to;
+    std::copy(from.begin(), from.end(), std::back_inserter(to));
+}
"#,
        r#"
+void copy(const std::vector<int> &from, std::vector<int> &out) {
+    std::vector<int> to(from.size());
+    std::copy(from.begin(), from.end(), to.begin());
+    std::vector<int> more;
+    more.resize(from.size());
+    std::copy(from.begin(), from.end(), more.begin());
+    if (out.size() < from.size()) return;
+    std::copy(from.begin(), from.end(), out.begin());
+    std::transform(out.begin(), out.end(), out.begin(), twice);
+}
"#,
    ],
};

const ALGORITHMS: &[&str] = &[
    "copy", "copy_n", "copy_if", "copy_backward", "move", "move_backward", "transform",
    "replace_copy", "replace_copy_if", "remove_copy", "remove_copy_if", "unique_copy",
    "reverse_copy", "rotate_copy", "partition_copy", "partial_sort_copy", "set_union",
    "set_intersection", "set_difference", "set_symmetric_difference", "merge", "generate_n",
    "fill_n", "partial_sum", "adjacent_difference", "exclusive_scan", "inclusive_scan", "sample",
    "uninitialized_copy",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let Some(name) = call
        .callee
        .strip_prefix("std::")
        .filter(|name| ALGORITHMS.contains(name))
    else {
        return;
    };
    let source = call
        .arguments
        .first()
        .and_then(|first| start_of(*first))
        .map(Node::text);
    let is_source = |text: &str| {
        let ends = ["end()", "cend()"].map(|end| format!("{text}.{end}"));
        call.arguments
            .iter()
            .any(|other| ends.contains(&other.text().to_owned()))
            && !name.ends_with("backward")
    };
    let starts = call
        .arguments
        .iter()
        .skip(usize::from(!name.ends_with("_n")));
    for argument in starts {
        let Some(container) = start_of(*argument).filter(|of| !is_source(of.text())) else {
            continue;
        };
        if source == Some(container.text()) {
            continue;
        }
        let Some(variable) = declared(container).filter(is_growing) else {
            continue;
        };
        if let Some(priority) = lacks_room(&variable, container, node) {
            let text = format!(
                "`{name}` writes to the elements of `{}`, but nothing has created any.",
                quote(container.text())
            );
            sink.report(node, text).priority(priority);
            return;
        }
    }
}

/// `c` in `c.begin()`.
fn start_of(argument: Node<'_>) -> Option<Node<'_>> {
    let call = argument.call().filter(|call| {
        matches!(call.name, "begin" | "rbegin" | "end") && call.arguments.is_empty()
    })?;
    call.receiver.filter(|of| of.is(&["identifier"]))
}

fn is_growing(variable: &Variable<'_>) -> bool {
    let kind = variable
        .kind
        .trim_start_matches("const ")
        .trim_start_matches("std::");
    variable.stars == 0
        && variable.array.is_none()
        && ["vector", "string", "deque", "list", "wstring"]
            .iter()
            .any(|name| kind.starts_with(name))
}

/// The priority, if no elements seem to have been created before. A caller may have created them.
fn lacks_room(variable: &Variable<'_>, container: Node<'_>, call: Node<'_>) -> Option<Priority> {
    let function = call.enclosing(Role::Function)?;
    let mentions = function.descendants().filter(|node| {
        node.is(&["identifier"]) && node.text() == container.text() && node.index() < call.index()
    });
    let mentions: Vec<Node<'_>> = mentions
        .filter(|node| !node.is_inside(variable.node))
        .collect();
    let is_harmless = |node: &Node<'_>| {
        let method = node
            .parent()
            .filter(|around| around.is(&["field_expression"]))
            .and_then(|around| around.field("field"));
        method.is_some_and(|method| {
            matches!(
                method.text(),
                "begin" | "end" | "reserve" | "clear" | "cbegin" | "cend" | "empty"
            )
        })
    };
    if !mentions.iter().all(is_harmless) {
        return None;
    }
    let is_empty = !variable.is_parameter
        && variable.value.is_none()
        && variable
            .node
            .text()
            .trim_end_matches(';')
            .ends_with(container.text());
    let is_passed_in = variable.is_parameter
        && variable.is_reference
        && !variable.node.text().starts_with("const");
    let is_measured = function
        .text()
        .contains(&format!("{}.size()", container.text()));
    match (
        is_empty && variable.is_local(),
        is_passed_in && !is_measured,
    ) {
        (true, _) => Some(Priority::P1),
        (_, true) => Some(Priority::P2),
        _ => None,
    }
}
