//! Repositories of all kinds: linked worktrees, submodules, sparse and shallow clones, `GIT_DIR`, bare ones.

use std::fs;
use std::path::Path;

use crate::support::{BAD, Folder, GOOD, Run, finish, found};

/// Runs `hunkwise review` in a subfolder.
fn review_in(folder: &Folder, below: &str, arguments: &[&str]) -> Run {
    let mut command = folder.command();
    finish(
        command
            .args(["review", "--format", "json"])
            .args(arguments)
            .current_dir(folder.path().join(below)),
    )
}

fn url(of: &Path) -> String {
    format!("file://{}", of.display())
}

#[test]
fn a_linked_worktree_has_its_own_change() {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD)]);
    folder.git(&["worktree", "add", "--quiet", "linked"]);
    folder.write("a.py", BAD);
    folder.write("linked/b.py", BAD);
    folder.write("linked/new.py", BAD);
    assert_eq!(
        review_in(&folder, "linked", &["--no-untracked"]).findings(),
        found(&["b.py:1"])
    );
    assert_eq!(
        review_in(&folder, "linked", &[]).findings(),
        found(&["b.py:1", "new.py:1"])
    );
    folder.git(&["-C", "linked", "add", "b.py"]);
    assert_eq!(
        review_in(&folder, "linked", &["--staged"]).findings(),
        found(&["b.py:1"])
    );
    assert_eq!(
        folder.review(&["--staged"]).findings(),
        Vec::<String>::new()
    );
}

#[test]
fn a_submodule_is_a_checkout_and_a_line_in_its_parent() {
    let inner = Folder::repository(&[("b.py", GOOD)]);
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url(inner.path()),
        "module",
    ];
    folder.git(&add);
    folder.commit("with a module");
    folder.write("module/b.py", BAD);
    folder.git(&["config", "diff.submodule", "diff"]);
    assert_eq!(
        review_in(&folder, "module", &[]).findings(),
        found(&["b.py:1"])
    );
    folder.write("a.py", BAD);
    let run = folder.review(&[]);
    assert_eq!(
        (run.status, run.findings()),
        (0, found(&["a.py:1"])),
        "{run:?}"
    );
}

#[test]
fn files_outside_of_a_sparse_checkout_are_not_deleted() {
    let folder = Folder::repository(&[("in/a.py", GOOD), ("out/b.py", BAD)]);
    folder.git(&["sparse-checkout", "set", "in"]);
    folder.write("in/a.py", BAD);
    folder.write("out/new.py", BAD);
    assert!(!folder.path().join("out/b.py").exists());
    assert_eq!(
        folder.review(&["--no-untracked"]).findings(),
        found(&["in/a.py:1"])
    );
    assert_eq!(
        folder.review(&[]).findings(),
        found(&["in/a.py:1", "out/new.py:1"])
    );
    assert_eq!(folder.review(&["out/b.py"]).status, 0, "git knows it");
}

/// Runs the command that a message suggests in backticks.
fn run_suggestion(folder: &Folder, run: &Run) {
    let named = run.stderr.split('`').nth(1).unwrap_or_default();
    let words: Vec<&str> = named.split(' ').collect();
    assert_eq!(words.first(), Some(&"git"), "{}", run.stderr);
    folder.git(&words[1..]);
}

