//! The Rust files of the workspace.

use std::path::Path;

use crate::run::root;

/// The Rust files below a folder, as paths from the root of the workspace, in order.
pub(crate) fn rust_files(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    collect(&root().join(folder), &mut files);
    files.sort_unstable();
    files
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(
                path.strip_prefix(root())
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/"),
            );
        }
    }
}
