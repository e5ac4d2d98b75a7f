//! Certificate callbacks that accept every certificate.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::only_function;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/certificate-check-always-true",
    languages: &["C#"],
    title: "Certificate callback always returning true",
    why: "Without the check, an attacker on the network can present any certificate, then read and change all the \
          traffic.",
    fix: "Compare the errors with `SslPolicyErrors.None`, or leave the check to the system.",
    references: &["CWE-295"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment_expression", "object_creation_expression"]),
        run,
    },
    positive: &[
        r#"
+class Shop
+{
+    void Open()
+    {
+        request.ServerCertificateValidationCallback += Accept;
^
+    }
+    bool Accept(object sender, X509Certificate c, X509Chain chain, SslPolicyErrors errors)
+    {
+        Log(c);
+        return true;
+    }
+}
"#,
        r#"
+class Shop
+{
+    Stream Open(Stream s) => new SslStream(s, true, Accept);
^
+    bool Accept(object sender, X509Certificate c, X509Chain chain, SslPolicyErrors errors) => true;
+}
"#,
        r#"
+var open = new SslStream(stream, true, (sender, c, chain, errors) => true);
^
"#,
    ],
    negative: &[
        r#"
+class Shop
+{
+    void Open()
+    {
+        request.ServerCertificateValidationCallback += Accept;
+        request.Done += Always;
+    }
+    bool Always(object sender) => true;
+    bool Accept(object sender, X509Certificate c, X509Chain chain, SslPolicyErrors errors)
+    {
+        if (c == null) return false;
+        return true;
+    }
+}
"#,
        r#"
+var open = new SslStream(stream, true, (sender, c, chain, errors) => errors == SslPolicyErrors.None);
+var filter = new Filter((a, b, c, d) => true);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for callback in callbacks(node) {
        let function = match callback.kind() {
            "identifier" => only_function(callback, callback.text()),
            "lambda_expression" | "anonymous_method_expression"
                if node.is(&["object_creation_expression"]) =>
            {
                Some(callback)
            }
            _ => None,
        };
        if function.is_some_and(always_returns_true) {
            let message = format!("`{}` accepts every certificate.", quote(callback.text()));
            sink.report(callback, message);
        }
    }
}

/// Callbacks that check a certificate.
fn callbacks(node: Node<'_>) -> Vec<Node<'_>> {
    const MEMBERS: &[&str] = &[
        "CertificateValidationCallback", "CertificateCustomValidationCallback",
    ];
    if node.is(&["assignment_expression"]) {
        let is_check = node
            .field("left")
            .is_some_and(|left| MEMBERS.iter().any(|end| left.text().ends_with(end)));
        return node
            .field("right")
            .filter(|_| is_check)
            .into_iter()
            .collect();
    }
    let is_stream = node
        .field("type")
        .is_some_and(|kind| kind.text().ends_with("SslStream"));
    let arguments = node
        .field("arguments")
        .into_iter()
        .flat_map(Node::named_children);
    arguments
        .filter(|_| is_stream)
        .filter_map(|argument| argument.named_children().last())
        .collect()
}

/// Whether every path through a function returns `true`.
fn always_returns_true(function: Node<'_>) -> bool {
    let is_true = |value: Node<'_>| value.unparenthesised().text() == "true";
    let Some(body) = function.field("body") else {
        return false;
    };
    if body.is(&["arrow_expression_clause"]) {
        return body.named_children().next().is_some_and(is_true);
    }
    if !body.has_role(Role::Block) {
        return is_true(body);
    }
    let mut answers = body
        .descendants()
        .filter(|one| one.has_role(Role::Return))
        .peekable();
    let throws = body.descendants().any(|one| one.has_role(Role::Throw));
    answers.peek().is_some()
        && !throws
        && answers.all(|one| one.named_children().next().is_some_and(is_true))
}
