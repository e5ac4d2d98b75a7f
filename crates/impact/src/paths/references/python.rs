//! Imports of removed Python modules.

use super::paths::Remaining;
use crate::paths::modules::{
    Relative, is_standard, join, may_be_root, python_files, relative, root_of,
};

/// The lines that import a Python module.
pub(super) fn python_imports<'l>(
    from: &'l str,
    lines: &'l [(u32, &'l str)],
    old: &'l str,
    remaining: &'l Remaining<'_>,
) -> impl Iterator<Item = u32> + 'l {
    let mut guard = None;
    lines.iter().filter_map(move |(line, text)| {
        let statement = text.trim_start();
        let indent = text.len() - statement.len();
        if statement.is_empty() {
            return None;
        }
        let is_tried = guard.is_some_and(|own| indent > own);
        if !is_tried {
            guard = statement.starts_with("try:").then_some(indent);
        }
        let modules = if is_tried {
            Vec::new()
        } else {
            imported(statement)
        };
        modules
            .iter()
            .any(|module| is_module(from, module, old, remaining))
            .then_some(*line)
    })
}

/// The modules that an import statement may name.
fn imported(statement: &str) -> Vec<String> {
    let names = |list: &str| -> Vec<String> {
        let list = list.split('#').next().unwrap_or_default();
        let names = list
            .split(',')
            .filter_map(|name| name.trim_matches([' ', '(', ')', '\\']).split(' ').next());
        names
            .filter(|name| !name.is_empty() && *name != "*")
            .map(str::to_owned)
            .collect()
    };
    if let Some(list) = statement.strip_prefix("import ") {
        return names(list);
    }
    let Some((module, list)) = statement
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "))
    else {
        return Vec::new();
    };
    let module = module.trim();
    let dot = if module.ends_with('.') { "" } else { "." };
    let below = names(list)
        .into_iter()
        .map(|name| format!("{module}{dot}{name}"));
    below.chain([module.to_owned()]).collect()
}

/// Whether a Python module was this file, and nothing else is it now.
fn is_module(from: &str, module: &str, old: &str, remaining: &Remaining<'_>) -> bool {
    let is_package = |path: &str| {
        let inside = format!("{path}/");
        remaining.has_any(|file| file.starts_with(&inside))
    };
    match relative(from, module) {
        Relative::To(base, path) => {
            let path = join(base, &path);
            let files = python_files(&path);
            files.iter().any(|file| file == old)
                && !files.iter().any(|file| remaining.has(file))
                && !is_package(&path)
        }
        Relative::Outside => false,
        Relative::No(path) => {
            let files = python_files(&path);
            let Some(root) = files.iter().find_map(|file| root_of(old, file)) else {
                return false;
            };
            may_be_root(from, root)
                && !is_standard(&path)
                && !is_package(&join(root, &path))
                && !files.iter().any(|file| remaining.has_end(file))
        }
    }
}
