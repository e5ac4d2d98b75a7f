//! The output of tools other than git, and texts that are not diffs.

use review::diff::{Diff, FileDiff, Status, Unread};
use review::{Budget, Spent};

use crate::consistent::check;
use crate::samples::{ALL, GIT, HG, MAIL, MERGE, PLAIN, SVN};

/// Path, status and number of hunks of each file.
fn summary<'d>(diff: &'d Diff<'_>) -> Vec<(&'d str, Status, usize)> {
    diff.files
        .iter()
        .map(|file| (file.path(), file.status, file.hunks.len()))
        .collect()
}

fn parse(text: &str) -> Diff<'_> {
    Diff::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn only(text: &str) -> FileDiff<'_> {
    let mut files = parse(text).files;
    assert_eq!(files.len(), 1, "{text}");
    files.remove(0)
}

fn refused(text: &str) -> (usize, String) {
    let error = Diff::parse(text).expect_err(text);
    (error.line, error.reason)
}

#[test]
fn the_samples_are_consistent_alone_and_concatenated() {
    ALL.iter().for_each(|sample| check(sample));
    let whole = ALL.concat();
    check(&whole);
    let files: Vec<_> = ALL.iter().flat_map(|sample| parse(sample).files).collect();
    assert_eq!(parse(&whole).files, files);
    let twice = GIT.repeat(2);
    assert_eq!(
        parse(&twice).files.len(),
        2 * parse(GIT).files.len(),
        "one path twice is two files"
    );
}

#[test]
fn git() {
    let diff = parse(GIT);
    assert_eq!(
        summary(&diff),
        [
            ("src/pay.py", Status::Modified, 2),
            ("q.sql", Status::Modified, 1),
            ("new.txt", Status::Added, 1)
        ]
    );
    let hunk = &diff.files[0].hunks[0];
    assert_eq!(
        (hunk.header, hunk.heading),
        ("@@ -1,4 +1,5 @@ class Pay:", "class Pay:")
    );
    assert_eq!(
        (hunk.lines[5].old, hunk.lines[5].new, hunk.lines[5].text),
        (Some(4), Some(5), "")
    );
    assert_eq!(
        (diff.files[1].old_mode, diff.files[1].new_mode),
        (Some(0o100_644), Some(0o100_755))
    );
    assert_eq!(diff.files[0].new_mode, Some(0o100_644));
    let odd = "diff --git a/x b/x\nold mode 100664\nnew mode 100644\ndiff --git a/y b/y\n\
        index 7898192..6178079 100664\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    let diff = parse(odd);
    assert_eq!(
        (
            diff.files[0].status, diff.files[0].old_mode, diff.files[1].new_mode
        ),
        (Status::ModeChanged, Some(0o100_664), Some(0o100_664))
    );
}

#[test]
fn a_mail() {
    let file = only(MAIL);
    assert_eq!(file.hunks[0].lines.len(), 3);
    assert_eq!(file.hunks[0].lines[2].text, "- ");
    let headless = MAIL
        .split_once("\n\n")
        .unwrap()
        .1
        .split_once("---\n")
        .unwrap()
        .1;
    assert_eq!(
        only(headless),
        file,
        "a signature may appear without a mail header"
    );
}

#[test]
fn a_merge() {
    let hunk = &only(MERGE).hunks[0];
    let numbers: Vec<_> = hunk.lines.iter().map(|line| (line.old, line.new)).collect();
    assert_eq!(
        numbers,
        [
            (Some(1), Some(1)),
            (Some(2), None),
            (None, None),
            (None, Some(2)),
            (None, Some(3))
        ]
    );
    let renamed = "diff --combined b\nindex 1,2..3\n--- a/old\n--- a/b\n+++ b/b\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -c\n++b\n";
    let file = only(renamed);
    assert_eq!((file.old_path.as_deref(), file.path()), (Some("old"), "b"));
    let abridged =
        "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,3 -1,2 +1,2 @@@\n  b\n++c\n- d\n -e\n";
    let file = only(abridged);
    let numbers: Vec<_> = file.hunks[0]
        .lines
        .iter()
        .map(|line| (line.old, line.new))
        .collect();
    assert_eq!(
        numbers,
        [(None, Some(1)), (None, Some(2)), (None, None), (None, None)],
        "one line of the first parent is left out"
    );
    assert!(Diff::parse(&abridged.replace("--cc", "--combined")).is_err());
    assert!(only("diff --cc x.bin\nindex 1,2..3\nBinary files differ\n").binary);
}

