//! A file, an answer or rows that are opened and never closed.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::names::is_small;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "go/resource-not-closed",
    languages: &["Go"],
    title: "Resource that is never closed",
    why: "An open file keeps a descriptor, and an open answer keeps its connection, for as long as the program runs. Under load no new one can be opened.",
    fix: "Defer the Close right behind the check of the error.",
    priority: Priority::P2,
    category: Category::ResourceLeak,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["short_var_declaration"]), run },
    fires: &[
        "+func load(path string) error {\n+\tfile, err := os.Open(path)\n^\n+\tif err != nil {\n+\t\treturn err\n+\t}\n+\tfile.Chmod(0600)\n+\treturn nil\n+}\n",
        "+func status(url string) (int, error) {\n+\tresp, err := http.Get(url)\n^\n+\tif err != nil {\n+\t\treturn 0, err\n+\t}\n+\treturn resp.StatusCode, nil\n+}\n",
    ],
    quiet: &[
        "+func load(path string) error {\n+\tfile, err := os.Open(path)\n+\tif err != nil {\n+\t\treturn err\n+\t}\n+\tdefer file.Close()\n+\treturn nil\n+}\n",
        "+func status(url string) (*http.Response, error) {\n+\tresp, err := http.Get(url)\n+\tother, err := http.Get(url)\n+\tkeep(other)\n+\treturn resp, err\n+}\n",
    ],
};

/// What opens, by the name that is called.
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

/// What opens, by the end of the name that is called.
const METHODS: &[&str] = &[
    "client.Do",
    "client.Get",
    "client.Post",
    "Client.Do",
    "Client.Get",
    "Client.Post",
    "db.Query",
    "db.QueryContext",
    "tx.Query",
    "tx.QueryContext",
    "stmt.Query",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
    let Some(name) = left.named_children().next().filter(|name| name.is(&["identifier"]) && name.text() != "_") else {
        return;
    };
    let Some(callee) = right.named_children().next().and_then(Node::call).map(|call| call.callee) else { return };
    if !OPENERS.contains(&callee) && !METHODS.iter().any(|method| callee.ends_with(method)) {
        return;
    }
    let Some(function) = node.enclosing(Role::Function).filter(|function| function.is_within_hunk()) else { return };
    let Some(body) = function.field("body").filter(|body| is_small(*body)) else { return };
    let uses = body.descendants().filter(|used| {
        used.index() > node.index() && !used.is_inside(node) && used.is(&["identifier"]) && used.text() == name.text()
    });
    if uses.into_iter().all(is_plain_use) {
        sink.report(name, format!("`{}` is opened here and closed nowhere.", name.text()));
    }
}

/// It is only called on or read: neither closed, nor handed to somebody who may close it.
fn is_plain_use(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else { return false };
    if !parent.is(&["selector_expression"]) || parent.field("operand") != Some(used) {
        return false;
    }
    let name = parent.field("field").map_or("", Node::text);
    let around: Vec<Node<'_>> = parent.ancestors().take(3).collect();
    // The body of an answer is mostly read to its end by somebody else, who may close it.
    let hands_on =
        name == "Body" && !around.iter().any(|one| one.is(&["call_expression"]) && one.text().contains("io.ReadAll"));
    !matches!(name, "Close" | "Shutdown" | "CloseWithError") && !hands_on
}
