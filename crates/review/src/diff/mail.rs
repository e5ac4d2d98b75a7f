//! Mails that carry a diff: where they start, and their text without transfer encodings.
//!
//! A mail may send its text as quoted-printable or base64, or as the parts of a multipart body, as `git format-patch
//! --attach` does. The lines of such a diff cannot be borrowed from the mail, so [`decode`] returns a copy.
//!
//! The crate `mail-parser` decodes bodies. Splitting a mail into parts is done here: deeply nested mails overflow the stack of
//! `mail-parser`, and it drops text between parts, in which a change could hide.

use std::borrow::Cow;
use std::collections::HashSet;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

/// Fields that a mail starts with if it was saved without a `From ` line.
const FIRST_FIELDS: [&str; 10] = [
    "content-type", "date", "delivered-to", "from", "message-id", "mime-version", "received",
    "return-path", "subject", "to",
];
/// Fields that no longer apply once the body is decoded.
const ENCODINGS: [&str; 2] = ["content-transfer-encoding", "content-type"];

/// Whether the line, given the one after it, starts a mail in a mailbox.
///
/// git writes the commit's hash (SHA-1 or SHA-256) and a fixed date after `From`; others write an address.
pub(super) fn is_start(line: &str, next: &str) -> bool {
    let Some((sender, _)) = line
        .strip_prefix("From ")
        .and_then(|rest| rest.split_once(' '))
    else {
        return false;
    };
    let is_hash =
        matches!(sender.len(), 40 | 64) && sender.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash || field(next).is_some()
}

/// Whether the first line of a text is one of a mail's head.
pub(super) fn is_head(line: &str) -> bool {
    field(line).is_some_and(|(name, _)| {
        FIRST_FIELDS
            .iter()
            .any(|first| name.eq_ignore_ascii_case(first))
    })
}

/// The text with its mails decoded.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let mut starts = starts(text).peekable();
    let (mut plain, mut copied) = (String::new(), 0);
    while let Some(start) = starts.next() {
        let end = starts.peek().copied().unwrap_or(text.len());
        if let Some(mail) = text.get(start..end).and_then(decoded) {
            plain.push_str(text.get(copied..start).unwrap_or_default());
            plain.push_str(&mail);
            copied = end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    plain.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(plain)
}

/// The positions at which mails start.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let first = line_at(text, 0);
    let head = (is_head(first) && !first.starts_with("From ")).then_some(0);
    let separators = memchr::memmem::find_iter(text.as_bytes(), "From ").filter(|&at| {
        let starts_line = at
            .checked_sub(1)
            .is_none_or(|before| text.as_bytes().get(before) == Some(&b'\n'));
        starts_line && {
            let line = line_at(text, at);
            is_start(line, line_at(text, at + line.len() + 1))
        }
    });
    head.into_iter().chain(separators)
}

fn line_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    rest.split_once('\n').map_or(rest, |(line, _)| line)
}

/// Name and value of a mail's field.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((name, value.trim()))
}

/// The mail as plain text, if its body is encoded.
fn decoded(mail: &str) -> Option<String> {
    let mut out = String::new();
    // The `From ` line separates the mails of a mailbox and is not part of one.
    let separator = if mail.starts_with("From ") {
        (line_at(mail, 0).len() + 1).min(mail.len())
    } else {
        0
    };
    let (separator, mut rest) = mail.split_at_checked(separator)?;
    out.push_str(separator);
    let mut head = Head::take(&mut rest, Some(&mut out));
    if head.encoding == Encoding::None && head.boundary.is_none() {
        return None;
    }
    let mut boundaries = HashSet::new();
    loop {
        boundaries.extend(head.boundary.take());
        out.push('\n');
        let (body, delimiter) = take_body(&mut rest, &boundaries);
        write_body(body, &head, &mut out);
        head = match delimiter {
            Some(Delimiter::Part) => Head::take(&mut rest, None),
            Some(Delimiter::End) => Head::default(),
            None => return Some(out),
        };
        // A mail inside a mail has its own head.
        while head.is_mail {
            head = Head::take(&mut rest, Some(&mut out));
        }
    }
}