#[test]
fn svn() {
    let diff = parse(SVN);
    let expected = [
        ("trunk/a.c", Status::Modified, 1),
        ("trunk/new file.c", Status::Added, 1),
        ("trunk/gone.c", Status::Removed, 1),
        ("trunk/logo.png", Status::Modified, 0),
        ("trunk/run.sh", Status::ModeChanged, 0),
    ];
    assert_eq!(summary(&diff), expected);
    assert!(diff.files[3].binary && !diff.files[4].binary);
    // Pasting into a form often turns tabs into spaces.
    assert_eq!(parse(&SVN.replace('\t', "    ")), diff);
    assert_eq!(parse(&SVN.replace('\n', "\r\n")), diff);
}

#[test]
fn svn_with_git_headers_and_with_old_properties() {
    let git = "Index: t/n\n=======\ndiff --git a/t/n b/t/n\nnew file mode 10644\n--- a/t/n\t(nonexistent)\n\
        +++ b/t/n\t(working copy)\n@@ -0,0 +1 @@\n+x\n";
    let file = only(git);
    assert_eq!(
        (file.status, file.path(), file.new_mode),
        (Status::Added, "t/n", Some(0o10_644))
    );
    let properties = "Index: t/n\n=======\ndiff --git a/t/n b/t/n\n--- a/t/n\t(revision 1)\n\
        +++ b/t/n\t(working copy)\n\n\
        Property changes on: t/n\n____\n";
    assert_eq!(only(properties).status, Status::ModeChanged);
    let folder = "\nProperty changes on: trunk\n_____\nAdded: svn:ignore\n   + *.o\n\n";
    assert_eq!(summary(&parse(folder)), [("trunk", Status::ModeChanged, 0)]);
    let empty = "Index: e\n=======\n";
    assert_eq!(summary(&parse(empty)), [("e", Status::Modified, 0)]);
}

#[test]
fn cvs_and_quilt() {
    let cvs = "Index: dir/a.c\n=======\nRCS file: /cvs/dir/a.c,v\nretrieving revision 1.2\ndiff -u -r1.2 a.c\n\
        --- a.c\t1 Jan 2026 00:00:00 -0000\t1.2\n+++ a.c\t2 Jan 2026 00:00:00 -0000\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(only(cvs).path(), "dir/a.c");
    let quilt = "Index: linux/fs/a.c\n=======\n--- linux.orig/fs/a.c\n+++ linux/fs/a.c\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(
        (only(quilt).path(), only(quilt).old_path.as_deref()),
        ("fs/a.c", Some("fs/a.c"))
    );
}

#[test]
fn hg() {
    let diff = parse(HG);
    let expected = [
        ("src/a.py", Status::Modified, 1),
        ("src/new.py", Status::Added, 1),
        ("src/old.py", Status::Removed, 1),
        ("logo.png", Status::Modified, 0),
    ];
    assert_eq!(summary(&diff), expected);
    assert!(diff.files[3].binary);
    let without = "diff -r 1f -r 2b b/new.py\n--- /dev/null\tThu Jan 01 00:00:00 1970 +0000\n\
        +++ b/new.py\tFri Jan 02 10:00:00 2026 +0000\n@@ -0,0 +1,1 @@\n+n\n";
    assert_eq!(
        only(without).path(),
        "b/new.py",
        "the command contains the path without a prefix"
    );
    let git =
        "diff --git a/we\"ird b/we\"ird\n--- a/we\"ird\n+++ b/we\"ird\n@@ -1,1 +1,1 @@\n-a\n+b\n";
    assert_eq!(only(git).path(), "we\"ird");
    let copied =
        "# HG changeset patch\n# User a\nmessage\n\ndiff --git a/x b/y\ncopy from x\ncopy to y\n";
    assert_eq!(
        (only(copied).status, only(copied).old_path.as_deref()),
        (Status::Copied, Some("x"))
    );
}

