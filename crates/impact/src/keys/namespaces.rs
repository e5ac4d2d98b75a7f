//! Namespaces of C#: where files declare and import them.

use super::KeyKind;
use super::kinds::{Defined, is_word};
use super::text::extension;

/// Namespaces of libraries, to which projects add types.
const LIBRARIES: &[&str] = &["Microsoft", "System"];

/// The namespaces that a file declares.
pub(super) fn declared(path: &str, lines: &[(u32, &str)]) -> Vec<Defined> {
    let declared = lines
        .iter()
        .filter_map(|(line, text)| Some((namespace(path, text)?, *line)));
    declared
        .filter(|(space, _)| !LIBRARIES.iter().any(|own| space.starts_with(own)))
        .map(|(space, line)| Defined {
            kind: KeyKind::Namespace,
            key: space.to_owned(),
            line,
            receiver: String::new(),
        })
        .collect()
}

/// The namespace that a line declares.
fn namespace<'l>(path: &str, line: &'l str) -> Option<&'l str> {
    if extension(path) != "cs" {
        return None;
    }
    let name = line
        .trim_start_matches('\u{feff}')
        .trim_start()
        .strip_prefix("namespace ")?
        .trim_end_matches(['{', ';', ' ', '\r', '\t']);
    let is_name = name.contains('.') && name.chars().all(|c| is_word(c) || c == '.');
    is_name.then_some(name)
}

/// Whether a file declares something in a namespace.
pub(super) fn is_declared(path: &str, lines: &[(u32, &str)], key: &str) -> bool {
    let mut spaces = lines.iter().filter_map(|(_, text)| namespace(path, text));
    spaces.any(|space| is_within(space, key))
}

/// The lines that import a namespace.
pub(super) fn uses(path: &str, lines: &[(u32, &str)], key: &str) -> Vec<u32> {
    let found = lines.iter().filter(|(_, text)| imports(path, text, key));
    found.map(|(line, _)| *line).collect()
}

fn is_within(space: &str, outer: &str) -> bool {
    space
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn imports(path: &str, text: &str, space: &str) -> bool {
    if !matches!(extension(path), "cs" | "razor" | "cshtml") {
        return false;
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = text
        .strip_prefix("global ")
        .unwrap_or(text)
        .trim_start_matches('@');
    let name = text.strip_prefix("using ").map(|rest| {
        rest.trim_start_matches("static ")
            .trim_end_matches(';')
            .trim()
    });
    name.is_some_and(|name| is_within(name, space))
}

#[cfg(test)]
mod tests {
    use super::{is_declared, uses};

    fn lines(text: &str) -> Vec<(u32, &str)> {
        (1..).zip(text.lines()).collect()
    }

    #[test]
    fn a_namespace_is_left_while_a_file_declares_something_in_it() {
        let used = |path, text| uses(path, &lines(text), "Shop.Item");
        assert_eq!(used("a.razor", "@using Shop.Item"), [1]);
        assert_eq!(used("a.cs", "global using Shop.Item;"), [1]);
        assert!(used("a.cs", "using Shop.Items;").is_empty());
        let is_left = |text| is_declared("a.cs", &lines(text), "Shop.Item");
        assert!(is_left("namespace Shop.Item.Parts;") && !is_left("namespace Shop.Items;"));
    }
}
