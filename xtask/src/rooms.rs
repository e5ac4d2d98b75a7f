//! Which part of a crate may import from which: the layers of `lint` in ARCHITECTURE.md, checked against the sources.

mod imports;

use std::path::Path;

use imports::{Crate, Module};

/// The rooms of `lint`: each imports only from those before it, and from itself.
const LINT: &[&str] =
    &["language", "parse", "tree", "semantics", "change", "facts", "rule", "rules", "registry", "scan"];

/// Crates in which no files import from each other in a circle.
const WITHOUT_CIRCLES: &[&str] = &["app", "lint", "llm", "review", "server", "store"];

fn read(name: &str) -> Crate {
    Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name).join("src"))
}

/// The room of a module of `lint`, as its number; `None` for the crate's root.
fn room(module: &Module) -> Option<usize> {
    let room = module.first()?;
    Some(LINT.iter().position(|name| name == room).unwrap_or_else(|| panic!("{room} is in no room")))
}

#[test]
fn each_room_of_lint_imports_only_from_those_before_it() {
    let lint = read("lint");
    let imports = lint.imports();
    assert!(imports.len() > 400, "{}", imports.len());
    let against = imports.iter().flat_map(|(file, from)| from.iter().map(move |from| (*file, *from)));
    let against = against.filter(|(file, from)| room(file).is_some() && room(from) > room(file));
    let against: Vec<String> =
        against.map(|(file, from)| format!("{} imports {}", file.join("::"), from.join("::"))).collect();
    assert!(against.is_empty(), "{against:#?}");
}

#[test]
fn no_files_import_from_each_other_in_a_circle() {
    for name in WITHOUT_CIRCLES {
        let files = read(name);
        let circles: Vec<Vec<String>> =
            files.circles().iter().map(|circle| circle.iter().map(|file| file.join("::")).collect()).collect();
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}
