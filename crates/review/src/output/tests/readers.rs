//! Parsers for formats that no dependency parses.

use std::collections::BTreeMap;

/// A workflow command: kind, properties, text.
pub(super) fn github(line: &str) -> (String, BTreeMap<String, String>, String) {
    let (head, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (kind, properties) = head.split_once(' ').unwrap();
    let property = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        let value = value.replace("%3A", ":").replace("%2C", ",");
        (name.to_owned(), unescaped(&value))
    };
    (
        kind.to_owned(),
        properties.split(',').map(property).collect(),
        unescaped(data),
    )
}

/// Unescapes as the runner does: the percent sign last.
fn unescaped(text: &str) -> String {
    text.replace("%0D", "\r")
        .replace("%0A", "\n")
        .replace("%25", "%")
}

/// Converts a URI back to its path.
pub(super) fn path_of(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.strip_prefix("file://").unwrap_or(uri).as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code = std::str::from_utf8(&more[..more.len().min(2)]).unwrap();
        let (byte, used) = if *first == b'%' {
            (u8::from_str_radix(code, 16).unwrap(), 2)
        } else {
            (*first, 0)
        };
        bytes.push(byte);
        rest = &more[used..];
    }
    String::from_utf8(bytes).unwrap()
}
