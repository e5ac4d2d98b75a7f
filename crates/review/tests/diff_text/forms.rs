//! The forms in which people and tools send diffs. Each is read with all its files, or rejected with a line and a
//! remedy.

use review::chunk::{Sizes, plan};
use review::diff::{Diff, DiffText, Status};

use crate::consistent::check;

const UNIFIED: &str = "@@ -1 +1,2 @@\n a\n+b\n";
const EQUALS: &str = "===================================================================\n";

/// Path and status of each file, and the number of its hunks.
fn files(text: &str) -> Vec<(String, Status, usize)> {
    check(text);
    let readable = DiffText::of(text.to_owned());
    let diff = readable
        .parse()
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    diff.files
        .iter()
        .map(|file| (file.path().to_owned(), file.status, file.hunks.len()))
        .collect()
}

fn modified(path: &str) -> (String, Status, usize) {
    (path.to_owned(), Status::Modified, 1)
}

fn reason(text: &str) -> (usize, String) {
    check(text);
    let error = DiffText::of(text.to_owned()).parse().expect_err(text);
    (error.line, error.reason)
}

#[test]
fn a_binary_file_may_have_labels_and_no_names() {
    let next = format!("diff --git a/y b/y\n--- a/y\n+++ b/y\n{UNIFIED}");
    for (header, status) in [
        (
            "diff --git a/i.png b/i.png\nindex 1..2 100644\n--- a/i.png\n+++ b/i.png\n",
            Status::Modified,
        ),
        (
            "diff --git a/i.png b/i.png\nnew file mode 100644\n--- /dev/null\n+++ b/i.png\n",
            Status::Added,
        ),
        ("--- a/i.png\n+++ b/i.png\n", Status::Modified),
        ("--- a/i.png\n+++ /dev/null\n", Status::Removed),
    ] {
        let text = format!("{header}Binary files differ\n{next}");
        assert_eq!(
            files(&text),
            [("i.png".to_owned(), status, 0), modified("y")],
            "{text}"
        );
        assert!(Diff::parse(&text).unwrap().files[0].binary, "{text}");
        let both = reason(&format!("{header}Binary files differ\n{UNIFIED}"));
        assert!(both.1.contains("has no file"), "{header}: {both:?}");
    }
}

#[test]
fn the_git_line_may_have_prefixes_that_the_labels_lack() {
    for (git, old, new, path) in [
        ("a/X b/X", "X", "X", "X"),
        ("a/d/X b/d/X", "d/X", "d/X", "d/X"),
        ("a/d/X b/d/X", "X", "X", "d/X"),
        ("a/d e/X b/d e/X", "d e/X", "d e/X", "d e/X"),
    ] {
        let text = format!("diff --git {git}\nindex 1..2\n--- {old}\n+++ {new}\n{UNIFIED}");
        assert_eq!(files(&text), [modified(path)], "{text}");
    }
    let new = "diff --git /dev/null b/X\nnew file mode 100644\n--- /dev/null\n+++ b/X\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(files(new), [("X".to_owned(), Status::Added, 1)]);
    let other = format!("diff --git a/X b/X\nindex 1..2\n--- a/Y\n+++ b/Y\n{UNIFIED}");
    assert!(
        reason(&other).1.contains("name different files"),
        "{:?}",
        reason(&other)
    );
}

