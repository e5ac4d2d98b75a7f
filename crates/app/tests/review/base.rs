//! With `--base`, the merge base decides how a change is reviewed, not the change itself.

use std::fs;
use std::os::unix::fs::symlink;

use crate::custom_rules::RULE;
use crate::support::{BAD, Folder, GOOD, Run, found};

const OFF: &str = "[rules]\n\"*\" = \"off\"\n";
const CONFIG: &str = ".hunkwise.toml";
const RAW: &str = ".hunkwise/rules/raw.yml";

/// A repository with these files on `main`, and a branch with a finding of priority P2 in `a.py`.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::repository(&[&[("a.py", GOOD), ("b.py", "")], files].concat());
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.py", BAD);
    folder
}

fn review(folder: &Folder, arguments: &[&str]) -> Run {
    let run = folder.review(&[&["--base", "main"], arguments].concat());
    assert!(run.status < 2, "{run:?}");
    run
}

/// The warning about a change to its own review, which is on stderr as well.
fn warning(run: &Run) -> Option<String> {
    let json = run.json();
    let warnings = json["metadata"]["warnings"].as_array().unwrap();
    let mut ours = warnings
        .iter()
        .filter(|warning| warning["code"] == "CONFIGURATION_CHANGED");
    let message = ours
        .next()
        .map(|warning| warning["message"].as_str().unwrap().to_owned());
    match &message {
        Some(message) => assert!(run.stderr.contains(message.as_str()), "{}", run.stderr),
        None => assert!(!run.stderr.contains("takes effect"), "{}", run.stderr),
    }
    message
}

fn takes_effect_later(run: &Run, files: &str) {
    let start = format!("the change to {files} takes effect once it is merged: ");
    let warning = warning(run).unwrap();
    assert!(warning.starts_with(&start), "{warning}");
}

#[test]
fn a_configuration_added_by_the_change_does_not_apply() {
    let folder = repository(&[]);
    for text in [
        OFF, "[rules]\n\"*\" = \"P3\"\n", "min_confidence = 1.0\n", "ignore = [\"**\"]\n",
        "nonsense = [",
    ] {
        for is_committed in [false, true] {
            folder.write(CONFIG, text);
            if is_committed {
                folder.commit("configuration");
            }
            let run = review(&folder, &["--fail-on", "P2"]);
            assert_eq!(
                (run.findings(), run.status),
                (found(&["a.py:1"]), 1),
                "{text}"
            );
            takes_effect_later(&run, CONFIG);
        }
    }
    assert!(
        folder
            .hunkwise(&["review", "--base", "main"])
            .stdout
            .contains("[CONFIGURATION_CHANGED]")
    );
    folder.write(CONFIG, OFF);
    let run = review(&folder, &["--config-from", "checkout"]);
    assert_eq!(run.findings(), [""; 0]);
    assert!(
        warning(&run).unwrap().contains("already in effect"),
        "{run:?}"
    );
}

#[test]
fn the_configuration_of_the_base_applies_even_if_the_change_edits_moves_or_deletes_it() {
    let folder = repository(&[(CONFIG, OFF)]);
    assert_eq!(warning(&review(&folder, &[])), None);
    let changes: [&dyn Fn(); 4] = [
        &|| drop(folder.write(CONFIG, "")),
        &|| drop(folder.git(&["rm", "--quiet", "--force", CONFIG])),
        &|| drop(folder.git(&["mv", CONFIG, "other.toml"])),
        &|| {
            fs::remove_file(folder.path().join(CONFIG)).unwrap();
            symlink("/dev/null", folder.path().join(CONFIG)).unwrap();
        },
    ];
    for change in changes {
        change();
        let run = review(&folder, &[]);
        assert_eq!(run.findings(), [""; 0]);
        let message = warning(&run).unwrap();
        assert!(
            message.contains("takes effect once it is merged"),
            "{message}"
        );
        folder.git(&["reset", "--quiet", "--hard"]);
        folder.write("a.py", BAD);
    }
}

