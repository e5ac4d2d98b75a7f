//! Checks that the documents' statements about the code are true.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::run::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Maximum size of ARCHITECTURE.md, in bytes. Details and decisions belong at the top of the module that they explain.
const MAX_ARCHITECTURE: usize = 12_000;

/// Every link `[text](target)` of a document.
fn links(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("](")
        .zip(text.split("](").skip(1))
        .filter_map(|(before, after)| Some((before.rsplit_once('[')?.1, after.split_once(')')?.0)))
}

#[test]
fn each_threat_names_existing_tests() {
    let text = read("docs/security.md");
    let threats = text.lines().filter(|line| line.starts_with("| T"));
    let mut seen = BTreeSet::new();
    for threat in threats {
        let number = threat.split('|').nth(1).map(str::trim).unwrap();
        assert!(seen.insert(number), "{number} occurs twice");
        let tests: Vec<_> = links(threat)
            .filter(|(_, target)| target.ends_with(".rs"))
            .collect();
        assert!(!tests.is_empty(), "{number} names no test");
        for (name, target) in tests {
            let code = read(&format!("docs/{target}"));
            let name = name.trim_matches('`');
            assert!(
                code.contains(&format!("fn {name}(")),
                "{number}: {target} has no test {name}"
            );
        }
    }
    assert!(seen.len() > 20, "{}", seen.len());
}

#[test]
fn the_architecture_fits_its_size() {
    let size = read("ARCHITECTURE.md").len();
    assert!(
        size <= MAX_ARCHITECTURE,
        "ARCHITECTURE.md has {size} bytes, more than {MAX_ARCHITECTURE}: move details to the `//!` of their modules"
    );
}

#[test]
fn documents_for_developers_name_existing_files() {
    let mut open = vec![root().join("crates"), root().join("xtask/src")];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    for document in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/writing-rules.md",
    ] {
        let text = read(document);
        // Without blocks of code, and without names with a placeholder such as `<verb>.rs`.
        let names: BTreeSet<&str> = text
            .split("```")
            .step_by(2)
            .flat_map(|prose| prose.split('`').skip(1).step_by(2))
            .filter(|name| name.ends_with(".rs") && !name.contains([' ', '<']))
            .collect();
        for name in &names {
            assert!(
                files.iter().any(|file| file.ends_with(name)),
                "{document}: there is no {name}"
            );
        }
        assert!(names.len() > 5, "{document}: {}", names.len());
    }
}

#[test]
fn links_between_documents_have_targets() {
    let mut documents: Vec<PathBuf> = std::fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    documents.extend(
        [
            "README.md",
            "SECURITY.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
        ]
        .map(|name| root().join(name)),
    );
    let mut seen = 0;
    for document in documents
        .iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
    {
        let text = std::fs::read_to_string(document).unwrap();
        for (_, target) in links(&text) {
            let path = target.split('#').next().unwrap();
            if path.is_empty() || path.contains("://") || path.contains(' ') {
                continue;
            }
            assert!(
                document.with_file_name(path).exists(),
                "{}: {target}",
                document.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}
