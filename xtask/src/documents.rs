//! Checks that the documents' statements about the code are true.

use std::collections::BTreeSet;
use std::path::PathBuf;

use regex::Regex;

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

/// The files in folders and below them.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
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
    files
}

#[test]
fn documents_for_developers_name_existing_files() {
    let files = files(&["crates", "xtask/src"]);
    for document in [
        "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/writing-rules.md",
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
            "README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md",
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

/// A text with each run of white space as one blank, and without the line breaks of string literals.
fn on_one_line(text: &str) -> String {
    let text = text.replace("\\\n", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn quoted_texts_of_the_sign_in_page_exist() {
    let code: String = files(&["crates/server/src/console"])
        .iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .map(|path| on_one_line(&std::fs::read_to_string(path).unwrap()))
        .collect();
    let document = read("docs/sign-in.md");
    let (_, table) = document.split_once("| The page says |").unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with("| "));
    let mut count = 0;
    for row in rows {
        let quoted = row.split('|').nth(1).unwrap().trim();
        assert!(code.contains(quoted), "no page says {quoted:?}");
        count += 1;
    }
    assert!(count > 4, "{count}");
}

/// The code of a document: its blocks, and the spans in its prose.
fn code_of(document: &str) -> impl Iterator<Item = (bool, &str)> {
    document.split("```").enumerate().flat_map(|(index, part)| {
        let is_block = index % 2 == 1;
        part.split('`')
            .enumerate()
            .filter(move |(index, _)| is_block || index % 2 == 1)
            .map(move |(_, code)| (is_block, code))
    })
}

#[test]
fn the_guide_for_rules_names_only_what_exists() {
    let mut modules: Vec<(String, String)> = Vec::new();
    for path in files(&[
        "crates/syntax/src", "crates/impact/src", "crates/lint/src", "crates/review/src",
    ]) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        modules.push((name, std::fs::read_to_string(&path).unwrap_or_default()));
    }
    let exists = |pattern: &str, module: Option<&str>| {
        let pattern = Regex::new(pattern).unwrap();
        let mut named = modules
            .iter()
            .filter(|(name, _)| module.is_none_or(|module| name == module));
        named.any(|(_, code)| pattern.is_match(code))
    };
    let guide = read("docs/writing-rules.md");
    let call = Regex::new(r"(::)?\b([a-z]\w*)\(").unwrap();
    let path = Regex::new(r"\b([A-Za-z]\w*)::([A-Za-z]\w*)").unwrap();
    let (mut seen, mut missing) = (0, Vec::new());
    for (is_block, code) in code_of(&guide) {
        // `.name()` is a method of the code under review.
        let calls = call
            .captures_iter(code)
            .filter(|found| !is_block && !code.starts_with('.') && found.get(1).is_none());
        for found in calls {
            let name = &found[2];
            let pattern = format!(r"\bpub(\([a-z: ]+\))? (const )?fn {name}\b");
            seen += 1;
            if !exists(&pattern, None) {
                missing.push(format!("{name}()"));
            }
        }
        for found in path.captures_iter(code) {
            let (owner, item) = (&found[1], &found[2]);
            let is_module = owner.starts_with(char::is_lowercase);
            let found = if is_module {
                let item = format!(r"\b(fn|const|static|struct|enum|mod|use) [\w:{{, ]*\b{item}\b");
                ["crate", "syntax", "impact", "lint"].contains(&owner) || exists(&item, Some(owner))
            } else {
                let item =
                    format!(r"(?s)(\b(enum|struct) {owner}\b|\n    {owner} \{{\n).*\b{item}\b");
                exists(&item, None)
            };
            seen += 1;
            if !found {
                missing.push(format!("{owner}::{item}"));
            }
        }
    }
    assert!(seen > 100, "{seen}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_guide_for_rules_names_all_checks() {
    let definition = read("crates/lint/src/rule/definition.rs");
    let (_, checks) = definition.split_once("pub enum Check {").unwrap();
    let (checks, _) = checks.split_once("\n}").unwrap();
    let guide = read("docs/writing-rules.md");
    let names = checks
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.strip_suffix(" {"));
    let mut count = 0;
    for name in names {
        assert!(guide.contains(&format!("`Check::{name}`")), "{name}");
        count += 1;
    }
    assert!(count > 7, "{count}");
}

#[test]
fn headings_of_doc_comments_have_their_own_line() {
    let heading = Regex::new(r"^//[/!] # (Errors|Panics|Safety|Examples) ").unwrap();
    let mut wrong = Vec::new();
    for path in files(&["crates", "xtask/src"]) {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let code = std::fs::read_to_string(&path).unwrap();
        let lines = code.lines().map(str::trim_start);
        wrong.extend(
            lines
                .filter(|line| heading.is_match(line))
                .map(|line| format!("{}: {line}", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
