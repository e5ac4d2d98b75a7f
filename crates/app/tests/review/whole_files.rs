//! Whole files: defects that are visible only beyond the lines of a diff.

use crate::support::{Folder, Run};

const LINES: &str = "# 1\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n# 8\n# 9\n";

/// A file that uses `limit` and `json` far from where they are defined.
fn code(limit: &str, load: &str) -> String {
    format!(
        "import json\n\n{limit} = 10\n{LINES}\ndef load(path):\n    return {load}\n{LINES}\nprint(limit)\n"
    )
}

fn edited(new: &str) -> Folder {
    let folder = Folder::repository(&[("a.py", &code("limit", "json.load(open(path))"))]);
    folder.write("a.py", new);
    folder
}

#[test]
fn a_checkout_is_reviewed_with_whole_files() {
    let undefined = edited(&code("limit", "json.load(open(paht))"));
    assert!(
        undefined
            .review(&[])
            .findings()
            .contains(&"a.py:15 any/undefined-name".to_owned())
    );
    undefined.git(&["add", "a.py"]);
    let staged = undefined.review(&["--staged"]);
    assert_eq!(staged.status, 1, "P1: {staged:?}");
    undefined.commit("undefined");
    assert_eq!(
        undefined.review(&["--commit", "HEAD"]).findings(),
        staged.findings()
    );
    let removed = edited(&code("most", "json.load(open(path))"));
    assert_eq!(
        removed.review(&[]).findings(),
        ["a.py:3 any/definition-removed"]
    );
    let unused = edited(&code("limit", "open(path)"));
    let findings = unused.review(&[]).findings();
    assert!(
        findings
            .iter()
            .any(|found| found.ends_with("any/import-left-unused")),
        "{findings:?}"
    );
}

/// The findings of the rules about names.
fn about_names(run: &Run) -> Vec<String> {
    let rules = [
        "any/undefined-name", "any/definition-removed", "any/import-left-unused",
        "any/unused-import",
    ];
    let is_one = |found: &String| rules.iter().any(|rule| found.ends_with(rule));
    run.findings().into_iter().filter(is_one).collect()
}

#[test]
fn nothing_is_concluded_from_lines_outside_of_hunks() {
    for (limit, load) in [
        ("limit", "json.load(open(paht))"),
        ("most", "json.load(open(path))"),
        ("limit", "open(path)"),
    ] {
        let folder = edited(&code(limit, load));
        assert_eq!(about_names(&folder.review(&[])).len(), 1, "{limit} {load}");
        assert_eq!(
            about_names(&folder.review(&["--context", "hunks"])),
            [""; 0]
        );
        assert_eq!(
            about_names(&folder.review_text(folder.git(&["diff"]), &[])),
            [""; 0]
        );
    }
}

#[test]
fn a_diff_can_be_declared_to_contain_whole_files() {
    let folder = edited(&code("limit", "json.load(open(paht))"));
    let whole = folder.git(&["diff", "-U1000"]);
    let found = about_names(&folder.review_text(whole, &["--context", "file"]));
    assert_eq!(found, ["a.py:15 any/undefined-name"]);
    let hunks = folder.git(&["diff"]);
    let found = about_names(&folder.review_text(hunks, &["--context", "file"]));
    assert_eq!(found, [""; 0], "the hunk begins in the middle of the file");
    let run = folder.review_text(folder.git(&["diff"]), &["--context", "repository"]);
    assert!(
        run.status == 2 && run.stderr.contains("has no repository"),
        "{run:?}"
    );
}

#[test]
fn a_diff_with_much_context_shows_where_a_file_ends() {
    let folder = edited(&code("limit", "json.load(open(paht))"));
    let whole = folder.git(&["diff", "-U1000"]);
    assert_eq!(
        about_names(&folder.review_text(&whole, &[])),
        ["a.py:15 any/undefined-name"]
    );
    assert_eq!(
        about_names(&folder.review_text(&whole, &["--context", "hunks"])),
        [""; 0]
    );
    let part = folder.git(&["diff", "-U10"]);
    assert_eq!(about_names(&folder.review_text(&part, &[])), [""; 0]);
}

#[test]
fn findings_are_only_on_lines_of_the_diff() {
    let unused = "import os\n";
    let folder = Folder::repository(&[("a.py", &format!("{unused}{LINES}x = 1\n"))]);
    folder.write("a.py", format!("{unused}{LINES}x = 2\n"));
    assert_eq!(folder.review(&[]).findings(), [""; 0]);
}

#[test]
fn a_file_that_cannot_be_read_whole_is_reviewed_by_its_hunks() {
    let large = format!("{}x = 1\n", "# a comment\n".repeat(60_000));
    let folder = Folder::repository(&[("a.py", &large)]);
    folder.write(
        "a.py",
        format!("{large}def add(item, basket=[]):\n    return basket + gone\n"),
    );
    assert_eq!(
        folder.review(&[]).findings(),
        ["a.py:60002 python/mutable-default-argument"]
    );
}
