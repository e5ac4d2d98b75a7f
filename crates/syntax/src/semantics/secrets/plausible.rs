//! Whether the name of a value names a secret, and whether the value can be one.

use super::placeholder::{STAND_INS, entropy, has_few_letters, is_sequence, switches};
use crate::semantics::vocabulary::squeezed;

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A password: people make them up.
    Password,
    /// A key or token: programs make them.
    Key,
}

/// What the name of a value says; `None` if it does not name a secret.
pub fn named(name: &str) -> Option<Named> {
    const PASSWORDS: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "passwort",
        "psswd",
    ];
    const KEYS: &[&str] = &[
        "secret",
        "secretkey",
        "secretkeybase",
        "apikey",
        "accesskey",
        "privatekey",
        "authtoken",
        "accesstoken",
        "apitoken",
        "token",
        "bottoken",
        "clientsecret",
        "appsecret",
        "appkey",
        "authkey",
        "sharedkey",
        "accountkey",
        "signingkey",
        "encryptionkey",
        "masterkey",
        "jwtkey",
        "credential",
        "credentials",
        "secretaccesskey",
        "webhooksecret",
    ];
    /// A value of such a name is shown to anybody, or is not the secret itself.
    const OTHERS: &[&str] = &[
        "public",
        "encrypted",
        "sealed",
        "hashed",
        "example",
        "placeholder",
        "sample",
        "dummy",
        "fake",
        "test",
        "old",
        "publishable",
        "csrf",
        "page",
        "cache",
        "next",
        "continuation",
        "cancellation",
        "sort",
        "site",
        "map",
        "reset",
        "invalid",
        "wrong",
    ];
    let last = name
        .trim_end_matches(['.', '-'])
        .rsplit('.')
        .next()
        .unwrap_or(name);
    let compact = squeezed(last);
    let compact = compact.trim_end_matches(|c: char| c.is_ascii_digit());
    if compact.len() > 40 || OTHERS.iter().any(|word| compact.contains(word)) {
        return None;
    }
    let is_pass =
        compact == "pass" || last.to_ascii_lowercase().ends_with("_pass") || last.ends_with("Pass");
    if is_pass || PASSWORDS.iter().any(|end| compact.ends_with(end)) {
        return Some(Named::Password);
    }
    KEYS.iter()
        .any(|end| compact.ends_with(end))
        .then_some(Named::Key)
}

/// Whether a value of configuration can be the secret that its name says: no reference, placeholder, word or name.
pub fn is_secret(name: &str, value: &str) -> bool {
    let Some(kind) = named(name) else {
        return false;
    };
    is_possible(name, value) && (is_strong(value) || kind == Named::Password && is_password(value))
}

/// Whether a value in code is surely a secret: there, names and keys of other things are texts as well.
pub fn is_random_secret(name: &str, value: &str) -> bool {
    named(name).is_some() && is_possible(name, value) && is_strong(value)
}

fn is_possible(name: &str, value: &str) -> bool {
    const LONGEST: usize = 128;
    (6..=LONGEST).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !is_reference(value)
        && !is_digest(value)
        && !is_name(value)
        && squeezed(value) != squeezed(name)
        && !stands_for_secret(value)
        && !decoded(value).is_some_and(|text| stands_for_secret(&text))
}

/// Base 64 of a text, as Kubernetes keeps it.
fn decoded(value: &str) -> Option<String> {
    let bytes = super::coding::base64(value)?;
    let text = String::from_utf8(bytes).ok()?;
    (text.len() >= 4 && text.trim_end().bytes().all(|byte| byte.is_ascii_graphic())).then_some(text)
}

/// Whether a value says where the secret is, or is computed where it is used.
fn is_reference(value: &str) -> bool {
    const STARTS: &[&str] = &[
        "ENC[",
        "ENC(",
        "U2FsdGVkX1",
        "$2a$",
        "$2b$",
        "$2y$",
        "$argon2",
        "$5$",
        "$6$",
        "$1$",
        "$apr1$",
        "{SSHA}",
        "AQICAH",
        "AQECAH",
        "op://",
        "sm://",
        "ref+",
        "/",
        "./",
        "../",
        "~/",
        "sha1-",
        "sha256-",
        "sha384-",
        "sha512-",
        "ssh-",
        "MII",
        "age1",
        "AgA",
        "AgB",
    ];
    const PARTS: &[&str] = &[
        "${",
        "{{",
        "}}",
        "$(",
        "#{",
        "<%",
        "@{",
        "$[",
        "%{",
        "%(",
        "process.env",
        "os.environ",
    ];
    const SIGNS: &[char] = &['(', ')', '{', '}', '[', ']', '<', '>', '\\', '"', '\'', '`'];
    let is_scheme = || {
        let scheme = value.split_once(':').map_or("", |(scheme, _)| scheme);
        !scheme.is_empty()
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    };
    let is_variable = || {
        value
            .strip_prefix('$')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    };
    let is_marked = |mark: char| value.starts_with(mark) && value.ends_with(mark);
    STARTS.iter().any(|start| value.starts_with(start))
        || PARTS.iter().any(|part| value.contains(part))
        || value.contains(SIGNS)
        || is_scheme()
        || is_variable()
        || is_marked('%')
        || is_marked('@')
        || is_marked('_')
        || value.starts_with('!')
            && value
                .get(1..)
                .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// A digest of a known algorithm says so; an identifier has the form of a UUID.
fn is_digest(value: &str) -> bool {
    let hyphens = value.bytes().filter(|byte| *byte == b'-').count();
    let is_uuid = value.len() == 36
        && hyphens == 4
        && value
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_uuid || value.starts_with("sha256:") || value.starts_with("sha512:")
}

/// Whether a value consists of words, as names of things do: `prod-database-credentials-v2`, `var.db_password`.
fn is_name(value: &str) -> bool {
    let segments: Vec<&str> = value
        .split(['-', '_', '.', ':', '/', '@', '='])
        .filter(|part| !part.is_empty())
        .collect();
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = part.len() - letters.len();
        let rest = letters.get(1..).unwrap_or_default();
        let is_plain = letters.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (rest.bytes().all(|byte| byte.is_ascii_lowercase())
                || letters.bytes().all(|byte| byte.is_ascii_uppercase()));
        is_plain && digits <= 4
    };
    segments.len() >= 2 && segments.iter().all(|part| is_word(part))
}

