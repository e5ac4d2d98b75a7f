//! `.hunkwise.toml`: which rules a repository uses, where, and with which priority.

use crate::custom_rules::RULE;
use crate::support::{BAD, Folder, GOOD, Run};

const MUTABLE: &str = "python/mutable-default-argument";
const NAN: &str = "javascript/comparison-with-nan";

/// A repository with this configuration, and a change with a P2 in Python and a P1 in JavaScript.
fn repository(config: &str) -> Folder {
    let folder = Folder::repository(&[
        ("src/a.py", GOOD),
        ("lib/b.js", "go();\n"),
        (".hunkwise.toml", config),
    ]);
    folder.write("src/a.py", BAD);
    folder.write("lib/b.js", "if (x == NaN) { y(); }\n");
    folder
}

fn review(config: &str) -> Run {
    let run = repository(config).review(&[]);
    assert!(run.status < 2, "{config}: {run:?}");
    run
}

fn rules(run: &Run) -> Vec<String> {
    run.findings()
        .iter()
        .filter_map(|finding| Some(finding.split_once(' ')?.1.to_owned()))
        .collect()
}

fn message(run: &Run) -> String {
    run.json()["metadata"]["warnings"][0]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn rules_are_enabled_and_disabled_by_name_and_by_folder() {
    for (config, expected) in [
        ("", &[NAN, MUTABLE][..]),
        (
            "[rules]\n\"python/mutable-default-argument\" = \"off\"\n",
            &[NAN],
        ),
        ("[rules]\n\"javascript/*\" = \"off\"\n", &[MUTABLE]),
        ("[rules]\n\"*\" = \"off\"\n", &[]),
        (
            "[rules]\n\"python/*\" = \"on\"\n\"*\" = \"off\"\n",
            &[MUTABLE],
        ),
        (
            "[rules]\n\"javascript/comparison-with-nan\" = { enabled = true }\n\"javascript/*\" = \"off\"\n",
            &[NAN, MUTABLE],
        ),
    ] {
        let run = review(config);
        assert_eq!(rules(&run), expected, "{config}");
        assert_eq!(
            run.warnings().len(),
            usize::from(expected.len() < 2),
            "{config}: {run:?}"
        );
    }
    let run = review("[rules]\n\"*\" = \"off\"\n");
    assert_eq!(run.warnings(), ["FINDINGS_SUPPRESSED -"]);
    let expected =
        format!("2 findings were suppressed by .hunkwise.toml: {NAN} (1), {MUTABLE} (1)");
    assert_eq!(message(&run), expected);
}

#[test]
fn a_rules_priority_decides_its_place_and_the_exit_status() {
    let run = review("[rules]\n\"python/mutable-default-argument\" = \"P0\"\n");
    assert_eq!(rules(&run), [MUTABLE, NAN]);
    assert_eq!(
        (run.status, run.json()["findings"][0]["priority"].as_str()),
        (1, Some("P0"))
    );
    assert_eq!(review("[rules]\n\"*\" = \"P3\"\n").status, 0);
    let run = review("[rules]\n\"*\" = \"P3\"\n\"javascript/*\" = { priority = \"P2\" }\n");
    assert_eq!(rules(&run), [NAN, MUTABLE]);
}

#[test]
fn ignored_files_are_skipped_with_a_warning_each() {
    let run = review("ignore = [\"lib/\", \"*.toml\"]\n");
    assert_eq!(
        (rules(&run), run.warnings()),
        (
            vec![MUTABLE.to_owned()],
            vec!["FILE_SKIPPED_IGNORED lib/b.js".to_owned()]
        )
    );
    let run = repository("ignore = [\"*\"]\n").hunkwise(&["review"]);
    assert!(
        run.stdout.contains(
            "note: lib/b.js: not reviewed: ignored in .hunkwise.toml [FILE_SKIPPED_IGNORED]"
        ),
        "{run:?}"
    );
}

#[test]
fn a_rule_can_be_limited_to_paths_or_exclude_them() {
    for (config, expected) in [
        ("ignore = [\"lib/\"]", &[MUTABLE][..]),
        ("ignore = [\"src/\"]", &[NAN, MUTABLE]),
        ("paths = [\"lib/\"]", &[NAN, MUTABLE]),
        ("paths = [\"src/**/*.js\"]", &[MUTABLE]),
        ("paths = [\"*.js\"], ignore = [\"lib/b.js\"]", &[MUTABLE]),
    ] {
        let run = review(&format!(
            "[rules]\n\"javascript/comparison-with-nan\" = {{ {config} }}\n"
        ));
        assert_eq!(rules(&run), expected, "{config}");
    }
}

#[test]
fn flags_override_the_file() {
    let folder = repository("min_confidence = 1.0\n");
    assert_eq!(folder.review(&[]).findings().len(), 0);
    assert_eq!(
        folder.review(&["--min-confidence", "0"]).findings().len(),
        2
    );
    assert_eq!(folder.review(&["--no-project-config"]).findings().len(), 2);
}

#[test]
fn unknown_names_are_rejected_with_their_place_and_a_suggestion() {
    let folder = repository("min_confidenc = 1\n[rules]\n");
    folder.write(
        ".hunkwise.toml",
        "[rules]\n\"python/mutable-defaults\" = \"off\"\n  \"pyton/*\" = \"off\"\n\"acme/raw-query\" = \"off\"\n",
    );
    let run = folder.review(&[]);
    assert_eq!(run.status, 2, "{run:?}");
    for expected in [
        ".hunkwise.toml:2:1: there is no rule \"python/mutable-defaults\"; did you mean python/mutable-default-argument",
        ".hunkwise.toml:3:3: \"pyton/*\" matches no rule",
        ".hunkwise.toml:4:1: there is no rule \"acme/raw-query\"",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    folder.write(".hunkwise.toml", "min_confidense = 1\n[rule]\n");
    let run = folder.review(&[]);
    assert!(
        run.stderr
            .contains("1:1: unknown setting \"min_confidense\"; did you mean min_confidence?"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("2:2: unknown setting \"rule\"; did you mean rules?"),
        "{}",
        run.stderr
    );
}

#[test]
fn all_errors_are_reported_together_in_the_order_of_lines() {
    let folder = repository(
        "[rules]\n\"python/mutable-defaults\" = \"off\"\n\"acme/raw-query\" = \"of\"\n\"acme/unreadable\" = \"off\"\n",
    );
    folder.write(
        "rules/own.yml",
        "id: acme/unreadable\nlanguages: [Python]\n",
    );
    for (arguments, places) in [
        (
            &[][..],
            &[
                ".hunkwise.toml:2:1", ".hunkwise.toml:3:1", ".hunkwise.toml:3:20",
                ".hunkwise.toml:4:1",
            ][..],
        ),
        // The rule exists, although it cannot be read.
        (
            &["--rules", "rules"],
            &[
                ".hunkwise.toml:2:1", ".hunkwise.toml:3:1", ".hunkwise.toml:3:20",
            ],
        ),
    ] {
        let run = folder.review(arguments);
        assert_eq!(run.status, 2, "{run:?}");
        let lines = run
            .stderr
            .lines()
            .filter_map(|line| line.trim_start().split(": ").next());
        let found: Vec<&str> = lines
            .filter(|place| place.starts_with(".hunkwise.toml:"))
            .collect();
        assert_eq!(found, places, "{}", run.stderr);
    }
}

#[test]
fn names_of_removed_rules_have_no_effect_and_are_reported() {
    let run =
        review("[rules]\n\"any/branch-removed\" = \"P1\"\n\"*/unfinished-branch\" = \"off\"\n");
    assert_eq!(rules(&run), [NAN, MUTABLE]);
    let message = "names rules that were removed from Hunkwise and have no effect: */unfinished-branch, any/branch-removed";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn custom_rules_are_configured_like_any_other() {
    let folder = repository("[rules]\n\"acme/*\" = \"P0\"\n");
    folder.write(".hunkwise/rules/raw.yml", RULE);
    folder.write("src/a.py", "from db import *; query_raw(text)\n");
    let run = folder.review(&[]);
    assert_eq!(rules(&run), ["acme/raw-query", NAN]);
    assert_eq!(run.json()["findings"][0]["priority"], "P0");
}

#[test]
fn a_change_to_its_own_review_is_reported() {
    let folder = repository("");
    folder.write(".hunkwise.toml", "[rules]\n\"*\" = \"off\"\n");
    let run = folder.review(&[]);
    assert!(
        run.stderr
            .contains("the change to .hunkwise.toml is already in effect"),
        "{}",
        run.stderr
    );
    assert!(
        run.warnings()
            .contains(&"CONFIGURATION_CHANGED -".to_owned()),
        "{run:?}"
    );
    let run = folder.review(&["--no-project-config"]);
    assert_eq!((rules(&run).len(), run.stderr.as_str()), (2, ""));
}