#[test]
fn plain() {
    let diff = parse(PLAIN);
    assert_eq!(
        summary(&diff),
        [
            ("src/a.c", Status::Modified, 1),
            ("new/src/empty", Status::Modified, 0),
            ("src/n.c", Status::Added, 1),
            ("x.bin", Status::Modified, 0)
        ]
    );
    assert!(!diff.files[0].hunks[0].lines[3].terminated);
    let file = |header: &str| format!("{header}\n@@ -1 +1 @@\n-a\n+b\n");
    for (header, old, new) in [
        ("--- a.c.orig\n+++ a.c", "a.c.orig", "a.c"),
        ("--- src/a.c\n+++ src/a.c", "src/a.c", "src/a.c"),
        (
            "--- old\\src\\a.c\n+++ new\\src\\a.c", "old\\src\\a.c", "new\\src\\a.c",
        ),
        (
            "--- \"a/t\\tb\"\t2026\n+++ \"b/t\\tb\"\t2026",
            "t\tb",
            "t\tb",
        ),
        ("--- a/x\n+++ b/y", "x", "y"),
    ] {
        let text = file(header);
        assert_eq!(
            (only(&text).old_path.as_deref(), only(&text).path()),
            (Some(old), new),
            "{header}"
        );
    }
    let bom = format!("\u{feff}{}", file("--- a/x\n+++ b/x"));
    assert_eq!(only(&bom).path(), "x");
    let unsure = "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(
        only(unsure).status,
        Status::Modified,
        "an empty file may have existed"
    );
}

#[test]
fn texts_that_are_not_diffs_are_rejected() {
    for text in [
        "", " \n\t\n", "\u{feff}", "hello\nworld\n", " a.txt | 2 +-\n 1 file changed\n",
        "*** a\n--- b\n",
    ] {
        let (line, reason) = refused(text);
        assert!(
            line == 1 && reason.starts_with("no file header or hunk was found: "),
            "{reason}"
        );
    }
}

const HEAD: &str = "--- a/secret\n+++ b/secret\n";

#[test]
fn broken_hunks_are_rejected_at_their_line_without_quoting() {
    let cases: [(&str, usize, &str); 18] = [
        (
            "@@ -1,2 +1,2 @@\n secret\n",
            4,
            "the text ends, but the hunk header at line 3 announces 1 more line",
        ),
        ("@@ -1,2 +1 @@\n secret\n", 4, "announces 1 more old lines"),
        (
            "@@ -1,3 +1,2 @@\n secret\nsecret\n",
            5,
            "announces 2 more old and 1 more new lines",
        ),
        ("@@ -1 +1 @@\n secret\n-secret\n", 5, "not part of a hunk"),
        ("@@ -1 +1 @@\n secret\n\n+secret\n", 6, "not part of a hunk"),
        ("@@ -1 +1 @@\n secret\n-- \n", 5, "not part of a hunk"),
        (
            "@@ -1 +1,0 @@\n secret\n", 4, "announces fewer lines on the new side",
        ),
        (
            "@@ -0,0 +1 @@\n+secret\n@@ -0,0 +1 @@\n+secret\n",
            5,
            "overlaps",
        ),
        ("@@ -4294967296 +1 @@ secret\n secret\n", 3, "too large"),
        ("@@ -0 +1 @@ secret\n secret\n", 3, "start at line 0"),
        ("@@ -1 +1 secret\n secret\n", 3, "malformed"),
        (
            "@@@ -1 -1 +1 @@@\n  secret\n", 3, "another number of parents",
        ),
        ("@@ -1 +1 @@\n secret\n@@ secret\n", 5, "malformed"),
        (
            "@@ -1 +1 @@\n\\ No newline\n secret\n", 4, "follows no line",
        ),
        (
            "@@ -1 +1 @@\n secret\n\\ No newline\n\\ No newline\n",
            6,
            "follows no line",
        ),
        (
            "@@ -1,2 +1 @@\n secret\n\\ No newline\n-secret\n",
            6,
            "follows the end of the file on the old side",
        ),
        (
            "@@ -1 +1 @@\n secret\n\\ No newline\n@@ -3 +3 @@\n secret\n",
            6,
            "reaches the end of the file",
        ),
        ("secret\n", 3, "no hunk follows the file header at line 1"),
    ];
    for (hunk, line, reason) in cases {
        let error = refused(&format!("{HEAD}{hunk}"));
        assert!(
            error.0 == line && error.1.contains(reason) && !error.1.contains("secret"),
            "{hunk}: {error:?}"
        );
    }
    assert_eq!(refused("@@ -1 +1 @@\n-a\n+b\n").0, 1);
    assert!(
        refused("hello\n@@ -1 +1 @@\n-a\n+b\n")
            .1
            .contains("no file header")
    );
}

