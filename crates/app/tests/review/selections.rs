//! Selecting a part of a checkout: paths, ranges, untracked files.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{BAD, Folder, GOOD, added, finish, found};

/// `main` with a file that is bad since the second commit, and a branch `topic` from the first commit with another bad
/// file.
fn branches() -> Folder {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD), ("c.py", GOOD)]);
    folder.git(&["tag", "start"]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.py", BAD);
    folder.commit("ours");
    folder.git(&["checkout", "--quiet", "main"]);
    folder.write("b.py", BAD);
    folder.commit("theirs");
    folder
}

#[test]
fn paths_narrow_every_kind_of_change() {
    let folder = Folder::repository(&[
        ("a.py", GOOD),
        ("sub/b.py", GOOD),
        ("sub/c.py", GOOD),
        ("d.py", GOOD),
    ]);
    for file in ["a.py", "sub/b.py", "sub/c.py"] {
        folder.write(file, BAD);
    }
    assert_eq!(
        folder.review(&["sub"]).findings(),
        found(&["sub/b.py:1", "sub/c.py:1"])
    );
    assert_eq!(
        folder.review(&["sub/c.py", "a.py"]).findings(),
        found(&["a.py:1", "sub/c.py:1"])
    );
    assert_eq!(
        folder.review(&["a.py"]).findings(),
        found(&["a.py:1"]),
        "a tracked file is not a diff"
    );
    folder.commit("bad");
    assert_eq!(
        folder.review(&["--commit", "HEAD", "sub/b.py"]).findings(),
        found(&["sub/b.py:1"])
    );
    assert_eq!(
        folder
            .review(&["HEAD~1..", "--", "a.py", "d.py"])
            .findings(),
        found(&["a.py:1"])
    );
    assert_eq!(
        folder.review(&["--base", "HEAD~1", "."]).findings().len(),
        3
    );
    let mut command = folder.command();
    command.args([
        "review", "--format", "json", "--commit", "HEAD", "c.py", "../a.py",
    ]);
    let run = finish(command.current_dir(folder.path().join("sub")));
    assert_eq!(
        run.findings(),
        found(&["a.py:1", "sub/c.py:1"]),
        "as the current folder sees them: {run:?}"
    );
}

#[test]
fn paths_are_taken_literally() {
    let folder = Folder::repository(&[
        ("*.py", GOOD),
        ("a.py", GOOD),
        (":(top)x.py", GOOD),
        ("deleted.py", "x = 1\n"),
    ]);
    for file in ["*.py", "a.py", ":(top)x.py"] {
        folder.write(file, BAD);
    }
    fs::remove_file(folder.path().join("deleted.py")).unwrap();
    assert_eq!(folder.review(&["*.py"]).findings(), found(&["*.py:1"]));
    assert_eq!(
        folder.review(&[":(top)x.py"]).findings(),
        found(&[":(top)x.py:1"])
    );
    assert_eq!(folder.review(&["deleted.py"]).status, 0);
    for (path, expected) in [
        (
            "missing.py",
            "\"missing.py\" is neither a file here nor one that git knows",
        ),
        ("main", "use --base"),
        ("../outside", "neither a file here"),
        ("/", "outside repository"),
    ] {
        let run = folder.review(&[path]);
        assert_eq!(run.status, 2, "{path}: {run:?}");
        assert!(run.stderr.contains(expected), "{path}: {}", run.stderr);
    }
}

#[test]
fn a_single_untracked_file_or_one_named_like_a_diff_is_a_diff() {
    let folder = Folder::repository(&[("kept.patch", &added("p.py", BAD)), ("a.py", GOOD)]);
    folder.write("a.py", BAD);
    folder.write("change", added("q.py", BAD));
    assert_eq!(
        folder.review(&["kept.patch"]).findings(),
        found(&["p.py:1"])
    );
    assert_eq!(folder.review(&["change"]).findings(), found(&["q.py:1"]));
    assert_eq!(
        folder.review(&["change", "a.py"]).findings(),
        found(&["a.py:1"]),
        "several are paths"
    );
}

#[test]
fn two_dots_compare_commits_and_three_dots_start_at_the_merge_base() {
    let folder = branches();
    folder.write("c.py", BAD);
    assert_eq!(
        folder.review(&["start..main"]).findings(),
        found(&["b.py:1"])
    );
    assert_eq!(
        folder.review(&["start.."]).findings(),
        found(&["b.py:1"]),
        "the working tree is not included"
    );
    assert_eq!(
        folder.review(&["main..topic"]).findings(),
        found(&["a.py:1"])
    );
    assert_eq!(
        folder.review(&["topic...main"]).findings(),
        found(&["b.py:1"])
    );
    assert_eq!(
        folder.review(&["main...topic", "b.py"]).findings(),
        Vec::<String>::new()
    );
    for (arguments, expected) in [
        (&["main..nowhere"][..], "there is no commit \"nowhere\""),
        (&["nowhere...main"], "there is no commit \"nowhere\""),
        (&["start..main", "main..topic"], "only one of A..B"),
        (&["start..main", "--staged"], "only one of A..B"),
        (&["start..main", "--untracked"], "--untracked"),
        (
            &["--", "--output=x..main"],
            "there is no commit \"--output=x\"",
        ),
        (&["-", "a.py"], "- reads a diff from stdin"),
        (&["-", "--staged"], "- reads a diff from stdin"),
    ] {
        let run = folder.review(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert!(
            run.stderr.contains(expected),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn untracked_files_of_any_name_are_part_of_the_change() {
    let folder = Folder::repository(&[("a.py", GOOD), (".gitignore", "*.log\n")]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("sub/new.py", BAD);
    folder.write("grün \"x\".py", BAD);
    folder.write("ignored.log", "x");
    folder.write("a.py", BAD);
    folder.write("own/inner.py", BAD);
    folder.git(&["init", "--quiet", "own"]);
    symlink("a.py", folder.path().join("link.py")).unwrap();
    let index = fs::read(folder.path().join(".git/index")).unwrap();
    let all = found(&["a.py:1", "grün \"x\".py:1", "sub/new.py:1"]);
    let run = folder.review(&[]);
    assert_eq!(run.findings(), all, "{run:?}");
    assert!(!run.stderr.contains("untracked"), "{}", run.stderr);
    assert_eq!(folder.review(&["--base", "main"]).findings(), all);
    assert_eq!(
        folder.review(&["--untracked", "sub/new.py"]).findings(),
        found(&["sub/new.py:1"])
    );
    assert_eq!(
        fs::read(folder.path().join(".git/index")).unwrap(),
        index,
        "the index is unchanged"
    );
    let mut command = folder.command();
    let run = finish(
        command
            .args(["review", "--format", "json", "--untracked", "."])
            .current_dir(folder.path().join("sub")),
    );
    assert_eq!(run.findings(), found(&["sub/new.py:1"]), "{run:?}");
    let run = folder.review(&["--untracked", "--staged"]);
    assert_eq!(run.status, 2, "{run:?}");
}

#[test]
fn a_checkout_without_commits_and_index_has_untracked_files() {
    let folder = Folder::new();
    folder.git(&["init", "--quiet"]);
    folder.write("a.py", BAD);
    assert_eq!(
        folder.review(&["--untracked"]).findings(),
        found(&["a.py:1"])
    );
}
