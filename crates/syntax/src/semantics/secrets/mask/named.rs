//! Values assigned to a name such as `password`, `token` or `key`: in code, configuration, a command, a URL, XML.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::value::{Doubt, FileKind, is_credential};

/// How certain a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Its value is a credential.
    Credential,
    /// Its value may be a credential.
    Perhaps,
}

/// Words that make a name that of a credential.
const WORDS: &[&str] = &[
    "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pass", "secret", "token",
    "credential", "apikey", "api_key", "api-key", "api key", "accesskey", "access_key",
    "access-key", "access key", "privatekey", "private_key", "private-key", "signingkey",
    "signing_key", "signing-key", "encryptionkey", "encryption_key", "encryption-key", "masterkey",
    "master_key", "master-key", "authkey", "auth_key", "auth-key", "sharedkey", "shared_key",
    "accountkey", "account_key", "sessionid", "session_id", "session-id", "sessid", "_auth",
    "auth", "psk", "bearer", "app_key", "signature", "sig",
];
/// Words that only count if the name consists of them, or ends with them after a sign.
const WHOLE: &[&str] = &["pass", "auth", "_auth", "psk", "sig", "signature", "bearer"];
/// Text that may follow such a word without changing the meaning of the name.
const TAILS: &[&str] = &[
    "", "key", "value", "text", "string", "plain", "b64", "base64", "prod", "production",
    "staging", "stage", "dev", "test", "live", "old", "new", "current", "default", "admin", "root",
    "main", "primary", "secondary", "password", "token", "secret", "accesskey", "secretkey",
    "keybase", "base",
];
/// Maximum number of bytes of a name on either side of the word.
const NAME: usize = 64;
/// Maximum number of bytes of a type between a name and the value.
const TYPE: usize = 48;

static NAMES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(aho_corasick::MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(WORDS)
        .ok()
});

/// Whether a text contains a word of such a name.
pub(super) fn has_name(text: &str) -> bool {
    NAMES.as_ref().is_some_and(|names| names.is_match(text))
}

/// Whether a name says that its value is a credential.
pub(super) fn is_credential_name(name: &str) -> bool {
    let hits = NAMES.iter().flat_map(|names| names.find_iter(name));
    hits.into_iter()
        .any(|hit| certainty(name, hit.range()) == Some(Certainty::Credential))
}

/// The values of a line.
pub(super) fn find(line: &str, kind: FileKind, add: &mut dyn FnMut(Range<usize>)) {
    let is_login = kind == FileKind::Credentials
        || ["machine ", "login "]
            .iter()
            .any(|word| line.contains(word));
    let mut reader = Reader {
        line,
        kind,
        is_login,
        word_end: 0..0,
    };
    let mut done = 0;
    for hit in NAMES.iter().flat_map(|names| names.find_iter(line)) {
        if hit.start() < done {
            continue;
        }
        let name = name_around(line, hit.range());
        let within = hit.start() - name.start..hit.end() - name.start;
        let Some(certainty) = line
            .get(name.clone())
            .and_then(|text| certainty(text, within))
        else {
            continue;
        };
        let Some((value, doubt)) = reader.value(&name, certainty) else {
            continue;
        };
        if line
            .get(value.clone())
            .is_some_and(|text| is_credential(text, doubt))
        {
            done = value.end;
            add(value);
        }
    }
}

/// Whether a name after this text is the first of its line.
fn is_first(before: &str) -> bool {
    const FURTHEST: usize = 256;
    let before = if before.len() < FURTHEST {
        before.trim_matches([' ', '\t', '-', '"', '\''])
    } else {
        return false;
    };
    matches!(
        before,
        "" | "export" | "ENV" | "ARG" | "set" | "SET" | "setenv"
    )
}

/// The name that contains a word.
fn name_around(line: &str, word: Range<usize>) -> Range<usize> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$');
    let bytes = line.as_bytes();
    let before = bytes
        .get(word.start.saturating_sub(NAME)..word.start)
        .unwrap_or_default();
    let after_word = bytes
        .get(word.end..(word.end + NAME).min(bytes.len()))
        .unwrap_or_default();
    let before = before.iter().rev().take_while(|byte| is_part(byte)).count();
    let after_word = after_word.iter().take_while(|byte| is_part(byte)).count();
    word.start - before..word.end + after_word
}

