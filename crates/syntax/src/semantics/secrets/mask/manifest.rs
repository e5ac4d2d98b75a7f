//! Kubernetes secrets, and multi-line texts below the name of a credential, in YAML and in JSON. The lines above and
//! the indentation show which texts are secret.

use std::ops::Range;

use super::named::is_credential_name;
use super::value::is_reference;
use crate::semantics::secrets::coding::base64;

/// The kind that a document states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Secret,
    Unknown,
    Other,
}

/// The content of the lines with more indentation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Keys with values, each of which is a secret.
    Values,
    /// The same, with values in Base64.
    Encoded,
    /// Nothing but a secret.
    Text,
}

/// Whether a document says that it is a secret.
pub(super) fn is_secret(passages: &[&[&str]]) -> bool {
    passages
        .iter()
        .flat_map(|lines| lines.iter())
        .any(|line| kind(line) == Some(Kind::Secret))
}

fn kind(line: &str) -> Option<Kind> {
    let line = line.get(..line.floor_char_boundary(4096)).unwrap_or(line);
    let name = line
        .split_once("kind")?
        .1
        .trim_start_matches(['"', '\''])
        .trim_start()
        .strip_prefix(':')?;
    let name = name.trim_start_matches([' ', '"', '\'']);
    let word = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    Some(if matches!(word, "Secret" | "SecretList") {
        Kind::Secret
    } else {
        Kind::Other
    })
}

/// Adds the secrets of a passage. `in_secret_file`: another part of the file says that it is a secret.
pub(super) fn find(
    lines: &[&str],
    path: &str,
    in_secret_file: bool,
    add: &mut dyn FnMut(usize, Range<usize>),
) {
    let lower = path.to_ascii_lowercase();
    if ![".yml", ".yaml", ".json", ".tpl", ".j2", ".gotmpl"]
        .iter()
        .any(|end| lower.ends_with(end))
        && !in_secret_file
    {
        return;
    }
    let named = if lower.contains("secret") || in_secret_file {
        Kind::Secret
    } else {
        Kind::Unknown
    };
    let mut start = 0;
    for document in lines.split(|line| line.trim_end() == "---") {
        let declared = document.iter().filter(|line| {
            line.trim_start_matches(['{', ' ', '"', '-'])
                .starts_with("kind")
                || line.contains("\"kind\"")
        });
        let declared = declared
            .filter_map(|line| kind(line))
            .reduce(|a, b| if a == Kind::Secret { a } else { b });
        in_document(
            document,
            declared.unwrap_or(named),
            declared.is_none() && named == Kind::Secret,
            &mut |at, range| add(start + at, range),
        );
        start += document.len() + 1;
    }
}

fn in_document(
    lines: &[&str],
    kind: Kind,
    starts_inside: bool,
    add: &mut dyn FnMut(usize, Range<usize>),
) {
    // The block that the first lines belong to is unknown. In a file of secrets, they are taken for a secret's.
    let mut open = starts_inside.then_some((0, Block::Encoded));
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        if line.trim().is_empty() {
            continue;
        }
        if open
            .is_some_and(|(least, block)| indent < least || block == Block::Text && indent <= least)
        {
            open = None;
        }
        let Some((key, value)) = pair(line) else {
            if let Some((_, Block::Text)) = open {
                add(at, indent..line.trim_end().len());
            }
            continue;
        };
        let name = line.get(key).unwrap_or_default();
        let text = line.get(value.clone()).unwrap_or_default();
        match (open, name) {
            (Some((_, Block::Text)), _) => add(at, indent..line.trim_end().len()),
            (_, "data" | "stringData" | "binaryData")
                if matches!(text, "" | "{") || text.starts_with('#') =>
            {
                open = block(name, kind).map(|block| (indent + 1, block));
            }
            (_, "data" | "stringData") if text.starts_with('{') && block(name, kind).is_some() => {
                flow(line, value.start, add, at);
            }
            (Some((_, block)), _)
                if is_multiline(text) && (block == Block::Values || is_credential_name(name)) =>
            {
                open = Some((indent, Block::Text));
            }
            (Some((_, block)), _) if is_hidden(text, block) => add(at, value),
            (None, _) if is_multiline(text) && is_credential_name(name) => {
                open = Some((indent, Block::Text))
            }
            _ => {}
        }
        if line.contains("\"kind\"")
            && kind == Kind::Secret
            && let Some(start) = [
                "\"data\":{", "\"stringData\":{", "\"data\": {", "\"stringData\": {",
            ]
            .iter()
            .find_map(|mark| line.find(mark))
        {
            flow(line, start, add, at);
        }
    }
}

fn block(name: &str, kind: Kind) -> Option<Block> {
    match (name, kind) {
        (_, Kind::Secret) | ("stringData", _) => Some(Block::Values),
        ("data", Kind::Unknown) => Some(Block::Encoded),
        _ => None,
    }
}

/// The texts of `{ key: value, … }`, including keys.
fn flow(line: &str, start: usize, add: &mut dyn FnMut(usize, Range<usize>), at: usize) {
    let Some(rest) = line.get(start..) else {
        return;
    };
    let open = rest.find('{').map_or(start, |brace| start + brace);
    let end = line
        .get(open..)
        .and_then(|inner| inner.find('}'))
        .map_or(line.len(), |brace| open + brace);
    let mut place = open;
    for part in line.get(open..end).unwrap_or_default().split(',') {
        if let Some((name, value)) = part.split_once(':') {
            let text = value.trim_matches([' ', '"', '\'']);
            let from = place + name.len() + 1 + value.find(text).unwrap_or_default();
            if !text.is_empty() && !is_reference(text) {
                add(at, from..from + text.len());
            }
        }
        place += part.len() + 1;
    }
}

fn is_multiline(value: &str) -> bool {
    value.starts_with(['|', '>']) || value.starts_with("!!binary |")
}

fn is_hidden(value: &str, block: Block) -> bool {
    let is_encoded = || {
        let mixes = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
        let is_mixed = mixes(u8::is_ascii_uppercase) && mixes(u8::is_ascii_lowercase);
        value.len() >= 8
            && value.len().is_multiple_of(4)
            && (is_mixed || value.ends_with('='))
            && base64(value).is_some()
    };
    match block {
        Block::Values => {
            value.len() >= 2 && !matches!(value, "{}" | "\"\"" | "null") && !is_reference(value)
        }
        Block::Encoded | Block::Text => is_encoded(),
    }
}

/// The key and the value of a line `key: value`, without quotation marks.
fn pair(line: &str) -> Option<(Range<usize>, Range<usize>)> {
    let colon = line
        .get(..line.floor_char_boundary(512))?
        .find(": ")
        .or_else(|| line.trim_end().strip_suffix(':').map(str::len))?;
    let inner = |range: Range<usize>| {
        let text = line.get(range.clone())?;
        let start =
            range.start + text.len() - text.trim_start_matches([' ', '\t', '"', '\'', '-']).len();
        let end = range.start
            + text
                .trim_end_matches([' ', '\t', '"', '\'', ',', '\r'])
                .len();
        Some(start.min(end)..end)
    };
    let value = line.get(colon + 1..)?;
    let comment = value.find(" #").map_or(line.len(), |at| colon + 1 + at);
    Some((inner(0..colon)?, inner(colon + 1..comment)?))
}
