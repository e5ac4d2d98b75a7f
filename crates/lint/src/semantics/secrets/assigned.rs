//! Values that a line of configuration or code gives to a name of a secret.

use super::placeholder::{entropy, has_few_letters, is_sequence, switches};

/// How a file writes values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Code: a value is a literal between quotation marks.
    Code,
    /// Configuration in which texts need quotation marks.
    Quoted,
    /// A value ends at white space, or has quotation marks.
    Words,
    /// A value needs no quotation marks and ends with the line.
    Lines,
}

/// A value and the name that it is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Assigned<'t> {
    pub(crate) name: &'t str,
    pub(crate) value: &'t str,
}

/// Names in one line that are looked at.
const MOST: usize = 32;

/// All values that a line gives to names, of secrets or not.
pub(crate) fn assigned(line: &str, style: Style) -> Vec<Assigned<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, end)) = next_name(line, from) {
        from = end;
        let (Some(before), Some(name), Some(after)) = (line.get(..start), line.get(start..end), line.get(end..)) else {
            break;
        };
        if let Some(value) = value_after(before, after, style) {
            found.push(Assigned { name, value });
            if found.len() == MOST {
                break;
            }
        }
    }
    found
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

fn next_name(line: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let start = from + bytes.get(from..)?.iter().position(is_start)?;
    let length = bytes.get(start..)?.iter().take_while(|byte| is_name_byte(**byte)).count();
    Some((start, start + length))
}

/// The value between a name and the end of the line, if the name is assigned to.
fn value_after<'t>(before: &str, after: &'t str, style: Style) -> Option<&'t str> {
    // The name of a variable that is read.
    if before.ends_with("${") || before.ends_with('$') {
        return None;
    }
    // An element of XML.
    if style == Style::Quoted && before.ends_with('<') && after.starts_with('>') {
        let inner = after.get(1..)?;
        return inner.get(..inner.find('<')?).filter(|value| !value.contains('>'));
    }
    let closes_quote = after.starts_with(['"', '\'', '`']);
    let rest = after.strip_prefix(['"', '\'', '`']).unwrap_or(after);
    let rest = rest.strip_prefix(']').unwrap_or(rest).trim_start();
    let head = before.trim_end_matches(['"', '\'', '`']).trim();
    let is_docker = ["ENV", "ARG"].iter().any(|word| head.eq_ignore_ascii_case(word));
    let is_first = head.trim_start_matches(['-', ' ']).is_empty() || matches!(head, "export" | "set" | "setenv");
    let (rest, equals) = after_separator(rest, style)
        .or_else(|| (is_docker && style == Style::Words).then(|| (rest.trim_start(), false)))?;
    let tight = equals && !rest.starts_with(' ');
    // `[ $PASSWORD = x ]` compares.
    if style == Style::Words
        && equals
        && !(tight && after.trim_start_matches(['"', '\'', ']']).starts_with(['=', ':', '?']))
    {
        return None;
    }
    let value = rest.trim_start();
    if let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'' | '`')) {
        // A quotation mark that closes a text around the name opens no value.
        let inner = value.get(1..)?;
        return inner.get(..inner.find(quote)?);
    }
    let end_of_word = |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | ')' | ',' | '"' | '\'' | '`' | '}');
    let word = value.get(..value.find(end_of_word).unwrap_or(value.len()));
    match style {
        Style::Code => None,
        // Only within a text: `"Server=a;Password=b"`, `"PASSWORD=b"` in a list.
        Style::Quoted => {
            let is_in_text = before.trim_end().ends_with(['"', '\'', ';', '?', '&']);
            word.filter(|_| tight && !closes_quote && is_in_text)
        }
        Style::Lines if is_first => {
            let text = value.split(" #").next().unwrap_or(value).trim_end();
            Some(text.trim_end_matches(['"', '\'', ',']))
        }
        Style::Words | Style::Lines => word,
    }
}

/// What is after `=`, `:`, `=>`, `:=` or `: Type =`, and whether it is an equals sign.
fn after_separator(text: &str, style: Style) -> Option<(&str, bool)> {
    if let Some(rest) = text.strip_prefix('=') {
        return match rest.as_bytes().first() {
            Some(b'=' | b'~') => None,
            Some(b'>') => rest.get(1..).map(|rest| (rest, false)),
            _ => Some((rest, true)),
        };
    }
    if let Some(rest) = text.strip_prefix("?=").or_else(|| text.strip_prefix(":=")) {
        return Some((rest, true));
    }
    if let Some(rest) = text.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
        return Some((typed(rest).filter(|_| style == Style::Code).unwrap_or(rest), false));
    }
    // `var name string = "…"`.
    typed(text)
        .filter(|_| style == Style::Code && text.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|rest| (rest, true))
}

/// What is after the `=` that follows a type.
fn typed(text: &str) -> Option<&str> {
    const LONGEST: usize = 60;
    let (kind, value) = text.split_once('=')?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || "_<>[]|&'?., *".contains(c);
    (kind.len() <= LONGEST && !kind.trim().is_empty() && kind.chars().all(is_type) && !value.starts_with(['=', '>']))
        .then_some(value)
}

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// A password: people make them up.
    Password,
    /// A key or token: programs make them.
    Key,
}

