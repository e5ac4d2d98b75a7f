//! All ways to select a change of a git checkout.

use crate::support::{BAD, Folder, GOOD, found};

#[test]
fn the_uncommitted_change_is_the_default() {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD), ("c.py", BAD)]);
    folder.write("a.py", BAD);
    folder.write("b.py", BAD);
    folder.git(&["add", "b.py"]);
    let run = folder.review(&[]);
    assert_eq!(
        (run.status, run.findings()),
        (0, found(&["a.py:1", "b.py:1"])),
        "{run:?}"
    );
}

#[test]
fn staged_selects_the_content_of_the_next_commit() {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD)]);
    folder.write("a.py", BAD);
    folder.write("b.py", BAD);
    folder.git(&["add", "b.py"]);
    folder.write("b.py", GOOD);
    assert_eq!(folder.review(&["--staged"]).findings(), found(&["b.py:1"]));
}

#[test]
fn base_selects_all_changes_since_the_branch_point() {
    let folder = Folder::repository(&[
        ("a.py", GOOD),
        ("b.py", GOOD),
        ("c.py", GOOD),
        ("d.py", GOOD),
    ]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.py", BAD);
    folder.commit("ours");
    folder.git(&["checkout", "--quiet", "main"]);
    folder.write("d.py", BAD);
    folder.commit("theirs");
    folder.git(&["checkout", "--quiet", "topic"]);
    folder.write("b.py", BAD);
    folder.git(&["add", "b.py"]);
    folder.write("c.py", BAD);
    assert_eq!(
        folder.review(&["--base", "main"]).findings(),
        found(&["a.py:1", "b.py:1", "c.py:1"])
    );
}

#[test]
fn commit_selects_one_commit_against_its_first_parent() {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.py", GOOD)]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.py", BAD);
    folder.commit("on the topic");
    folder.git(&["checkout", "--quiet", "main"]);
    folder.write("b.py", BAD);
    folder.commit("on main");
    folder.git(&["merge", "--quiet", "--no-edit", "topic"]);
    folder.write("b.py", GOOD);
    assert_eq!(
        folder.review(&["--commit", "HEAD^1"]).findings(),
        found(&["b.py:1"])
    );
    assert_eq!(
        folder.review(&["--commit", "HEAD"]).findings(),
        found(&["a.py:1"]),
        "a merge brings in the topic"
    );
}

#[test]
fn the_first_commit_adds_all_its_files() {
    let folder = Folder::repository(&[("a.py", BAD)]);
    assert_eq!(
        folder.review(&["--commit", "HEAD"]).findings(),
        found(&["a.py:1"])
    );
}

