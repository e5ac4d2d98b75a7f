//! The shell scripts in `integrations/`, run in shallow clones like those of the hosts.

mod install;
pub(crate) mod recipes;

use std::fs;
use std::path::PathBuf;

use crate::support::{BAD, Folder, GOOD, Run, finish};

/// The top folder of this repository.
pub(crate) fn top() -> PathBuf {
    fs::canonicalize(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

fn integration(file: &str) -> String {
    fs::read_to_string(top().join("integrations").join(file)).unwrap()
}

/// The last shell block of a file: the lines that are indented more than the opening line.
fn script(file: &str, opening: &str) -> String {
    let text = integration(file);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines
        .iter()
        .rposition(|line| line.trim() == opening)
        .unwrap();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let inside =
        |line: &&&str| line.trim().is_empty() || indentation(line) > indentation(lines[start]);
    lines
        .iter()
        .skip(start + 1)
        .take_while(inside)
        .map(|line| format!("{}\n", line.trim_start()))
        .collect()
}

/// A repository with a branch `topic` that adds a defect, and a longer history than a host fetches.
fn origin() -> Folder {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", BAD)]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    for n in 0..5 {
        folder.write("a.py", format!("x = {n}\n{GOOD}"));
        folder.commit("more");
    }
    folder.write("a.py", BAD);
    folder.commit("bad");
    folder.git(&["checkout", "--quiet", "main"]);
    folder.write("c.py", BAD);
    folder.commit("theirs");
    folder
}

/// Runs a script in a clone of the last commit of `topic`.
fn run(origin: &Folder, script: &str, variables: &[(&str, &str)]) -> (Folder, Run) {
    let folder = Folder::new();
    let url = format!("file://{}", origin.path().display());
    folder.git(&[
        "clone", "--quiet", "--depth=1", "--branch", "topic", &url, ".",
    ]);
    let mut command = folder.command_with_hunkwise("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
    command.envs(variables.iter().copied());
    let run = finish(&mut command);
    (folder, run)
}

fn head(origin: &Folder, branch: &str) -> String {
    origin.git(&["rev-parse", branch]).trim().to_owned()
}

#[test]
fn the_github_action_reviews_the_changes_of_the_pull_request() {
    let origin = origin();
    let (base, script) = (head(&origin, "main"), script("github/action.yml", "run: |"));
    let temporary = Folder::new();
    let output = temporary.path().join("output");
    let (temporary, output_file) = (temporary.path().to_str().unwrap(), output.to_str().unwrap());
    let variables = |fail_on| {
        [
            ("BASE", base.as_str()),
            ("GITHUB_REF", "refs/heads/topic"),
            ("FAIL_ON", fail_on),
            ("BASELINE", ""),
            ("SARIF", ""),
            ("RUNNER_TEMP", temporary),
            ("GITHUB_OUTPUT", output_file),
        ]
    };
    let (folder, gated) = run(&origin, &script, &variables("P2"));
    assert_eq!(gated.status, 1, "{gated:?}");
    assert_eq!(
        gated.stdout.matches("::warning file=a.py,line=1").count(),
        1,
        "{}",
        gated.stdout
    );
    assert!(!gated.stdout.contains("c.py"), "{}", gated.stdout);
    let outputs = fs::read_to_string(&output).unwrap();
    let sarif = outputs.trim().strip_prefix("sarif=").unwrap();
    assert!(fs::read_to_string(sarif).unwrap().contains("\"a.py\""));
    assert_eq!(
        folder.git(&["status", "--porcelain"]),
        "",
        "it leaves nothing in the checkout"
    );
    assert_eq!(run(&origin, &script, &variables("never")).1.status, 0);
    let mut without = variables("P2");
    without[0].1 = "";
    let (_, run) = run(&origin, &script, &without);
    assert_eq!(
        (run.status, run.stderr.contains("no pull request")),
        (2, true),
        "{run:?}"
    );
    assert_eq!(
        fs::read_to_string(&output).unwrap().lines().count(),
        2,
        "a review that failed has no SARIF"
    );
}

#[test]
fn the_gitlab_job_writes_a_code_quality_report() {
    let origin = origin();
    let base = origin.git(&["merge-base", "main", "topic"]);
    let sha = head(&origin, "topic");
    let variables = [
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.trim()),
        ("CI_COMMIT_SHA", &sha),
        ("FAIL_ON", "P2"),
    ];
    let (folder, run) = run(&origin, &script("gitlab/hunkwise.yml", "- |"), &variables);
    assert_eq!(run.status, 1, "{run:?}");
    let report = fs::read_to_string(folder.path().join("gl-code-quality-report.json")).unwrap();
    assert!(
        report.contains("\"a.py\"") && !report.contains("\"c.py\""),
        "{report}"
    );
}

#[test]
fn the_azure_steps_write_a_test_report_and_sarif() {
    let origin = origin();
    let sha = head(&origin, "topic");
    let variables = [
        ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"),
        ("BUILD_SOURCEVERSION", sha.as_str()),
        ("FAIL_ON", "P2"),
    ];
    let (folder, run) = run(
        &origin,
        &script("azure/hunkwise.yml", "- bash: |"),
        &variables,
    );
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        fs::read_to_string(folder.path().join("hunkwise.xml"))
            .unwrap()
            .contains("name=\"a.py\"")
    );
    assert!(folder.path().join("hunkwise.sarif").exists());
}

#[test]
fn the_jenkins_stage_writes_a_test_report() {
    let (folder, run) = run(
        &origin(),
        &script("jenkins/Jenkinsfile", "sh '''"),
        &[("CHANGE_TARGET", "main"), ("FAIL_ON", "P2")],
    );
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        fs::read_to_string(folder.path().join("hunkwise.xml"))
            .unwrap()
            .contains("name=\"a.py\"")
    );
}

#[test]
fn the_entry_of_the_pre_commit_hook_is_a_command() {
    let text = fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.pre-commit-hooks.yaml"),
    )
    .unwrap();
    let entry = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: hunkwise "))
        .unwrap();
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", BAD);
    folder.git(&["add", "a.py"]);
    let words: Vec<&str> = entry.split(' ').chain(["--fail-on", "P2"]).collect();
    assert_eq!(folder.hunkwise(&words).status, 1);
}