/// What the name of a value says; `None` if it does not name a secret.
pub(crate) fn named(name: &str) -> Option<Named> {
    const PASSWORDS: &[&str] = &["password", "passwd", "pwd", "passphrase", "passwort", "psswd"];
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
    let last = name.trim_end_matches(['.', '-']).rsplit('.').next().unwrap_or(name);
    let compact: String = last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let compact = compact.trim_end_matches(|c: char| c.is_ascii_digit());
    if compact.len() > 40 || OTHERS.iter().any(|word| compact.contains(word)) {
        return None;
    }
    let is_pass = compact == "pass" || last.to_ascii_lowercase().ends_with("_pass") || last.ends_with("Pass");
    if is_pass || PASSWORDS.iter().any(|end| compact.ends_with(end)) {
        return Some(Named::Password);
    }
    KEYS.iter().any(|end| compact.ends_with(end)).then_some(Named::Key)
}

/// Whether a value of configuration can be the secret that its name says: no reference, placeholder, word or name.
pub(crate) fn is_secret(name: &str, value: &str) -> bool {
    let Some(kind) = named(name) else { return false };
    is_possible(name, value) && (is_strong(value) || kind == Named::Password && is_password(value))
}

/// Whether a value in code is surely a secret: there, names and keys of other things are texts as well.
pub(crate) fn is_random_secret(name: &str, value: &str) -> bool {
    named(name).is_some() && is_possible(name, value) && is_strong(value)
}

fn is_possible(name: &str, value: &str) -> bool {
    const LONGEST: usize = 128;
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    (6..=LONGEST).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !is_reference(value)
        && !is_digest(value)
        && !is_name(value)
        && plain(value) != plain(name)
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
    const PARTS: &[&str] = &["${", "{{", "}}", "$(", "#{", "<%", "@{", "$[", "%{", "%(", "process.env", "os.environ"];
    const SIGNS: &[char] = &['(', ')', '{', '}', '[', ']', '<', '>', '\\', '"', '\'', '`'];
    let is_scheme = || {
        let scheme = value.split_once(':').map_or("", |(scheme, _)| scheme);
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    };
    let is_variable =
        || value.strip_prefix('$').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
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
            && value.get(1..).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// A digest of a known algorithm says so; an identifier has the form of a UUID.
fn is_digest(value: &str) -> bool {
    let hyphens = value.bytes().filter(|byte| *byte == b'-').count();
    let is_uuid =
        value.len() == 36 && hyphens == 4 && value.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_uuid || value.starts_with("sha256:") || value.starts_with("sha512:")
}

/// Whether a value consists of words, as names of things do: `prod-database-credentials-v2`, `var.db_password`.
fn is_name(value: &str) -> bool {
    let segments: Vec<&str> =
        value.split(['-', '_', '.', ':', '/', '@', '=']).filter(|part| !part.is_empty()).collect();
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

/// Words that show that the real value is put in later.
const STAND_INS: &[&str] = &[
    "example",
    "sample",
    "dummy",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "changeit",
    "changethis",
    "your",
    "xxxx",
    "fake",
    "todo",
    "fixme",
    "redact",
    "insert",
    "replace",
    "deadbeef",
    "cafebabe",
    "abcdef",
    "123456789",
    "0000",
    "1111",
    "****",
    "....",
    "----",
    "____",
    "aaaa",
    "undefined",
    "notreal",
    "not-real",
    "not_real",
    "invalid",
    "censored",
    "masked",
    "removed",
    "goes-here",
    "goeshere",
    "letmein",
    "qwerty",
    "asdf",
    "p@ssw0rd",
    "passw0rd",
    "pa$$w0rd",
    "generated",
    "foobar",
    "lorem",
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
    if has_few_letters(value) || is_sequence(&lower) || STAND_INS.iter().any(|word| lower.contains(word)) {
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
    use super::{Assigned, Style, assigned, is_secret};

    fn values(line: &str, style: Style) -> Vec<(&str, &str)> {
        assigned(line, style).into_iter().map(|Assigned { name, value }| (name, value)).collect()
    }

    #[test]
    fn values_are_read_in_every_form() {
        for (line, style, name, value) in [
            ("  - DB_PASSWORD=a#b c # why", Style::Lines, "DB_PASSWORD", "a#b c"),
            ("    password: \"a b\"", Style::Lines, "password", "a b"),
            ("spring.datasource.password=a=b", Style::Lines, "spring.datasource.password", "a=b"),
            ("export TOKEN='a'", Style::Words, "TOKEN", "a"),
            ("docker run -e TOKEN=a b", Style::Words, "TOKEN", "a"),
            ("ENV TOKEN a", Style::Words, "TOKEN", "a"),
            ("  \"password\": \"a\",", Style::Quoted, "password", "a"),
            ("  \"Default\": \"Server=x;Password=a;\"", Style::Quoted, "Password", "a"),
            ("  password = \"a\"", Style::Quoted, "password", "a"),
            ("  <password>a</password>", Style::Quoted, "password", "a"),
            ("SECRET: str = \"a\"", Style::Code, "SECRET", "a"),
            ("const secret: string = 'a';", Style::Code, "secret", "a"),
            ("const SECRET: &'static str = \"a\";", Style::Code, "SECRET", "a"),
            ("var secret string = \"a\"", Style::Code, "secret", "a"),
            ("config['secret'] = 'a'", Style::Code, "secret", "a"),
            (":secret => 'a'", Style::Code, "secret", "a"),
        ] {
            assert!(values(line, style).contains(&(name, value)), "{line}: {:?}", values(line, style));
        }
        assert!(values("if password == \"a\"", Style::Code).is_empty());
        assert!(values("  \"password\": x.y,", Style::Quoted).is_empty());
    }

    #[test]
    fn passwords_differ_from_what_stands_for_them() {
        for value in ["hunter22secret", "Tr0ub4dor&3xKq9", "Sup3rS3cretPw!42", "w3gTlcrhDFLGWrhh", "wGtTlcrhDFLGWrhh"] {
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
