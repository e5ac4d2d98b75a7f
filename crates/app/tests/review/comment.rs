//! `hunkwise comment` against both hosts: each finding is commented on once.

mod github;
mod gitlab;
mod server;

use std::fs;

use serde_json::{Value, json};

use crate::support::{BAD, Folder, GOOD, Run, finish};
use github::GitHub;
use gitlab::GitLab;
use server::Server;

/// A folder with a review of files that the change adds.
fn reviewed(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    review(&folder, files);
    folder
}

fn review(folder: &Folder, files: &[(&str, &str)]) {
    let diff: String = files
        .iter()
        .map(|(path, text)| crate::support::added(path, text))
        .collect();
    folder.write("change.diff", diff);
    let run = folder.hunkwise(&["review", "change.diff", "--format", "json=review.json"]);
    assert_eq!(run.status, 0, "{run:?}");
}

fn edit(folder: &Folder, from: &str, to: &str) {
    let text = fs::read_to_string(folder.path().join("review.json")).unwrap();
    assert!(text.contains(from), "{text}");
    folder.write("review.json", text.replace(from, to));
}

/// A hunk that adds a text.
fn hunk(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("@@ -0,0 +1,{} @@\n{lines}", text.lines().count())
}

pub(crate) fn github(files: &[(&str, &str)]) -> Server<GitHub> {
    let server = Server::start(GitHub::default());
    let file = |(path, text): &(&str, &str)| json!({ "filename": path, "status": "added", "patch": hunk(text) });
    server.with(|host| {
        (host.base, host.files) = (server.base.clone(), files.iter().map(file).collect())
    });
    server
}

pub(crate) fn gitlab(files: &[(&str, &str)]) -> Server<GitLab> {
    let server = Server::start(GitLab::default());
    let file = |(path, text): &(&str, &str)| json!({ "old_path": path, "new_path": path, "new_file": true, "diff": hunk(text) });
    server.with(|host| {
        (host.base, host.diffs) = (server.base.clone(), files.iter().map(file).collect())
    });
    server
}

fn to_github(folder: &Folder, server: &Server<GitHub>, arguments: &[&str]) -> Run {
    let mut command = folder.command();
    command
        .args(["comment", "--github", "review.json"])
        .args(arguments);
    command
        .env("GITHUB_REPOSITORY", "acme/shop")
        .env("GITHUB_REF", "refs/pull/7/merge")
        .env("GITHUB_TOKEN", "the-token");
    shown(finish(
        command.env("GITHUB_API_URL", format!("{}/api/v3", server.base)),
    ))
}

fn to_gitlab(folder: &Folder, server: &Server<GitLab>, arguments: &[&str]) -> Run {
    let mut command = folder.command();
    command
        .args([
            "comment", "--gitlab", "review.json", "--project", "acme/shop",
        ])
        .args(arguments);
    command
        .env("CI_MERGE_REQUEST_IID", "3")
        .env("GITLAB_TOKEN", "the-token");
    shown(finish(
        command.env("CI_API_V4_URL", format!("{}/api/v4", server.base)),
    ))
}

/// Asserts that a run does not show the token.
fn shown(run: Run) -> Run {
    assert!(
        !run.stdout.contains("the-token") && !run.stderr.contains("the-token"),
        "{run:?}"
    );
    run
}

fn done(run: &Run, counts: &str) {
    assert_eq!(
        (run.status, run.stdout.as_str(), run.stderr.as_str()),
        (0, format!("{counts}\n").as_str(), "")
    );
}

const NOTHING: &str = "0 posted, 0 updated, 0 resolved, 0 reopened";

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

const FILES: [(&str, &str); 3] = [("a.py", BAD), ("b.py", BAD), ("c.py", BAD)];

#[test]
fn github_gets_each_finding_once_and_a_fixed_one_is_resolved() {
    let (folder, host) = (reviewed(&FILES), github(&FILES));
    done(
        &to_github(&folder, &host, &[]),
        "3 posted, 0 updated, 0 resolved, 0 reopened, 0 unchanged, 0 only in the summary",
    );
    assert_eq!(
        host.writes(),
        ["POST /api/v3/repos/acme/shop/pulls/7/reviews"]
    );
    host.with(|host| {
        assert!(
            text(&host.comments[0]["body"]).starts_with("**P2** "),
            "{:?}",
            host.comments
        )
    });
    done(
        &to_github(&folder, &host, &[]),
        &format!("{NOTHING}, 3 unchanged, 0 only in the summary"),
    );
    assert_eq!(host.writes(), Vec::<String>::new());

    review(&folder, &[("a.py", GOOD), ("b.py", BAD), ("c.py", BAD)]);
    done(
        &to_github(&folder, &host, &[]),
        "0 posted, 0 updated, 1 resolved, 0 reopened, 2 unchanged, 0 only in the summary",
    );
    host.with(|host| {
        assert_eq!(
            host.resolved,
            [("T1".to_owned(), "github-actions".to_owned())]
        )
    });
    done(
        &to_github(&folder, &host, &[]),
        &format!("{NOTHING}, 2 unchanged, 0 only in the summary"),
    );

    review(&folder, &FILES);
    host.with(|host| host.resolved.push(("T2".to_owned(), "ada".to_owned())));
    edit(&folder, "\"confidence\": 0.", "\"confidence\": 0.0");
    done(
        &to_github(&folder, &host, &[]),
        "0 posted, 2 updated, 0 resolved, 1 reopened, 1 unchanged, 0 only in the summary",
    );
    host.with(|host| assert_eq!(host.resolved, [("T2".to_owned(), "ada".to_owned())]));
}

