//! Cloud resources, described in code, that are open to the public.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/cloud-access-for-everybody",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Publicly accessible cloud resource",
    why: "A rule that names every principal, action, resource or address protects nothing: a leaked key or a scan of \
          the internet is enough to use the resource.",
    fix: "Name only the required addresses, principals, actions and resources.",
    references: &["CWE-284", "CWE-732"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["keyword_argument", "pair"]),
        run,
    },
    positive: &[
        r#"
path: src/stack.py
+rule = ec2.CfnSecurityGroup.IngressProperty(
+    ip_protocol="tcp",
+    cidr_ip="0.0.0.0/0",
^
+    from_port=22,
+    to_port=22,
+)
+iam.PolicyStatement(
+    effect=iam.Effect.ALLOW,
+    actions=["*"],
^
+)
"#,
        r#"
path: src/stack.ts
+new iam.PolicyStatement({
+  actions: ["iam:CreatePolicyVersion"],
+  resources: ["*"],
^
+});
+new CfnMethod(this, "m", { authorizationType: "NONE" });
^
+new s3.Bucket(this, "b", { publicReadAccess: true });
^
"#,
        r#"
path: src/stack.py
+statement = {
+    "Effect": "Allow",
+    "Principal": {"AWS": "*"},
^
+}
"#,
        r#"
path: src/stack.js
+new iam.PolicyStatement({
+  actions: ["*"],
^
+  resources: ["arn:aws:s3:::orders"],
+});
"#,
    ],
    negative: &[
        r#"
path: src/stack.py
+rule = ec2.CfnSecurityGroup.IngressProperty(
+    cidr_ip="0.0.0.0/0",
+    from_port=443,
+    to_port=443,
+)
+iam.PolicyStatement(
+    effect=iam.Effect.DENY,
+    actions=["*"],
+)
+search(resources=["*"])
"#,
        r#"
path: src/stack.ts
+new iam.PolicyStatement({
+  effect: iam.Effect.DENY,
+  resources: ["*"],
+});
+const x = { publicReadAccess: false, principals: ["*"] };
"#,
        r#"
path: src/stack.js
+new iam.PolicyStatement({
+  actions: ["s3:GetObject"],
+  resources: ["arn:aws:s3:::orders"],
+});
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(value)) = (node.any_field(&["name", "key"]), node.field("value")) else {
        return;
    };
    let name = name.string_value().unwrap_or(name.text());
    let reason = match name {
        "cidr_ip" | "cidrIp" | "CidrIp" | "cidr_ipv6" | "cidrIpv6" | "CidrIpv6"
            if is_any_address(value) =>
        {
            if !reaches_administration(node) {
                return;
            }
            "lets the whole internet reach administration ports"
        }
        "resources" | "Resource" | "resource"
            if names_all(value) && allows(node) && !is_own_key(node) =>
        {
            "grants the permission on every resource of the account"
        }
        "actions" | "Action" if names_all(value) && allows(node) => "grants every action",
        "principals" | "Principal" if names_everyone(value) && allows(node) => {
            "grants access to all principals"
        }
        "authorizationType" | "authorization_type" | "authType" | "auth_type" if is_none(value) => {
            "allows calls without authentication"
        }
        "publicReadAccess"
        | "public_read_access"
        | "publiclyAccessible"
        | "publicly_accessible"
            if matches!(value.text(), "true" | "True") =>
        {
            "opens it to the whole internet"
        }
        "blockPublicAcls"
        | "block_public_acls"
        | "blockPublicPolicy"
        | "block_public_policy"
        | "restrictPublicBuckets"
        | "restrict_public_buckets"
        | "ignorePublicAcls"
        | "ignore_public_acls"
            if matches!(value.text(), "false" | "False") =>
        {
            "lets the bucket be made public"
        }
        _ => return,
    };
    sink.report(node, format!("`{}` {reason}.", quote(node.text())));
}

fn is_any_address(value: Node<'_>) -> bool {
    matches!(value.string_value(), Some("0.0.0.0/0" | "::/0"))
}

/// Whether the ports next to an address are those for administration, or all.
fn reaches_administration(option: Node<'_>) -> bool {
    let sibling_value = |names: [&str; 3]| {
        let mut options = option.parent().into_iter().flat_map(Node::named_children);
        let found = options.find(|other| {
            let name = other.any_field(&["name", "key"]);
            name.is_some_and(|name| names.contains(&name.string_value().unwrap_or(name.text())))
        });
        found
            .and_then(|other| other.field("value"))
            .map(|value| value.text().parse::<u32>().ok())
    };
    let (from, to) = (
        sibling_value(["from_port", "fromPort", "FromPort"]),
        sibling_value(["to_port", "toPort", "ToPort"]),
    );
    match (from, to) {
        (Some(Some(from)), Some(Some(to))) => {
            [22, 3389].iter().any(|port| (from..=to).contains(port))
        }
        (None, None) => option.parent().is_some_and(Node::is_complete),
        _ => false,
    }
}

/// Whether the enclosing statement grants a permission.
fn allows(option: Node<'_>) -> bool {
    let Some(list) = option.parent() else {
        return false;
    };
    let text = list.text();
    let denies = text.contains("Effect.DENY") || text.contains("Deny");
    let around = list.parent();
    let is_statement = around.is_some_and(|call| {
        let callee = call
            .any_field(&["function", "constructor"])
            .or_else(|| call.parent()?.field("constructor"));
        callee.is_some_and(|callee| callee.text().contains("PolicyStatement"))
            || call.parent().is_some_and(|outer| {
                outer
                    .field("function")
                    .or_else(|| outer.field("constructor"))
                    .is_some_and(|callee| callee.text().contains("PolicyStatement"))
            })
    });
    let is_document =
        text.contains("\"Effect\"") || text.contains("'Effect'") || text.contains("Effect:");
    !denies && list.is_complete() && (is_statement || is_document && text.contains("Allow"))
}

fn names_all(value: Node<'_>) -> bool {
    value.string_value() == Some("*")
        || value.is(&["list", "array"])
            && value
                .named_children()
                .any(|part| part.string_value() == Some("*"))
}

/// The policy of a key refers to the key itself as `*`.
fn is_own_key(option: Node<'_>) -> bool {
    option
        .parent()
        .is_some_and(|list| list.text().contains("kms:"))
}

fn names_everyone(value: Node<'_>) -> bool {
    let text = value.text();
    names_all(value)
        || text.contains("StarPrincipal(")
        || text.contains("AnyPrincipal(")
        || text.contains("ArnPrincipal(\"*\")")
        || text.contains("ArnPrincipal('*')")
        || value.is(&["dictionary", "object"])
            && value
                .named_children()
                .any(|part| part.field("value").is_some_and(names_all))
}

fn is_none(value: Node<'_>) -> bool {
    value.string_value() == Some("NONE")
        || value.text().ends_with("AuthorizationType.NONE")
        || value.text().ends_with("AuthType.NONE")
}
