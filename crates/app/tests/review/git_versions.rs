//! Old versions of git, which lack the later options.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{BAD, Folder, GOOD, Run, finish, found, search_path};

/// Options that git 2.17 does not support.
const LATER: &str = "--no-relative*|--show-scope*|--config-env*|--end-of-options*|--attr-source*|--path-format*|--worktree";

/// A folder with a `git` of this version, which rejects those options as an old git does: with its usage and status
/// 129.
fn old_git(version: &str, refused: &str) -> Folder {
    let folder = Folder::new();
    let path = search_path();
    let refuse = r#"printf "error: unknown option \`%s'\nusage: git\n" "$word" >&2; exit 129"#;
    let script = format!(
        "#!/bin/sh\nPATH='{path}'\nfor word; do case $word in\nversion) echo 'git version {version}'; exit;;\n\
         {refused}) {refuse};;\nesac; done\nexec git \"$@\"\n"
    );
    let file = folder.write("git", script);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn review_with(git: &Path, folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command();
    command.args(["review", "--format", "json"]).args(arguments);
    finish(command.env("PATH", format!("{}:{}", git.display(), search_path())))
}

#[test]
fn every_change_of_a_checkout_is_reviewed_with_the_oldest_git() {
    let git = old_git("2.17.1", LATER);
    let folder = Folder::repository(&[
        ("sub/a.py", GOOD),
        (".gitattributes", "gen/** linguist-generated\n"),
    ]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("sub/a.py", BAD);
    folder.write("gen/b.py", BAD);
    folder.write("new.py", BAD);
    folder.git(&["config", "filter.x.clean", "touch ran; cat"]);
    folder.write(".git/info/attributes", "*.py filter=x\n");
    folder.git(&["config", "diff.relative", "true"]);
    let check = |arguments: &[&str], expected: &[&str]| {
        let run = review_with(git.path(), &folder, arguments);
        assert_eq!(
            (run.status, run.findings()),
            (0, found(expected)),
            "{arguments:?}: {run:?}"
        );
        run
    };
    check(&["--no-untracked"], &["sub/a.py:1"]);
    let run = check(&[], &["new.py:1", "sub/a.py:1"]);
    assert_eq!(run.warnings(), ["FILE_SKIPPED_GENERATED gen/b.py"]);
    assert!(
        !folder.path().join("ran").exists(),
        "no filter of the repository runs"
    );
    folder.git(&["-c", "filter.x.clean=", "add", "--all"]);
    folder.git(&[
        "-c", "filter.x.clean=", "commit", "--quiet", "--message", "bad",
    ]);
    check(&["--base", "main"], &["new.py:1", "sub/a.py:1"]);
    check(&["--commit", "HEAD"], &["new.py:1", "sub/a.py:1"]);
    check(&["main..topic"], &["new.py:1", "sub/a.py:1"]);
    check(&["main...topic", "sub"], &["sub/a.py:1"]);
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn a_too_old_git_is_reported_with_the_required_version() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", BAD);
    let run = review_with(old_git("2.9.5", "--submodule*").path(), &folder, &[]);
    assert_eq!(run.status, 3, "{run:?}");
    let message = "git 2.9.5 is too old: Hunkwise needs git 2.17 or later (git said: error: unknown option `--submodule=short')";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    folder.git(&["config", "filter.x=y.clean", "cat"]);
    let run = review_with(old_git("2.17.1", LATER).path(), &folder, &[]);
    assert!(
        run.stderr
            .contains("git 2.17.1 is too old: Hunkwise needs git 2.31 or later"),
        "{}",
        run.stderr
    );
    let run = review_with(old_git("2.47.3", "--submodule*").path(), &folder, &[]);
    assert!(
        run.stderr.contains("git failed: error: unknown option"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_name_like_an_option_is_not_a_revision() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    for name in ["--all", "--output=x", "-q"] {
        let run = folder.review(&[&format!("--base={name}")]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr.contains(&format!("there is no commit {name:?}")),
            "{run:?}"
        );
    }
    assert!(!folder.path().join("x").exists());
}

#[test]
fn a_repository_of_another_user_is_refused_with_the_command_to_trust_it() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let git = Folder::new();
    let top = folder.path().display();
    let script = format!(
        "#!/bin/sh\nprintf \"fatal: detected dubious ownership in repository at '{top}'\\nTo add an exception for this \
         directory, call:\\n\\n\\tgit config --global --add safe.directory {top}\\n\" >&2; exit 128\n"
    );
    fs::set_permissions(git.write("git", script), fs::Permissions::from_mode(0o755)).unwrap();
    let run = review_with(git.path(), &folder, &[]);
    let message = format!(
        "detected dubious ownership in repository at '{top}'; to trust this repository, \
         run `git config --global --add safe.directory {top}`"
    );
    assert_eq!(
        (run.status, run.stderr.contains(&message)),
        (3, true),
        "{run:?}"
    );
    // The git of this machine.
    let mut command = folder.command();
    let run = finish(
        command
            .arg("review")
            .env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"),
    );
    assert_eq!(
        (run.status, run.stderr.contains("--add safe.directory")),
        (3, true),
        "{run:?}"
    );
}
