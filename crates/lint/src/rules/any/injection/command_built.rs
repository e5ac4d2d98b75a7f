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
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        "path: src/a.py\n def convert(name):\n+    subprocess.run(f\"convert {name} out.png\", shell=True)\n^\n",
        "path: src/a.js\n function convert(name) {\n+  execSync(`convert ${name} out.png`);\n^\n }\n",
        "path: src/a.go\n func show(name string) error {\n+	return exec.Command(\"sh\", \"-c\", \"cat \"+name).Run()\n^\n }\n",
        "path: src/a.go\n func archive(ctx context.Context, folder string) error {\n+	line := exec.CommandContext(ctx, \"/bin/bash\", \"-c\", fmt.Sprintf(\"tar czf out.tgz %s\", folder))\n^\n 	return line.Run()\n }\n",
        "path: src/a.php\n <?php\n+exec(\"convert $file out.png\");\n^\n+system('rm ' . $name);\n^\n",
        "path: src/a.php\n <?php\n+$out = `ls $path`;\n^\n",
        "path: src/a.rb\n def archive(name)\n+  system(\"tar czf #{name}.tgz #{name}\")\n^\n+  @head = `git rev-parse #{@branch}`\n^\n end\n",
        "path: src/a.py\n def run(command):\n+    subprocess.run(command, shell=True)\n^\n+    os.system(self.command)\n^\n",
    ],
    negative: &[
        "path: src/a.js\n function find(text) {\n+  return /a+/.exec(text + \"x\");\n }\n",
        "path: src/a.js\n+exec(\"ls -la\", done);\n+const out = execSync(`ls ${ROOT}`);\n",
        "path: src/a.py\n def convert(name):\n+    subprocess.run([\"convert\", name, \"out.png\"])\n+    os.system(\"convert \" + shlex.quote(name))\n",
        "path: src/a.py\n def convert(name):\n     subprocess.run(f\"convert {name} out.png\", shell=True)\n+    return name\n",
        "path: scripts/a.js\n function tag(name) {\n+  execSync(`git tag ${name}`);\n }\n",
        "path: src/a.ts\n function stop(id: number, child: ChildProcess) {\n+  execSync(`kill ${id}`);\n+  execSync(`kill -9 ${child.pid}`);\n }\n",
        "path: src/a.go\n func show(name string) {\n+	exec.Command(\"cat\", name).Run()\n+	exec.Command(\"sh\", \"-c\", \"ls | wc -l\").Run()\n+	exec.Command(\"tar\", \"-c\", \"./\"+name).Run()\n+	exec.Command(\"bash\", \"-c\", \"ls \"+\"-l\").Run()\n }\n",
        "path: src/a.php\n <?php\n+exec('convert ' . escapeshellarg($file) . ' out.png');\n+exec('convert in.png out.png');\n+proc_open(['convert', $file], [], $pipes);\n+$out = `ls`;\n",
        "path: src/a.rb\n def archive(name)\n+  system(\"tar\", \"czf\", \"#{name}.tgz\", name)\n+  `tar czf #{Shellwords.escape(name)}`\n+  system(\"sleep #{seconds.to_i}\")\n end\n",
        "path: src/a.py\n def listing(name):\n+    subprocess.run([\"ls\", name])\n+    subprocess.run(\"ls | wc -l\", shell=True)\n+    subprocess.run([\"tar\", \"tf\", name], shell=False)\n+    os.system(\"clear\")\n",
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // The maintainers may run what they like.
    if context.file.is_script || !runs_shell(node) {
        return;
    }
    let is_place = node.is(&["shell_command_expression", "subshell"]);
    for value in taint::sinks(node, Kind::Command) {
        // `any/command-injection` reports what comes from a request.
        if taint::source(value, Kind::Command).is_some() {
            return;
        }
        let piece = if is_place {
            taint::changing(value, Kind::Command)
        } else {
            built(value)
        };
        if let Some(piece) = piece {
            let summary = "is inserted into a command line that a shell interprets.";
            sink.report(value, format!("`{}` {summary}", quote(piece.text())));
            return;
        }
        report_unknown(value, sink);
    }
}

/// A value that is put into a command line, wherever it comes from.
fn built(value: Node<'_>) -> Option<Node<'_>> {
    taint::string_build(value, Kind::Command).map(|built| built.piece)
}

/// Reports a command line that is not in sight.
fn report_unknown(value: Node<'_>, sink: &mut Sink<'_>) {
    let is_python = value.tree().grammar().name() == "Python";
    if is_python
        && value.is(&["identifier", "attribute"])
        && taint::changing(value, Kind::Command).is_some()
    {
        sink.report(
            value,
            format!(
                "A shell interprets `{}`, whatever it contains.",
                quote(value.text())
            ),
        )
        .priority(Priority::P3);
    }
}