#[test]
fn gitlab_gets_each_finding_once_and_a_fixed_one_is_resolved() {
    let (folder, host) = (reviewed(&FILES), gitlab(&FILES));
    done(
        &to_gitlab(&folder, &host, &[]),
        "3 posted, 0 updated, 0 resolved, 0 reopened, 0 unchanged, 0 only in the summary",
    );
    assert_eq!(host.writes().len(), 3);
    done(
        &to_gitlab(&folder, &host, &[]),
        &format!("{NOTHING}, 3 unchanged, 0 only in the summary"),
    );
    assert_eq!(host.writes(), Vec::<String>::new());
    review(&folder, &[("a.py", GOOD), ("b.py", BAD), ("c.py", BAD)]);
    edit(&folder, "\"confidence\": 0.", "\"confidence\": 0.0");
    done(
        &to_gitlab(&folder, &host, &[]),
        "0 posted, 2 updated, 1 resolved, 0 reopened, 0 unchanged, 0 only in the summary",
    );
    host.with(|host| {
        assert_eq!(
            host.notes().filter(|note| note["resolved"] == true).count(),
            1
        )
    });
}

#[test]
fn findings_outside_the_hosts_diff_are_in_one_summary() {
    let (folder, host) = (reviewed(&FILES), github(&FILES[..2]));
    done(
        &to_github(&folder, &host, &[]),
        "2 posted, 0 updated, 0 resolved, 0 reopened, 0 unchanged, 1 only in the summary",
    );
    host.with(|host| {
        let note = text(&host.notes[0]["body"]).to_owned();
        assert!(
            note.contains("`c.py:1`") && !note.contains("`a.py:1`"),
            "{note}"
        );
        assert!(note.ends_with("<!-- hunkwise summary -->"), "{note}");
    });
    host.writes();
    assert_eq!(to_github(&folder, &host, &[]).status, 0);
    assert_eq!(host.writes(), Vec::<String>::new());
    review(&folder, &FILES[..2]);
    assert_eq!(to_github(&folder, &host, &[]).status, 0);
    host.with(|host| {
        assert!(
            host.notes.len() == 1 && !text(&host.notes[0]["body"]).contains("c.py"),
            "{:?}",
            host.notes
        )
    });

    let (folder, host) = (reviewed(&FILES), gitlab(&FILES[..2]));
    for _ in 0..2 {
        assert_eq!(to_gitlab(&folder, &host, &[]).status, 0);
    }
    host.with(|host| {
        assert_eq!(
            host.notes()
                .filter(|note| note["position"].is_null())
                .count(),
            1
        )
    });
}

#[test]
fn a_marker_by_another_user_hides_nothing() {
    let (folder, host) = (reviewed(&FILES[..1]), github(&FILES[..1]));
    let fingerprint = text(
        &serde_json::from_slice::<Value>(&fs::read(folder.path().join("review.json")).unwrap())
            .unwrap()["findings"][0]["fingerprint"],
    )
    .to_owned();
    host.with(|host| {
        host.add_comment(
            "mallory",
            "a.py",
            1,
            &format!("fine\n\n<!-- hunkwise {fingerprint} -->"),
        )
    });
    assert!(
        to_github(&folder, &host, &[])
            .stdout
            .starts_with("1 posted, ")
    );
    let host = gitlab(&FILES[..1]);
    host.with(|host| {
        host.add_comment(
            2,
            &json!(format!("fine\n\n<!-- hunkwise {fingerprint} -->")),
            Some(&json!({ "new_path": "a.py" })),
        )
    });
    assert!(
        to_gitlab(&folder, &host, &[])
            .stdout
            .starts_with("1 posted, ")
    );
}