#[test]
fn a_branch_without_commits_is_compared_with_nothing() {
    let folder = Folder::new();
    folder.git(&["init", "--quiet"]);
    folder.write("a.py", BAD);
    folder.git(&["add", "a.py"]);
    assert_eq!(folder.review(&[]).findings(), found(&["a.py:1"]));
    assert_eq!(folder.review(&["--staged"]).findings(), found(&["a.py:1"]));
    let run = folder.review(&["--base", "main"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("there is no commit \"main\""),
        "{}",
        run.stderr
    );
}

#[test]
fn untracked_files_are_part_of_the_change_unless_ignored() {
    let folder = Folder::repository(&[("a.py", GOOD), (".gitignore", "*.log\n")]);
    folder.write("sub/new.py", BAD);
    folder.write("newer.py", BAD);
    folder.write("ignored.log", "x");
    folder.write("a.py", BAD);
    let all = found(&["a.py:1", "newer.py:1", "sub/new.py:1"]);
    assert_eq!(folder.review(&[]).findings(), all);
    folder.git(&["add", "--intent-to-add", "newer.py"]);
    assert_eq!(folder.review(&[]).findings(), all);
    assert_eq!(
        folder.review(&["--no-untracked"]).findings(),
        found(&["a.py:1", "newer.py:1"])
    );
    assert_eq!(
        folder.review(&["--staged"]).stderr,
        "no changes to review\n"
    );
}

#[test]
fn untracked_files_beyond_the_limit_do_not_displace_the_change() {
    let folder = Folder::repository(&[("z.py", GOOD)]);
    folder.write("z.py", BAD);
    for number in 0..11 {
        folder.write(&format!("build/{number}.py"), BAD);
    }
    let review = |files: &str| {
        let mut command = folder.command();
        crate::support::finish(
            command
                .env("HUNKWISE_LIMITS__DIFF_FILES", files)
                .args(["review", "--format", "json"]),
        )
    };
    let run = review("1");
    assert_eq!(run.findings(), found(&["z.py:1"]));
    assert!(
        run.stdout
            .contains("11 untracked files were not reviewed, because there are more than 10"),
        "{run:?}"
    );
    let run = review("2");
    assert_eq!(run.findings(), found(&["build/0.py:1", "z.py:1"]));
    assert_eq!(run.warnings().len(), 10);
}

#[test]
fn a_named_file_is_reviewed_whole_unless_it_has_changed() {
    let folder =
        Folder::repository(&[("a.py", BAD), ("b.py", BAD), (".gitignore", "ignored.py\n")]);
    folder.write("new.py", BAD);
    folder.write("ignored.py", BAD);
    folder.write("b.py", format!("{BAD}\n# Changed.\n"));
    for whole in ["a.py", "ignored.py"] {
        let run = folder.review(&[whole]);
        assert_eq!(run.findings(), found(&[&format!("{whole}:1")]), "{run:?}");
        assert!(
            run.stderr
                .contains(&format!("{whole} has no uncommitted change")),
            "{run:?}"
        );
    }
    let run = folder.review(&["new.py"]);
    assert_eq!(
        (run.findings(), run.stderr.as_str()),
        (found(&["new.py:1"]), "")
    );
    assert_eq!(folder.review(&["b.py"]).findings(), Vec::<String>::new());
    assert_eq!(
        folder.review(&["a.py", "--staged"]).stderr,
        "no changes to review\n"
    );
    folder.write("change", "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n");
    assert_eq!(
        folder.review(&["change"]).status,
        0,
        "a diff is recognized by its text"
    );
}

#[test]
fn a_file_outside_of_a_checkout_is_reviewed_whole() {
    let folder = Folder::new();
    folder.write("sub/a.py", BAD);
    assert_eq!(
        folder.review(&["sub/a.py"]).findings(),
        found(&["sub/a.py:1"])
    );
    assert_eq!(
        folder.review(&["./sub/a.py"]).findings(),
        found(&["sub/a.py:1"])
    );
    let absolute = folder.path().join("sub/a.py");
    assert_eq!(
        folder.review(&[absolute.to_str().unwrap()]).findings(),
        found(&["a.py:1"])
    );
    folder.write("empty.py", "");
    assert_eq!(
        folder.review(&["empty.py"]).stderr,
        "no changes to review\n"
    );
    folder.write("notes", "nothing\n");
    let run = folder.review(&["notes"]);
    assert!(run.stderr.contains("the text is not a diff"), "{run:?}");
}

#[test]
fn a_checkout_without_changes_is_not_an_error() {
    let folder = Folder::repository(&[("a.py", BAD)]);
    let run = folder.hunkwise(&["review"]);
    assert_eq!(
        (run.status, run.stdout.as_str(), run.stderr.as_str()),
        (0, "no changes to review\n", "")
    );
    let run = folder.review(&[]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "no changes to review\n")
    );
    assert_eq!(run.findings(), Vec::<String>::new());
}

#[test]
fn from_a_subfolder_the_whole_change_is_reviewed_with_paths_from_the_top() {
    let folder = Folder::repository(&[("a.py", GOOD), ("sub/b.py", GOOD)]);
    folder.write("a.py", BAD);
    folder.write("sub/b.py", BAD);
    folder.write("c.py", BAD);
    folder.git(&["config", "diff.relative", "true"]);
    let mut command = folder.command();
    let run = crate::support::finish(
        command
            .args(["review", "--format", "json"])
            .current_dir(folder.path().join("sub")),
    );
    assert_eq!(run.findings(), found(&["a.py:1", "c.py:1", "sub/b.py:1"]));
}

