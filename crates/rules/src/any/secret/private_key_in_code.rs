//! Private keys in the repository.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, Lexical, LineKind, Priority};
use syntax::semantics::secrets::{base64, is_document};

pub(crate) const RULE: Rule = Rule {
    id: "any/private-key-in-code",
    languages: &[],
    title: "Private key in the repository",
    why: "Anyone with the key can impersonate its owner: sign, log in, or decrypt what was encrypted for them. From a \
          repository the key reaches every clone, fork and backup, and the history keeps it.",
    fix: "Revoke the key and create a new one. Keep keys in a secret store, and configure only their location.",
    references: &["CWE-321"],
    priority: Priority::P0,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Text { run },
    // The examples are written in two parts, so that no scanner mistakes them for real keys.
    positive: &[
        concat!(
            "path: deploy/key.pem\n+-----BEGIN RSA PRIV",
            "ATE KEY-----\n^\n+MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI\n+-----END RSA PRIVATE KEY-----\n"
        ),
        concat!(
            "path: deploy/id\n+-----BEGIN OPENSSH PRIV",
            "ATE KEY-----\n^\n+b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0\n"
        ),
        concat!(
            "path: src/a.js\n+const key = \"-----BEGIN PRIV",
            "ATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\\n\";\n^\n"
        ),
    ],
    negative: &[
        concat!(
            "path: a.pem\n+-----BEGIN PRIV",
            "ATE KEY-----\n+Q7hGqzLmXk4TvB6nYc2WdKj5HQ7hGqzLmXk4TvB6nYc2WdKj5H\n"
        ),
        r#"
path: src/a.py
+if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):
+    read(line)
"#,
        r#"
path: docs/a.md
+-----BEGIN PRIVATE KEY-----
+...
+-----END PRIVATE KEY-----
"#,
        r#"
path: cert.pem
+-----BEGIN CERTIFICATE-----
+MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI
"#,
    ],
};

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let lexical = Lexical::or_any(Some(context.file.language));
    for (index, line) in context.lines().iter().enumerate() {
        let Some(tail) = (line.kind == LineKind::Added)
            .then(|| after_header(line.text))
            .flatten()
        else {
            continue;
        };
        let below = context
            .lines()
            .iter()
            .skip(index + 1)
            .filter(|next| next.kind != LineKind::Removed);
        let below = below
            .take(8)
            .map(|next| next.text)
            .take_while(|text| !text.contains("-----END"));
        let texts: Vec<&str> = std::iter::once(tail).chain(below).collect();
        let Some(protection) = protection(&texts, line.text.contains("PGP")) else {
            continue;
        };
        let draft = sink.report(
            line,
            format!("A private key was added to the repository{protection}."),
        );
        // Most keys in tests were generated for them.
        match (protection, context.file.is_test) {
            _ if lexical.is_comment_line(line.text) => _ = draft.priority(Priority::P3),
            (PASSPHRASE, _) => _ = draft.priority(Priority::P2),
            (_, true) => _ = draft.priority(Priority::P1),
            _ if is_document(&context.file) => _ = draft.priority(Priority::P2),
            _ => {}
        }
    }
}

const PASSPHRASE: &str = ", protected only by its passphrase";

/// The protection of the key with these first lines; `None` if they are not a key.
fn protection(texts: &[&str], is_pgp: bool) -> Option<&'static str> {
    let body = texts.iter().find_map(|text| body(text))?;
    let inner = base64(body).unwrap_or_default();
    let holds = |word: &[u8]| inner.windows(word.len()).any(|part| part == word);
    let is_encrypted = texts.iter().any(|text| text.contains("ENCRYPTED")) || holds(b"aes256-");
    // An ASN.1 sequence, or OpenSSH's own format.
    let is_key = is_pgp
        || is_encrypted
        || inner.first() == Some(&0x30)
        || inner.starts_with(b"openssh-key-v1");
    is_key.then_some(if is_encrypted { PASSPHRASE } else { "" })
}

/// The rest of the line after the header of a key.
fn after_header(text: &str) -> Option<&str> {
    const KINDS: &[&str] = &[
        "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "OPENSSH PRIVATE KEY",
        "PRIVATE KEY", "PGP PRIVATE KEY BLOCK",
    ];
    let (_, begin) = text.split_once("-----BEGIN ")?;
    let (kind, tail) = begin.split_once("-----")?;
    KINDS.contains(&kind).then_some(tail)
}

/// A run of Base64 with the length of a line of a key.
fn body(text: &str) -> Option<&str> {
    const ENOUGH: usize = 40;
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut parts = text
        .split("\\n")
        .flat_map(|part| part.split(|c| !is_code(c)));
    parts.find(|part| {
        part.len() >= ENOUGH
            && part.bytes().any(|b| b.is_ascii_digit())
            && part.bytes().any(|b| b.is_ascii_uppercase())
    })
}