/// The parts of a head that describe the body below it.
#[derive(Debug, Default)]
struct Head {
    encoding: Encoding,
    charset: Option<String>,
    boundary: Option<String>,
    /// The body is a mail.
    is_mail: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    #[default]
    None,
    Base64,
    QuotedPrintable,
}

impl Head {
    /// Takes the fields at the start of a text, and the empty line below them. Fields that still apply once the body is
    /// decoded are written to `kept`.
    fn take(rest: &mut &str, mut kept: Option<&mut String>) -> Self {
        let (mut head, mut encoding, mut content) = (Self::default(), String::new(), String::new());
        let mut into = None;
        loop {
            let (line, after) = split_line(rest);
            if line.trim().is_empty() {
                *rest = after;
                break;
            }
            // A line that starts with a blank continues the field above it.
            if !line.starts_with([' ', '\t']) {
                let Some((name, _)) = field(line) else { break };
                into = ENCODINGS
                    .iter()
                    .position(|encoding| name.eq_ignore_ascii_case(encoding));
            }
            let value = if line.starts_with([' ', '\t']) {
                line
            } else {
                field(line).unwrap_or_default().1
            };
            match into {
                Some(0) => encoding.push_str(value.trim()),
                Some(_) => content.push_str(value.trim_end()),
                None => {
                    if let Some(kept) = kept.as_mut() {
                        kept.push_str(line);
                    }
                }
            }
            *rest = after;
        }
        head.encoding = match encoding.to_ascii_lowercase().as_str() {
            "base64" => Encoding::Base64,
            "quoted-printable" => Encoding::QuotedPrintable,
            _ => Encoding::None,
        };
        let kind = content.to_ascii_lowercase();
        if kind.starts_with("multipart/") {
            head.boundary = parameter(&content, &kind, "boundary=");
        }
        head.is_mail = kind.starts_with("message/rfc822");
        head.charset = parameter(&content, &kind, "charset=");
        head
    }
}

/// The value of a parameter of a field. `small` is the field in lower case.
fn parameter(field: &str, small: &str, name: &str) -> Option<String> {
    let value = field.get(small.find(name)? + name.len()..)?;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split([';', ' ', '\t']).next(),
    };
    value.filter(|value| !value.is_empty()).map(str::to_owned)
}

enum Delimiter {
    /// The head of a part follows.
    Part,
    /// Text outside all parts follows.
    End,
}

/// Takes the text up to a line that delimits parts, and that line.
fn take_body<'a>(rest: &mut &'a str, boundaries: &HashSet<String>) -> (&'a str, Option<Delimiter>) {
    let (whole, mut length) = (*rest, 0);
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        *rest = after;
        if let Some(name) = line.trim_end().strip_prefix("--") {
            let ended = name
                .strip_suffix("--")
                .filter(|name| boundaries.contains(*name));
            let delimiter = ended.map(|_| Delimiter::End);
            if let Some(delimiter) =
                delimiter.or_else(|| boundaries.contains(name).then_some(Delimiter::Part))
            {
                return (whole.get(..length).unwrap_or_default(), Some(delimiter));
            }
        }
        length += line.len();
    }
    (whole, None)
}

/// The first line with its line end, and the rest.
fn split_line(text: &str) -> (&str, &str) {
    let end = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Writes a body. A body with an invalid encoding is written unchanged.
fn write_body(body: &str, head: &Head, out: &mut String) {
    let bytes = match head.encoding {
        Encoding::None => None,
        Encoding::Base64 => base64_decode(body.trim_end().as_bytes()),
        Encoding::QuotedPrintable => quoted_printable_decode(body.as_bytes()),
    };
    match bytes.map(|bytes| text_of(bytes, head)) {
        Some(text) => out.push_str(&text),
        None => out.push_str(body),
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn text_of(bytes: Vec<u8>, head: &Head) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let decode = head
            .charset
            .as_deref()
            .and_then(|charset| charset_decoder(charset.as_bytes()));
        let decode = decode.unwrap_or(|bytes| String::from_utf8_lossy(bytes).into_owned());
        decode(error.as_bytes())
    })
}
