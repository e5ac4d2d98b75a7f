//! A branch that is not implemented yet.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/unfinished-branch",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "Kotlin", "Rust", "PHP"],
    title: "Unimplemented branch",
    why: "One case of the function throws an error that says it is not implemented. The rest of the function works, \
          so the first user whose input reaches this case finds the gap.",
    fix: "Implement the case, or reject the input earlier with a message for the user.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Throw, Role::Call]), run },
    positive: &[
        "path: src/a.py\n def load(kind):\n+    if kind == 'xml':\n+        raise NotImplementedError()\n^\n     return read(kind)\n",
        "path: src/A.cs\n@@ void Load(string kind)\n+        if (kind == \"xml\")\n+        {\n+            throw new NotImplementedException();\n^\n+        }\n",
        "path: src/a.rs\n fn load(kind: Kind) {\n     match kind {\n+        Kind::Xml => unimplemented!(),\n^\n     }\n }\n",
    ],
    negative: &[
        "path: src/a.py\n class Loader:\n+    def load(self, kind):\n+        raise NotImplementedError()\n",
        "path: src/A.cs\n@@ void Load(string kind)\n+        if (kind == \"xml\")\n+        {\n+            throw new NotSupportedException(kind);\n+        }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let says = if node.has_role(Role::Throw) {
        let lower = node.text().get(..node.text().len().min(120)).unwrap_or_default().to_ascii_lowercase();
        ["notimplemented", "not implemented", "not yet implemented", "unimplemented"]
            .iter()
            .any(|part| lower.contains(part))
    } else if !matches!(node.tree().grammar().name(), "Rust" | "Kotlin") {
        false
    } else {
        node.is(&["macro_invocation"]) && ["unimplemented!", "todo!"].iter().any(|name| node.text().starts_with(name))
            || node.call().is_some_and(|call| call.callee == "TODO" && node.tree().grammar().name() == "Kotlin")
    };
    let in_branch = says
        && node.ancestors().take_while(|around| !around.has_role(Role::Function) && !around.has_role(Role::Class)).any(
            |around| {
                around.has_role(Role::If)
                    || around.has_role(Role::Case)
                    || around.is(&["match_arm", "else_clause", "when_entry", "switch_section"])
            },
        );
    if in_branch {
        sink.report(
            node,
            format!("This case is not implemented: `{}` fails for any input that reaches it.", quote(node.text())),
        );
    }
}
