//! A list of arguments that became one command line.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::semantics::vocabulary;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/command-list-became-string",
    languages: &[],
    title: "Argument list replaced by a command line",
    why: "Each argument was passed separately. Now they are concatenated into one string that a shell, or the \
          function, splits again: a space, a quote or a semicolon in a value starts a new argument or a new command.",
    fix: "Pass the arguments as a list.",
    references: &["CWE-88", "CWE-78"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def info(self, host):
-    cmd = ['svcinfo', 'lsfabric', '-host', host]
+    cmd = 'svcinfo lsfabric -host %s' % host
^
     return self.run(cmd)
"#,
        r#"
path: src/a.js
 function open(name) {
-  execFile('open', ['-a', name]);
+  exec('open -a ' + name);
^
 }
"#,
        r#"
path: src/a.go
@@ func preview(path string) error {
-	cmd := exec.Command("git", "diff", "--end-of-options", path)
+	cmd := exec.Command("sh", "-c", fmt.Sprintf("git diff -- %s | head", path))
^
 	return cmd.Run()
"#,
        r#"
path: src/a.py
 def show(path):
-    subprocess.run(['git', 'diff', path], check=True)
+    subprocess.run(f'git diff {path} | head', shell=True, check=True)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func preview(path string) error {
-	cmd := exec.Command("git", "diff", path)
+	args := []string{"diff", "--end-of-options"}
+	cmd := exec.Command("git", append(args, path)...)
 	return cmd.Run()
"#,
        r#"
path: src/a.py
 def info(self, host):
-    parts = ['svcinfo', 'lsfabric']
+    parts = 'svcinfo lsfabric'
     return self.run(parts)
"#,
        r#"
path: src/a.py
 def info(self, host):
-    cmd = ['svcinfo', 'lsfabric', '-host', host]
+    cmd = ['svcinfo', 'lsfabric', '-host=%s' % host]
     return self.run(cmd)
"#,
    ],
};

const LISTS: &[&str] = &[
    "list", "array", "array_creation_expression", "tuple", "array_initializer",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for call in context
        .new
        .with_role(Role::Call)
        .filter(|call| call.touches_change() && call.is_usable())
    {
        report_shell(call, context, sink);
    }
    for old in context
        .old
        .nodes()
        .filter(|node| node.is(LISTS) && node.touches_change() && node.is_usable())
    {
        let mut words = old
            .named_children()
            .filter(|part| part.has_role(Role::Text));
        let (Some(_), true) = (words.next(), old.named_children().count() >= 2) else {
            continue;
        };
        if !is_command(old) {
            continue;
        }
        let built = context
            .new
            .with_role(Role::Text)
            .find(|text| text.touches_change() && is_built(*text) && looks_alike(old, *text));
        let still_list = context.new.nodes().any(|node| {
            node.is(LISTS) && node.touches_change() && node.named_children().count() >= 2
        });
        if let Some(built) = built.filter(|_| !still_list) {
            sink.report(
                built,
                format!(
                    "`{}` became one string with interpolated values.",
                    quote(old.text())
                ),
            );
        }
    }
}

/// Reports a call that gets a command line for a shell where a call of the same function got separate arguments:
/// `exec.Command("git", "diff", path)` became `exec.Command("sh", "-c", "git diff " + path)`.
fn report_shell(call: Node<'_>, context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let Some(now) = call.call().filter(|_| runs_line(call)) else {
        return;
    };
    let built = taint::sinks(call, Kind::CommandLine)
        .into_iter()
        .find_map(|value| Some((value, taint::string_build(value, Kind::Command)?.piece)));
    let Some((line, piece)) = built else { return };
    let is_former = |old: &Node<'_>| {
        old.touches_change()
            && !runs_line(*old)
            && old
                .call()
                .is_some_and(|was| was.callee == now.callee && was.arguments.len() >= 2)
            && old.names().any(|name| name.text() == piece.text())
    };
    if context.old.with_role(Role::Call).any(|old| is_former(&old)) {
        let name = quote(piece.text());
        sink.report(
            line,
            format!(
                "`{name}` was an argument of its own and is now part of a shell's command line."
            ),
        );
    }
}

fn runs_line(call: Node<'_>) -> bool {
    !taint::sinks(call, Kind::CommandLine).is_empty()
}

/// Whether it is a command, by the name that it is assigned to or the function that it is passed to.
fn is_command(list: Node<'_>) -> bool {
    const RUNS: &[&str] = &[
        "cmd", "command", "run", "exec", "execute", "spawn", "popen", "system", "cli", "ssh",
        "call", "process", "shell", "check", "args", "argv", "file",
    ];
    let named = |name: &str| {
        vocabulary::words_of(name)
            .iter()
            .any(|word| RUNS.iter().any(|run| word.starts_with(run)))
    };
    let assigned = list
        .enclosing(Role::Assign)
        .and_then(Node::assignment)
        .is_some_and(|assignment| named(assignment.target.text()));
    assigned
        || list
            .enclosing(Role::Call)
            .and_then(Node::call)
            .is_some_and(|call| named(call.name))
}

/// Whether a value is interpolated into it.
fn is_built(text: Node<'_>) -> bool {
    let joined = text.parent().is_some_and(|parent| {
        parent
            .binary()
            .is_some_and(|binary| matches!(binary.operator, "%" | "+" | "."))
    });
    let formatted = text
        .parent()
        .is_some_and(|parent| parent.has_role(Role::Member) && parent.last_name() == "format");
    joined
        || formatted
        || text
            .descendants()
            .any(|node| node.kind().contains("interpol") || node.is(&["template_substitution"]))
}

/// Whether the string starts with an element of the list.
fn looks_alike(list: Node<'_>, text: Node<'_>) -> bool {
    let first = list
        .all(Role::Text)
        .filter_map(Node::string_value)
        .find(|value| value.len() > 1);
    first.is_some_and(|first| text.text().contains(first))
}
