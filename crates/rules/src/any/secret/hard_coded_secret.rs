//! Random-looking values assigned to the name of a secret, in any kind of file.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::classify::is_translation;
use review::{Category, Lexical, Priority};
use syntax::semantics::secrets::{
    GENERIC, Secret, Style, TOKENS, assigned, is_document, is_example, is_for_web_pages, is_random,
    is_random_secret,
};
use syntax::semantics::vocabulary::squeezed;

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-secret",
    languages: &[],
    title: "Random-looking secret in the code",
    why: "Every reader of the repository, its history, a fork or a backup has the secret. It is the same wherever the \
          program runs, and cannot be changed without a release.",
    fix: "Revoke it, and read the new one from the environment or a secret store.",
    references: &["CWE-798"],
    priority: Priority::P1,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/settings.py
 class Settings(BaseSettings):
-    SECRET_KEY: str
+    SECRET_KEY: str = "kJ8s9dQ2mZx7Lr4T"
^
"#,
        r#"
path: src/a.ts
+export const apiKey: string = 'q8Zr3LmX0pTvB6nY';
^
"#,
        r#"
path: src/A.kt
+private const val CLIENT_SECRET: String = "q8Zr3LmX0pTvB6nY"
^
"#,
        r#"
path: src/a.rs
+const API_TOKEN: &str = "q8Zr3LmX0pTvB6nY";
^
"#,
        r#"
path: src/a.py
+API_KEY = "q8Zr3LmX0pTvB6nYc2WdKj5H"
^
"#,
        r#"
path: config/settings.unknown
+client_secret: q8Zr3LmX0pTvB6nYc2WdKj5H
^
"#,
        r#"
path: src/a.go
+if header == tokenOf(req) || token == "q8Zr3LmX0pTvB6nYc2WdKj5H" {
^
"#,
        r#"
path: src/config/initializers/secret.rb
+  config.secret_key_base = '9f2c4be17ad0386cf5e1b7a49d30c86e5f72a1b4c9d8e037'
^
"#,
    ],
    negative: &[
        r#"
path: src/Claims.cs
+    public const string IsApiKey = "Warehouse-IsApiKey";
"#,
        r#"
path: src/settings.py
 class Settings(BaseSettings):
+    SECRET_KEY: str = "changethis"
+    API_KEY: str = os.environ["API_KEY"]
+    TOKEN: str = "access_token_v2"
"#,
        r#"
path: src/a.ts
+export const token: string = 'oauth2ClientCredentials';
+export const nextToken: string = 'q8Zr3LmX0pTvB6nY';
"#,
        r#"
path: src/a.py
+API_KEY = os.environ["API_KEY"]
+api_key = settings.service_key_2_for_prod
+TOKEN_URL = "https://login.shop.org/oauth2/token9"
"#,
        r#"
path: src/a.unknown
+api_key: ${API_KEY}
+secret_name: prod-database-credentials-v2
+password_hash: sha256
+token: aGVsbG8
+public_key: q8Zr3LmX0pTvB6nYc2WdKj5H
"#,
        concat!(
            "path: src/a.py\n+token = \"ghp",
            "_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsAAAAAAA\"\n"
        ),
        concat!(
            "path: src/a.py\n+POSTHOG_API_KEY = 'phc",
            "_A8JMNjW1i2KbGUTaW1unnDdLSPCoyc52SGRU0JecaUx'\n"
        ),
        r#"
path: docusaurus.config.ts
+    algolia: {
+      appId: 'ATGPSR4MOE',
+      apiKey: 'bd8b3896f8e3e2b421e4c38834b915a9',
+      indexName: 'shop',
+    },
"#,
        r#"
path: src/xx.json
+    "placeholderUserKey": "vQiRzpo4DXghDmr9QzzfQu27cmVRsH"
"#,
        r#"
path: docs/setup.md
+API_KEY = "q8Zr3LmX0pTvB6nYc2WdKj5H"
"#,
        r#"
path: src/a.js
+const tokenTypeNames = "IdentifierName12OrKeyword34";
+cache_key = "q8Zr3LmX0pTvB6nYc2WdKj5H"
"#,
    ],
};

