//! `hunkwise rules`: the list and the explanations.

#![expect(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

use std::process::{Command, Output};

use serde_json::Value;

fn rules(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_hunkwise")).arg("rules").args(arguments).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn ids(arguments: &[&str]) -> Vec<String> {
    let (status, stdout, stderr) = rules(&[&["list", "--json"], arguments].concat());
    assert_eq!(status, Some(0), "{stderr}");
    let body: Value = serde_json::from_str(&stdout).unwrap();
    body["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_table_and_the_json_list_the_same_rules() {
    let (status, table, _) = rules(&["list"]);
    let ids = ids(&[]);
    assert_eq!(status, Some(0));
    let first_words: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first_words.get(..ids.len()), Some(&ids.iter().map(String::as_str).collect::<Vec<_>>()[..]));
    assert_eq!(table.lines().last(), Some(format!("{} rules", ids.len()).as_str()));
    assert!(ids.is_sorted());
}

#[test]
fn filters_keep_what_applies() {
    let python = ids(&["--language", "py"]);
    assert!(python.contains(&"python/mutable-default-argument".to_owned()));
    assert!(python.contains(&"any/conflict-marker".to_owned()));
    assert!(!python.iter().any(|id| id.starts_with("javascript/")));
    let security = ids(&["--category", "security"]);
    assert!(security.contains(&"any/bidirectional-control-character".to_owned()));
    assert!(!security.contains(&"python/mutable-default-argument".to_owned()));
}

#[test]
fn every_rule_explains_itself() {
    for id in ids(&[]) {
        let (status, stdout, stderr) = rules(&["explain", &id]);
        assert_eq!((status, stderr.as_str()), (Some(0), ""), "{id}");
        let ignore = format!("hunkwise:ignore {id}");
        for part in [
            id.as_str(),
            "priority",
            "category",
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
    assert_eq!(rules(&["explain", "mutable-default-argument"]), rules(&["explain", "python/mutable-default-argument"]));
}

#[test]
fn a_name_that_is_none_gets_the_nearest() {
    let (status, stdout, stderr) = rules(&["explain", "python/mutable-defaults"]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("python/mutable-default-argument"), "{stderr}");
    let (status, _, stderr) = rules(&["explain", "qqq"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("rules list"), "{stderr}");
    for (arguments, said) in [(["list", "--language", "pyhton"], "Python"), (["list", "--category", "x"], "SECURITY")] {
        let (status, _, stderr) = rules(&arguments);
        assert_eq!(status, Some(2));
        assert!(stderr.contains(said), "{stderr}");
    }
}