/// Whether a value is so mixed that nobody made it up and no program gave it a meaning.
fn is_strong(value: &str) -> bool {
    const SHORTEST: usize = 12;
    let count = |test: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| test(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let (small, capital) = (count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
    let signs = value.len() - digits - small - capital;
    let needed = if digits == 0 { 3 } else { 4 };
    value.len() >= SHORTEST
        && small + capital >= 4
        && (digits >= 2 || digits == 1 && small > 0 && capital > 0 || small >= 3 && capital >= 3)
        && signs * 3 <= value.len()
        && switches(value) * needed >= value.len()
        && entropy(value) >= 2.75
}

/// Whether a value has the mixture of letters, digits and signs that people make passwords of.
fn is_password(value: &str) -> bool {
    const SHORTEST: usize = 8;
    let has = |test: fn(&u8) -> bool| usize::from(value.as_bytes().iter().any(test));
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let classes = has(u8::is_ascii_digit)
        + has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(|byte| b"!#$%&*+?^~@".contains(byte));
    let is_mixed = has(u8::is_ascii_digit) == 1 && classes >= 2 || classes >= 3;
    value.len() >= SHORTEST && letters >= 3 && is_mixed && entropy(value) >= 2.4
}

/// More words that show that the real value is put in later.
const MORE_STAND_INS: &[&str] = &[
    "changethis",
    "fixme",
    "123456789",
    "p@ssw0rd",
    "passw0rd",
    "pa$$w0rd",
    "generated",
    "please",
    "mustbe",
    "must-be",
];
/// Words that people fill a value with; what is left without them tells whether it is one.
const FILLERS: &[&str] = &[
    "password",
    "passphrase",
    "passwd",
    "passwort",
    "pass",
    "secrets",
    "secret",
    "token",
    "default",
    "test",
    "super",
    "admin",
    "administrator",
    "root",
    "user",
    "guest",
    "postgresql",
    "postgres",
    "mariadb",
    "mysql",
    "redis",
    "mongodb",
    "mongo",
    "rabbitmq",
    "rabbit",
    "oracle",
    "mssql",
    "minio",
    "keycloak",
    "grafana",
    "elastic",
    "airflow",
    "django",
    "laravel",
    "symfony",
    "rails",
    "spring",
    "database",
    "development",
    "devel",
    "develop",
    "production",
    "staging",
    "local",
    "debug",
    "demo",
    "none",
    "null",
    "key",
    "my",
    "very",
    "some",
    "strong",
    "secure",
    "long",
    "random",
    "private",
    "jwt",
    "auth",
    "value",
    "string",
    "here",
    "only",
    "dev",
    "env",
    "app",
    "api",
    "123456",
    "12345",
    "1234",
    "123",
];

/// Whether a value only stands for a secret, or is made of words that everybody would guess.
fn stands_for_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if has_few_letters(value)
        || is_sequence(&lower)
        || STAND_INS
            .iter()
            .chain(MORE_STAND_INS)
            .any(|word| lower.contains(word))
    {
        return true;
    }
    let mut rest = lower;
    for word in FILLERS {
        rest = rest.replace(word, " ");
    }
    rest.bytes().filter(u8::is_ascii_alphanumeric).count() < 5
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn passwords_differ_from_what_stands_for_them() {
        for value in [
            "hunter22secret",
            "Tr0ub4dor&3xKq9",
            "Sup3rS3cretPw!42",
            "w3gTlcrhDFLGWrhh",
            "wGtTlcrhDFLGWrhh",
        ] {
            assert!(is_secret("db.password", value), "{value}");
        }
        for value in [
            "changeme",
            "changeme123",
            "${DB_PASSWORD}",
            "{{ password }}",
            "vault:secret/db#password",
            "ENC[AES256,data:x8Zq]",
            "<password>",
            "xxxxxxxx",
            "your-password",
            "example",
            "postgres",
            "admin123",
            "!Ref",
            "$(cat",
            "my-db-secret-v2",
            "/run/secrets/db",
            "random_password.db1.result",
            "var.db_password",
            "$DB_PASSWORD",
            "%DB_PASSWORD%",
            "P@ssw0rd!",
            "550e8400-e29b-41d4-a716-446655440000",
            "Y2hhbmdlbWU=",
            "supersecretpassword",
            "sunshine",
            "true",
            "1234567890",
        ] {
            assert!(!is_secret("db.password", value), "{value}");
        }
        for (name, value) in [
            ("secretName", "w3gTlcrhDFLGWrhh"),
            ("public_key", "w3gTlcrhDFLGWrhh"),
            ("checksum", "w3gTlcrhDFLGWrhh"),
            ("password_file", "w3gTlcrhDFLGWrhh"),
            ("token", "hunter22secret"),
            ("token_url", "w3gTlcrhDFLGWrhh"),
        ] {
            assert!(!is_secret(name, value), "{name}");
        }
    }
}
