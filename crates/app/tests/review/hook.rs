//! `hunkwise install-hook`, and commits in repositories with the hook.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{BAD, Folder, GOOD, Run, finish, found, search_path};

/// JavaScript with a finding of priority P1.
const WORSE: &str = "if (x == NaN) { y(); }\n";

/// Runs git with this program on the path, as if it were installed.
fn git(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command_with_hunkwise("git");
    let identity = [
        "-c", "user.name=A Tester", "-c", "user.email=tester@example.com", "-c",
        "commit.gpgsign=false",
    ];
    finish(command.args(identity).args(arguments))
}

fn commit(folder: &Folder) -> Run {
    folder.git(&["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "change"])
}

fn hook(folder: &Folder) -> std::path::PathBuf {
    folder.path().join(".git/hooks/pre-commit")
}

#[test]
fn a_commit_with_a_defect_is_refused_and_others_succeed() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.stdout.starts_with("wrote ") && run.stdout.ends_with("hooks/pre-commit\n"),
        "{}",
        run.stdout
    );
    assert_eq!(
        fs::metadata(hook(&folder)).unwrap().permissions().mode() & 0o100,
        0o100
    );
    folder.write("b.py", GOOD);
    assert_eq!(commit(&folder).status, 0);
    folder.write("b.js", WORSE);
    let run = commit(&folder);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.stdout.contains("b.js:1") || run.stderr.contains("b.js:1"),
        "{run:?}"
    );
    assert_eq!(
        git(
            &folder,
            &[
                "commit", "--quiet", "--no-verify", "--message", "all the same"
            ]
        )
        .status,
        0
    );
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!(
        (run.status, run.stdout.contains("is installed")),
        (0, true),
        "{run:?}"
    );
}

#[test]
fn an_existing_hook_is_kept_and_the_line_to_add_is_printed() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let own = "#!/bin/sh\nexit 0\n";
    folder.write(".git/hooks/pre-commit", own);
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr
            .contains("was not changed; add this line to it:\n  '/")
            && run.stderr.contains("/hunkwise' review --staged || exit $?"),
        "{run:?}"
    );
    assert_eq!(fs::read_to_string(hook(&folder)).unwrap(), own);
    fs::remove_file(hook(&folder)).unwrap();
    std::os::unix::fs::symlink("nowhere", hook(&folder)).unwrap();
    assert_eq!(
        folder.hunkwise(&["install-hook"]).status,
        2,
        "a link counts as a hook, too"
    );
    assert!(!folder.path().join(".git/hooks/nowhere").exists());
}

#[test]
fn the_hook_finds_the_program_without_a_search_path_and_explains_if_it_is_missing() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    assert_eq!(folder.hunkwise(&["install-hook"]).status, 0);
    folder.write("b.js", WORSE);
    folder.git(&["add", "--all"]);
    let commit = |path: &str| {
        let mut command = folder.command_of("git");
        command.args([
            "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet",
            "--message", "x",
        ]);
        finish(command.env("PATH", path))
    };
    let system = "/usr/bin:/bin";
    let run = commit(system);
    assert!(run.status == 1 && run.stderr.contains("b.js:1"), "{run:?}");
    let installed = fs::read_to_string(hook(&folder)).unwrap();
    let line = installed
        .lines()
        .find(|line| line.starts_with("hunkwise="))
        .unwrap();
    fs::write(
        hook(&folder),
        installed.replace(line, "hunkwise='/no/where/hunkwise'"),
    )
    .unwrap();
    let run = commit(&search_path());
    assert!(
        run.status == 1 && run.stderr.contains("b.js:1"),
        "found on the path: {run:?}"
    );
    let run = commit(system);
    assert!(
        run.status == 1
            && run.stderr.contains("hunkwise was not found")
            && run.stderr.contains("--no-verify"),
        "{run:?}"
    );
    assert!(
        folder
            .hunkwise(&["install-hook"])
            .stdout
            .starts_with("wrote "),
        "its own hook is updated"
    );
    assert_eq!(fs::read_to_string(hook(&folder)).unwrap(), installed);
}