#[test]
fn configuration_of_the_diff_format_has_no_effect() {
    let folder = Folder::repository(&[("a.py", &format!("x = 1\n\n{GOOD}")), ("b.py", GOOD)]);
    folder.write("a.py", format!("x = 1\n\n{BAD}"));
    folder.git(&["mv", "b.py", "moved.py"]);
    let plain = folder.review(&[]).findings();
    assert_eq!(plain, found(&["a.py:3"]));
    for (name, value) in [
        ("color.ui", "always"),
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "false"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.submodule", "log"),
        ("diff.renames", "false"),
        ("diff.py.textconv", "false"),
        ("core.pager", "false"),
    ] {
        folder.git(&["config", name, value]);
    }
    folder.write(".git/info/attributes", "*.py diff=py\n");
    assert_eq!(folder.review(&[]).findings(), plain);
}

#[test]
fn unusual_file_names_are_preserved() {
    let names = [
        "mit leerzeichen.py", "grün/día.py", "tab\there.py", "quo\"te.py", "-dash.py", "日本.py",
    ];
    let folder = Folder::repository(&names.map(|name| (name, GOOD)));
    for name in names {
        folder.write(name, BAD);
    }
    let mut expected = found(
        &names
            .map(|name| format!("{name}:1"))
            .each_ref()
            .map(String::as_str),
    );
    let mut findings = folder.review(&[]).findings();
    expected.sort();
    findings.sort();
    assert_eq!(findings, expected);
}

#[test]
fn a_revision_is_never_an_option() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    for flag in ["--base", "--commit"] {
        for revision in [
            "--output=pwned", "-O/dev/null", "--no-index", "nonsense", "HEAD~99", "HEAD:a.py", "",
        ] {
            let run = folder.review(&[&format!("{flag}={revision}")]);
            assert_eq!(run.status, 2, "{flag} {revision}: {run:?}");
            assert!(
                run.stderr.contains("there is no commit"),
                "{flag} {revision}: {}",
                run.stderr
            );
        }
    }
    assert!(!folder.path().join("pwned").exists());
}

#[test]
fn missing_prerequisites_are_named() {
    let folder = Folder::new();
    let run = folder.review(&[]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("not in a git checkout") && run.stderr.contains("stdin"),
        "{}",
        run.stderr
    );
    let run = crate::support::finish(folder.command().arg("review").env("PATH", folder.path()));
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("git was not found"), "{}", run.stderr);
}

#[test]
fn a_shallow_clone_is_not_mistaken_for_a_repository_with_one_commit() {
    let origin = Folder::repository(&[("a.py", BAD)]);
    origin.write("b.py", GOOD);
    origin.commit("second");
    let folder = Folder::new();
    let url = format!("file://{}", origin.path().display());
    folder.git(&["clone", "--quiet", "--depth=1", &url, "."]);
    let run = folder.review(&["--commit", "HEAD"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("shallow clone"), "{}", run.stderr);
}

#[test]
fn branches_without_a_common_ancestor_cannot_be_compared() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.git(&["checkout", "--quiet", "--orphan", "other"]);
    folder.commit("another beginning");
    let run = folder.review(&["--base", "main"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no common ancestor"), "{}", run.stderr);
}

#[test]
fn a_repository_without_a_working_tree_has_no_uncommitted_change() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", BAD);
    folder.commit("bad");
    folder.git(&["config", "core.bare", "true"]);
    for arguments in [&[][..], &["--staged"], &["--base", "main"]] {
        let run = folder.review(arguments);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr.contains("there is no working tree here"),
            "{run:?}"
        );
    }
    assert_eq!(
        folder.review(&["--commit", "HEAD"]).findings(),
        found(&["a.py:1"])
    );
}