fn certainty(name: &str, word: Range<usize>) -> Option<Certainty> {
    let (before, after_word) = (name.get(..word.start)?, name.get(word.end..)?);
    let found = name.get(word)?;
    let is_start = before.is_empty()
        || before.ends_with(['_', '-', '.', '$'])
        || found.starts_with(char::is_uppercase)
        || before.eq_ignore_ascii_case("db")
        || before.eq_ignore_ascii_case("user")
        || before.eq_ignore_ascii_case("require");
    if WHOLE.iter().any(|word| found.eq_ignore_ascii_case(word))
        && !(is_start && after_word.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return None;
    }
    let tail: String = after_word
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let is_weak = ["auth", "_auth", "sig", "signature", "bearer", "psk"]
        .iter()
        .any(|word| found.eq_ignore_ascii_case(word));
    let certainty = if TAILS.contains(&tail.as_str()) && !is_weak {
        Certainty::Credential
    } else {
        Certainty::Perhaps
    };
    Some(certainty)
}

/// Reads values from a line.
struct Reader<'t> {
    line: &'t str,
    kind: FileKind,
    /// The line is one of `.netrc`, in which words and values alternate.
    is_login: bool,
    /// A range that ends at white space or at the end of the line, cached because it is queried repeatedly from within.
    word_end: Range<usize>,
}

/// How a value follows its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// `name = value`, `name: value`, an XML element or attribute.
    Given,
    /// `f(name, value)`, `name(value)`, `name == value`.
    Beside,
    /// `--name value`, `password value`.
    Flag,
}

