//! `hunkwise rules`: lists and explanations.

#![expect(clippy::unwrap_used, reason = "a failing setup fails the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn rules(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_hunkwise"))
        .arg("rules")
        .args(arguments)
        .output()
        .unwrap();
    (
        status.code(),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

fn ids(arguments: &[&str]) -> Vec<String> {
    let (status, stdout, stderr) = rules(&[&["list", "--json"], arguments].concat());
    assert_eq!(status, Some(0), "{stderr}");
    let body: Value = serde_json::from_str(&stdout).unwrap();
    body["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_table_and_the_json_list_the_same_rules() {
    let (status, table, _) = rules(&["list"]);
    let ids = ids(&[]);
    assert_eq!(status, Some(0));
    let first_words: Vec<&str> = table
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        first_words.get(..ids.len()),
        Some(&ids.iter().map(String::as_str).collect::<Vec<_>>()[..])
    );
    assert_eq!(
        table.lines().last(),
        Some(format!("{} rules", ids.len()).as_str())
    );
    assert!(ids.is_sorted());
}

#[test]
fn filters_keep_matching_rules() {
    let python = ids(&["--language", "py"]);
    assert!(python.contains(&"python/mutable-default-argument".to_owned()));
    assert!(python.contains(&"any/conflict-marker".to_owned()));
    assert!(!python.iter().any(|id| id.starts_with("javascript/")));
    let security = ids(&["--category", "security"]);
    assert!(security.contains(&"any/bidirectional-control-character".to_owned()));
    assert!(!security.contains(&"python/mutable-default-argument".to_owned()));
}

#[test]
fn every_rule_has_an_explanation() {
    for id in ids(&[]) {
        let (status, stdout, stderr) = rules(&["explain", &id]);
        assert_eq!((status, stderr.as_str()), (Some(0), ""), "{id}");
        let ignore = format!("hunkwise:ignore {id}");
        for part in [
            id.as_str(),
            "priority",
            "category",
            "Evidence\n  ",
            "Why it matters\n  ",
            "Bad\n  ",
            "Good\n  ",
            "What to do\n  ",
            &ignore,
        ] {
            assert!(stdout.contains(part), "{id} lacks {part:?}:\n{stdout}");
        }
    }
}

#[test]
fn a_rule_is_found_by_the_part_after_the_slash() {
    assert_eq!(
        rules(&["explain", "mutable-default-argument"]),
        rules(&["explain", "python/mutable-default-argument"])
    );
}

#[test]
fn unknown_names_are_reported_with_a_suggestion() {
    let (status, stdout, stderr) = rules(&["explain", "python/mutable-defaults"]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(
        stderr.contains("python/mutable-default-argument"),
        "{stderr}"
    );
    let (status, _, stderr) = rules(&["explain", "qqq"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("rules list"), "{stderr}");
    let (status, _, stderr) = rules(&["explain", "any/branch-removed"]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("the rule any/branch-removed was removed"),
        "{stderr}"
    );
    for (arguments, expected) in [
        (["list", "--language", "pyhton"], "Python"),
        (["list", "--category", "x"], "SECURITY"),
    ] {
        let (status, _, stderr) = rules(&arguments);
        assert_eq!(status, Some(2));
        assert!(stderr.contains(expected), "{stderr}");
    }
}

/// A rule with one example of each sort.
const RULE: &str = "\
id: acme/raw-query
languages: [Python]
title: Query without parameters
summary: A query is built by hand.
priority: P1
category: SECURITY
rule: {pattern: query_raw($$$)}
positive:
  - |
    +query_raw(text)
    ^
negative:
  - |
    +query(text, values)
";

#[test]
fn every_rule_is_exported_as_a_page_and_other_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a/b");
    std::fs::create_dir_all(&target).unwrap();
    std::fs::write(target.join("own.md"), "mine").unwrap();
    let (status, stdout, stderr) = rules(&["export", target.to_str().unwrap()]);
    assert_eq!((status, stdout.as_str()), (Some(0), ""), "{stderr}");
    let list = std::fs::read_to_string(target.join("README.md")).unwrap();
    for id in ids(&[]) {
        assert!(list.contains(&format!("({id}.md)")), "{id}");
        assert!(
            std::fs::read_to_string(target.join(format!("{id}.md")))
                .unwrap()
                .contains(&format!("`{id}`")),
            "{id}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(target.join("own.md")).unwrap(),
        "mine"
    );
    let (status, _, stderr) = rules(&["export", target.join("own.md").to_str().unwrap()]);
    assert!(status == Some(2) && stderr.contains("own.md"), "{stderr}");
}

/// Runs `hunkwise rules` in a folder with these files.
fn rules_in(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    rules_at(folder.path(), arguments)
}

fn rules_at(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hunkwise"));
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .arg("rules")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (
        status.code(),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

#[test]
fn custom_rules_are_listed_and_explained() {
    let files = [("own/a.yml", RULE)];
    let (status, table, _) = rules_in(&files, &["list", "--rules", "own"]);
    assert_eq!(status, Some(0));
    assert!(table.starts_with("acme/raw-query "), "{table}");
    assert!(!rules(&["list"]).1.contains("acme/"));
    let (status, text, stderr) = rules_in(&files, &["explain", "raw-query", "--rules", "own"]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert!(
        text.contains("query_raw(text)") && text.contains("hunkwise:ignore acme/raw-query"),
        "{text}"
    );
    let (status, _, stderr) = rules_in(&[("own/a.yml", "id: x")], &["list", "--rules", "own"]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("own/a.yml:1:1: `languages` is missing"),
        "{stderr}"
    );
}

#[test]
fn rules_of_the_repository_are_listed_too() {
    let folder = tempfile::tempdir().unwrap();
    let git = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(git.success());
    fs::create_dir_all(folder.path().join(".hunkwise/rules")).unwrap();
    fs::write(folder.path().join(".hunkwise/rules/a.yml"), RULE).unwrap();
    assert!(
        rules_at(folder.path(), &["list"])
            .1
            .contains("acme/raw-query ")
    );
    assert!(
        !rules_at(folder.path(), &["list", "--no-project-config"])
            .1
            .contains("acme/")
    );
}

#[test]
fn correct_examples_pass() {
    let two = RULE.replace("acme/raw-query", "acme/other");
    let (status, stdout, stderr) = rules_in(
        &[("own/a.yml", RULE), ("own/b/c.yaml", &two)],
        &["test", "own"],
    );
    assert_eq!(
        (status, stdout.as_str(), stderr.as_str()),
        (Some(0), "2 rules, 4 examples: all pass\n", "")
    );
    let both = format!("{RULE}---\n{two}");
    let (status, stdout, _) = rules_in(&[("own/a.yml", &both)], &["test", "own"]);
    assert_eq!(
        (status, stdout.as_str()),
        (Some(0), "2 rules, 4 examples: all pass\n")
    );
}

#[test]
fn a_failing_example_is_shown_with_an_excerpt_and_its_place() {
    let text = RULE
        .replace("    ^\n", "    +query_raw(more)\n    ^\n")
        .replace("+query(text, values)", "+query_raw(text)");
    let (status, stdout, stderr) = rules_in(&[("own/a.yml", &text)], &["test", "own"]);
    assert_eq!((status, stderr.as_str()), (Some(1), ""));
    for expected in [
        "own/a.yml:10:5: positive[0]: reported and marked lines differ",
        "    +query_raw(text)   <- REPORTED, NOT MARKED",
        "    +query_raw(more)   <- reported, as marked",
        "own/a.yml:15:5: negative[0]: reported and marked lines differ",
        "1 rule, 2 examples: 2 failed",
    ] {
        assert!(stdout.contains(expected), "{expected}:\n{stdout}");
    }
}

#[test]
fn untested_rules_are_reported() {
    let none = RULE.split("positive:").next().unwrap();
    let (status, stdout, _) = rules_in(&[("own/a.yml", none)], &["test", "own"]);
    assert_eq!(status, Some(0));
    assert!(
        stdout.contains("note: acme/raw-query has no examples"),
        "{stdout}"
    );
    let half = RULE.split("negative:").next().unwrap();
    let (status, stdout, _) = rules_in(&[("own/a.yml", half)], &["test", "own"]);
    assert_eq!(status, Some(0));
    assert!(
        stdout.contains("note: acme/raw-query has no example in `negative`"),
        "{stdout}"
    );
}

#[test]
fn a_folder_without_valid_rules_is_bad_input() {
    for (files, expected) in [
        (vec![], "own:1:1: No such file"),
        (
            vec![("own/readme.md", "x")],
            "own: there are no rules: no file ends in .yml or .yaml",
        ),
        (
            vec![("own/a.yml", "# nothing\n")],
            "own: there are no rules in its files",
        ),
        (
            vec![("own/a.yml", RULE), ("own/b.yml", RULE)],
            "own/b.yml:1:5: `id`: acme/raw-query is also the ID of the rule at own/a.yml:1:5",
        ),
        (
            vec![("own/a.yml", "- x\n")],
            "own/a.yml:1:1: a rule is a mapping",
        ),
    ] {
        let (status, stdout, stderr) = rules_in(&files, &["test", "own"]);
        assert_eq!(
            (status, stdout.as_str()),
            (Some(2), ""),
            "{expected}: {stderr}"
        );
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
}
