//! Requests without a timeout.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::names::visible_root;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/request-without-timeout",
    languages: &["Python"],
    title: "Request without a timeout",
    why: "requests has no default timeout. A server that accepts the connection and never responds blocks the thread, \
          and eventually all of them.",
    fix: "Pass a timeout.",
    references: &[],
    priority: Priority::P3,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call"]),
        run,
    },
    positive: &[
        r#"
+answer = requests.get(url)
^
"#,
        r#"
@@ def save(url, body):
+    response = requests.post(url, json=body, headers={"a": "b"})
^
     response.raise_for_status()
"#,
    ],
    negative: &[
        r#"
+answer = requests.get(url, timeout=10)
+other = requests.post(url, **options)
"#,
        r#"
@@ def load(url):
     old = requests.get(url)
+    session = requests.Session()
+    return cache.get(url) or requests.Request("GET", url)
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !waits_for_ever(node) {
        return;
    }
    // One finding covers all visible calls.
    let earlier = |other: &Node<'_>| {
        other.index() < node.index() && waits_for_ever(*other) && other.touches_change()
    };
    if visible_root(node).is_some_and(|top| {
        top.descendants()
            .take_while(|other| other.index() < node.index())
            .any(|other| earlier(&other))
    }) {
        return;
    }
    let callee = node.field("function").map_or("", |callee| callee.text());
    sink.report(
        node,
        format!(
            "`{}` waits forever if the server does not respond.",
            quote(callee)
        ),
    );
}

fn waits_for_ever(node: Node<'_>) -> bool {
    const CALLS: &[&str] = &[
        "get", "post", "put", "patch", "delete", "head", "options", "request",
    ];
    node.is(&["call"])
        && node.field("function").is_some_and(|callee| {
            callee
                .text()
                .strip_prefix("requests.")
                .is_some_and(|name| CALLS.contains(&name))
        })
        && node
            .field("arguments")
            .is_some_and(|list| !list.text().contains("timeout") && !list.text().contains("**"))
}
