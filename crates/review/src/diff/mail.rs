//! Mails that carry a diff: where they start, and their text without transfer encodings.
//!
//! A mail may send its text as quoted-printable or base64, or as the parts of a multipart body, as `git format-patch
//! --attach` does. The lines of such a diff cannot be borrowed from the mail, so [`decode`] returns a copy.

use std::borrow::Cow;

use mail_parser::{Message, MessageParser, MessagePart, PartType};

/// Fields that a mail starts with, if it is saved without a line `From `.
const FIRST_FIELDS: [&str; 10] = [
    "content-type",
    "date",
    "delivered-to",
    "from",
    "message-id",
    "mime-version",
    "received",
    "return-path",
    "subject",
    "to",
];
/// Fields that no longer hold once the body is decoded.
const ENCODINGS: [&str; 2] = ["content-transfer-encoding", "content-type"];

/// Mails within mails that are read.
const DEPTH: usize = 3;

/// Whether the line, given the one after it, starts a mail in a mailbox.
///
/// git writes the commit's hash (SHA-1 or SHA-256) and a fixed date after `From`; others write an address.
pub(super) fn is_start(line: &str, next: &str) -> bool {
    let Some((sender, _)) = line.strip_prefix("From ").and_then(|rest| rest.split_once(' ')) else { return false };
    let is_hash = matches!(sender.len(), 40 | 64) && sender.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash || field(next).is_some()
}

/// Whether the first line of a text is one of a mail's head.
pub(super) fn is_head(line: &str) -> bool {
    field(line).is_some_and(|(name, _)| FIRST_FIELDS.iter().any(|first| name.eq_ignore_ascii_case(first)))
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
        let starts_line = at.checked_sub(1).is_none_or(|before| text.as_bytes().get(before) == Some(&b'\n'));
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
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((name, value.trim()))
}

/// The mail as plain text, if its body is encoded.
fn decoded(mail: &str) -> Option<String> {
    let (mut head, mut is_encoded, mut drops, mut body) = (String::new(), false, false, 0);
    for line in mail.split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        body += line.len();
        // A line that starts with a blank continues the field above it.
        if !line.starts_with([' ', '\t']) {
            let (name, value) = field(line).unwrap_or_default();
            drops = ENCODINGS.iter().any(|encoding| name.eq_ignore_ascii_case(encoding));
            is_encoded |= drops && is_encoding(value);
        }
        if !drops {
            head.push_str(line);
        }
    }
    if !is_encoded {
        return None;
    }
    // The line `From ` of a mailbox is none of the mail.
    let separator = if mail.starts_with("From ") { line_at(mail, 0).len() + 1 } else { 0 };
    let raw = mail.get(separator..)?;
    let message = MessageParser::new().parse(raw.as_bytes())?;
    head.push('\n');
    write_body(&message, raw, body.saturating_sub(separator), &mut head)?;
    Some(head)
}

fn is_encoding(value: &str) -> bool {
    let starts = |start: &str| value.get(..start.len()).is_some_and(|value| value.eq_ignore_ascii_case(start));
    starts("quoted-printable") || starts("base64") || starts("multipart/")
}

/// Writes the parts, and what lies between them: nothing in the mail stays unread. `None` if a part is wrongly encoded.
fn write_body(message: &Message<'_>, raw: &str, body: usize, out: &mut String) -> Option<()> {
    let mut end = body;
    for part in message.parts.iter().filter(|part| !matches!(part.body, PartType::Multipart(_))) {
        write_between(raw.get(end..part.raw_header_offset() as usize).unwrap_or_default(), out);
        write_part(part, DEPTH, out)?;
        end = end.max(part.raw_end_offset() as usize);
    }
    write_between(raw.get(end..).unwrap_or_default(), out);
    Some(())
}

/// Writes text between parts, without the lines that delimit them.
fn write_between(text: &str, out: &mut String) {
    text.lines().filter(|line| !line.starts_with("--")).for_each(|line| write_line(line, out));
}

fn write_part(part: &MessagePart<'_>, depth: usize, out: &mut String) -> Option<()> {
    if part.is_encoding_problem {
        return None;
    }
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => write_line(text, out),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => write_line(&String::from_utf8_lossy(bytes), out),
        PartType::Multipart(_) => {}
        PartType::Message(inner) => {
            let depth = depth.checked_sub(1)?;
            inner.parts.iter().try_for_each(|part| write_part(part, depth, out))?;
        }
    }
    Some(())
}

fn write_line(text: &str, out: &mut String) {
    out.push_str(text);
    if !text.ends_with('\n') {
        out.push('\n');
    }
}
