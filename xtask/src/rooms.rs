//! Allowed imports within a crate: the layers of `lint` in ARCHITECTURE.md, checked against the source files.

mod imports;

use std::path::Path;

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

/// Crates without circular imports between files.
const WITHOUT_CIRCLES: &[&str] = &[
    "app", "fair", "lint", "llm", "mcp", "review", "server", "store",
];

fn read(name: &str) -> Crate {
    Crate::read(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../crates")
            .join(name)
            .join("src"),
    )
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
    let lint = read("lint");
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
fn there_are_no_circular_imports() {
    for name in WITHOUT_CIRCLES {
        let files = read(name);
        let circles: Vec<Vec<String>> = files
            .circles()
            .iter()
            .map(|circle| circle.iter().map(|file| file.join("::")).collect())
            .collect();
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}
