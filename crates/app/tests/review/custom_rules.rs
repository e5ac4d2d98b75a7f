//! Custom rules from `--rules`, from the repository, and from an attacker.

use crate::support::{BAD, Folder, GOOD, Run, added, finish};

/// Finds calls of `query_raw`.
pub(crate) const RULE: &str = "\
id: acme/raw-query
languages: [Python]
title: Query without parameters
summary: \"`$CALL` builds its query itself.\"
priority: P1
category: SECURITY
rule:
  pattern: $CALL($$$)
constraints:
  CALL: {regex: ^query_raw$}
positive:
  - |
    +query_raw(text)
    ^
negative:
  - |
    +query(text, values)
";
const CALL: &str = "from db import *; query_raw(text)\n";

fn review(folder: &Folder, diff: String, arguments: &[&str]) -> Run {
    folder.review_text(diff, arguments)
}

fn refused(run: &Run, messages: &[&str]) {
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    for text in messages {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
}

#[test]
fn rules_of_a_folder_are_used_in_addition_to_the_built_in_ones() {
    let folder = Folder::new();
    folder.write("rules/deep/raw.yml", RULE);
    folder.write("rules/readme.txt", "no rule");
    let diff = added("a.py", BAD) + &added("b.py", CALL);
    let run = review(
        &folder,
        diff.clone(),
        &["--rules", "rules", "--fail-on", "P1"],
    );
    assert_eq!(
        run.findings(),
        [
            "b.py:1 acme/raw-query", "a.py:1 python/mutable-default-argument"
        ],
        "{run:?}"
    );
    assert_eq!((run.status, run.warnings().len()), (1, 0));
    assert_eq!(
        run.json()["findings"][0]["summary"],
        "`query_raw` builds its query itself."
    );
    assert_eq!(
        review(&folder, diff, &[]).findings(),
        ["a.py:1 python/mutable-default-argument"]
    );
}

#[test]
fn a_failing_example_keeps_its_tabs_and_shows_how_it_was_parsed() {
    let folder = Folder::new();
    let rule = RULE.replace("Python", "Go").replace(
        "    +query_raw(text)\n", "    @@\n    +\tquery_text(text)\n",
    );
    folder.write("rules/raw.yml", rule);
    let run = folder.hunkwise(&["rules", "test", "rules"]);
    let expected = "    +\tquery_text(text)   <- MARKED, NOT REPORTED\n    \
                    `query_text(text)` is parsed as call_expression(identifier, argument_list(identifier))\n    \
                    the pattern is parsed as call_expression($CALL, argument_list($$$))\n";
    assert!(run.status == 1 && run.stdout.contains(expected), "{run:?}");
}

#[test]
fn an_ineffective_suppression_is_a_note() {
    let folder = Folder::new();
    let run = folder.review_text(
        added(
            "b.py",
            &format!("# hunkwise:ignore python/mutable-default-argument\n{BAD}"),
        ),
        &[],
    );
    assert_eq!(
        (run.findings().len(), run.warnings()),
        (1, vec!["SUPPRESSION_INEFFECTIVE b.py".to_owned()])
    );
    let text = run.json()["metadata"]["warnings"][0]["message"].to_string();
    assert!(
        text.contains("line 1: this suppression has no reason"),
        "{text}"
    );
    // A rule of the repository is known by name.
    folder.write("rules/raw.yml", RULE);
    let comment = |name: &str| {
        added(
            "b.py",
            &format!("# hunkwise:ignore {name} a constant\nquery_raw(text)\n"),
        )
    };
    for (name, expected) in [
        ("acme/raw-query", "FINDINGS_SUPPRESSED b.py"),
        ("acme/raw-querry", "SUPPRESSION_INEFFECTIVE b.py"),
    ] {
        let run = folder.review_text(comment(name), &["--rules", "rules"]);
        assert_eq!(run.warnings(), [expected], "{name}");
    }
}

#[test]
fn a_comment_suppresses_a_custom_rule_like_any_other() {
    let folder = Folder::new();
    folder.write("rules/raw.yml", RULE);
    let diff = added(
        "b.py",
        "query_raw(text)  # hunkwise:ignore acme/raw-query a constant\n",
    );
    let run = review(&folder, diff, &["--rules", "rules"]);
    assert_eq!(
        (run.findings().len(), run.warnings()),
        (0, vec!["FINDINGS_SUPPRESSED b.py".to_owned()])
    );
}

#[test]
fn the_repositorys_rules_are_used_from_any_of_its_folders() {
    let folder = Folder::repository(&[("sub/b.py", GOOD), (".hunkwise/rules/raw.yml", RULE)]);
    folder.write("sub/b.py", CALL);
    assert_eq!(folder.review(&[]).findings(), ["sub/b.py:1 acme/raw-query"]);
    let mut command = folder.command();
    let run = finish(
        command
            .args(["review", "--format", "json"])
            .current_dir(folder.path().join("sub")),
    );
    assert_eq!(run.findings(), ["sub/b.py:1 acme/raw-query"]);
    let run = folder.review(&["--no-project-config"]);
    assert_eq!(run.findings(), Vec::<String>::new(), "{run:?}");
}

#[test]
fn all_faults_in_all_files_are_reported_together_with_their_places() {
    let folder = Folder::new();
    folder.write(
        "rules/a.yml",
        RULE.replace("priority: P1", "severity: error")
            .replace("Python", "Pyton"),
    );
    folder.write("rules/b.yml", RULE.replace("  pattern:", "  patern:"));
    folder.write("rules/c.yml", "id: [\n");
    folder.write("rules/d.yml", RULE.replace("^query_raw$", "(query"));
    folder.write(
        "rules/e.yml",
        RULE.replace("acme/raw-query", "python/mutable-default-argument"),
    );
    folder.write("rules/f.yml", RULE);
    folder.write("rules/g.yml", RULE.replace("`$CALL`", "`$CAL`"));
    let run = review(&folder, added("b.py", CALL), &["--rules", "rules"]);
    refused(
        &run,
        &[
            "a.yml:2:13: `languages`: there is no grammar for \"Pyton\"; did you mean `Python`?",
            "a.yml:1:1: `priority` is missing",
            "a.yml:5:1: unknown property `severity`: write `priority`",
            "b.yml:8:3: unknown part of a rule `patern`; did you mean `pattern`?",
            "c.yml:",
            "d.yml:10:17: not a regular expression that can be used",
            "e.yml:1:5: `id`: python/mutable-default-argument is a built-in rule",
            "g.yml:4:10: `summary`: $CAL is not a variable of the rule (it has $CALL",
            "g.yml:1:5: `id`: acme/raw-query is also the ID of the rule at rules/f.yml:1:5",
        ],
    );
}

#[test]
fn a_missing_folder_is_named() {
    refused(
        &review(&Folder::new(), added("b.py", CALL), &["--rules", "none"]),
        &["none:1:1: No such file"],
    );
}

#[test]
fn hostile_rules_do_not_affect_others() {
    let nested = (0..300)
        .map(|n| " ".repeat(n + 4) + "a:\n")
        .collect::<String>();
    let crash = format!(
        "{}languages: [YAML]\nrule:\n  pattern: |\n{nested}",
        &RULE[..RULE.find("languages").unwrap()]
    );
    let crash = format!("{crash}title: x\nsummary: x\npriority: P1\ncategory: SECURITY\n");
    for (name, text) in [
        ("crash", crash),
        ("large", RULE.to_owned() + &"# x\n".repeat(30_000)),
        (
            "deep",
            RULE.replace(
                "  pattern: $CALL($$$)",
                &format!("  all: {}", "[{all: ".repeat(5_000)),
            ),
        ),
        ("regex", RULE.replace("^query_raw$", "(\\w{500}){500}")),
        ("bytes", RULE.replace("acme", "\u{1b}[2J\u{0}")),
    ] {
        let folder = Folder::new();
        folder.write("rules/x.yml", text);
        let run = review(&folder, added("b.py", CALL), &["--rules", "rules"]);
        refused(&run, &["x.yml:"]);
        assert!(
            !run.stderr.contains('\u{1b}') && !run.stderr.contains("panicked"),
            "{name}: {}",
            run.stderr
        );
    }
}

#[test]
fn an_endless_rule_is_aborted_and_named_without_affecting_others() {
    let folder = Folder::new();
    let search = (0..6).fold("{kind: call, regex: '[0-9]x'}".to_owned(), |inner, _| {
        format!("{{any: [{{kind: call}}, {{kind: module}}], has: {{stopBy: end, any: [{inner}]}}}}")
    });
    folder.write(
        "rules/slow.yml",
        RULE.replace(
            "  pattern: $CALL($$$)\nconstraints:\n  CALL: {regex: ^query_raw$}",
            &format!("  all: [{search}]"),
        )
        .replace("`$CALL`", "this"),
    );
    let calls = format!("x = {}1{}\n", "f(".repeat(150), ")".repeat(150));
    let diff = added("slow.py", &(calls.repeat(8) + "if x is 'a':\n    y()\n"))
        + &added("a.go", "package a\n")
        + &added("a.js", "if (x == NaN) { y(); }\n");
    let mut command = folder.command();
    command.args([
        "review", "-", "--format", "json", "--rules", "rules", "--fail-on", "never",
    ]);
    let run = finish(command.stdin(std::fs::File::open(folder.write("x.diff", diff)).unwrap()));
    assert_eq!(run.warnings(), ["FILE_PARTLY_ANALYZED slow.py"], "{run:?}");
    assert_eq!(
        run.findings(),
        [
            "a.js:1 javascript/comparison-with-nan", "slow.py:9 python/is-with-literal"
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_in_a_repository_are_not_followed() {
    let secret = Folder::new();
    secret.write("secret.yml", "token: canary\n");
    for (link, target) in [
        (".hunkwise/rules/x.yml", "secret.yml"),
        (".hunkwise/rules", ""),
        (".hunkwise.toml", "secret.yml"),
    ] {
        let folder = Folder::repository(&[("b.py", GOOD), (".hunkwise/keep", "")]);
        folder.write("b.py", BAD);
        let link = folder.path().join(link);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(secret.path().join(target), &link).unwrap();
        let run = folder.review(&[]);
        refused(&run, &["links are not followed here"]);
        assert!(!run.stderr.contains("canary"), "{}", run.stderr);
        assert_eq!(folder.review(&["--no-project-config"]).status, 0);
    }
}