#[test]
fn broken_file_headers_are_rejected() {
    for (text, line, reason) in [
        ("diff --git a/secret b/secret\n", 1, "no change follows"),
        (
            "diff --git a/secret b/secret\nindex 1..2 100644\ndiff --git a/x b/x\n",
            3,
            "no change follows the file header at line 1",
        ),
        (
            "diff --git a/secret b/secret\nold mode secret\n",
            2,
            "octal",
        ),
        (
            "diff --git a/secret b/secret\nold mode 1\nold mode 1\n",
            3,
            "repeats",
        ),
        (
            "diff --git a/secret b/other\nrename from secret\n",
            1,
            "one side",
        ),
        (
            "diff --git a/secret b/secret\nnew file mode 1\ndeleted file mode 1\n",
            1,
            "contradicts",
        ),
        (
            "diff --git a/secret b/secret\nnew file mode 1\n--- /dev/null\n+++ b/secret\n@@ -1 +1 @@\n-a\n+b\n",
            1,
            "contradicts",
        ),
        (
            "diff --git a/secret b/secret\nindex 1..2\n--- a/secret\n@@ -1 +1 @@\n-a\n+b\n",
            4,
            "`---` and `+++`",
        ),
        (
            "diff --git a/secret b/secret\n--- a/other\n+++ b/other\n@@ -1 +1 @@\n-a\n+b\n",
            1,
            "paths",
        ),
        ("diff --git \"a/secret b/secret\nold mode 1\n", 1, "paths"),
        (
            "diff --git a/secret b/secret\nold mode 1\nnew mode 2\n--- a/secret\n+++ b/secret\n",
            5,
            "no change follows",
        ),
        (
            "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nsecret\n",
            4,
            "binary patch",
        ),
        (
            "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 5\nsecret\n",
            5,
            "binary patch",
        ),
        (
            "--- /dev/null\n+++ /dev/null\n@@ -0,0 +0,0 @@\n",
            1,
            "neither side",
        ),
        ("Binary files a and b and c differ\n", 1, "ambiguous"),
    ] {
        let error = refused(text);
        assert!(
            error.0 == line && error.1.contains(reason) && !error.1.contains("secret"),
            "{text}: {error:?}"
        );
    }
}

/// A merge with the given number of parents and stripped trailing blanks, so that each of `lines` is empty.
fn merge_of(parents: usize, lines: usize) -> String {
    let (fence, ranges) = (
        "@".repeat(parents + 1),
        format!("-1,{lines} ").repeat(parents),
    );
    format!(
        "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n{fence} {ranges}+1,{lines} {fence}\n{}",
        "\n".repeat(lines)
    )
}

#[test]
fn the_lines_of_each_parent_of_a_merge_are_counted() {
    let text = merge_of(3, 2);
    let numbers: Vec<_> = only(&text).hunks[0]
        .lines
        .iter()
        .map(|line| (line.old, line.new))
        .collect();
    assert_eq!(numbers, [(Some(1), Some(1)), (Some(2), Some(2))]);
    assert!(
        refused(&text[..text.len() - 1])
            .1
            .contains("announces 1 more line")
    );
    assert!(
        refused(&format!("{text}+\n"))
            .1
            .contains("not part of a hunk")
    );
    for (ranges, lines, reason) in [
        (
            "-1,2 -1 -1,2 +1,2", "   a\n   b\n", "announces fewer lines on the old side",
        ),
        ("-1,2 -1 -1,2 +1,2", "   a\n + b\n", ""),
        ("-1,2 -1 -1,2 +1,2", "   a\n +\n", ""),
        (
            "-1,2 -1 -1,2 +1,2", " + a\n+ + b\n", "announces 1 more old lines",
        ),
        ("-1,2 -1,3 -1,2 +1,2", "   a\n - c\n   b\n", ""),
        (
            "-1,2 -1,3 -1,2 +1,2", "   a\n---c\n   b\n", "announces fewer lines on the old side",
        ),
        (
            "-1,2 -1 -1,2 +1,2",
            "   a\n\\ No newline\n + b\n",
            "follows the end of the file on the old side",
        ),
        (
            "-1 -1,2 -1 +1",
            " - a\n\\ No newline\n   b\n",
            "follows the end of the file on the old side",
        ),
        ("-1 -1,2 -1 +1", "   b\n - a\n\\ No newline\n", ""),
    ] {
        let text = format!("diff --combined f\n--- a/f\n+++ b/f\n@@@@ {ranges} @@@@\n{lines}");
        match Diff::parse(&text) {
            Ok(_) => assert_eq!(reason, "", "{text}"),
            Err(error) => assert!(
                !reason.is_empty() && error.reason.contains(reason),
                "{text}: {error}"
            ),
        }
    }
}

