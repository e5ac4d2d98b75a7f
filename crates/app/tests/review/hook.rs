//! `hunkwise install-hook`, and commits in repositories that have the hook.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Folder, GOOD, Run, finish};

/// JavaScript with a finding of priority P1.
const WORSE: &str = "if (x == NaN) { y(); }\n";

/// Runs git with this program on the path, as somebody who has installed it.
fn git(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command_beside("git");
    let identity = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"];
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
fn a_commit_with_a_defect_is_refused_and_one_without_is_made() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.starts_with("wrote ") && run.stdout.ends_with("hooks/pre-commit\n"), "{}", run.stdout);
    assert_eq!(fs::metadata(hook(&folder)).unwrap().permissions().mode() & 0o100, 0o100);
    folder.write("b.py", GOOD);
    assert_eq!(commit(&folder).status, 0);
    folder.write("b.js", WORSE);
    let run = commit(&folder);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("b.js:1") || run.stderr.contains("b.js:1"), "{run:?}");
    assert_eq!(git(&folder, &["commit", "--quiet", "--no-verify", "--message", "all the same"]).status, 0);
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!((run.status, run.stdout.contains("is installed")), (0, true), "{run:?}");
}

#[test]
fn a_hook_that_is_there_stays_and_what_to_add_is_said() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let own = "#!/bin/sh\nexit 0\n";
    folder.write(".git/hooks/pre-commit", own);
    let run = folder.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr.contains("was not changed; add this line to it:\n  hunkwise review --staged || exit $?"),
        "{run:?}"
    );
    assert_eq!(fs::read_to_string(hook(&folder)).unwrap(), own);
    fs::remove_file(hook(&folder)).unwrap();
    std::os::unix::fs::symlink("nowhere", hook(&folder)).unwrap();
    assert_eq!(folder.hunkwise(&["install-hook"]).status, 2, "a link is one, too, wherever it leads");
    assert!(!folder.path().join(".git/hooks/nowhere").exists());
}

#[test]
fn the_hook_goes_where_git_looks_for_it() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.git(&["worktree", "add", "--quiet", "linked"]);
    let mut command = folder.command();
    assert_eq!(finish(command.arg("install-hook").current_dir(folder.path().join("linked"))).status, 0);
    assert!(hook(&folder).exists(), "worktrees share their hooks");
    folder.git(&["config", "core.hooksPath", "our/hooks"]);
    assert_eq!(folder.hunkwise(&["install-hook"]).status, 0);
    assert!(folder.path().join("our/hooks/pre-commit").exists());
    folder.write("linked/b.js", WORSE);
    folder.git(&["-C", "linked", "add", "b.js"]);
    folder.git(&["config", "--unset", "core.hooksPath"]);
    assert_eq!(git(&folder, &["-C", "linked", "commit", "--quiet", "--message", "x"]).status, 1);
}

#[test]
fn without_a_checkout_there_is_no_hook_to_write() {
    let run = Folder::new().hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("not in a git checkout"), "{}", run.stderr);
    let bare = Folder::new();
    bare.git(&["init", "--quiet", "--bare", "."]);
    let run = bare.hunkwise(&["install-hook"]);
    assert_eq!(run.status, 2, "{run:?}");
}
