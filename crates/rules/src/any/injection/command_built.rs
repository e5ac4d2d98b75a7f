//! Shell commands that are built from values of any origin.

use lint::tainted::{self, runs_shell};
use lint::{Check, NodeContext, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

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
        r#"
path: src/a.py
 def convert(name):
+    subprocess.run(f"convert {name} out.png", shell=True)
^
"#,
        r#"
path: src/a.js
 function convert(name) {
+  execSync(`convert ${name} out.png`);
^
 }
"#,
        r#"
path: src/a.go
 func show(name string) error {
+	return exec.Command("sh", "-c", "cat "+name).Run()
^
 }
"#,
        r#"
path: src/a.go
 func archive(ctx context.Context, folder string) error {
+	line := exec.CommandContext(ctx, "/bin/bash", "-c", fmt.Sprintf("tar czf out.tgz %s", folder))
^
 	return line.Run()
 }
"#,
        r#"
path: src/a.php
 <?php
+exec("convert $file out.png");
^
+system('rm ' . $name);
^
"#,
        r#"
path: src/a.php
 <?php
+$out = `ls $path`;
^
"#,
        r#"
path: src/a.rb
 def archive(name)
+  system("tar czf #{name}.tgz #{name}")
^
+  @head = `git rev-parse #{@branch}`
^
 end
"#,
        r#"
path: src/a.py
 def run(command):
+    subprocess.run(command, shell=True)
^
+    os.system(self.command)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function find(text) {
+  return /a+/.exec(text + "x");
 }
"#,
        r#"
path: src/a.js
+exec("ls -la", done);
+const out = execSync(`ls ${ROOT}`);
"#,
        r#"
path: src/a.py
 def convert(name):
+    subprocess.run(["convert", name, "out.png"])
+    os.system("convert " + shlex.quote(name))
"#,
        r#"
path: src/a.py
 def convert(name):
     subprocess.run(f"convert {name} out.png", shell=True)
+    return name
"#,
        r#"
path: scripts/a.js
 function tag(name) {
+  execSync(`git tag ${name}`);
 }
"#,
        r#"
path: src/a.ts
 function stop(id: number, child: ChildProcess) {
+  execSync(`kill ${id}`);
+  execSync(`kill -9 ${child.pid}`);
 }
"#,
        r#"
path: src/a.go
 func show(name string) {
+	exec.Command("cat", name).Run()
+	exec.Command("sh", "-c", "ls | wc -l").Run()
+	exec.Command("tar", "-c", "./"+name).Run()
+	exec.Command("bash", "-c", "ls "+"-l").Run()
 }
"#,
        r#"
path: src/a.php
 <?php
+exec('convert ' . escapeshellarg($file) . ' out.png');
+exec('convert in.png out.png');
+proc_open(['convert', $file], [], $pipes);
+$out = `ls`;
"#,
        r##"
path: src/a.rb
 def archive(name)
+  system("tar", "czf", "#{name}.tgz", name)
+  `tar czf #{Shellwords.escape(name)}`
+  system("sleep #{seconds.to_i}")
 end
"##,
        r#"
path: src/a.py
 def listing(name):
+    subprocess.run(["ls", name])
+    subprocess.run("ls | wc -l", shell=True)
+    subprocess.run(["tar", "tf", name], shell=False)
+    os.system("clear")
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // The project's own scripts may run any command.
    if context.file.is_script || !runs_shell(node) {
        return;
    }
    let is_place = node.is(&["shell_command_expression", "subshell"]);
    for value in taint::sinks(node, Kind::Command) {
        // `any/command-injection` reports data from a request.
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

/// A value of any origin that is inserted into a command line.
fn built(value: Node<'_>) -> Option<Node<'_>> {
    taint::string_build(value, Kind::Command).map(|built| built.piece)
}

/// Reports a command line that is not visible.
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