#[test]
fn comments_that_the_host_refuses_are_in_the_summary() {
    let (folder, host) = (reviewed(&FILES[..1]), github(&FILES[..1]));
    host.with(|host| host.faults.push(("/reviews", 422, "")));
    let run = to_github(&folder, &host, &[]);
    assert_eq!(
        (run.status, run.stdout.ends_with("1 only in the summary\n")),
        (0, true),
        "{run:?}"
    );
    assert!(
        run.stderr
            .starts_with("warning: the host refused the place of 1 comment"),
        "{run:?}"
    );
    host.with(|host| assert!(text(&host.notes[0]["body"]).contains("`a.py:1`")));
}

#[test]
fn with_a_read_only_token_the_findings_are_in_the_output_of_the_run() {
    let (folder, host) = (reviewed(&FILES[..1]), github(&FILES[..1]));
    host.with(|host| host.faults.push(("/reviews", 403, "")));
    let run = to_github(&folder, &host, &[]);
    assert_eq!(
        (run.status, run.stdout.contains("`a.py:1`")),
        (0, true),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("may not comment here: the findings are on stdout"),
        "{run:?}"
    );
    host.with(|host| host.faults.push(("/reviews", 403, "")));
    let mut command = folder.command();
    command.args([
        "comment", "--github", "review.json", "--repository", "acme/shop", "--pull-request", "7",
    ]);
    command.args(["--api-url", &format!("{}/api/v3", host.base)]);
    let run = finish(
        command
            .env("GITHUB_TOKEN", "the-token")
            .env("GITHUB_STEP_SUMMARY", "summary.md"),
    );
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{run:?}");
    assert!(
        fs::read_to_string(folder.path().join("summary.md"))
            .unwrap()
            .contains("`a.py:1`")
    );
    let host = gitlab(&FILES[..1]);
    host.with(|host| host.refuses = Some(403));
    let run = to_gitlab(&folder, &host, &[]);
    assert_eq!(
        (run.status, run.stdout.contains("`a.py:1`")),
        (0, true),
        "{run:?}"
    );
}

#[test]
fn a_rate_limit_is_waited_for_or_reported() {
    let (folder, host) = (reviewed(&FILES[..1]), github(&FILES[..1]));
    host.with(|host| host.faults.push(("/reviews", 403, "retry-after: 0\r\n")));
    done(
        &to_github(&folder, &host, &[]),
        "1 posted, 0 updated, 0 resolved, 0 reopened, 0 unchanged, 0 only in the summary",
    );
    host.with(|host| host.faults.push(("/files", 429, "retry-after: 999\r\n")));
    let run = to_github(&folder, &host, &[]);
    assert_eq!(
        (run.status, run.stderr.contains("try again in 999 s")),
        (3, true),
        "{run:?}"
    );
    host.with(|host| host.faults.push(("/pulls/7", 401, "")));
    let run = to_github(&folder, &host, &[]);
    assert_eq!(
        (run.status, run.stderr.contains("check the token")),
        (3, true),
        "{run:?}"
    );
}

#[test]
fn a_dry_run_lists_its_actions_and_does_nothing() {
    let (folder, host) = (reviewed(&FILES), github(&FILES[..2]));
    let run = to_github(&folder, &host, &["--dry-run"]);
    assert!(
        run.stdout
            .starts_with("post a.py:1 python/mutable-default-argument\npost b.py:1"),
        "{run:?}"
    );
    assert!(
        run.stdout
            .contains("\nsummary c.py:1 python/mutable-default-argument\n"),
        "{run:?}"
    );
    assert_eq!(host.writes(), Vec::<String>::new());
    let run = to_github(&folder, &host, &["--min-priority", "P1"]);
    done(
        &run,
        &format!("{NOTHING}, 0 unchanged, 0 only in the summary"),
    );
}

#[test]
fn a_dry_run_prints_paths_without_ci_commands() {
    let folder = reviewed(&FILES);
    edit(&folder, "\"a.py\"", "\"a\\n::error::##vso[x]\\u009b.py\"");
    let run = to_github(&folder, &github(&FILES[..2]), &["--dry-run"]);
    assert!(
        run.stdout.contains(" a ::error::# #vso[x]\u{fffd}.py:1 "),
        "{run:?}"
    );
}

#[test]
fn an_invalid_review_is_rejected_before_any_request() {
    let (folder, host) = (reviewed(&FILES[..1]), github(&FILES[..1]));
    edit(&folder, "\"fingerprint\": \"", "\"fingerprint\": \"--> ");
    for wanted in [
        "findings[0].fingerprint",
        "expected the output of `hunkwise review --format json`",
    ] {
        let run = to_github(&folder, &host, &[]);
        assert_eq!(
            (run.status, run.stderr.contains(wanted)),
            (2, true),
            "{run:?}"
        );
        folder.write("review.json", "{}");
    }
}
