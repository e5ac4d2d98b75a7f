//! A file, socket or statement that is opened and never closed.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/resource-not-closed",
    languages: &["Java"],
    title: "Unclosed resource",
    why: "A file, socket or database statement stays open until the garbage collector happens to reclaim it. Under \
          load the process runs out of handles or connections, and buffered data may never be written.",
    fix: "Open it in a try-with-resources statement.",
    references: &[
        "CWE-772",
        "https://docs.oracle.com/javase/tutorial/essential/exceptions/tryResourceClose.html",
    ],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["local_variable_declaration"]),
        run,
    },
    positive: &[
        r#"
+    int first(File file) throws IOException {
+        FileInputStream in = new FileInputStream(file);
^
+        return in.read();
+    }
"#,
        r#"
+    void save(String path, String text) throws IOException {
+        BufferedWriter out = new BufferedWriter(new FileWriter(path));
^
+        out.write(text);
+    }
"#,
    ],
    negative: &[
        r#"
+    int first(File file) throws IOException {
+        try (FileInputStream in = new FileInputStream(file)) {
+            return in.read();
+        }
+    }
"#,
        r#"
+    InputStream open(File file) throws IOException {
+        InputStream in = new FileInputStream(file);
+        InputStream other = new FileInputStream(file);
+        keep(other);
+        return in;
+    }
"#,
        r#"
+    String read(String text) {
+        BufferedReader reader = new BufferedReader(new StringReader(text));
+        return reader.readLine();
+    }
"#,
    ],
};

/// Classes with objects that hold a system resource.
const OPENED: &[&str] = &[
    "FileInputStream",
    "FileOutputStream",
    "FileReader",
    "FileWriter",
    "RandomAccessFile",
    "Socket",
    "ServerSocket",
    "DatagramSocket",
    "MulticastSocket",
    "ZipFile",
    "JarFile",
    "URLClassLoader",
];

/// Static methods that open a resource.
const OPENERS: &[&str] = &[
    "Files.newInputStream",
    "Files.newOutputStream",
    "Files.newBufferedReader",
    "Files.newBufferedWriter",
    "Files.newByteChannel",
    "Files.newDirectoryStream",
    "Files.lines",
    "Files.list",
    "Files.walk",
    "Files.find",
    "FileChannel.open",
    "DriverManager.getConnection",
];

/// Methods that open a resource, for any receiver.
const DATABASE: &[&str] = &["createStatement", "prepareStatement", "prepareCall"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(declared) = node.field("declarator") else {
        return;
    };
    let (Some(name), Some(value)) = (declared.field("name"), declared.field("value")) else {
        return;
    };
    if !opens(value) {
        return;
    }
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| function.is_within_hunk())
    else {
        return;
    };
    let Some(body) = function.field("body").filter(|body| is_small(*body)) else {
        return;
    };
    let later = body.descendants().filter(|used| {
        used.index() > declared.index()
            && used.is(&["identifier"])
            && used.text() == name.text()
            && !used.is_inside(declared)
    });
    if later.into_iter().all(is_plain_use) {
        sink.report(
            name,
            format!("`{}` is opened here but never closed.", name.text()),
        );
    }
}

fn opens(value: Node<'_>) -> bool {
    let value = value.unparenthesised();
    let Some(call) = value.call() else {
        return false;
    };
    if value.is(&["object_creation_expression"]) {
        return OPENED.contains(&call.name)
            || call
                .arguments
                .first()
                .is_some_and(|inner| wraps(call.name) && opens(*inner));
    }
    let is_text = |text: &str| call.callee == text || call.callee.ends_with(&format!(".{text}"));
    OPENERS.iter().any(|opener| is_text(opener))
        || DATABASE.contains(&call.name) && call.receiver.is_some()
}

/// Whether it is a class that reads or writes through another stream.
fn wraps(name: &str) -> bool {
    ["Stream", "Reader", "Writer", "Scanner"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Whether only methods are called on it, and it is neither closed nor passed to code that may close it.
fn is_plain_use(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else {
        return false;
    };
    if !parent.is(&["method_invocation"]) || parent.field("object") != Some(used) {
        return false;
    }
    let name = parent.field("name").map_or("", Node::text);
    let passes_on = matches!(
        name,
        "onClose" | "iterator" | "getConnection" | "getResultSet" | "collect"
    );
    let hands_out = name.starts_with("get")
        && parent
            .parent()
            .is_some_and(|around| around.is(&["return_statement"]));
    !name.contains("lose") && !passes_on && !hands_out && parent.enclosing(Role::Lambda).is_none()
}
