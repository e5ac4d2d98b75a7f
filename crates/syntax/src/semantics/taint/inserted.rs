//! Values that a format inserts into a text: `%s` of C, `{name}` of Rust.

use crate::tree::{Call, Node};

/// Functions of C that write a formatted text into their first argument, and the place of the format.
const PRINTERS: &[(&str, usize)] = &[("sprintf", 1), ("snprintf", 2), ("asprintf", 1)];
/// Functions of C that copy their second argument into their first one, and those that append it.
const COPIERS: &[&str] = &["strcpy", "strncpy", "strlcpy"];
const APPENDERS: &[&str] = &["strcat", "strncat", "strlcat"];

/// Whether a call of C writes a text into its first argument, and whether it replaces the previous one.
pub(super) fn writes_first(call: &Call<'_>) -> Option<bool> {
    let language = call.arguments.first()?.tree().grammar().name();
    if !matches!(language, "C" | "C++") {
        return None;
    }
    if APPENDERS.contains(&call.name) {
        return Some(false);
    }
    let writes =
        COPIERS.contains(&call.name) || PRINTERS.iter().any(|(name, _)| *name == call.name);
    writes.then_some(true)
}

/// The values in the text that a call of C writes into its first argument; numbers are left out.
pub(super) fn written<'t>(call: &Call<'t>) -> Vec<Node<'t>> {
    let place = PRINTERS
        .iter()
        .find(|(name, _)| *name == call.name)
        .map(|(_, place)| *place);
    match place {
        Some(place) => texts_of_format(call, place),
        None => call.arguments.get(1).copied().into_iter().collect(),
    }
}

/// The arguments that a format of C inserts as texts.
pub(super) fn texts_of_format<'t>(call: &Call<'t>, place: usize) -> Vec<Node<'t>> {
    let Some(format) = call.arguments.get(place) else {
        return Vec::new();
    };
    let values = call.arguments.iter().skip(place + 1).copied();
    conversions(format.text())
        .into_iter()
        .zip(values)
        .filter(|(conversion, _)| *conversion == 's')
        .map(|(_, value)| value)
        .collect()
}

/// The conversions of a format in the order of their arguments: `s` and `d` for `%s %3d`.
fn conversions(format: &str) -> Vec<char> {
    let mut found = Vec::new();
    let mut rest = format.chars();
    while rest.by_ref().any(|c| c == '%') {
        for c in rest.by_ref() {
            match c {
                '%' => break,
                '*' => found.push('*'),
                'h' | 'l' | 'L' | 'q' | 'j' | 'z' | 't' => {}
                c if c.is_ascii_alphabetic() => {
                    found.push(c);
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

/// The names between the braces of a format of Rust.
pub(super) fn names_in_format(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        if let Some(escaped) = after.strip_prefix('{') {
            rest = escaped;
            continue;
        }
        let name = after.split(['}', ':']).next().unwrap_or_default();
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        found.extend(is_name.then_some(name));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{conversions, names_in_format};

    #[test]
    fn conversions_are_in_the_order_of_the_arguments() {
        assert_eq!(conversions("100%% %s %-3ld %*s"), ['s', 'd', '*', 's']);
        assert!(conversions("ls -l %").is_empty());
    }

    #[test]
    fn names_are_between_single_braces() {
        assert_eq!(
            names_in_format("{{no}} {a} {b:?} {} {0} {c:>5}"),
            ["a", "b", "c"]
        );
    }
}