#[test]
fn a_hook_that_passes_shows_the_findings_below_the_gate() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.hunkwise(&["install-hook"]);
    folder.write("b.py", BAD);
    let run = commit(&folder);
    assert!(run.status == 0 && run.stderr.contains("b.py:1"), "{run:?}");
}

/// Runs the entry of the pre-commit hook as pre-commit does.
fn pre_commit(folder: &Folder, variables: &[(&str, &str)], files: &[&str]) -> Run {
    let mut command = folder.command();
    command
        .args(["review", "--pre-commit", "--format", "json"])
        .args(files);
    finish(command.envs(variables.iter().copied()))
}

#[test]
fn pre_commit_reviews_the_right_change() {
    let folder = Folder::repository(&[
        ("a.py", BAD),
        ("b.py", GOOD),
        ("vendor/v.py", BAD),
        ("old.py", BAD),
    ]);
    folder.write("b.py", BAD);
    folder.git(&["add", "b.py"]);
    folder.git(&["rm", "--quiet", "old.py"]);
    let run = pre_commit(&folder, &[], &["b.py"]);
    assert_eq!(run.findings(), found(&["b.py:1"]), "a commit: {run:?}");
    let run = pre_commit(&folder, &[], &["a.py", "b.py", "vendor/v.py"]);
    assert_eq!(
        run.findings(),
        found(&["a.py:1", "b.py:1"]),
        "all files: {run:?}"
    );
    assert_eq!(run.warnings(), ["FILE_SKIPPED_VENDORED vendor/v.py"]);
    folder.commit("more");
    let run = pre_commit(&folder, &[], &["a.py"]);
    assert_eq!(run.findings(), found(&["a.py:1"]), "files: {run:?}");
    let refs = [
        ("PRE_COMMIT_FROM_REF", "HEAD~1"),
        ("PRE_COMMIT_TO_REF", "HEAD"),
    ];
    assert_eq!(
        pre_commit(&folder, &refs, &["b.py"]).findings(),
        found(&["b.py:1"]),
        "revisions"
    );
    let run = finish(folder.command().args(["review", "--pre-commit"]));
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "no changes to review\n"),
        "{run:?}"
    );
}

#[test]
fn file_names_are_never_parsed_as_options() {
    let folder = Folder::repository(&[("a.py", BAD), ("--help", "x\n"), ("--output=/b.py", GOOD)]);
    for name in ["--help", "--output=/b.py"] {
        let run = pre_commit(&folder, &[], &["a.py", name]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(
            run.stderr.contains(&format!(
                "the file {name:?} has a name that is parsed as an option"
            )),
            "{run:?}"
        );
    }
    assert!(!folder.path().join("b.py").exists());
}

#[test]
fn the_hook_is_written_to_gits_hooks_folder() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.git(&["worktree", "add", "--quiet", "linked"]);
    let mut command = folder.command();
    assert_eq!(
        finish(
            command
                .arg("install-hook")
                .current_dir(folder.path().join("linked"))
        )
        .status,
        0
    );
    assert!(hook(&folder).exists(), "worktrees share their hooks");
    folder.git(&["config", "core.hooksPath", "our/hooks"]);
    assert_eq!(folder.hunkwise(&["install-hook"]).status, 0);
    assert!(folder.path().join("our/hooks/pre-commit").exists());
    folder.write("linked/b.js", WORSE);
    folder.git(&["-C", "linked", "add", "b.js"]);
    folder.git(&["config", "--unset", "core.hooksPath"]);
    assert_eq!(
        git(
            &folder,
            &["-C", "linked", "commit", "--quiet", "--message", "x"]
        )
        .status,
        1
    );
}

#[test]
fn without_a_checkout_there_is_no_hook_to_write() {
    let run = Folder::new().hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr.contains("not in a git checkout"),
        "{}",
        run.stderr
    );
    let bare = Folder::new();
    bare.git(&["init", "--quiet", "--bare", "."]);
    let run = bare.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
}
