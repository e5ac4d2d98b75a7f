//! Quoted strings: where they end, and their content without escapes.

/// Bytes examined after a quote to decide whether it ends the text. The limit keeps the reader linear.
const AHEAD: usize = 512;
/// The longest property name that is recognized after a comma, in bytes.
const NAME: usize = 128;

/// The length in bytes of the string that `body` begins with. Models often do not escape quotes inside a string, so a
/// quote ends it only if JSON syntax follows. In valid JSON that is always the first unescaped quote.
pub(super) fn closes(body: &str, close: char, in_object: bool) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + end_of(body.get(from..)?, close)?;
        from = end + 1;
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
    let short = text
        .get(..text.floor_char_boundary(NAME))
        .unwrap_or_default();
    let quote = short
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    let end = match quote {
        Some(quote) => {
            let Some(end) = short.get(1..).and_then(|body| end_of(body, quote)) else {
                return true;
            };
            end + 2
        }
        None => short
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .unwrap_or(0),
    };
    end > 0
        && text
            .get(end..)
            .is_some_and(|rest| spaceless(rest).starts_with(':'))
}

/// The beginning of a text without leading white space; empty if there is too much of it.
pub(super) fn spaceless(text: &str) -> &str {
    text.get(..text.floor_char_boundary(AHEAD))
        .unwrap_or_default()
        .trim_start()
}

/// Resolves JSON's escapes. A raw line break or quote is taken literally, and so is a backslash that escapes nothing:
/// models copy paths and patterns verbatim.
pub(super) fn unescaped(body: &str) -> String {
    let mut json = String::with_capacity(body.len() + 2);
    json.push('"');
    let mut chars = body.chars().peekable();
    while let Some(next) = chars.next() {
        match next {
            '\\' => match chars.next_if(|escaped| "\"\\/bfnrtu'".contains(*escaped)) {
                Some('\'') => json.push('\''),
                Some(escaped) => json.extend(['\\', escaped]),
                None => json.push_str("\\\\"),
            },
            '"' => json.push_str("\\\""),
            _ if next < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(next))),
            _ => json.push(next),
        }
    }
    json.push('"');
    serde_json::from_str(&json).unwrap_or_else(|_| body.to_owned())
}
