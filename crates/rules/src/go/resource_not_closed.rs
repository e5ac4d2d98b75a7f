//! A file, a response or rows that are opened and never closed.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/resource-not-closed",
    languages: &["Go"],
    title: "File, connection or result set never closed",
    why: "An open file keeps its descriptor, and an unread response or result set keeps its connection. Under load \
          the process runs out of descriptors or connections, and later calls fail.",
    fix: "Defer the call of `Close` directly after the error check.",
    references: &["CWE-772"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["short_var_declaration"]),
        run,
    },
    positive: &[
        r#"
+func load(path string) error {
+	file, err := os.Open(path)
^
+	if err != nil {
+		return err
+	}
+	file.Chmod(0600)
+	return nil
+}
"#,
        r#"
+func status(url string) (int, error) {
+	resp, err := http.Get(url)
^
+	if err != nil {
+		return 0, err
+	}
+	return resp.StatusCode, nil
+}
"#,
    ],
    negative: &[
        r#"
+func load(path string) error {
+	file, err := os.Open(path)
+	if err != nil {
+		return err
+	}
+	defer file.Close()
+	return nil
+}
"#,
        r#"
+func held(client Client, ctx context.Context, key string) (bool, error) {
+	reply, err := client.Get(ctx, key)
+	if err != nil {
+		return false, err
+	}
+	return len(reply.Values) > 0, nil
+}
"#,
        r#"
+func status(url string) (*http.Response, error) {
+	resp, err := http.Get(url)
+	other, err := http.Get(url)
+	keep(other)
+	return resp, err
+}
"#,
    ],
};

/// Functions that open a resource, by full name.
const OPENERS: &[&str] = &[
    "os.Open",
    "os.Create",
    "os.OpenFile",
    "os.CreateTemp",
    "ioutil.TempFile",
    "http.Get",
    "http.Post",
    "http.PostForm",
    "http.Head",
    "http.DefaultClient.Do",
    "http.DefaultClient.Get",
    "net.Dial",
    "net.DialTimeout",
    "net.Listen",
    "tls.Dial",
    "zip.OpenReader",
];

/// Methods that open a resource, by the end of their name. Clients of other protocols use the same names with other
/// arguments.
const METHODS: &[(&str, Option<usize>)] = &[
    ("client.Do", Some(1)),
    ("client.Get", Some(1)),
    ("client.Post", Some(3)),
    ("Client.Do", Some(1)),
    ("Client.Get", Some(1)),
    ("Client.Post", Some(3)),
    ("db.Query", None),
    ("db.QueryContext", None),
    ("tx.Query", None),
    ("tx.QueryContext", None),
    ("stmt.Query", None),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    let Some(name) = left
        .named_children()
        .next()
        .filter(|name| name.is(&["identifier"]) && name.text() != "_")
    else {
        return;
    };
    let Some(call) = right.named_children().next().and_then(Node::call) else {
        return;
    };
    let is_method = |(name, count): &(&str, Option<usize>)| {
        call.callee.ends_with(name) && count.is_none_or(|count| count == call.arguments.len())
    };
    if !OPENERS.contains(&call.callee) && !METHODS.iter().any(is_method) {
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
    let uses = body.descendants().filter(|used| {
        used.index() > node.index()
            && !used.is_inside(node)
            && used.is(&["identifier"])
            && used.text() == name.text()
    });
    if uses.into_iter().all(is_plain_use) {
        sink.report(
            name,
            format!("`{}` is opened here but never closed.", name.text()),
        );
    }
}

/// Whether only its methods or fields are used, and it is neither closed nor passed to code that may close it.
fn is_plain_use(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else {
        return false;
    };
    if !parent.is(&["selector_expression"]) || parent.field("operand") != Some(used) {
        return false;
    }
    let name = parent.field("field").map_or("", Node::text);
    let around: Vec<Node<'_>> = parent.ancestors().take(3).collect();
    // The body of a response is usually passed to other code, which may close it.
    let hands_on = name == "Body"
        && !around
            .iter()
            .any(|one| one.is(&["call_expression"]) && one.text().contains("io.ReadAll"));
    !matches!(name, "Close" | "Shutdown" | "CloseWithError") && !hands_on
}
