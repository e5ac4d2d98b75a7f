//! Values that look random, given to something that is called a secret, in any kind of file.

use std::sync::LazyLock;

use regex::bytes::Regex;
use review::{Category, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext, quote};
use crate::secrets::{compiled, entropy, is_placeholder, tokens};

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-secret",
    languages: &[],
    title: "Random-looking secret in the code",
    why: "Whoever can read the repository, its history, a fork or a backup has the secret. It is the same wherever the program \
          runs, and cannot be changed without a release.",
    fix: "Change it, and read the new one from the environment or a secret store.",
    priority: Priority::P1,
    category: Category::SecretExposure,
    confidence: 0.7,
    tests: Tests::Skip,
    check: Check::Text { run },
    fires: &[
        "path: src/a.py\n+API_KEY = \"q8Zr3LmX0pTvB6nYc2WdKj5H\"\n^\n",
        "path: config/settings.unknown\n+client_secret: q8Zr3LmX0pTvB6nYc2WdKj5H\n^\n",
        "path: src/config/initializers/secret.rb\n+  config.secret_key_base = '9f2c4be17ad0386cf5e1b7a49d30c86e5f72a1b4c9d8e037'\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n+API_KEY = os.environ[\"API_KEY\"]\n+api_key = settings.service_key_2_for_prod\n+TOKEN_URL = \"https://login.shop.org/oauth2/token9\"\n",
        "path: src/a.unknown\n+api_key: ${API_KEY}\n+secret_name: prod-database-credentials-v2\n+password_hash: sha256\n+token: aGVsbG8\n+public_key: q8Zr3LmX0pTvB6nYc2WdKj5H\n",
        "path: src/a.js\n+const tokenTypeNames = \"IdentifierName12OrKeyword34\";\n+cache_key = \"q8Zr3LmX0pTvB6nYc2WdKj5H\"\n",
    ],
};

/// Longer lines are data.
const LONGEST: usize = 500;

static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?i)(?:^|[^a-z])((?:[a-z0-9]+[_.-])*(?:api[_-]?key|secret|client[_-]?secret|secret[_-]?key|secret[_-]?key[_-]?base|access[_-]?token|auth[_-]?token|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|app[_-]?secret|jwt[_-]?secret|api[_-]?secret|api[_-]?token|bearer[_-]?token))["']?\]?\s*(?:=>|:=|=|:)\s*(?:["']([A-Za-z0-9+/_=.~-]{20,120})["']|([A-Za-z0-9+/_=~-]{20,120})\s*$)"#,
    )
});

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let Some(pattern) = ASSIGNED.as_ref() else { return };
    for line in context.added().filter(|line| line.text.len() <= LONGEST && might_name_secret(line.text)) {
        let Some(found) = pattern.captures(line.text.as_bytes()) else { continue };
        let part = |index: usize| found.get(index).and_then(|part| line.text.get(part.range()));
        let (Some(name), Some(value)) = (part(1), part(2).or_else(|| part(3))) else { continue };
        if is_random(value) && !is_public(name) && tokens(line.text).is_empty() {
            sink.report(
                line,
                format!("`{}` is given a random-looking value of {} characters here.", quote(name), value.len()),
            );
        }
    }
}

fn might_name_secret(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["key", "secret", "token"].iter().any(|word| lower.contains(word))
}

fn is_public(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["public", "cache", "test", "example", "site", "map", "publishable", "sort"].iter().any(|word| lower.contains(word))
}

/// Random text mixes letters and digits with no order; words and paths do not.
fn is_random(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let signs = value.len() - digits - letters;
    let is_hexadecimal = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let needed = if is_hexadecimal { 3.0 } else { 3.7 };
    let is_uuid = value.len() == 36 && value.bytes().filter(|byte| *byte == b'-').count() == 4;
    !is_placeholder(value)
        && digits >= 3
        && letters >= 5
        && signs * 6 <= value.len()
        && !is_uuid
        && switches(value) * 4 >= value.len()
        && entropy(value) >= needed
}

/// How often letters give way to digits, or small ones to capitals and back: random text does it all the time.
fn switches(value: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    value.as_bytes().windows(2).filter(|pair| matches!(pair, [a, b] if class(*a) != class(*b))).count()
}
