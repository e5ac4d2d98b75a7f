//! A value that is dereferenced and, a few lines later, checked for null.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/null-checked-after-use",
    languages: &["Java", "C#", "JavaScript", "TypeScript", "TSX", "Go", "PHP", "Python"],
    title: "Null check after dereference",
    why: "The code dereferences the value first and checks it for null later. If it can be null, the first line \
          already fails; if it cannot, the check misleads the reader.",
    fix: "Move the check before the first use, or remove it.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::If]), run },
    positive: &[
        "path: src/A.java\n@@ void show(User user) {\n+        String name = user.getName();\n+        if (user == null) {\n^\n+            return;\n+        }\n",
        "path: src/a.js\n function show(user) {\n+  const name = user.name;\n+  if (user != null) {\n^\n+    print(name);\n+  }\n }\n",
        "path: src/a.go\n@@ func show(user *User) {\n+\tname := user.Name\n+\tif user == nil {\n^\n+\t\treturn\n+\t}\n",
    ],
    negative: &[
        "path: src/A.java\n@@ void show(User user) {\n+        if (user == null) {\n+            return;\n+        }\n+        String name = user.getName();\n",
        "path: src/a.js\n function show(user) {\n+  const name = user?.name;\n+  if (user != null) {\n+    print(name);\n+  }\n+  first.go();\n+  first = next();\n+  if (first == null) return;\n }\n",
        "path: src/a.js\n function show(user) {\n+  if (ready) print(user.name);\n+  if (user != null) print(user);\n }\n",
    ],
};

/// Statements that are searched before the check.
const BEFORE: usize = 4;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, _)) = node.branch().and_then(|branch| branch.condition.null_check()) else { return };
    if !value.has_role(Role::Name)
        || node.parent().is_some_and(|around| around.has_role(Role::If) || around.is(&["else_clause"]))
    {
        return;
    }
    let earlier = std::iter::successors(node.statement().previous(), |before| before.previous()).take(BEFORE);
    for before in earlier {
        if !before.is_usable() || is_set_in(before, value) || branches(before) {
            return;
        }
        if let Some(used) = before.descendants().find(|inner| opens(*inner, value)) {
            let (used, name) = (quote(used.text()), quote(value.text()));
            sink.report(node, format!("`{used}` is evaluated before `{name}` is checked for null."));
            return;
        }
    }
}

/// Whether a statement may leave, or runs its work only conditionally.
fn branches(statement: Node<'_>) -> bool {
    let roles = [
        Role::If,
        Role::Loop,
        Role::Try,
        Role::Switch,
        Role::Ternary,
        Role::Lambda,
        Role::Function,
        Role::Return,
        Role::Throw,
    ];
    std::iter::once(statement).chain(statement.descendants()).any(|inner| {
        roles.iter().any(|role| inner.has_role(*role))
            || inner.binary().is_some_and(|own| matches!(own.operator, "&&" | "||" | "and" | "or" | "??"))
    })
}

/// Whether a statement may assign the name another value.
fn is_set_in(statement: Node<'_>, value: Node<'_>) -> bool {
    std::iter::once(statement).chain(statement.descendants()).any(|inner| {
        let set = inner.assignment().is_some_and(|set| set.target.names().any(|name| name.text() == value.text()));
        let handed_out = inner.text().starts_with(['&']) && inner.text().ends_with(value.text());
        let by_reference =
            inner.is(&["argument"]) && (inner.text().starts_with("ref ") || inner.text().starts_with("out "));
        set || handed_out || by_reference
    })
}

/// Whether a node dereferences the value without a check.
fn opens(node: Node<'_>, value: Node<'_>) -> bool {
    let object = node.any_field(&["object", "operand", "expression"]).or_else(|| node.named_children().next());
    let is_access = node.has_role(Role::Member)
        || node.is(&["method_invocation", "member_call_expression", "member_access_expression"]);
    // In Go a method may be called on a nil pointer.
    let is_method = node.tree().grammar().name() == "Go"
        && node.parent().is_some_and(|around| around.has_role(Role::Call) && around.field("function") == Some(node));
    is_access
        && !is_method
        && object.is_some_and(|of| of.says_same(value))
        && !node.text().contains("?.")
        && !node.text().contains("?->")
}
