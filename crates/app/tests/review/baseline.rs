//! Baselines: known findings fail no run, even if their lines move.

use std::fs;

use crate::support::{BAD, Folder, GOOD, Run, added};

const RULE: &str = "python/mutable-default-argument";

/// Reviews a diff with the gate at P2.
fn gated(folder: &Folder, diff: &str, arguments: &[&str]) -> Run {
    folder.review_text(diff, &[&["--fail-on", "P2"], arguments].concat())
}

fn states(run: &Run) -> Vec<String> {
    let json = run.json();
    let findings = json["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["baselineState"].as_str().unwrap_or("-").to_owned())
        .collect()
}

#[test]
fn known_findings_fail_no_run_and_new_ones_do() {
    let folder = Folder::new();
    let diff = added("a.py", BAD);
    let run = gated(&folder, &diff, &["--write-baseline", "known.json"]);
    assert_eq!(
        (run.status, states(&run)),
        (0, vec!["UNCHANGED".to_owned()]),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("wrote 1 finding to known.json"),
        "{}",
        run.stderr
    );
    let text = fs::read_to_string(folder.path().join("known.json")).unwrap();
    let line = format!("\n    {{\"path\":\"a.py\",\"rule\":\"{RULE}\",\"fingerprint\":\"");
    assert!(
        text.starts_with("{\n  \"version\": 1,\n") && text.contains(&line),
        "{text}"
    );
    let moved = added("a.py", &format!("LIMIT = 10\n\n\n{BAD}"));
    let run = gated(
        &folder,
        &(added("b.py", GOOD) + &moved),
        &["--baseline", "known.json"],
    );
    assert_eq!(run.status, 0, "{run:?}");
    let both = added("b.py", BAD) + &moved;
    let run = gated(&folder, &both, &["--baseline", "known.json"]);
    assert_eq!(
        (run.status, states(&run)),
        (1, vec!["NEW".to_owned(), "UNCHANGED".to_owned()]),
        "{run:?}"
    );
    assert_eq!(states(&gated(&folder, &both, &[])), ["-", "-"]);
    folder.write("both.diff", &both);
    let run = folder.hunkwise(&["review", "both.diff", "--baseline", "known.json"]);
    assert!(
        run.stdout
            .contains("1 new finding (1 P2), 1 known from the baseline"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("b.py:1") && !run.stdout.contains("a.py:4"),
        "{}",
        run.stdout
    );
}

#[test]
fn equal_lines_are_counted_individually() {
    let folder = Folder::new();
    let class = |name: &str| {
        format!("class {name}:\n    def add(self, basket=[]):\n        return basket + [1]\n\n")
    };
    let twice = added("a.py", &(class("A") + &class("B")));
    assert_eq!(
        gated(&folder, &twice, &["--write-baseline", "known.json"])
            .findings()
            .len(),
        2
    );
    assert_eq!(
        gated(&folder, &twice, &["--baseline", "known.json"]).status,
        0
    );
    let run = gated(
        &folder,
        &added("a.py", &["A", "B", "C"].map(class).concat()),
        &["--baseline", "known.json"],
    );
    assert_eq!(
        (
            run.status,
            states(&run).iter().filter(|state| *state == "NEW").count()
        ),
        (1, 1),
        "{run:?}"
    );
}

#[test]
fn an_invalid_baseline_is_rejected_with_its_place() {
    let folder = Folder::new();
    folder.write("empty.diff", "");
    let entry = |fingerprint: &str| {
        format!(
            "{{\"version\": 1, \"findings\": [\n{{\"path\":\"a\",\"rule\":\"b\",\"fingerprint\":\"{fingerprint}\"}}]}}"
        )
    };
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (text, expected) in [
        (
            "{\"version\": 2, \"findings\": [], \"more\": 1}",
            "its version is 2, and this hunkwise reads 1: use a newer",
        ),
        (
            "{\"version\": 0}",
            "its version is 0, and this hunkwise reads 1: write it again",
        ),
        (
            "",
            "EOF while parsing a value at line 1 column 0: correct it",
        ),
        ("[]", "at line 1 column"),
        ("{\"findings\": []}", "missing field `version`"),
        ("{\"version\": 1}", "missing field `findings`"),
        (
            "{\"version\": 1, \"findings\": [], \"x\": 1}",
            "unknown field `x`",
        ),
        (
            &entry("123"),
            "a fingerprint has 32 hexadecimal digits at line 2 column",
        ),
        (
            &entry(&"0".repeat(32)).replace("\"b\"", "7"),
            "at line 2 column",
        ),
        (
            &entry(&"0".repeat(32)).replace("\"}]", "\",}]"),
            "at line 2 column",
        ),
        ("<<<<<<< ours\n{\"version\": 1}", "at line 1 column 1"),
    ] {
        folder.write("known.json", text);
        let run = folder.hunkwise(&["review", "empty.diff", "--baseline", "known.json"]);
        assert_eq!(run.status, 2, "{text}: {run:?}");
        assert!(
            run.stderr.contains("baseline known.json: ") && run.stderr.contains(expected),
            "{text}: {}",
            run.stderr
        );
    }
    folder.write("known.json", [0xff, 0xfe]);
    for (file, expected) in [
        ("known.json", "not text in UTF-8"),
        ("folder", "cannot be read"),
        ("none.json", "--write-baseline FILE` creates one"),
    ] {
        let run = folder.hunkwise(&["review", "empty.diff", "--baseline", file]);
        assert_eq!(run.status, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(expected), "{file}: {}", run.stderr);
    }
    let run = folder.review_text(added("a.py", BAD), &["--write-baseline", "folder"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(run.stderr.contains("cannot write folder"), "{}", run.stderr);
}

#[test]
fn a_baseline_is_not_written_without_a_review() {
    let folder = Folder::new();
    folder.write("known.json", "as it was");
    folder.write("a.diff", added("a.py", BAD));
    let mut command = folder.command();
    command
        .args(["review", "a.diff", "--write-baseline", "known.json"])
        .env("HUNKWISE_LIMITS__DIFF_LINES", "1");
    assert_eq!(crate::support::finish(&mut command).status, 3);
    assert_eq!(
        fs::read_to_string(folder.path().join("known.json")).unwrap(),
        "as it was"
    );
}

#[test]
fn prune_removes_findings_that_are_no_longer_in_the_code() {
    let folder = Folder::repository(&[
        ("a.py", BAD),
        ("sub/b.py", BAD),
        ("c.py", BAD),
        ("d.py", BAD),
    ]);
    let count = |file: &str| {
        fs::read_to_string(folder.path().join(file))
            .unwrap()
            .matches("\"path\"")
            .count()
    };
    let run = folder.review(&["--commit", "HEAD", "--write-baseline", "known.json"]);
    assert_eq!((run.status, count("known.json")), (0, 4), "{run:?}");
    folder.write("a.py", format!("import os\n\n{BAD}"));
    folder.write("sub/b.py", GOOD);
    folder.git(&["rm", "--quiet", "c.py"]);
    folder.git(&["update-index", "--skip-worktree", "d.py"]);
    fs::remove_file(folder.path().join("d.py")).unwrap();
    let run = folder.hunkwise(&["baseline", "prune", "known.json"]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "pruned 2 of 4 findings\n"),
        "{run:?}"
    );
    let text = fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(
        text.contains("\"a.py\"") && text.contains("\"d.py\"") && count("known.json") == 2,
        "{text}"
    );
    let mut command = folder.command();
    command
        .args(["baseline", "prune", "../known.json"])
        .current_dir(folder.path().join("sub"));
    assert_eq!(
        crate::support::finish(&mut command).stdout,
        "pruned 0 of 2 findings\n"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("known.json")).unwrap(),
        text
    );
}

#[test]
fn prune_keeps_removed_lines_and_reads_nothing_outside() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let fingerprint = "0".repeat(32);
    let entry = |path: &str, side: &str| {
        format!(
            "{{\"path\":{path:?},\"rule\":\"any/x\",\"fingerprint\":\"{fingerprint}\",\"side\":\"{side}\"}}"
        )
    };
    let entries = [
        entry("a.py", "OLD"),
        entry("../a.py", "NEW"),
        entry("/etc/passwd", "NEW"),
        entry("", "NEW"),
    ];
    folder.write(
        "known.json",
        format!("{{\"version\": 1, \"findings\": [{}]}}", entries.join(",")),
    );
    let run = folder.hunkwise(&["baseline", "prune", "known.json"]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "pruned 3 of 4 findings\n"),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("1 on removed lines stay"),
        "{}",
        run.stderr
    );
    let run = Folder::new().hunkwise(&["baseline", "prune", "known.json"]);
    assert_eq!(run.status, 2, "{run:?}");
}