/// Longer lines are data.
const LONGEST: usize = 500;
/// Languages in which a string needs no quotation marks. In others, a word without them is a name.
const DATA: &[&str] = &["YAML", "Shell", "Dockerfile", "HCL"];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    if is_document(&context.file) {
        return;
    }
    let lexical = Lexical::or_any(Some(context.file.language));
    let is_data = context.file.grammar.is_none() || DATA.contains(&context.file.language);
    if is_data && is_example(context.file.path) {
        return;
    }
    for line in context.added().filter(|line| line.text.len() <= LONGEST) {
        let found = GENERIC.find(line.text, context.file.path);
        let before = |secret: &Secret<'_>| line.text.get(..secret.start).unwrap_or_default();
        let is_real = |secret: &&Secret<'_>| {
            is_random(secret.value) && (is_data || is_quoted(before(secret)))
        };
        let detected = found
            .iter()
            .find(is_real)
            .map(|secret| (name_before(before(secret)), secret.value));
        // The detectors do not know annotated declarations, and require more entropy than 16 random letters have.
        let in_code = || {
            let values = if is_data {
                Vec::new()
            } else {
                assigned(line.text, Style::Code)
            };
            let mut secrets = values
                .into_iter()
                .filter(|own| is_random_secret(own.name, own.value));
            secrets.next().map(|own| (own.name, own.value))
        };
        let Some((name, value)) = detected.or_else(in_code) else {
            continue;
        };
        // The line was only formatted.
        if context.removed().any(|old| old.text.contains(value)) {
            continue;
        }
        // Another rule reports values in the form of a known token, real or made up.
        let is_public_by_design =
            || is_for_web_pages(value) || is_search_key(value, context.file.path);
        if !is_public(name)
            && !TOKENS.knows(line.text)
            && !is_public_by_design()
            && !is_own_name(name, value)
        {
            let summary = format!(
                "`{}` is set to a random-looking value of {} characters here.",
                quote(name),
                value.chars().count()
            );
            let priority = match names_secret(name) {
                // Most secrets in tests and examples are made up.
                _ if context.file.is_test || is_example(context.file.path) => Priority::P3,
                // A text that people read, or the key with which a service finds it.
                _ if is_translation(context.file.path) => Priority::P3,
                // An example, or what was tried.
                true if lexical.is_comment_line(line.text) => Priority::P2,
                true => Priority::P1,
                false => Priority::P2,
            };
            sink.report(line, summary).priority(priority);
        }
    }
}

fn is_quoted(before: &str) -> bool {
    before.ends_with(['"', '\'', '`'])
}

/// The name before a value.
fn name_before(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let end = text.trim_end_matches(|c: char| !is_part(c));
    let start = end
        .rfind(|c: char| !is_part(c))
        .map_or(0, |place| place + 1);
    end.get(start..).unwrap_or(end)
}

/// Whether a name is only used for secrets. A `key` may also be a lookup key.
fn names_secret(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "secret", "token", "password", "passwd", "credential", "apikey", "accesskey", "privatekey",
        "signingkey", "encryptionkey", "masterkey",
    ];
    let plain = squeezed(name);
    WORDS.iter().any(|word| plain.contains(word))
}

fn is_public(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [
        "public", "cache", "test", "example", "site", "map", "publishable", "sort", "placeholder",
        "sample", "dummy",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a value is the name of what it belongs to, such as `IsApiKey = "Shop-IsApiKey"`.
fn is_own_name(name: &str, value: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    !has_digit && letters(value).ends_with(&letters(name))
}

/// Whether a value is Algolia's key for the search of a documentation site, which only allows searching.
fn is_search_key(value: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    value.len() == 32
        && ["docusaurus.config.", "docsearch", "algolia"]
            .iter()
            .any(|word| name.contains(word))
}