#[test]
fn without_a_base_the_checkout_decides_with_a_warning() {
    let folder = repository(&[(CONFIG, "")]);
    folder.write(CONFIG, OFF);
    let run = folder.review(&[]);
    assert_eq!(run.findings(), [""; 0]);
    assert!(
        warning(&run)
            .unwrap()
            .contains(".hunkwise.toml is already in effect"),
        "{run:?}"
    );
    folder.git(&["rm", "--quiet", "--force", CONFIG]);
    assert!(
        warning(&folder.review(&[]))
            .unwrap()
            .contains(".hunkwise.toml is already in effect")
    );
    let run = review(&folder, &["--config-from", "checkout"]);
    assert!(
        warning(&run)
            .unwrap()
            .contains(".hunkwise.toml is already in effect"),
        "{run:?}"
    );
    let run = folder.review(&["--config-from", "base"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("--base <REV>"), "{}", run.stderr);
}

#[test]
fn rules_are_read_from_the_base() {
    let ours = RULE
        .replace("acme/", "ours/")
        .replace("builds its query itself", "is slow")
        .replace("SECURITY", "PERFORMANCE");
    let folder = repository(&[(RAW, RULE), ("ours/deep/raw.yaml", &ours)]);
    folder.write("a.py", "from db import *; query_raw(text)\n");
    let run = review(&folder, &[]);
    assert_eq!(
        (run.findings(), warning(&run)),
        (vec!["a.py:1 acme/raw-query".to_owned()], None)
    );
    // The folder named by the caller is part of the change as well.
    let both = ["a.py:1 acme/raw-query", "a.py:1 ours/raw-query"];
    for (place, folders) in [("ours", "ours"), ("./b/../ours/", "ours")] {
        folder.git(&["rm", "--quiet", "-r", "--force", ".hunkwise", folders]);
        let run = review(&folder, &["--rules", place]);
        let mut findings = run.findings();
        findings.sort();
        assert_eq!(findings, both, "{place}: {run:?}");
        takes_effect_later(&run, "the configuration or the rules");
        folder.git(&["reset", "--quiet", "--hard"]);
        folder.write("a.py", "from db import *; query_raw(text)\n");
    }
    folder.write(RAW, RULE.replace("query_raw$", "query_other$"));
    let run = review(&folder, &[]);
    assert_eq!(run.findings(), ["a.py:1 acme/raw-query"]);
    takes_effect_later(&run, RAW);
    assert_eq!(
        review(&folder, &["--config-from", "checkout"]).findings(),
        [""; 0]
    );
}

#[test]
fn untracked_rules_of_the_caller_are_used() {
    let folder = repository(&[]);
    folder.write("a.py", "from db import *; query_raw(text)\n");
    folder.write("mine/raw.yml", RULE);
    assert_eq!(
        review(&folder, &["--rules", "mine"]).findings(),
        ["a.py:1 acme/raw-query"]
    );
    folder.git(&["add", "mine"]);
    assert_eq!(
        review(&folder, &["--rules", "mine"]).findings(),
        [""; 0],
        "the change adds them"
    );
    let outside = Folder::new();
    outside.write("raw.yml", RULE);
    let path = outside.path().to_str().unwrap();
    assert_eq!(
        review(&folder, &["--rules", path]).findings(),
        ["a.py:1 acme/raw-query"]
    );
    symlink(outside.path(), folder.path().join("linked")).unwrap();
    assert_eq!(
        review(&folder, &["--rules", "linked"]).findings(),
        ["linked:1 any/hidden-from-review"],
        "the change may have made the link"
    );
}

#[test]
fn files_of_a_commit_are_read_with_the_same_limits_as_a_folder() {
    let large = format!("# {}", "x".repeat(70_000));
    let deep = format!(".hunkwise/rules/{}raw.yml", "a/".repeat(9));
    let many: Vec<(String, &str)> = (0..501)
        .map(|n| (format!(".hunkwise/rules/{n}.yml"), "x"))
        .collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    for (files, expected) in [
        (
            vec![(CONFIG, large.as_str())],
            ".hunkwise.toml:1:1: the file is larger than 65536 bytes",
        ),
        (
            vec![(RAW, large.as_str())],
            "raw.yml:1:1: the file is larger than 65536 bytes",
        ),
        (
            vec![(deep.as_str(), RULE)],
            "folders are nested more than 8 levels deep",
        ),
        (many, "there are more than 500 files with rules"),
        (
            vec![(CONFIG, "[rules]\n\"acme/none\" = \"off\"\n")],
            ".hunkwise.toml:2:1: there is no rule \"acme/none\"",
        ),
        (
            vec![(".hunkwise/rules", "")],
            ".hunkwise/rules:1:1: not a folder",
        ),
    ] {
        let folder = repository(&files);
        folder.git(&[
            "rm",
            "--quiet",
            "-r",
            "--force",
            files[0]
                .0
                .split_once('/')
                .map_or(files[0].0, |(top, _)| top),
        ]);
        let run = folder.review(&["--base", "main"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
}

#[test]
fn links_and_submodules_of_a_commit_are_refused() {
    for place in [CONFIG, ".hunkwise", ".hunkwise/rules", RAW] {
        let outside = Folder::new();
        outside.write("rules/raw.yml", RULE);
        let folder = Folder::repository(&[("a.py", GOOD)]);
        fs::create_dir_all(folder.path().join(place).parent().unwrap()).unwrap();
        symlink(outside.path(), folder.path().join(place)).unwrap();
        folder.commit("link");
        folder.git(&["checkout", "--quiet", "-b", "topic"]);
        folder.git(&["rm", "--quiet", "-r", place]);
        folder.write("a.py", BAD);
        let run = folder.review(&["--base", "main"]);
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (2, ""),
            "{place}: {run:?}"
        );
        assert!(
            run.stderr.contains("links are not followed here"),
            "{place}: {}",
            run.stderr
        );
    }
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let commit = folder.git(&["rev-parse", "HEAD"]);
    folder.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{},.hunkwise", commit.trim()),
    ]);
    folder.git(&["commit", "--quiet", "--message", "submodule"]);
    folder.write("a.py", BAD);
    let run = folder.review(&["--base", "main"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr
            .contains("a submodule, whose files are not in the commit"),
        "{}",
        run.stderr
    );
}

/// A baseline with all findings of the working tree.
fn write_baseline(folder: &Folder, file: &str) {
    assert_eq!(
        folder
            .review(&["--base", "main", "--write-baseline", file])
            .status,
        0
    );
}

fn gated(folder: &Folder, file: &str, more: &[&str]) -> Run {
    review(
        folder,
        &[&["--fail-on", "P2", "--baseline", file], more].concat(),
    )
}

#[test]
fn baselines_are_read_from_the_base() {
    let folder = repository(&[]);
    write_baseline(&folder, "known.json");
    assert_eq!(
        gated(&folder, "known.json", &[]).status,
        0,
        "git does not track it, so it belongs to the caller"
    );
    folder.commit("with a baseline");
    let run = gated(&folder, "known.json", &[]);
    assert_eq!(run.status, 1, "{run:?}");
    takes_effect_later(&run, "known.json");
    let run = gated(&folder, "known.json", &["--config-from", "checkout"]);
    assert_eq!(run.status, 0);
    assert!(
        warning(&run)
            .unwrap()
            .contains("known.json is already in effect"),
        "{run:?}"
    );
    folder.git(&["branch", "--force", "main", "topic"]);
    folder.write("b.py", BAD);
    assert_eq!(gated(&folder, "known.json", &[]).status, 1);
    write_baseline(&folder, "known.json");
    for place in [
        "known.json",
        "./known.json",
        folder.path().join("known.json").to_str().unwrap(),
    ] {
        let run = gated(&folder, place, &[]);
        assert_eq!(run.status, 1, "{place}: {run:?}");
        takes_effect_later(&run, place);
    }
    folder.git(&["rm", "--quiet", "--force", "known.json"]);
    folder.git(&["checkout", "--quiet", "main", "b.py"]);
    folder.write("a.py", format!("{BAD}\nx = 1\n"));
    takes_effect_later(&gated(&folder, "known.json", &[]), "known.json");
}

#[test]
fn a_link_to_a_baseline_is_not_followed_if_the_change_may_have_added_it() {
    let (folder, outside) = (repository(&[("ci/known.txt", "")]), Folder::new());
    write_baseline(&folder, outside.path().join("known.json").to_str().unwrap());
    assert_eq!(
        gated(
            &folder,
            outside.path().join("known.json").to_str().unwrap(),
            &[]
        )
        .status,
        0
    );
    folder.git(&["rm", "--quiet", "-r", "ci"]);
    symlink(outside.path(), folder.path().join("ci")).unwrap();
    assert_eq!(gated(&folder, "ci/known.json", &[]).status, 1);
    symlink(
        outside.path().join("known.json"),
        folder.path().join("known.json"),
    )
    .unwrap();
    folder.git(&["add", "--all"]);
    assert_eq!(gated(&folder, "known.json", &[]).status, 1);
    folder.commit("links");
    folder.git(&["branch", "--force", "main", "topic"]);
    for file in ["known.json", "ci/known.json"] {
        let run = folder.review(&["--base", "main", "--baseline", file]);
        assert_eq!(run.status, 2, "{file}: {run:?}");
        assert!(
            run.stderr.contains("links are not followed there"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_shallow_clone_without_the_merge_base_suggests_a_fetch() {
    let origin = repository(&[(CONFIG, "")]);
    origin.commit("bad");
    origin.write("a.py", format!("{BAD}\n"));
    origin.commit("more");
    let folder = Folder::new();
    let url = format!("file://{}", origin.path().display());
    folder.git(&[
        "clone", "--quiet", "--depth=1", "--no-single-branch", "--branch", "topic", &url, ".",
    ]);
    let run = folder.review(&["--base", "origin/main"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr.contains("run `git fetch --deepen=100 origin"),
        "{}",
        run.stderr
    );
}
