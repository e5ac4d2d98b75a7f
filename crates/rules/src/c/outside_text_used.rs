//! An unvalidated external string that names a command, a library or a file.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::flow::{last_set, uncast};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/outside-text-used",
    languages: &["C", "C++"],
    title: "Command, library or path from untrusted input",
    why: "The sender of the input, or the user who sets the environment, chooses what is run, loaded or opened with \
          the privileges of this program.",
    fix: "Look the string up in a list of allowed values, or validate it first.",
    references: &["CWE-73", "CWE-78"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
+void run(int sock) {
+    char text[100];
+    recv(sock, text, 99, 0);
+    system(text);
^
+}
"#,
        r#"
+void run(void) {
+    char *name = getenv("PLUGIN");
+    void *plugin = dlopen(name, RTLD_NOW);
^
+    char path[64] = "/data/";
+    fgets(path + 6, 50, stdin);
+    FILE *f = fopen(path, "r");
^
+}
"#,
    ],
    negative: &[
        r#"
+void run(int sock) {
+    char text[100];
+    recv(sock, text, 99, 0);
+    if (is_allowed(text))
+        system(text);
+    char *home = "/home";
+    fopen(home, "r");
+    system("ls");
+    printf("%s", text);
+}
"#,
        r#"
+void run(void) {
+    char name[64];
+    fgets(name, 64, stdin);
+    if (strcmp(name, "list") != 0)
+        return;
+    puts(name);
+    void *plugin = dlopen("libplugin.so", RTLD_NOW);
+}
"#,
    ],
};

/// Functions that act on a string, and what they do with it.
const SINKS: &[(&str, &str)] = &[
    ("system", "run as a command"),
    ("popen", "run as a command"),
    ("_popen", "run as a command"),
    ("execl", "run as a command"),
    ("execlp", "run as a command"),
    ("execv", "run as a command"),
    ("execvp", "run as a command"),
    ("_execl", "run as a command"),
    ("_spawnl", "run as a command"),
    ("winexec", "run as a command"),
    ("loadlibrary", "loaded as a library"),
    ("dlopen", "loaded as a library"),
    ("putenv", "put into the environment"),
    ("_putenv", "put into the environment"),
    ("fopen", "opened as a file"),
    ("open", "opened as a file"),
    ("_open", "opened as a file"),
    ("_wfopen", "opened as a file"),
    ("createfile", "opened as a file"),
    ("remove", "removed as a file"),
    ("unlink", "removed as a file"),
    ("curl_easy_setopt", ""),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let lower = call
        .callee
        .trim_start_matches("std::")
        .trim_start_matches("::")
        .to_ascii_lowercase();
    let plain = lower.strip_suffix(['a', 'w']).unwrap_or(&lower);
    let known = SINKS
        .iter()
        .find(|(name, does)| (*name == lower || *name == plain) && !does.is_empty());
    let Some((_, does)) = known else { return };
    let Some(text) = call.arguments.first().map(|first| uncast(*first)) else {
        return;
    };
    let is_outside = match text.kind() {
        "identifier" => comes_from_outside(text, node),
        "call_expression" => is_environment(text),
        _ => false,
    };
    if is_outside {
        sink.report(
            node,
            format!(
                "`{}` is untrusted input and is {does} here.",
                quote(text.text())
            ),
        );
    }
}

fn is_environment(value: Node<'_>) -> bool {
    let callee = value
        .call()
        .filter(|_| value.is(&["call_expression"]))
        .map_or("", |call| call.callee);
    matches!(
        callee.trim_start_matches("std::"),
        "getenv" | "secure_getenv" | "_wgetenv" | "gets"
    )
}

/// Whether it was filled by a reading function or taken from the environment, and no condition has tested it since.
fn comes_from_outside(text: Node<'_>, sink: Node<'_>) -> bool {
    if last_set(text).map(uncast).is_some_and(is_environment) {
        return !is_tested(text, sink, 0);
    }
    let Some(function) = text.enclosing(Role::Function) else {
        return false;
    };
    let calls = function
        .all(Role::Call)
        .filter(|call| call.index() < sink.index() && call.is(&["call_expression"]));
    let filled = calls.filter(|call| fills(*call, text.text())).last();
    filled.is_some_and(|call| !is_tested(text, sink, call.index()))
}

/// Whether the call stores untrusted input in a buffer with this name.
fn fills(node: Node<'_>, name: &str) -> bool {
    let Some(call) = node.call() else {
        return false;
    };
    let place = match call.callee.trim_start_matches("std::") {
        "fgets" | "fgetws" | "gets" | "fread" => 0,
        "recv" | "read" | "recvfrom" => 1,
        "strcat" | "strncat" | "wcscat" | "wcsncat" | "strcpy" | "strncpy" => {
            let from = call.arguments.get(1).map(|from| uncast(*from));
            let is_outside = |from: Node<'_>| {
                is_environment(from) || last_set(from).map(uncast).is_some_and(is_environment)
            };
            if !from.is_some_and(is_outside) {
                return false;
            }
            0
        }
        "scanf" => 1,
        "fscanf" => 2,
        _ => return false,
    };
    call.arguments.get(place).is_some_and(|buffer| {
        buffer
            .names()
            .next()
            .is_some_and(|first| first.text() == name)
    })
}

/// Whether a condition or a validating call reads the string in between.
fn is_tested(text: Node<'_>, sink: Node<'_>, after: usize) -> bool {
    let Some(function) = text.enclosing(Role::Function) else {
        return true;
    };
    let is_name = |node: &Node<'_>| node.is(&["identifier"]) && node.text() == text.text();
    let between = function
        .descendants()
        .filter(|node| node.index() > after && node.index() < sink.index());
    between.filter(is_name).any(|name| {
        name.ancestors().take(6).any(|around| {
            let validates = around.call().is_some_and(|call| {
                let callee = call.callee.to_ascii_lowercase();
                [
                    "cmp", "check", "valid", "allow", "safe", "strstr", "strchr", "match",
                    "realpath", "sanit", "is_",
                ]
                .iter()
                .any(|word| callee.contains(word))
            });
            validates && !around.is_inside(sink)
        })
    })
}
