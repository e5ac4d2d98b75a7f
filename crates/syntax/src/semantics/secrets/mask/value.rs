//! Whether a text in the place of a credential is one.

use crate::semantics::secrets::placeholder::{entropy, switches};

/// How values are written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A file for credentials: `.env`, `.netrc`, `.npmrc`.
    Credentials,
    /// A value needs no quotation marks: YAML, INI, shell.
    Data,
    /// A text without quotation marks is a name, an expression or prose.
    Other,
}

impl FileKind {
    pub(super) fn of(path: &str) -> Self {
        const CREDENTIALS: &[&str] = &[
            ".env", ".netrc", "_netrc", "netrc", ".npmrc", ".pypirc", ".pgpass", "pgpass.conf",
            "credentials", ".my.cnf", ".htpasswd", "htpasswd", ".git-credentials", ".dockercfg",
            ".dockerconfigjson", ".s3cfg", ".boto", ".yarnrc", ".yarnrc.yml", "pip.conf", "shadow",
        ];
        const ENDS: &[&str] = &[
            "ini", "cfg", "conf", "cnf", "config", "properties", "props", "toml", "yml", "yaml",
            "env", "list", "service", "sh", "bash", "zsh", "fish", "ksh", "tpl", "editorconfig",
            "reg", "unknown",
        ];
        let lower = path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let end = lower.rsplit_once('.').map_or("", |(_, end)| end);
        if CREDENTIALS.contains(&lower.as_str())
            || lower.starts_with(".env.")
            || matches!(end, "env" | "netrc" | "htpasswd")
        {
            Self::Credentials
        } else if ENDS.contains(&end)
            || lower.starts_with("dockerfile")
            || lower.starts_with('.') && lower.ends_with("rc")
        {
            Self::Data
        } else {
            Self::Other
        }
    }
}

/// The evidence that a value needs, depending on its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// Only a credential can be here.
    None,
    /// Usually a credential is here; a name or a word of prose is not one.
    Some,
    /// Anything can be here.
    Much,
}

/// Maximum length of the text that is examined.
const ENOUGH: usize = 256;

/// Whether a text is a credential.
pub(super) fn is_credential(value: &str, doubt: Doubt) -> bool {
    let value = value
        .get(..value.floor_char_boundary(ENOUGH))
        .unwrap_or(value);
    if value.len() < 4 || is_reference(value) || is_filler(value) {
        return false;
    }
    match doubt {
        Doubt::None => true,
        Doubt::Some => value.len() >= 6 && is_mixed(value) && !is_place(value) && !is_prose(value),
        Doubt::Much => is_unordered(value),
    }
}

/// Whether a text refers to a value that is not in the diff.
pub(super) fn is_reference(value: &str) -> bool {
    const INSIDE: &[&str] = &["${", "$(", "{{", "#{", "<%", "%(", "\\(", "$[", "@{", "%{"];
    const WHOLE: &[(&str, &str)] = &[
        ("<", ">"),
        ("{", "}"),
        ("%", "%"),
        ("@", "@"),
        ("[", "]"),
        ("__", "__"),
        ("#", "#"),
    ];
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-'))
    };
    INSIDE.iter().any(|sign| value.contains(sign))
        || value
            .strip_prefix('$')
            .is_some_and(|name| is_name(name) && !name.starts_with(|c: char| c.is_ascii_digit()))
        || WHOLE.iter().any(|(start, end)| {
            value
                .strip_prefix(start)
                .is_some_and(|rest| rest.ends_with(end))
        })
        || value == "%s"
}

/// Whether a text consists of filler characters, or of words that mean an empty value or a placeholder.
fn is_filler(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "true", "false", "null", "none", "undefined", "password", "passwd", "secret", "token",
        "string", "required", "optional", "bearer", "basic", "changeme", "example", "enabled",
        "disabled", "default", "prompt", "hidden", "inherit", "object", "number", "text", "auto",
    ];
    let first = value.bytes().next();
    value
        .bytes()
        .all(|byte| Some(byte) == first || byte.is_ascii_punctuation())
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        || ["your", "example", "xxxx", "placeholder", "redacted"]
            .iter()
            .any(|word| has_word(value, word))
}

fn has_word(value: &str, word: &str) -> bool {
    value
        .as_bytes()
        .windows(word.len())
        .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a text has letters mixed with digits or signs, or in an order that words do not have.
fn is_mixed(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let signs = value
        .bytes()
        .filter(|byte| b"!#$%^&*+=?~@|".contains(byte))
        .count();
    letters >= 2 && (digits > 0 || signs > 0)
        || letters >= 8 && switches(value) * 3 >= value.len()
        || digits >= 8 && letters == 0 && signs > 0
}

/// Whether a text is a URL or a path, that is, a location.
fn is_place(value: &str) -> bool {
    let starts = [
        "http://", "https://", "/", "./", "../", "~/", "arn:", "file:", "vault:", "projects/",
        "sha256:", "urn:",
    ];
    let is_key = value.len() >= 30 && !value.contains(['.', ':']) && is_unordered(value);
    !is_key && starts.iter().any(|start| value.starts_with(start))
}

fn is_prose(value: &str) -> bool {
    value.contains(' ')
}

/// Whether a text looks random, and not like a name or an expression.
pub(super) fn is_unordered(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_code = value
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"()[]{}<>`\"'\\".contains(&byte));
    let is_uuid = value.len() == 36 && value.bytes().filter(|byte| *byte == b'-').count() == 4;
    value.len() >= 8
        && is_code
        && !is_uuid
        && digits >= 2
        && letters >= 3
        && (digits + letters) * 4 >= value.len() * 3
        && switches(value) * 3 >= value.len()
        && entropy(value) >= 2.7
}
