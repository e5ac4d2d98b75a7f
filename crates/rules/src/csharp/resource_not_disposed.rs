//! A stream or another resource that is opened into a variable and never disposed.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/resource-not-disposed",
    languages: &["C#"],
    title: "Resource never disposed",
    why: "A stream, a socket or a connection stays open until the garbage collector finalizes it. Until then other \
          programs cannot open the file, the process may run out of handles, and buffered data may never be written.",
    fix: "Declare the variable with `using`.",
    references: &[
        "CWE-772",
        "https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/statements/using",
    ],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["variable_declarator"]),
        run,
    },
    positive: &[
        r#"
+class Store
+{
+    int First(string path)
+    {
+        var stream = new FileStream(path, FileMode.Open);
^
+        return stream.ReadByte();
+    }
+}
"#,
        r#"
+class Store
+{
+    int First(string path)
+    {
+        FileStream stream = File.OpenRead(path);
^
+        return stream.ReadByte();
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Store
+{
+    int First(string path)
+    {
+        using var stream = new FileStream(path, FileMode.Open);
+        using (var other = File.OpenRead(path))
+        {
+            return stream.ReadByte() + other.ReadByte();
+        }
+    }
+}
"#,
        r#"
+class Store
+{
+    Stream Open(string path)
+    {
+        var stream = new FileStream(path, FileMode.Open);
+        var kept = new FileStream(path, FileMode.Open);
+        Keep(kept);
+        return stream;
+    }
+}
"#,
    ],
};

/// Classes with objects that hold a system resource.
const OPENED: &[&str] = &[
    "FileStream",
    "StreamReader",
    "StreamWriter",
    "TcpClient",
    "UdpClient",
    "TcpListener",
    "WebClient",
    "SqlConnection",
    "Bitmap",
    "FileSystemWatcher",
    "BinaryReader",
    "BinaryWriter",
    "Socket",
    "ZipArchive",
    "Mutex",
    "SerialPort",
];

/// Static methods that open such a resource.
const OPENERS: &[&str] = &[
    "File.Open",
    "File.OpenRead",
    "File.OpenWrite",
    "File.OpenText",
    "File.Create",
    "File.CreateText",
    "File.AppendText",
    "Image.FromFile",
    "Image.FromStream",
    "ZipFile.Open",
    "ZipFile.OpenRead",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node.field("name").or_else(|| node.named_children().next()) else {
        return;
    };
    let Some(value) = node.named_children().last().filter(|value| *value != name) else {
        return;
    };
    let Some(declaration) = node
        .parent()
        .filter(|parent| parent.is(&["variable_declaration"]))
    else {
        return;
    };
    let Some(line) = declaration
        .parent()
        .filter(|line| line.is(&["local_declaration_statement"]))
    else {
        return;
    };
    if line.text().trim_start().starts_with("using")
        || line.text().starts_with("await using")
        || !opens(value, declaration)
    {
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
    let mut later = body
        .descendants()
        .filter(|used| {
            used.index() > node.index() && used.is(&["identifier"]) && used.text() == name.text()
        })
        .filter(|used| !used.is_inside(node));
    if later.all(is_plain_use) {
        sink.report(
            name,
            format!("`{}` is opened here and never disposed.", name.text()),
        );
    }
}

fn opens(value: Node<'_>, declaration: Node<'_>) -> bool {
    match value.kind() {
        "object_creation_expression" => {
            value
                .field("type")
                .is_some_and(|kind| OPENED.contains(&kind.last_name()))
                && !wraps(value)
        }
        "implicit_object_creation_expression" => declaration
            .field("type")
            .is_some_and(|kind| OPENED.contains(&kind.last_name())),
        "invocation_expression" => value.call().is_some_and(|call| {
            OPENERS.iter().any(|opener| {
                call.callee == *opener || call.callee.ends_with(&format!(".{opener}"))
            })
        }),
        _ => false,
    }
}

/// Whether it reads or writes through a stream that another object owns.
fn wraps(value: Node<'_>) -> bool {
    let class = value.field("type").map_or("", Node::last_name);
    let first = value
        .call()
        .and_then(|call| call.arguments.first().copied());
    let is_path = |text: &str| {
        text.contains('"')
            || text.to_ascii_lowercase().contains("path")
            || text.to_ascii_lowercase().contains("file")
    };
    (class.ends_with("Reader") || class.ends_with("Writer") || class == "ZipArchive")
        && !first.is_some_and(|first| is_path(first.text()))
}

/// Whether a use only calls or reads it, and neither disposes it nor passes it to code that may.
fn is_plain_use(used: Node<'_>) -> bool {
    let Some(parent) = used
        .parent()
        .filter(|parent| parent.is(&["member_access_expression"]))
    else {
        return false;
    };
    let name = parent.field("name").map_or("", Node::text);
    parent.field("expression") == Some(used)
        && !matches!(name, "Dispose" | "Close" | "DisposeAsync" | "BaseStream")
        && used.enclosing(Role::Lambda).is_none()
}
