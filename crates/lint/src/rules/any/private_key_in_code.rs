//! Private keys in the repository.

use review::{Category, LineKind, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext};

pub(crate) const RULE: Rule = Rule {
    id: "any/private-key-in-code",
    languages: &[],
    title: "Private key in the repository",
    why: "Whoever has the key can pose as its owner: sign, log in, or read what was encrypted for them. From a repository it \
          reaches every clone, fork and backup, and the history keeps it.",
    fix: "Withdraw the key and make a new one. Keep keys in a secret store and give the program its path.",
    priority: Priority::P0,
    category: Category::SecretExposure,
    confidence: 0.9,
    tests: Tests::Skip,
    check: Check::Text { run },
    // The examples are written in two parts, so that no scanner takes them for keys of ours.
    fires: &[
        concat!(
            "path: deploy/key.pem\n+-----BEGIN RSA PRIV",
            "ATE KEY-----\n^\n+MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI\n+-----END RSA PRIVATE KEY-----\n"
        ),
        concat!(
            "path: src/a.js\n+const key = \"-----BEGIN PRIV",
            "ATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\\n\";\n^\n"
        ),
    ],
    quiet: &[
        "path: src/a.py\n+if line.startswith(\"-----BEGIN RSA PRIVATE KEY-----\"):\n+    read(line)\n",
        "path: docs/a.md\n+-----BEGIN PRIVATE KEY-----\n+...\n+-----END PRIVATE KEY-----\n",
        "path: cert.pem\n+-----BEGIN CERTIFICATE-----\n+MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI\n",
    ],
};

/// Characters of base 64 that show that a key follows.
const ENOUGH: usize = 40;

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for (index, line) in context.lines().iter().enumerate() {
        let Some(behind) = (line.kind == LineKind::Added).then(|| after_header(line.text)).flatten() else { continue };
        let below = context.lines().iter().skip(index + 1).filter(|next| next.kind != LineKind::Removed).take(8);
        if is_body(behind) || below.take_while(|next| !next.text.contains("-----END")).any(|next| is_body(next.text)) {
            sink.report(line, "A private key was added to the repository.");
        }
    }
}

/// What stands behind the first line of a key that is not protected by a passphrase.
fn after_header(text: &str) -> Option<&str> {
    const KINDS: &[&str] = &[
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ];
    let (_, begin) = text.split_once("-----BEGIN ")?;
    let (kind, behind) = begin.split_once("-----")?;
    KINDS.contains(&kind).then_some(behind)
}

/// Whether a run of base 64 is in it, as long as a line of a key.
fn is_body(text: &str) -> bool {
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let parts = text.split("\\n").flat_map(|part| part.split(|c| !is_code(c)));
    parts.into_iter().any(|part| {
        part.len() >= ENOUGH && part.bytes().any(|b| b.is_ascii_digit()) && part.bytes().any(|b| b.is_ascii_uppercase())
    })
}
