//! A resource that a function opens and does not close on any path.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::whole_function;
use syntax::semantics::vocabulary::releases;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/resource-not-closed",
    languages: &["Kotlin", "C", "C++", "JavaScript", "TypeScript", "TSX"],
    title: "Unclosed file or connection",
    why: "The function opens a file or a connection, does not pass it on, and never closes it. It stays open until \
          garbage collection or the end of the process, which may run out of handles.",
    fix: "Close the resource on every path out of the function.",
    references: &["CWE-772"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Assign]),
        run,
    },
    positive: &[
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
^
+	if (!in)
+		return -1;
+	return fgetc(in);
+}
"#,
        r#"
path: src/a.c
+int count(const char *path)
+{
+	DIR *folder = opendir(path);
^
+	int n = 0;
+	while (readdir(folder))
+		n++;
+	return n;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
+	keep(in);
+	return 0;
+}
"#,
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
+	if (!in)
+		return -1;
+	int c = fgetc(in);
+	fclose(in);
+	return c;
+}
"#,
    ],
};

/// C functions that use a stream and leave it open.
const C_WORKERS: &[&str] = &[
    "fgetc", "fgets", "fread", "fwrite", "fprintf", "fscanf", "fputs", "fputc", "fseek", "ftell",
    "rewind", "feof", "ferror", "getc", "putc", "readdir", "fflush", "getline", "vfprintf",
    "fileno",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(set) = node.assignment().filter(|set| opens(set.value)) else {
        return;
    };
    if node.ancestors().take(4).any(|around| {
        around.has_role(Role::With)
            || around.has_role(Role::Class)
            || around.is(&["resource", "resource_specification", "using_declaration"])
    }) {
        return;
    }
    let is_using = node.statement().text().starts_with("using")
        || node.statement().text().starts_with("await using");
    let Some(name) = set
        .target
        .names()
        .last()
        .filter(|_| !is_using)
        .map(|_| first_name(set.target))
    else {
        return;
    };
    let Some(function) = whole_function(node) else {
        return;
    };
    let mut uses = function
        .names()
        .filter(|own| own.text() == name.text() && *own != name);
    let is_local = node.is(&[
        "variable_declarator",
        "short_var_declaration",
        "init_declarator",
        "property_declaration",
        "local_variable_declaration",
    ]);
    if is_local && uses.all(|own| stays_open(own)) {
        sink.report(
            node,
            format!(
                "`{}` is opened by `{}` and never closed in this function.",
                name.text(),
                quote(set.value.text())
            ),
        );
    }
}

/// The first name of a target. Go returns the error as the second value.
fn first_name(target: Node<'_>) -> Node<'_> {
    target.names().next().unwrap_or(target)
}

fn opens(value: Node<'_>) -> bool {
    let Some(call) = value
        .unparenthesised()
        .call()
        .or_else(|| value.named_children().last().and_then(Node::call))
    else {
        return false;
    };
    match value.tree().grammar().name() {
        "Kotlin" => {
            const TYPES: &[&str] = &[
                "FileInputStream",
                "FileOutputStream",
                "FileReader",
                "FileWriter",
                "RandomAccessFile",
                "Socket",
                "ServerSocket",
                "ZipFile",
                "JarFile",
                "PrintWriter",
            ];
            TYPES.contains(&call.name) && !call.arguments.is_empty()
        }
        "C" | "C++" => matches!(
            call.callee,
            "fopen" | "opendir" | "popen" | "fdopen" | "tmpfile"
        ),
        _ => matches!(call.callee, "fs.openSync"),
    }
}

/// Whether a use neither closes it nor passes it to code that may.
fn stays_open(used: Node<'_>) -> bool {
    let Some(around) = used.parent() else {
        return false;
    };
    let mut outer = around;
    while outer.is(&[
        "argument",
        "value_argument",
        "pointer_expression",
        "parenthesized_expression",
    ]) {
        outer = match outer.parent() {
            Some(next) => next,
            None => return false,
        };
    }
    let call = std::iter::once(around)
        .chain(around.parent())
        .find_map(|node| node.call().filter(|call| call.receiver == Some(used)));
    if let Some(call) = call {
        return !releases(call.name) && !matches!(call.name, "use" | "Close" | "close" | "destroy");
    }
    if around.has_role(Role::Member) {
        let is_called = around.parent().and_then(Node::call);
        return is_called.is_some_and(|call| !releases(call.name))
            || around.parent().is_some_and(|next| next.call().is_none());
    }
    let tested = around.negated().is_some()
        || around.comparison().is_some()
        || around.condition() == Some(used)
        || around.is(&["parenthesized_expression", "condition_clause"]);
    let worked = outer.has_role(Role::Arguments)
        && outer
            .parent()
            .and_then(Node::call)
            .is_some_and(|call| C_WORKERS.contains(&call.callee));
    tested || worked
}
