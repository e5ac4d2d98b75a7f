//! An element of a search or split result, used without a check of the length.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/first-element-unchecked",
    languages: &["JavaScript", "TypeScript", "TSX", "Python", "Java", "C#", "PHP", "Ruby"],
    title: "Element used without a length check",
    why: "The call returns a list that may be shorter than expected: nothing was found, or the separator was missing. \
          The element is used at once, and the first such input causes an exception or an undefined value.",
    fix: "Keep the list and check its length, or supply a default for the element.",
    references: &["CWE-129"],
    priority: Priority::P3,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Index, Role::Call]), run },
    positive: &[
        "path: src/a.js\n+const host = address.split('@')[1].toLowerCase();\n^\n",
        "path: src/A.java\n@@ boolean isOuter(Node node) {\n+        return node.getParentsOfType(Declaration.class).get(0).isOuter();\n^\n",
        "path: src/a.py\n+port = int(address.split(\":\")[1])\n^\n",
    ],
    negative: &[
        "path: src/a.js\n+const user = address.split('@')[0].toLowerCase();\n+const [a, b] = address.split('@');\n+const host = address.split('@')[1]?.toLowerCase();\n+if (address.includes('@')) use(address.split('@')[1].trim());\n",
        "path: src/A.java\n@@ boolean isOuter(Node node) {\n+        List<Node> all = node.getParentsOfType(Declaration.class);\n+        return !all.isEmpty() && all.get(0).isOuter();\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((list, index)) = element(node) else { return };
    let Some(call) = list.call() else { return };
    let is_split = matches!(call.name, "split" | "Split" | "explode" | "rsplit");
    let searches = [
        "find",
        "filter",
        "query",
        "getParents",
        "getChildren",
        "getElements",
        "select",
        "search",
        "Where",
        "findAll",
        "find_all",
    ];
    let is_search = searches.iter().any(|start| call.name.starts_with(start)) && !call.arguments.is_empty();
    let short = if is_split { index >= 1 && !has_limit(&call.arguments) } else { is_search };
    if short && is_used(node) && !is_asked_about(node, list) {
        sink.report(node, format!("`{}` is read from a list that may be too short.", quote(node.text())));
    }
}

/// The list and the constant index of `a[1]` and `a.get(1)`.
fn element(node: Node<'_>) -> Option<(Node<'_>, usize)> {
    if node.has_role(Role::Call) && matches!(node.tree().grammar().name(), "Java" | "C#") {
        let call = node.call()?;
        let [place] = call.arguments.as_slice() else { return None };
        let place = place.text().parse().ok().filter(|_| matches!(call.name, "get" | "ElementAt"))?;
        return Some((call.receiver?, place));
    }
    let mut parts = node.has_role(Role::Index).then(|| node.named_children())?;
    let list = parts.next()?;
    Some((list, parts.next()?.text().trim_matches(['[', ']']).parse().ok()?))
}

/// A limit shows that the number of parts was considered.
fn has_limit(arguments: &[Node<'_>]) -> bool {
    arguments.len() > 1
}

/// Whether the element is dereferenced or passed on, and not only stored or tested.
fn is_used(node: Node<'_>) -> bool {
    let Some(around) = node.parent() else { return false };
    let safe = around.text().contains("?.")
        || around.text().contains("&.")
        || around.text().contains("??")
        || around.text().contains("||");
    let opened = around.has_role(Role::Member) || around.is(&["method_invocation", "call", "member_call_expression"]);
    let handed_on = around.has_role(Role::Arguments) || around.is(&["argument"]);
    !safe && (opened || handed_on)
}

/// Whether an enclosing condition, or the statement before, refers to the same string.
fn is_asked_about(node: Node<'_>, list: Node<'_>) -> bool {
    let of =
        list.call().and_then(|call| call.receiver.or_else(|| call.arguments.last().copied())).map_or("", Node::text);
    let asks = |condition: Node<'_>| !of.is_empty() && condition.text().contains(of);
    let around = node.ancestors().take(14).filter_map(Node::condition).any(asks);
    let chain =
        node.ancestors().take(6).filter_map(Node::binary).any(|own| asks(own.left) && !node.is_inside(own.left));
    let tries = node.enclosing(Role::Try).is_some();
    let mut earlier = std::iter::successors(node.statement().previous(), |before| before.previous()).take(4);
    around || chain || tries || earlier.any(|before| before.has_role(Role::If) && asks(before))
}
