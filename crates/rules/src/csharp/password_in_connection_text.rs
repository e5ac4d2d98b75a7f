//! A password in a connection string or in credentials.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/password-in-connection-text",
    languages: &["C#"],
    title: "Hard-coded password",
    why: "Anyone who can read the source or the assembly has the password. It stays in the version history and is the same in \
          every installation.",
    fix: "Read the password from a secret store or an environment variable.",
    references: &["CWE-798"],
    priority: Priority::P1,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "string_literal", "verbatim_string_literal", "object_creation_expression",
        ]),
        run,
    },
    positive: &[
        r#"
@@ void Open()
+        var text = "Server=db;Database=shop;User Id=shop;Password=hunter2;";
^
"#,
        r#"
+var login = new NetworkCredential("shop", "hunter2");
^
"#,
        r#"
@@ void Open()
+        var text = @"Data Source=10.0.0.4;Initial Catalog=shop;Uid=shop;Pwd=hunter2";
^
"#,
    ],
    negative: &[
        r#"
+string password = settings["password"];
+var text = $"Server=db;Password={password};";
+string passwordLabel = "Your password";
"#,
        r#"
@@ void Open()
         var text = "Server=db;Database=shop;User Id=shop;Password=hunter2;";
+        var login = new NetworkCredential("shop", settings["password"]);
"#,
        r#"
@@ Context Create(string[] args)
+        const string Text = "Server=localhost;Port=54320;Database=test;Username=postgres;Password=postgres";
"#,
    ],
};

/// Names of the entries with the server or the user.
const OTHERS: &[&str] = &[
    "server", "datasource", "host", "uid", "user", "userid", "username", "addr",
];

/// Classes with a password as their second argument.
const CREDENTIALS: &[&str] = &["NetworkCredential", "PasswordDeriveBytes"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let priority = if node.is(&["object_creation_expression"]) {
        credentials(node)
    } else {
        node.string_value().and_then(connection)
    };
    if let Some(priority) = priority {
        let summary = format!("`{}` contains a password.", quote(node.text()));
        sink.report(node, summary).priority(priority);
    }
}

/// The priority of the second argument of credentials, if it is a text.
fn credentials(node: Node<'_>) -> Option<Priority> {
    let call = node.call()?;
    let class = call.name.rsplit('.').next()?;
    let value = call.arguments.get(1)?;
    let text = value
        .string_value()
        .or_else(|| value.named_children().next()?.string_value())?;
    (CREDENTIALS.contains(&class) && text.chars().count() >= 3).then_some(RULE.priority)
}

/// The priority of the password in a connection string. That of a database on the own machine gives no other machine access, and one that only
/// repeats another entry is the default of a container.
fn connection(text: &str) -> Option<Priority> {
    let entries = || text.split(';').filter_map(|entry| entry.split_once('='));
    let plain = |name: &str| -> String {
        name.chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase()
    };
    let (_, password) =
        entries().find(|(name, _)| matches!(plain(name).as_str(), "password" | "pwd"))?;
    let password = password.trim();
    let others = entries().filter(|(name, _)| OTHERS.contains(&plain(name).as_str()));
    let others: Vec<&str> = others.map(|(_, value)| value.trim()).collect();
    let is_written =
        password.chars().count() >= 3 && !password.contains(|c: char| "\"{}<>*$ ".contains(c));
    if others.is_empty() || !is_written {
        return None;
    }
    match (
        others.iter().any(|host| is_own_machine(host)),
        others.contains(&password),
    ) {
        (true, true) => None,
        (true, false) => Some(Priority::P3),
        (false, true) => Some(Priority::P2),
        (false, false) => Some(RULE.priority),
    }
}

fn is_own_machine(host: &str) -> bool {
    const NAMES: &[&str] = &["localhost", "127.0.0.1", "::1", ".", "(local)", "(localdb)"];
    let host = host.trim_start_matches("tcp:").to_ascii_lowercase();
    let name = host.split([',', '\\', '/']).next().unwrap_or(&host);
    NAMES.contains(&name) || NAMES.contains(&host.split(':').next().unwrap_or_default())
}