#[test]
fn the_cost_of_a_line_does_not_grow_with_the_number_of_parents() {
    // 120,000 parents times 100,000 lines would take minutes if each line visited each parent.
    let text = merge_of(120_000, 100_000);
    assert_eq!(parse(&text).extent().combined_parents, 120_000);
    assert_eq!(only(&text).hunks[0].lines.len(), 100_000);
}

#[test]
fn the_extent_is_the_maximum_over_all_parts() {
    let heading = "h".repeat(100);
    let text = format!(
        "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@ {heading}\n+a\n{}{MERGE}",
        "p".repeat(50),
        GIT
    );
    let extent = parse(&text).extent();
    assert_eq!(
        (
            extent.path_bytes, extent.hunk_header_bytes, extent.combined_parents
        ),
        (50, 114, 3)
    );
    assert_eq!((extent.files, parse(GIT).extent().combined_parents), (5, 0));
}

#[test]
fn parsing_stops_when_the_budget_ends() {
    let text = format!("{HEAD}@@ -0,0 +1,10000 @@\n{}", "+x\n".repeat(10_000));
    let read = |budget: &Budget| Diff::parse_within(&text, budget).map(|diff| diff.files.len());
    assert_eq!(read(&Budget::of_bytes(text.len())), Ok(1));
    assert_eq!(
        read(&Budget::new(5_000, 0)),
        Err(Unread::Spent(Spent::Steps))
    );
    let left = Budget::of_bytes(text.len());
    drop(left.guard_caller());
    assert_eq!(read(&left), Err(Unread::Spent(Spent::Caller)));
    let long = format!("{HEAD}@@ -0,0 +1 @@\n+{}\n", "x".repeat(10_000_000));
    assert_eq!(
        Diff::parse_within(&long, &Budget::new(5_000, 0)).map(|_| ()),
        Err(Unread::Spent(Spent::Steps))
    );
}

#[test]
fn overlapping_and_unordered_hunks_become_files_with_one_path() {
    for (hunks, files) in [
        (
            "@@ -5 +5 @@\n a\n@@ -5 +6 @@\n b\n@@ -9 +9 @@\n c\n",
            vec![1, 2],
        ),
        ("@@ -5 +5 @@\n a\n@@ -4 +6 @@\n b\n", vec![1, 1]),
        ("@@ -5,0 +6 @@\n+a\n@@ -5 +7 @@\n b\n", vec![1, 1]),
        (
            "@@ -3,3 +3,2 @@\n a\n-b\n c\n@@ -8,3 +4,3 @@\n d\n-e\n+x\n f\n",
            vec![1, 1],
        ),
        (
            "@@ -9 +9 @@\n-a\n\\ No newline at end of file\n+x\n@@ -3 +3 @@\n b\n",
            vec![1, 1],
        ),
        ("@@ -3 +3 @@\n a\n@@ -4 +4 @@\n b\n", vec![2]),
    ] {
        let text = format!("{HEAD}{hunks}");
        check(&text);
        let diff = parse(&text);
        assert_eq!(
            diff.files
                .iter()
                .map(|file| file.hunks.len())
                .collect::<Vec<_>>(),
            files,
            "{text}"
        );
        assert!(
            diff.files
                .iter()
                .all(|file| (file.path(), file.status) == ("secret", Status::Modified))
        );
    }
}
