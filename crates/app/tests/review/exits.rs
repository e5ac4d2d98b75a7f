//! The exit status of a review.

use std::process::Stdio;

use crate::support::{BAD, Folder, GOOD, Run, added, finish};

/// Reviews a diff with a limit on its lines.
fn review_within(lines: u32, diff: &str, arguments: &[&str]) -> Run {
    let folder = Folder::new();
    folder.write("change.diff", diff);
    let mut command = folder.command();
    command
        .args(["review", "change.diff"])
        .args(arguments)
        .env("HUNKWISE_LIMITS__DIFF_LINES", lines.to_string());
    finish(command.stdin(Stdio::null()))
}

#[test]
fn an_unreviewed_change_is_a_failure() {
    let run = review_within(2, &added("a.py", BAD), &[]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stderr
            .contains("error: nothing was reviewed: a.py: not reviewed: "),
        "{}",
        run.stderr
    );
    assert!(
        run.stdout.contains("nothing was reviewed in 0 files"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_change_without_source_code_is_a_success() {
    let lock = added("package-lock.json", "{}\n");
    assert_eq!(review_within(100, &lock, &[]).status, 0);
    assert_eq!(review_within(100, &lock, &["--strict"]).status, 0);
    let hidden = added("vendor/a.py", BAD);
    assert_eq!(review_within(100, &hidden, &[]).status, 0);
    let run = review_within(100, &hidden, &["--strict"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stderr.contains("--strict") && run.stderr.contains("[FILE_SKIPPED_VENDORED]"),
        "{}",
        run.stderr
    );
}

#[test]
fn strict_requires_a_complete_review() {
    let diff = added("a.py", BAD) + &added("b.py", GOOD);
    for (lines, arguments, status) in [
        (100, &["--strict"][..], 0),
        (100, &["--strict", "--fail-on", "P2"], 1),
        (4, &[], 0),
        (4, &["--fail-on", "P2"], 1),
        (4, &["--strict"], 3),
        (4, &["--strict", "--fail-on", "P2"], 3),
    ] {
        let run = review_within(lines, &diff, arguments);
        assert_eq!(run.status, status, "{lines} {arguments:?} {run:?}");
    }
}

#[test]
fn the_gate_may_require_a_confidence() {
    let diff = added("a.py", BAD);
    for (gate, status) in [
        ("P2", 1),
        ("P2:0.1", 1),
        ("p3:0", 1),
        ("P2:1", 0),
        ("P1:0.1", 0),
        ("never", 0),
    ] {
        assert_eq!(
            review_within(100, &diff, &["--fail-on", gate]).status,
            status,
            "{gate}"
        );
    }
    for gate in ["P2:", "P2:1.5", "P2:NaN", "P9:0.5", "never:0.5"] {
        assert_eq!(
            review_within(100, &diff, &["--fail-on", gate]).status,
            2,
            "{gate}"
        );
    }
}

#[test]
fn an_unknown_variable_is_a_warning_and_with_strict_config_an_error() {
    let folder = Folder::new();
    folder.write("change.diff", added("a.py", GOOD));
    let run = |arguments: &[&str]| {
        let mut command = folder.command();
        command
            .args(["review", "change.diff"])
            .args(arguments)
            .env("HUNKWISE_VERSION", "1.2");
        finish(command.stdin(Stdio::null()))
    };
    let warned = run(&[]);
    assert_eq!(
        (warned.status, warned.stderr.as_str()),
        (0, "warning: HUNKWISE_VERSION: unknown setting\n")
    );
    let refused = run(&["--strict-config"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert!(
        refused.stderr.contains("HUNKWISE_VERSION: unknown setting"),
        "{}",
        refused.stderr
    );
}
