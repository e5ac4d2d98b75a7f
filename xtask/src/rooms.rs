//! Allowed imports within a crate, checked against the source files: the layers of `syntax`, `impact` and `lint` (listed in their
//! `lib.rs`), no imports between rules, and no circular imports in any crate.

mod imports;

use std::path::{Path, PathBuf};

use imports::{Crate, Module};

/// The layered crates with their rooms: each imports only from itself and the previous ones.
const LAYERED: &[(&str, &[&str])] = &[
    (
        "crates/syntax/src",
        &["language", "parse", "tree", "semantics"],
    ),
    (
        "crates/impact/src",
        &[
            "text", "facts", "keys", "links", "paths", "conflict", "project", "passes",
        ],
    ),
    (
        "crates/lint/src",
        &["change", "facts", "rule", "registry", "scan"],
    ),
];

/// The crates, and where their sources are.
const CRATES: &[(&str, &str)] = &[
    ("address", "crates/address/src"),
    ("app", "crates/app/src"),
    ("fair", "crates/fair/src"),
    ("forge", "crates/forge/src"),
    ("git", "crates/git/src"),
    ("impact", "crates/impact/src"),
    ("lint", "crates/lint/src"),
    ("llm", "crates/llm/src"),
    ("mcp", "crates/mcp/src"),
    ("review", "crates/review/src"),
    ("rules", "crates/rules/src"),
    ("server", "crates/server/src"),
    ("settings", "crates/settings/src"),
    ("store", "crates/store/src"),
    ("syntax", "crates/syntax/src"),
    ("worker", "crates/worker/src"),
    ("xtask", "xtask/src"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The index of a module's room; `None` for the crate's root.
fn room(rooms: &[&str], module: &Module) -> Option<usize> {
    let room = module.first()?;
    Some(
        rooms
            .iter()
            .position(|name| name == room)
            .unwrap_or_else(|| panic!("{room} is in no room")),
    )
}

#[test]
fn rooms_import_only_from_previous_ones() {
    for (sources, rooms) in LAYERED {
        let files = Crate::read(&root().join(sources));
        let imports = files.imports();
        assert!(imports.len() > 60, "{sources}: {}", imports.len());
        let against = imports
            .iter()
            .flat_map(|(file, from)| from.iter().map(move |from| (*file, *from)));
        let against = against.filter(|(file, from)| {
            room(rooms, file).is_some() && room(rooms, from) > room(rooms, file)
        });
        let against: Vec<String> = against
            .map(|(file, from)| format!("{} imports {}", file.join("::"), from.join("::")))
            .collect();
        assert!(against.is_empty(), "{sources}: {against:#?}");
    }
}

#[test]
fn no_rule_imports_another_rule() {
    let files = Crate::read(&root().join("crates/rules/src"));
    let imports = files.imports();
    assert!(imports.len() > 300, "{}", imports.len());
    // Only the list, the crate's root, imports from its files.
    let against: Vec<String> = imports
        .iter()
        .filter(|(file, _)| !file.is_empty())
        .flat_map(|(file, from)| from.iter().map(move |from| (*file, *from)))
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
