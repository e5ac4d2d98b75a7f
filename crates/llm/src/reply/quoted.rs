//! Quoted texts: where they end, and their content without escapes.

/// Bytes examined after a quote to decide whether it ends the text. The limit keeps the reader linear.
const AHEAD: usize = 512;
/// The longest property name that is recognized after a comma, in bytes.
const NAME: usize = 128;

/// The length in bytes of the text that `body` begins with. Models forget to escape quotes inside a text, so a quote ends it
/// only if JSON syntax follows; in valid JSON that is always the first unescaped quote.
pub(super) fn closes(body: &str, close: char, in_object: bool) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + end_of(body.get(from..)?, close)?;
        from = end + close.len_utf8();
        if continues(body.get(from..)?, in_object) {
            return Some(end);
        }
    }
}

/// The position of the first unescaped quote.
pub(super) fn end_of(body: &str, close: char) -> Option<usize> {
    let mut chars = body.char_indices();
    while let Some((at, next)) = chars.next() {
        match next {
            '\\' => drop(chars.next()),
            _ if next == close => return Some(at),
            _ => {}
        }
    }
    None
}

fn continues(rest: &str, in_object: bool) -> bool {
    let rest = spaceless(rest);
    match rest.chars().next() {
        None | Some('}' | '#') => true,
        Some(']') => !in_object,
        Some('/') => rest.starts_with("//") || rest.starts_with("/*"),
        Some(',') if in_object => {
            let next = spaceless(rest.get(1..).unwrap_or_default());
            next.is_empty() || next.starts_with(['}', ']', '/', '#']) || is_key(next)
        }
        Some(',') => true,
        Some(_) => in_object && is_key(rest),
    }
}

/// Whether a text begins with a property name and a colon. A quoted name that is too long to examine counts as one.
pub(super) fn is_key(text: &str) -> bool {
    let short = text.get(..text.floor_char_boundary(NAME)).unwrap_or_default();
    let quote = short.chars().next().filter(|first| matches!(first, '"' | '\'' | '`' | '“'));
    let end = match quote {
        Some(quote) => {
            let (open, close) = (quote.len_utf8(), if quote == '“' { '”' } else { quote });
            let Some(end) = short.get(open..).and_then(|body| end_of(body, close)) else { return true };
            open + end + close.len_utf8()
        }
        None => short.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(0),
    };
    end > 0 && text.get(end..).is_some_and(|rest| spaceless(rest).starts_with(':'))
}

/// The beginning of a text without leading white space; empty if there is too much of it.
pub(super) fn spaceless(text: &str) -> &str {
    text.get(..text.floor_char_boundary(AHEAD)).unwrap_or_default().trim_start()
}

/// Resolves escapes. A backslash that escapes nothing is kept: models copy paths and patterns verbatim.
pub(super) fn unescaped(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        text.push_str(rest.get(..at).unwrap_or_default());
        let (said, length) = escape(rest.get(at + 1..).unwrap_or_default());
        match said {
            Some(said) => text.push(said),
            None => text.push('\\'),
        }
        rest = rest.get(at + 1 + length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// The character that follows a backslash, if it is an escape, and the length of the escape in bytes.
fn escape(rest: &str) -> (Option<char>, usize) {
    let said = match rest.chars().next() {
        Some(same @ ('"' | '\\' | '/' | '\'' | '`' | '”' | '\n')) => return (Some(same), same.len_utf8()),
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => return unicode(rest.get(1..).unwrap_or_default()),
        _ => return (None, 0),
    };
    (Some(said), 1)
}

/// Four hexadecimal digits, or a surrogate pair of two such escapes.
fn unicode(rest: &str) -> (Option<char>, usize) {
    let Some(first) = unit(rest) else { return (None, 0) };
    if let Some(said) = char::from_u32(first) {
        return (Some(said), 5);
    }
    let second = rest.get(4..).and_then(|rest| rest.strip_prefix("\\u")).and_then(unit);
    match second.filter(|second| (0xdc00..0xe000).contains(second) && first < 0xdc00) {
        Some(second) => (char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 11),
        None => (Some(char::REPLACEMENT_CHARACTER), 5),
    }
}

fn unit(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}
