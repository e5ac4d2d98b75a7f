//! Whether a text in a file refers to a file that the change removes or renames.

mod paths;
mod python;
mod reference;
mod templates;
#[cfg(test)]
mod tests;

pub(crate) use self::paths::{Gone, Remaining};
use self::python::python_imports;
use self::reference::Reference;
use crate::keys::{Quoted, code_lines, extension, quoted};

/// The lines of a file that refer to removed or renamed files, with the positions of these.
pub(crate) fn references(
    from: &str,
    text: &str,
    gone: &[Gone<'_>],
    remaining: &Remaining<'_>,
) -> Vec<(usize, u32)> {
    let lines = code_lines(from, (1..).zip(text.lines()));
    references_in(from, &lines, gone, remaining)
}

/// Like [`references`], for some of the lines.
pub(crate) fn references_in(
    from: &str,
    lines: &[(u32, &str)],
    gone: &[Gone<'_>],
    remaining: &Remaining<'_>,
) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let pieces = quoted(lines);
    for (at, one) in gone.iter().enumerate() {
        let word = one.word();
        for piece in pieces.iter().filter(|piece| piece.text.contains(word)) {
            if refers(from, piece, one.old, remaining) {
                found.push((at, piece.line));
            }
        }
        if one.old.ends_with(".py") && from.ends_with(".py") {
            found.extend(python_imports(from, lines, one.old, remaining).map(|line| (at, line)));
        }
        if is_list_of_paths(from) {
            let named = lines
                .iter()
                .filter(|(_, text)| text.contains(word) && names_path(text, one.old));
            found.extend(named.map(|(line, _)| (at, *line)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Files that name paths from the top of the repository without quotes.
fn is_list_of_paths(path: &str) -> bool {
    matches!(
        extension(path),
        "yml" | "yaml" | "sh" | "toml" | "cfg" | "ini"
    )
}

fn names_path(text: &str, path: &str) -> bool {
    let is_end = |c: char| c.is_whitespace() || "\"'`=,:;()[]".contains(c);
    path.contains('/')
        && text
            .split(is_end)
            .any(|part| part.strip_prefix("./").unwrap_or(part) == path)
}

/// Whether a string in a file refers to the old path of another.
fn refers(from: &str, piece: &Quoted<'_>, old: &str, remaining: &Remaining<'_>) -> bool {
    let text = piece.text.split(['?', '#']).next().unwrap_or_default();
    let is_path = !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || "{}$<>*\\|,;()".contains(c));
    if !is_path || text.contains("://") {
        return false;
    }
    let reference = Reference {
        from,
        lead: piece.lead,
        text,
        old,
        remaining,
    };
    reference.is_relative()
        || reference.is_alias()
        || reference.is_named_in_full()
        || reference.is_template()
}
