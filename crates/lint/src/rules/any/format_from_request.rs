//! Formats that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/format-from-request",
    languages: &["Java", "JavaScript", "TypeScript", "TSX", "C#", "PHP", "Ruby", "Go"],
    title: "Format taken from the request",
    why: "The placeholders in a format decide which values are read and how they are shown. A format that the sender writes \
          shows values that were not meant for him, or throws for a placeholder too many.",
    fix: "Keep the format constant and hand the text over as a value: `printf(\"%s\", text)`.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.6,
    tests: Tests::Skip,
    check: Check::Node { on: taint::ON, run },
    fires: &[
        "path: src/a.rb\n def show\n+  printf(params[:format], user.name)\n^\n end\n",
        "path: src/A.java\n@@ void show(HttpServletRequest request) {\n+        String.format(request.getParameter(\"format\"), user);\n^\n",
        "path: src/a.php\n <?php\n+printf($_GET[\"format\"], $name);\n^\n",
    ],
    quiet: &[
        "path: src/a.rb\n def show\n+  printf(\"%s\", params[:text])\n+  format(\"%d\", params[:count])\n end\n",
        "path: src/A.java\n@@ void show(HttpServletRequest request) {\n+        String.format(\"%s\", request.getParameter(\"text\"));\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, source)) = taint::flow(node, Kind::Format) else { return };
    let Some(call) = node.call() else { return };
    // Behind a constant format stand its values.
    let first = call.arguments.first().map(|first| taint::argument_value(*first)).filter(|first| *first != value);
    let constant = first.is_some_and(|first| first.has_role(Role::Text));
    // With nothing behind it, there is nothing to show.
    if !constant && call.arguments.len() > 1 {
        taint::report_flow(value, source, "is read as a format here", sink);
    }
}
