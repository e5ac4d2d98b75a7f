//! Allowed imports within a crate, checked against the source files: the layers of `lint` in ARCHITECTURE.md, and no
//! circular imports in any crate.

mod imports;

use std::path::{Path, PathBuf};

use imports::{Crate, Module};

/// The rooms of `lint`: each imports only from itself and the previous ones.
const LINT: &[&str] = &[
    "language",
    "parse",
    "tree",
    "semantics",
    "change",
    "facts",
    "rule",
    "rules",
    "registry",
    "scan",
];

/// The crates, and where their sources are.
const CRATES: &[(&str, &str)] = &[
    ("app", "crates/app/src"),
    ("fair", "crates/fair/src"),
    ("lint", "crates/lint/src"),
    ("llm", "crates/llm/src"),
    ("mcp", "crates/mcp/src"),
    ("review", "crates/review/src"),
    ("server", "crates/server/src"),
    ("store", "crates/store/src"),
    ("xtask", "xtask/src"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The index of a `lint` module's room; `None` for the crate's root.
fn room(module: &Module) -> Option<usize> {
    let room = module.first()?;
    Some(
        LINT.iter()
            .position(|name| name == room)
            .unwrap_or_else(|| panic!("{room} is in no room")),
    )
}

#[test]
fn rooms_of_lint_import_only_from_previous_ones() {
    let lint = Crate::read(&root().join("crates/lint/src"));
    let imports = lint.imports();
    assert!(imports.len() > 400, "{}", imports.len());
    let against = imports
        .iter()
        .flat_map(|(file, from)| from.iter().map(move |from| (*file, *from)));
    let against = against.filter(|(file, from)| room(file).is_some() && room(from) > room(file));
    let against: Vec<String> = against
        .map(|(file, from)| format!("{} imports {}", file.join("::"), from.join("::")))
        .collect();
    assert!(against.is_empty(), "{against:#?}");
}

#[test]
fn every_crate_is_checked_for_circular_imports() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(CRATES.iter().any(|(known, _)| *known == name), "{name:?}");
    }
}

#[test]
fn there_are_no_circular_imports_between_files() {
    for (name, sources) in CRATES {
        let files = Crate::read(&root().join(sources));
        let circles: Vec<Vec<String>> = files
            .circles()
            .iter()
            .map(|circle| circle.iter().map(|file| file.join("::")).collect())
            .collect();
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}

#[test]
fn there_are_no_circular_imports_between_the_modules_of_a_folder() {
    for (name, sources) in CRATES {
        let circles = Crate::read(&root().join(sources)).circles_of_folders();
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}