impl<'t> Reader<'t> {
    fn rest(&self, at: usize) -> &'t str {
        self.line.get(at..).unwrap_or_default()
    }

    /// The value of a name, and the doubt about whether it is a credential.
    fn value(
        &mut self,
        name: &Range<usize>,
        certainty: Certainty,
    ) -> Option<(Range<usize>, Doubt)> {
        let (sign, at) = self.sign(name)?;
        let least = match (certainty, sign) {
            (Certainty::Perhaps, _) => Doubt::Much,
            (Certainty::Credential, Sign::Given) if self.kind == FileKind::Credentials => {
                Doubt::None
            }
            (Certainty::Credential, _) => Doubt::Some,
        };
        if let Some(value) = self.quoted(at) {
            return Some((value, least));
        }
        if sign == Sign::Given
            && let Some(value) = self.typed(at)
        {
            return Some((value, least));
        }
        let before = self.line.get(..name.start).unwrap_or_default();
        let is_first = is_first(before);
        let is_pair = before.ends_with([';', '&', '?', '<', '/']) || before.ends_with("/:");
        let (value, doubt) = match (sign, self.kind) {
            (Sign::Beside, _) => return None,
            (Sign::Given, FileKind::Credentials | FileKind::Data) if is_first => {
                (self.to_comment(at), least)
            }
            (Sign::Given, _) if is_pair || self.kind != FileKind::Other => {
                (self.word(at), least.max(Doubt::Some))
            }
            (Sign::Given, _) => (self.word(at), Doubt::Much),
            (Sign::Flag, FileKind::Credentials) => (self.word(at), least),
            (Sign::Flag, _) => (self.word(at), least.max(Doubt::Some)),
        };
        Some((value, doubt))
    }

    /// The sign between a name and its value, and where the value starts.
    fn sign(&self, name: &Range<usize>) -> Option<(Sign, usize)> {
        let rest = self.rest(name.end);
        let close = rest
            .bytes()
            .take(4)
            .take_while(|byte| b"\"'`])\\".contains(byte))
            .count();
        let spaces = rest
            .bytes()
            .skip(close)
            .take(16)
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let at = name.end + close + spaces;
        let after_name = self.rest(at);
        let is_flag = self
            .line
            .get(..name.start)
            .is_some_and(|before| before.ends_with('-'))
            || self.line.as_bytes().get(name.start) == Some(&b'-');
        let skip = |sign: &str| {
            at + sign.len()
                + self
                    .rest(at + sign.len())
                    .bytes()
                    .take(16)
                    .take_while(|byte| matches!(byte, b' ' | b'\t'))
                    .count()
        };
        for sign in ["===", "!==", "==", "!=", "=~", "::"] {
            if after_name.starts_with(sign) {
                return (sign != "::" && sign != "=~").then(|| (Sign::Beside, skip(sign)));
            }
        }
        for sign in ["=>", ":=", "?=", "+=", "->", "=", ":"] {
            if after_name.starts_with(sign) {
                return Some((Sign::Given, skip(sign)));
            }
        }
        if let Some(inside) = after_name.strip_prefix('>') {
            return (!inside.trim().is_empty()).then(|| (Sign::Given, skip(">")));
        }
        if after_name.starts_with([',', '(']) {
            return Some((Sign::Beside, skip(",")));
        }
        // <add key="password" value="…"/>
        let attribute = ["value", "content"].iter().find(|word| {
            after_name
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
        });
        if let Some(given) = attribute
            .and_then(|word| after_name.get(word.len()..))
            .map(str::trim_start)
            .filter(|given| given.starts_with('='))
        {
            let start = self.line.len() - given.len() + 1;
            return Some((
                Sign::Given,
                start + self.rest(start).len() - self.rest(start).trim_start().len(),
            ));
        }
        let is_setting =
            || self.kind == FileKind::Data && self.line.get(..name.start).is_some_and(is_first);
        (spaces > 0 && (is_flag || self.is_login || is_setting())).then_some((Sign::Flag, at))
    }

    /// A string literal. One that is not closed continues on the next line.
    fn quoted(&self, at: usize) -> Option<Range<usize>> {
        let rest = self.rest(at);
        let prefix = rest
            .bytes()
            .take(3)
            .take_while(|byte| b"bBrRuUfFlL@$( ".contains(byte))
            .count();
        let (start, mark) = rest
            .get(prefix..)?
            .char_indices()
            .next()
            .filter(|(_, c)| matches!(c, '"' | '\'' | '`' | '\\'))
            .map(|(_, c)| (at + prefix, c))?;
        let (start, mark) = match mark {
            '\\' => (
                start + 2,
                self.rest(start + 1)
                    .chars()
                    .next()
                    .filter(|c| matches!(c, '"' | '\''))?,
            ),
            mark => (start + 1, mark),
        };
        let is_nested = self.line.as_bytes().get(start.wrapping_sub(2)) == Some(&b'\\');
        let inside = self.rest(start);
        let triple = inside
            .bytes()
            .take(2)
            .take_while(|byte| char::from(*byte) == mark)
            .count();
        let start = if triple == 2 { start + 2 } else { start };
        let mut escaped = false;
        let end = self.rest(start).char_indices().find_map(|(place, c)| {
            let was_escaped = escaped;
            escaped = c == '\\' && !was_escaped;
            match c {
                c if c == mark && was_escaped => is_nested.then_some(place - 1),
                c if c == mark => Some(place),
                _ => None,
            }
        });
        Some(start..end.map_or(self.line.len(), |end| start + end))
    }

    /// The value after a type: `name: &str = "value"`.
    fn typed(&self, at: usize) -> Option<Range<usize>> {
        let rest = self.rest(at);
        let head = rest.get(..rest.floor_char_boundary(TYPE))?;
        let equals = head.find('=')?;
        let is_type = |c: char| c.is_ascii_alphanumeric() || " _&*<>[]?.:'|".contains(c);
        let after_name = head.get(equals + 1..)?;
        let spaces = after_name.len() - after_name.trim_start().len();
        head.get(..equals)?
            .chars()
            .all(is_type)
            .then(|| self.quoted(at + equals + 1 + spaces))
            .flatten()
    }

    /// The rest of the line without a comment.
    fn to_comment(&self, at: usize) -> Range<usize> {
        let rest = self.rest(at);
        let tagged = rest
            .strip_prefix('!')
            .or_else(|| rest.strip_prefix('&'))
            .and_then(|rest| rest.split_once(' '));
        let rest = tagged.map_or(rest, |(_, value)| value);
        let start = self.line.len() - rest.len();
        let end = rest.find(" #").unwrap_or(rest.len());
        let value = rest.get(..end).unwrap_or(rest).trim_end();
        // A map, or a value followed by another key.
        if value.contains(": ") || value.starts_with(['{', '[', '|', '>']) {
            start..start
        } else {
            start..start + value.len()
        }
    }

    /// The text up to white space or a sign that ends a value.
    fn word(&mut self, at: usize) -> Range<usize> {
        if !self.word_end.contains(&at) {
            let ends = |c: char| {
                c.is_whitespace()
                    || matches!(c, '"' | '\'' | '`' | ';' | '<' | '>' | '&' | ',' | '\\')
            };
            let end = self
                .rest(at)
                .find(ends)
                .map_or(self.line.len(), |end| at + end);
            self.word_end = at..end;
        }
        let value = self.line.get(at..self.word_end.end).unwrap_or_default();
        at..at + value.trim_end_matches([')', ']', '}', '.']).len()
    }
}
