//! Cloud storage, described in code, without encryption at rest.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/cloud-storage-unencrypted",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Unencrypted cloud storage",
    why: "Disks, backups and snapshots of the storage hold the data in clear text. A leaked copy exposes all of it, \
          and many data protection rules require encryption at rest.",
    fix: "Enable encryption, with a customer-managed key where that matters.",
    references: &["CWE-311"],
    priority: Priority::P3,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call", "new_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/stack.py
+rds.DatabaseInstance(self, "orders", storage_encrypted=False)
^
+rds.CfnDBCluster(self, "bills", engine="mysql")
^
"#,
        r#"
path: src/stack.ts
+new CfnFileSystem(this, "files", { encrypted: false });
^
+new sns.Topic(this, "jobs");
^
"#,
        r#"
path: src/stack.js
+new CfnFileSystem(this, "files", { encrypted: false });
^
"#,
    ],
    negative: &[
        r#"
path: src/stack.py
+rds.DatabaseInstance(self, "orders", storage_encrypted=True)
+rds.DatabaseCluster(self, "bills", storage_encryption_key=key)
+queue.Queue()
+rds.CfnDBCluster(self, "x", **options)
"#,
        r#"
path: src/stack.ts
+new CfnFileSystem(this, "files", { encrypted: true });
+new Queue(this, "jobs", { encryption: QueueEncryption.KMS });
+new Queue();
+new sqs.Queue(this, "more");
+new CfnFileSystem(this, "files", props);
"#,
        r#"
path: src/stack.js
+new CfnFileSystem(this, "files", { encrypted: true });
"#,
    ],
};

/// The option that enables encryption, and whether it is on by default.
struct Store {
    options: &'static [&'static str],
    by_default: bool,
}

fn store(name: &str) -> Option<Store> {
    let (options, by_default): (&'static [&'static str], bool) = match name {
        "DatabaseCluster"
        | "DatabaseInstance"
        | "CfnDBCluster"
        | "CfnDBInstance"
        | "DatabaseInstanceReadReplica" => (&["storageencrypted", "storageencryptionkey"], false),
        "Domain" => (&["encryptionatrest"], false),
        "CfnDomain" => (&["encryptionatrestoptions"], false),
        "FileSystem" => (&["encrypted", "kmskey"], true),
        "CfnFileSystem" | "Volume" | "CfnVolume" => (&["encrypted", "encryptionkey"], false),
        // The provider encrypts queues by default.
        "Queue" => (&["encryption"], true),
        "CfnQueue" => (&["sqsmanagedsseenabled"], true),
        "CfnTopic" => (&["kmsmasterkeyid"], false),
        "Topic" => (&["masterkey"], false),
        "CfnNotebookInstance" => (&["kmskeyid"], false),
        "CfnCluster" => (&["encrypted", "encryptioninfo"], true),
        _ => return None,
    };
    Some(Store {
        options,
        by_default,
    })
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(callee) = node.any_field(&["function", "constructor"]) else {
        return;
    };
    let name = callee.last_name();
    let Some(store) = store(name).filter(|_| is_cloud(node, callee, name)) else {
        return;
    };
    let Some(given) = options(node) else { return };
    let options: Vec<&(Node<'_>, String, Node<'_>)> = given
        .iter()
        .filter(|(_, name, _)| store.options.contains(&name.as_str()))
        .collect();
    if options.is_empty() && !store.by_default {
        sink.report(
            node,
            format!(
                "`{}` stores its data unencrypted: encryption is not enabled.",
                quote(callee.text())
            ),
        );
    }
    let all_off = options.iter().all(|(_, _, value)| is_off(*value));
    if let Some((option, _, _)) = options.first().filter(|_| all_off) {
        sink.report(
            *option,
            format!("`{}` leaves the data unencrypted.", quote(option.text())),
        )
        .priority(Priority::P2);
    }
}

/// Whether it is the provider's class: by its module, or by the scope and the name that are passed to it.
fn is_cloud(node: Node<'_>, callee: Node<'_>, name: &str) -> bool {
    let module = callee
        .receiver()
        .map_or("", |receiver| receiver.last_name());
    let known = [
        "rds", "sqs", "sns", "efs", "ec2", "opensearch", "opensearchservice", "elasticsearch", "es",
    ];
    let own_name =
        name.starts_with("Cfn") || name.starts_with("DatabaseI") || name.starts_with("DatabaseC");
    let scope = node
        .call()
        .and_then(|call| call.arguments.first().map(|first| first.text()));
    own_name
        || known.contains(&module)
        || module.starts_with("aws_")
        || matches!(scope, Some("this" | "self" | "scope"))
}

/// The options that are passed, each with its node, its name without underscores and its value; `None` if there may be
/// others that are not visible.
fn options(node: Node<'_>) -> Option<Vec<(Node<'_>, String, Node<'_>)>> {
    let list = node.field("arguments");
    let mut found = Vec::new();
    for argument in list.into_iter().flat_map(Node::named_children) {
        match argument.kind() {
            "keyword_argument" => found.push(argument),
            "dictionary_splat" | "list_splat" | "spread_element" => return None,
            "object"
                if argument
                    .child_of_kind(&["spread_element", "shorthand_property_identifier"])
                    .is_none() =>
            {
                found.extend(argument.named_children().filter(|part| part.is(&["pair"])));
            }
            "object" => return None,
            // Options that are built elsewhere are not visible.
            "identifier" | "call_expression" | "member_expression"
                if found.is_empty() && is_third(argument) =>
            {
                return None;
            }
            _ => {}
        }
    }
    let read = found
        .into_iter()
        .filter_map(|option| option_of(option).map(|(name, value)| (option, name, value)));
    Some(read.collect())
}

fn is_third(argument: Node<'_>) -> bool {
    argument.text() != "undefined"
        && argument
            .parent()
            .is_some_and(|list| list.named_children().position(|one| one == argument) == Some(2))
}

/// Name, without underscores and in lower case, and value of a named argument or a pair.
fn option_of(option: Node<'_>) -> Option<(String, Node<'_>)> {
    let name = option.any_field(&["name", "key"])?;
    let plain = name.string_value().unwrap_or(name.text());
    Some((
        plain.replace('_', "").to_ascii_lowercase(),
        option.field("value")?,
    ))
}

fn is_off(value: Node<'_>) -> bool {
    let text = value.text();
    if matches!(
        text,
        "False" | "false" | "None" | "undefined" | "null" | "{}"
    ) || text.ends_with("UNENCRYPTED")
    {
        return true;
    }
    let parts: Vec<(String, Node<'_>)> = value.named_children().filter_map(option_of).collect();
    let inside = value.is(&["object", "dictionary"])
        && value
            .child_of_kind(&["spread_element", "dictionary_splat"])
            .is_none();
    inside
        && !parts
            .iter()
            .any(|(name, of)| name == "enabled" && !is_off(*of))
}