#[test]
fn text_after_the_last_hunk_is_text() {
    let diff = format!("--- a/x\n+++ b/x\n{UNIFIED}");
    for text in [
        "-- \n2.47.3\n",
        "-- \nAda Lovelace\n- London\n",
        "\n-- \nAda\n\n-\nTo unsubscribe …\n",
        "---\n\nThat will not do.\n",
        "------------------------------------------------------------------------\n",
        "\nRegards\n- Ada\n",
        " surplus context\n",
    ] {
        assert_eq!(files(&format!("{diff}{text}")), [modified("x")], "{text}");
    }
    for text in [
        "-gone\n", "+come\n", "-- \n-gone\n", "--\n+come\n", " a\n-gone\n", "---\n", "-\n",
    ] {
        let (line, reason) = reason(&format!("{diff}{text}"));
        let at = text
            .lines()
            .position(|line| line.trim_start() == line && line.starts_with(['-', '+']))
            .unwrap();
        assert_eq!(line, 6 + at, "{text}: {reason}");
        assert!(
            reason.contains("not part of a hunk") && reason.contains("correct its numbers"),
            "{reason}"
        );
    }
    let merge =
        "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n  a\n -gone\n";
    assert!(
        reason(merge).1.contains("not part of a hunk"),
        "in a merge, a removed line may start with a blank"
    );
}

#[test]
fn svn_properties_of_the_root_folder_and_logs() {
    let row = "_".repeat(67);
    let root = format!(
        "Index: .\n{EQUALS}diff --git a/ b/\n--- a/\t(revision 1)\n+++ b/\t(working copy)\n\n\
         Property changes on: .\n{row}\nAdded: svn:ignore\n## -0,0 +1 ##\n+x\n\
         Index: x\n{EQUALS}diff --git a/x b/x\n--- a/x\t(revision 1)\n+++ b/x\t(working copy)\n{UNIFIED}"
    );
    assert_eq!(
        files(&root),
        [(".".to_owned(), Status::ModeChanged, 0), modified("x")]
    );
    let dashes = "-".repeat(72);
    let revision = |number: u32, message: &str, change: &str| {
        format!(
            "{dashes}\nr{number} | ada | 2026-01-01 10:00:00 +0100 (Thu, 01 Jan 2026) | 2 lines\n\n{message}\n\n{change}\n"
        )
    };
    let index = |path: &str| {
        format!(
            "Index: {path}\n{EQUALS}--- {path}\t(revision 1)\n+++ {path}\t(revision 2)\n{UNIFIED}"
        )
    };
    let log = revision(2, "About --- things\n--- a\n+++ b\n2a3\n> x", &index("x"))
        + &revision(1, "m", &index("y"));
    assert_eq!(
        files(&format!("{log}{dashes}\n")),
        [modified("x"), modified("y")]
    );
    let context = format!(
        "Index: x\n{EQUALS}*** x\t(revision 1)\n--- x\t(revision 2)\n***************\n*** 1 ****\n"
    );
    let refused = reason(&revision(2, "m", &context));
    assert!(
        refused.0 == 8 && refused.1.starts_with("this is a context diff"),
        "{refused:?}"
    );
}

#[test]
fn a_message_of_hg_may_quote_labels() {
    let text = format!(
        "# HG changeset patch\n# User ada\n# Date 1 0\n# Node ID 1f\nTitle\n\n--- tasks@1f\n+++ tasks@2b\n+added\n-gone\n@@ -1 @@\n\n\
         diff --git a/x b/x\n--- a/x\n+++ b/x\n{UNIFIED}# HG changeset patch\n# User ada\n+++ b\n\n\
         diff -r 1f -r 2b y\n--- a/y\tThu Jan 01 10:00:00 2026 +0000\n+++ b/y\tFri Jan 02 10:00:00 2026 +0000\n{UNIFIED}"
    );
    assert_eq!(files(&text), [modified("x"), modified("y")]);
}

#[test]
fn names_may_start_with_a_quote_and_stamps_may_follow_blanks() {
    for (old, new, path) in [
        (
            "\"a\".txt.orig\t2026-01-01 10:00:00.0 +0000",
            "\"a\".txt\t2026-01-02 10:00:00.0 +0000",
            "\"a\".txt",
        ),
        (
            "d1/a.py  2026-11-25 10:00:00.123456789 +0100",
            "d2/a.py  2026-11-25 10:00:01.0 +0100",
            "a.py",
        ),
        (
            "a/a b.py    Thu Jan 01 10:00:00 2026 +0000",
            "b/a b.py    Fri Jan  2 10:00:00 2026 +0000",
            "a b.py",
        ),
        ("x    (revision 12)", "x    (working copy)", "x"),
        ("a/x 1", "b/x 1", "x 1"),
    ] {
        let text = format!("--- {old}\n+++ {new}\n{UNIFIED}");
        assert_eq!(files(&text), [modified(path)], "{text}");
    }
    let new = "--- d1/n.py 1970-01-01 01:00:00.000000000 +0100\n+++ d2/n.py 2026-01-01 10:00:00.0 +0100\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(files(new), [("n.py".to_owned(), Status::Added, 1)]);
}

