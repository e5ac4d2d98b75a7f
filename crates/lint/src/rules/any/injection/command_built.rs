//! Shell commands that are put together from values, wherever those come from.

use review::{Category, Priority};

use crate::rule::tainted::{self, runs_shell};
use crate::rule::{Check, NodeContext, Rule, Sink, Tests, quote};
use crate::semantics::taint::{self, Kind};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/command-built",
    languages: taint::LANGUAGES,
    title: "Shell command built from values",
    why: "A shell interprets `;`, `|`, `$(…)`, blanks and quotes in a value as syntax. A name that has one of them breaks \
          the command, and an attacker who chooses the name can run any command.",
    fix: "Start the program without a shell and pass its arguments as a list; if a shell is required, quote each value \
          for it.",
    references: &["CWE-78"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node { on: tainted::ON, run },
    positive: &[
        "path: src/a.py\n def convert(name):\n+    subprocess.run(f\"convert {name} out.png\", shell=True)\n^\n",
        "path: src/a.js\n function convert(name) {\n+  execSync(`convert ${name} out.png`);\n^\n }\n",
    ],
    negative: &[
        "path: src/a.py\n def convert(name):\n+    subprocess.run([\"convert\", name, \"out.png\"])\n+    os.system(\"convert \" + shlex.quote(name))\n",
        "path: src/a.py\n def convert(name):\n     subprocess.run(f\"convert {name} out.png\", shell=True)\n+    return name\n",
        "path: scripts/a.js\n function tag(name) {\n+  execSync(`git tag ${name}`);\n }\n",
        "path: src/a.ts\n function stop(id: number, child: ChildProcess) {\n+  execSync(`kill ${id}`);\n+  execSync(`kill -9 ${child.pid}`);\n }\n",
        "path: src/a.js\n function find(text) {\n+  return /a+/.exec(text + \"x\");\n }\n",
        "path: src/a.js\n+exec(\"ls -la\", done);\n+const out = execSync(`ls ${ROOT}`);\n",
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // The maintainers may run what they like.
    if context.file.is_script || !runs_shell(node) {
        return;
    }
    for value in taint::sinks(node, Kind::Command) {
        // What comes from a request is the subject of another rule, which says so.
        if taint::source(value, Kind::Command).is_some() {
            return;
        }
        if let Some(built) = taint::string_build(value, Kind::Command) {
            let summary =
                format!("`{}` is inserted into a command line that a shell interprets.", quote(built.piece.text()));
            sink.report(value, summary);
            return;
        }
    }
}