#[test]
fn the_fetch_suggested_for_a_shallow_clone_works() {
    let origin = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD)]);
    origin.git(&["checkout", "--quiet", "-b", "topic"]);
    origin.write("a.py", BAD);
    origin.commit("ours");
    origin.commit("empty");
    origin.git(&["checkout", "--quiet", "main"]);
    origin.write("b.py", BAD);
    origin.commit("theirs");
    origin.git(&["checkout", "--quiet", "topic"]);
    let clone = |more: &[&str]| {
        let folder = Folder::new();
        let url = url(origin.path());
        folder.git(&[&["clone", "--quiet", "--depth=1"], more, &[&url, "."]].concat());
        folder
    };
    let both = clone(&["--no-single-branch"]);
    let run = both.review(&["--base", "origin/main"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr.contains(
            "common ancestor of \"origin/main\" and \"HEAD\" is not in this shallow clone"
        ),
        "{run:?}"
    );
    run_suggestion(&both, &run);
    assert_eq!(
        both.review(&["--base", "origin/main"]).findings(),
        found(&["a.py:1"])
    );
    let one = clone(&["--branch", "topic"]);
    let run = one.review(&["origin/main...HEAD"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.stderr
            .contains("no commit \"origin/main\" in this shallow clone"),
        "{}",
        run.stderr
    );
    run_suggestion(&one, &run);
    assert_eq!(
        one.review(&["origin/main...HEAD"]).findings(),
        found(&["a.py:1"])
    );
    let last = clone(&[]);
    let run = last.review(&["--commit", "HEAD"]);
    assert_eq!(run.status, 2, "{run:?}");
    run_suggestion(&last, &run);
    assert_eq!(last.review(&["--commit", "HEAD"]).status, 0);
}

#[test]
fn the_fetch_suggested_for_a_single_branch_clone_works() {
    let origin = Folder::repository(&[("a.py", GOOD)]);
    origin.git(&["checkout", "--quiet", "-b", "topic"]);
    origin.write("a.py", BAD);
    origin.commit("ours");
    let clone = || {
        let folder = Folder::new();
        folder.git(&[
            "clone",
            "--quiet",
            "--single-branch",
            "--branch",
            "topic",
            &url(origin.path()),
            ".",
        ]);
        folder
    };
    for (base, then) in [
        ("origin/main", "and try again"),
        ("main", "and use origin/main"),
    ] {
        let folder = clone();
        let run = folder.review(&["--base", base]);
        assert_eq!(run.status, 2, "{run:?}");
        let message =
            format!("run `git fetch origin +refs/heads/main:refs/remotes/origin/main` {then}");
        assert!(run.stderr.contains(&message), "{}", run.stderr);
        run_suggestion(&folder, &run);
        assert_eq!(
            folder.review(&["--base", "origin/main"]).findings(),
            found(&["a.py:1"])
        );
    }
    let folder = clone();
    for base in [
        "0123456789012345678901234567890123456789",
        "main~3",
        "a b",
        "$(x)",
    ] {
        let run = folder.review(&["--base", base]);
        assert!(
            run.stderr.contains("there is no commit") && !run.stderr.contains("git fetch"),
            "{run:?}"
        );
    }
    folder.git(&[
        "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*",
    ]);
    assert!(
        !folder
            .review(&["--base", "main"])
            .stderr
            .contains("git fetch"),
        "there is no such branch"
    );
}

#[test]
fn git_dir_is_respected() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", BAD);
    fs::rename(folder.path().join(".git"), folder.path().join("elsewhere")).unwrap();
    let review = |arguments: &[&str]| {
        let mut command = folder.command();
        command
            .args(["review", "--format", "json"])
            .args(arguments)
            .env("GIT_DIR", folder.path().join("elsewhere"));
        finish(&mut command)
    };
    assert_eq!(review(&["--no-untracked"]).findings(), found(&["a.py:1"]));
    assert_eq!(review(&["a.py"]).findings(), found(&["a.py:1"]));
    let mut command = folder.command();
    command
        .args(["review"])
        .env("GIT_DIR", folder.path().join("nowhere"));
    let run = finish(&mut command);
    assert_eq!(run.status, 2, "{run:?}");
}

#[test]
fn a_bare_repository_has_commits_and_ranges() {
    let origin = Folder::repository(&[("a.py", GOOD)]);
    origin.write("a.py", BAD);
    origin.commit("bad");
    let folder = Folder::new();
    folder.git(&["clone", "--quiet", "--bare", &url(origin.path()), "."]);
    let review = |arguments: &[&str]| {
        finish(
            folder
                .command()
                .args(["review", "--format", "json"])
                .args(arguments)
                .env("GIT_DIR", "."),
        )
    };
    for arguments in [
        &["--commit", "main"][..],
        &["main~1..main"],
        &["main~1...main"],
        &["main~1.."],
    ] {
        assert_eq!(
            review(arguments).findings(),
            found(&["a.py:1"]),
            "{arguments:?}"
        );
        let run = folder.review(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert!(
            run.stderr.contains("with GIT_DIR set to its path"),
            "{arguments:?}: {run:?}"
        );
    }
    assert_eq!(review(&["--untracked"]).status, 2);
}