#[test]
fn new_files_of_plain_diffs_have_no_prefix() {
    let added = |above: &str| format!("{above}--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    for (above, path) in [
        ("", "x"),
        ("diff a/x b/x\n", "x"),
        ("diff -Nu /dev/null b/x\n", "x"),
        ("diff -r 1f3a5b7c9d0e -r 2b4c6d8e0f1a b/x\n", "b/x"),
    ] {
        assert_eq!(
            files(&added(above)),
            [(path.to_owned(), Status::Added, 1)],
            "{above}"
        );
    }
    let binary =
        "Binary files /dev/null and b/x.bin differ\nBinary files a/y.bin and /dev/null differ\n";
    let expected = [("x.bin", Status::Added, 0), ("y.bin", Status::Removed, 0)];
    assert_eq!(
        files(binary),
        expected.map(|(path, status, hunks)| (path.to_owned(), status, hunks))
    );
}

#[test]
fn files_without_content_in_the_diff_get_a_warning() {
    let text = format!(
        "Only in new/src: build\ndiff -r old/x new/x\n--- old/x\t2026\n+++ new/x\t2026\n{UNIFIED}Only in new: y: z\n\
         File old/l is a regular file while file new/l is a directory\nFiles old/i.png and new/i.png differ\n"
    );
    let diff = Diff::parse(&text).unwrap();
    let paths: Vec<_> = diff
        .files
        .iter()
        .map(|file| (file.path(), file.is_unshown, file.binary))
        .collect();
    let expected = [
        ("new/src/build", true, false),
        ("x", false, false),
        ("new/y: z", true, false),
        ("new/l", true, false),
        ("i.png", false, true),
    ];
    assert_eq!(paths, expected);
    let warnings = plan(&diff, None, &Sizes::default()).warnings;
    for (path, ..) in expected.iter().filter(|(path, ..)| *path != "x") {
        assert!(
            warnings
                .iter()
                .any(|warning| warning.file_path.as_deref() == Some(path)),
            "{path}: {warnings:?}"
        );
    }
    let message = format!(
        "# HG changeset patch\n# User ada\nOnly in rare cases: no\n\n--- a/x\n+++ b/x\n{UNIFIED}"
    );
    assert_eq!(files(&message), [modified("x")]);
}

#[test]
fn colour_is_removed_and_other_texts_are_rejected_with_a_remedy() {
    let plain = format!("diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n{UNIFIED}");
    let coloured: String = plain
        .lines()
        .map(|line| format!("\u{1b}[1m{line}\u{1b}[m\n"))
        .collect();
    assert_eq!(files(&coloured), [modified("x")]);
    assert_eq!(files(&format!("\u{feff}{plain}")), [modified("x")]);

    let escaped = plain.replace('\n', "\\n");
    for text in [
        escaped.clone(),
        format!("\"{escaped}\"\n"),
        format!("{{\n  \"diff\": \"{escaped}\"\n}}\n"),
    ] {
        let refused = reason(&text);
        let line = 1 + text.lines().position(|line| line.contains("@@")).unwrap();
        assert!(
            refused.0 == line && refused.1.contains("escaped as in JSON"),
            "{text}: {refused:?}"
        );
    }
    let wide: String = plain.chars().flat_map(|c| [c, '\0']).collect();
    assert!(reason(&wide).1.contains("convert it to UTF-8"));
    assert!(reason("hello\n").1.contains("`git diff`"));
}
