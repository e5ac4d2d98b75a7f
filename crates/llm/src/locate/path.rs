//! Finds the file that a model names.

/// The indexes of the files that a path refers to, by the paths that are shown: those with that path, or the only one whose path ends alike.
/// Several files have one path if masking a secret made their paths equal. An empty path refers to the only file of a part.
pub(super) fn files(path: &str, shown: &[String]) -> Vec<usize> {
    let bare = bare(path);
    if bare.is_empty() {
        return if shown.len() == 1 {
            vec![0]
        } else {
            Vec::new()
        };
    }
    let same = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        shown
            .iter()
            .enumerate()
            .filter(|(_, shown)| wanted(shown))
            .map(|(at, _)| at)
            .collect()
    };
    let exact = [path.trim(), bare, without_prefix(bare)].map(|path| same(&|shown| shown == path));
    if let Some(found) = exact.into_iter().find(|found| !found.is_empty()) {
        return found;
    }
    let ends = same(&|shown| is_end(shown, without_prefix(bare)) || is_end(bare, shown));
    if ends.len() == 1 { ends } else { Vec::new() }
}

/// The path without quotes, back ticks, the heading that the prompt puts before it, and a trailing line number.
fn bare(path: &str) -> &str {
    let frame = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '*');
    let path = path.trim_matches(frame);
    let path = path.strip_prefix("## ").unwrap_or(path);
    let path = path
        .strip_prefix("FILE ")
        .unwrap_or(path)
        .trim_matches(frame);
    match path.split_once(':') {
        Some((file, line)) if line.starts_with(|c: char| c.is_ascii_digit() || c == 'L') => file,
        _ => path,
    }
}

fn without_prefix(path: &str) -> &str {
    ["a/", "b/", "./", "/"]
        .iter()
        .find_map(|prefix| path.strip_prefix(prefix))
        .unwrap_or(path)
}

/// Whether `path` ends with `end`, in whole components.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|start| start.ends_with('/'))
}
