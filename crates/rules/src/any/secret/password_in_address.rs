//! URLs that contain a password.

use std::sync::LazyLock;

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use regex::bytes::Regex;
use review::{Category, Priority};
use syntax::semantics::secrets::{compiled, entropy, is_placeholder, is_random_secret};

pub(crate) const RULE: Rule = Rule {
    id: "any/password-in-address",
    languages: &[],
    title: "Password in a URL",
    why: "URLs are logged, shown in error messages and kept in the repository, and the password with them. Anyone who \
          can read the code or a log has access to the account.",
    fix: "Change the password, and build the URL from the environment or a secret store.",
    references: &["CWE-798"],
    priority: Priority::P1,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/a.py
+DB = "postgresql://shop:hG7qz1Lm9P@db.shop.internal/orders"
^
"#,
        r#"
path: settings.unknown
+broker = amqp://worker:9fKq2LmZx7@10.2.0.4:5672
^
"#,
        r#"
path: compose.yaml
     environment:
+      DATABASE_URL: postgres://shop:q8Zr3LmX0pTvB6nY@db:5432/shop
^
+      CACHE_URL: redis://:q8Zr3LmX0pTvB6nY@redis:6379/0
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+DB = f"postgresql://{user}:{password}@db/orders"
+DEV = "postgresql://postgres:postgres@localhost/orders"
+DOC = "redis://user:your-password-1@host:6379"
"#,
        r#"
path: src/a.py
+URL = "https://example.com:8080/a@b"
+SSH = "ssh://git@github.com/a/b"
+LOCAL = "mysql://root:tR4x9QmL2z@127.0.0.1/shop"
"#,
        r#"
path: compose.yaml
     environment:
+      DATABASE_URL: postgres://shop:shop123@db:5432/shop
+      CACHE_URL: redis://:${REDIS_PASSWORD}@redis:6379/0
"#,
    ],
};

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"\b([a-z][a-z0-9+.-]{1,20})://([^/\s:@"'`<>{}$]{0,60}):([^/\s:@"'`<>{}$%]{6,80})@([A-Za-z0-9.-]+)"#,
    )
});

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let Some(pattern) = ADDRESS.as_ref() else {
        return;
    };
    for line in context
        .added()
        .filter(|line| line.text.contains("://") && line.text.contains('@'))
    {
        let Some(found) = pattern.captures(line.text.as_bytes()) else {
            continue;
        };
        let part = |index: usize| {
            found
                .get(index)
                .and_then(|part| line.text.get(part.range()))
                .unwrap_or_default()
        };
        let (user, password, host) = (part(2), part(3), part(4));
        // A name such as `db` is from an example, or that of a service in the same network.
        let is_service = !is_this_machine(host) && is_random_secret("password", password);
        if is_real(user, password) && (!is_harmless(host) || is_service && !is_unreal(host)) {
            let scheme = quote(part(1));
            let of_user = if user.is_empty() {
                String::new()
            } else {
                format!(" of `{}`", quote(user))
            };
            sink.report(
                line,
                format!(
                    "The `{scheme}` URL of `{}` contains the password{of_user}.",
                    quote(host)
                ),
            );
        }
    }
}

fn is_real(user: &str, password: &str) -> bool {
    let has = |test: fn(&u8) -> bool| password.as_bytes().iter().any(test);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    !is_placeholder(password)
        && user != password
        && is_mixed
        && entropy(password) >= 2.7
        && !password.to_ascii_lowercase().starts_with("pass")
}

fn is_this_machine(host: &str) -> bool {
    ["localhost", "127.0.0.1", "0.0.0.0"].contains(&host)
}

/// Hosts that do not exist.
fn is_unreal(host: &str) -> bool {
    host.contains("example")
        || [".test", ".invalid", ".local"]
            .iter()
            .any(|end| host.ends_with(end))
}

/// Hosts that do not exist, are the local machine or are common in examples.
fn is_harmless(host: &str) -> bool {
    const NAMES: &[&str] = &[
        "host", "hostname", "server", "db", "postgres", "mysql", "redis", "mongo",
    ];
    NAMES.contains(&host) || is_this_machine(host) || is_unreal(host)
}
