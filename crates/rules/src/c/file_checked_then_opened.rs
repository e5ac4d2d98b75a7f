//! A file that is checked by name and then used by name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/file-checked-then-opened",
    languages: &["C", "C++"],
    title: "File tested by name and then used by name",
    why: "Between the two calls, another process can replace the file with another one or with a link. The test then \
          applies to one file and the use to another, with the privileges of this program.",
    fix: "Open the file first and test the descriptor with `fstat`, or only open it and handle the error.",
    references: &["CWE-367"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+int load(const char *path) {
+    if (access(path, R_OK) != 0)
+        return -1;
+    return open(path, O_RDONLY);
^
+}
"#,
        r#"
+void drop(const char *name) {
+    struct stat st;
+    if (stat(name, &st) == 0 && S_ISREG(st.st_mode)) {
+        unlink(name);
^
+    }
+}
"#,
    ],
    negative: &[
        r#"
+int load(const char *path) {
+    struct stat st;
+    int fd = open(path, O_RDONLY);
+    if (fd < 0 || fstat(fd, &st) != 0)
+        return -1;
+    if (access(path, R_OK) == 0)
+        return open(other, O_RDONLY);
+    return fd;
+}
"#,
        r#"
@@ int load(const char *path)
     if (access(path, R_OK) != 0)
         return -1;
+    log_path(path);
     return open(path, O_RDONLY);
"#,
    ],
};

const TESTS: &[&str] = &[
    "access", "stat", "lstat", "_access", "euidaccess", "faccessat", "std::filesystem::exists",
    "fs::exists",
];
const ACTS: &[&str] = &[
    "open", "fopen", "chmod", "chown", "unlink", "remove", "rename", "mkdir", "freopen", "creat",
    "opendir", "truncate", "_open",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| ACTS.contains(&call.callee.trim_start_matches("std::")))
    else {
        return;
    };
    let Some(path) = call
        .arguments
        .first()
        .copied()
        .filter(|path| path.names().next().is_some())
    else {
        return;
    };
    let Some(function) = node
        .enclosing(Role::Function)
        .or_else(|| node.tree().root())
    else {
        return;
    };
    let earlier = function
        .all(Role::Call)
        .take_while(|other| other.index() < node.index());
    let tested = earlier.filter(|other| {
        let test = other.call().filter(|test| {
            TESTS.contains(&test.callee)
                && test
                    .arguments
                    .first()
                    .is_some_and(|first| first.says_same(path))
        });
        test.is_some()
            && other
                .ancestors()
                .take(6)
                .any(|around| around.has_role(Role::If) || around.assignment().is_some())
    });
    let Some(test) = tested.last() else { return };
    let is_reset = function.all(Role::Assign).any(|assign| {
        assign.index() > test.index()
            && assign.index() < node.index()
            && assign
                .assignment()
                .is_some_and(|assignment| assignment.target.says_same(path))
    });
    if !is_reset {
        sink.report(
            node,
            format!(
                "`{}` was tested by name on line {} and is used by name here, so it may be a different file.",
                quote(path.text()),
                test.line().unwrap_or_default()
            ),
        );
    }
}
