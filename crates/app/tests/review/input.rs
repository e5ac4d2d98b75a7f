//! Diffs from files and pipes, the format of the result, and the exit status.

use std::fs;

use serde_json::Value;

use crate::support::{BAD, Folder, GOOD, added};

/// A change with a P1 and a P2.
fn two() -> String {
    added("a.py", BAD) + &added("b.js", "if (x == NaN) { y(); }\n")
}

#[test]
fn a_file_and_a_pipe_lead_to_the_same_findings() {
    let folder = Folder::new();
    folder.write("change.diff", added("a.py", BAD));
    let file = folder.review(&["change.diff"]);
    let pipe = folder.review_text(added("a.py", BAD), &[]);
    assert_eq!(file.findings(), ["a.py:1 python/mutable-default-argument"]);
    assert_eq!(file.findings(), pipe.findings());
}

#[test]
fn coloured_utf_16_and_mailed_diffs_are_accepted() {
    let folder = Folder::new();
    let diff = added("a.py", BAD);
    let utf_16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{}", diff.replace('\n', "\r\n"))
            .encode_utf16()
            .flat_map(unit)
            .collect()
    };
    let coloured: String = diff
        .lines()
        .map(|line| format!("\u{1b}[1m{line}\u{1b}[m\n"))
        .collect();
    let mail = format!(
        "From: a\nContent-Transfer-Encoding: quoted-printable\n\n{}",
        diff.replace('=', "=3D")
    );
    for bytes in [
        utf_16(u16::to_le_bytes),
        utf_16(u16::to_be_bytes),
        coloured.into_bytes(),
        mail.into_bytes(),
    ] {
        let run = folder.review_text(bytes, &[]);
        assert_eq!(
            run.findings(),
            ["a.py:1 python/mutable-default-argument"],
            "{run:?}"
        );
        assert_eq!(run.warnings(), [""; 0], "{run:?}");
    }
    let cut = folder.review_text([utf_16(u16::to_le_bytes), vec![b'x']].concat(), &[]);
    assert_eq!(cut.warnings(), ["ENCODING_REPLACED -"], "{cut:?}");
}

#[test]
fn files_without_hunks_are_not_reviewed() {
    let folder = Folder::new();
    let run = folder.review_text(
        format!("Only in new: b.py\n{}", added("a.py", GOOD)),
        &["--strict"],
    );
    assert_eq!(run.warnings(), ["FILE_PARTLY_ANALYZED new/b.py"], "{run:?}");
    assert_ne!(run.status, 0, "{run:?}");
}

#[test]
fn fail_on_decides_the_status() {
    let folder = Folder::new();
    for (arguments, status) in [
        (vec![], 1),
        (vec!["--fail-on", "P0"], 0),
        (vec!["--fail-on", "P1"], 1),
        (vec!["--fail-on", "p3"], 1),
        (vec!["--fail-on", "never"], 0),
        (vec!["--min-confidence", "1"], 0),
    ] {
        let run = folder.review_text(two(), &arguments);
        assert_eq!(run.status, status, "{arguments:?} {run:?}");
    }
    assert_eq!(
        folder.review_text(added("a.py", BAD), &[]).status,
        0,
        "a P2 alone passes"
    );
    assert_eq!(
        folder
            .review_text(added("a.py", BAD), &["--fail-on", "P2"])
            .status,
        1
    );
    assert_eq!(
        folder
            .review_text(added("a.py", GOOD), &["--fail-on", "P3"])
            .status,
        0
    );
}

#[test]
fn json_is_the_response_body_of_the_api() {
    let folder = Folder::new();
    let body = folder.review_text(two(), &[]).json();
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut top = keys(&body);
    top.sort();
    assert_eq!(
        top,
        ["clientReference", "findings", "metadata", "requestId"]
    );
    let mut finding = keys(&body["findings"][0]);
    finding.sort();
    assert_eq!(
        finding,
        [
            "category", "confidence", "endColumn", "endLine", "filePath", "fingerprint",
            "hunkHeader", "lineNumber", "lineSide", "oldLineNumber", "priority", "references",
            "relatedLocations", "replacement", "ruleId", "startColumn", "suggestedFix", "summary",
        ]
    );
    assert_eq!(body["findings"][0]["priority"], "P1");
    assert_eq!(body["metadata"]["engines"], serde_json::json!(["rules"]));
    assert_eq!(body["metadata"]["chunksAnalyzed"], 2);
    assert_eq!(
        body["requestId"].as_str().unwrap().chars().nth(14),
        Some('7')
    );
}

#[test]
fn the_same_change_has_the_same_result() {
    let folder = Folder::new();
    let change: String = (0..50)
        .map(|n| added(&format!("src/{n}.py"), BAD))
        .collect();
    let answer = || folder.review_text(&change, &[]).json()["findings"].clone();
    let first = answer();
    assert_eq!(first.as_array().unwrap().len(), 50);
    assert!((0..5).all(|_| answer() == first));
}

#[test]
fn pretty_has_code_frames_a_summary_and_no_colour_in_a_pipe() {
    let folder = Folder::new();
    folder.write("change.diff", two());
    let run = folder.hunkwise(&["review", "change.diff"]);
    assert!(
        run.stdout.contains("a.py:1") && run.stdout.contains("def add(item, basket=[]):"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .lines()
            .last()
            .unwrap()
            .starts_with("2 findings (1 P1, 1 P2) in 2 files"),
        "{}",
        run.stdout
    );
    assert!(
        !run.stdout.contains('\u{1b}') && run.stderr.is_empty(),
        "{run:?}"
    );
    assert!(
        folder
            .hunkwise(&["review", "change.diff", "--color", "always"])
            .stdout
            .contains('\u{1b}')
    );
}

#[test]
fn output_is_written_to_the_named_file() {
    let folder = Folder::new();
    let to_stdout = folder.review_text(two(), &[]);
    let run = folder.review_text(two(), &["--output", "result.json"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("result.json")).unwrap())
            .unwrap();
    assert_eq!(written["findings"], to_stdout.json()["findings"]);
    let run = folder.review_text(two(), &["--output", "no/such/folder/x"]);
    assert_eq!(run.status, 3);
    assert!(
        run.stderr.contains("cannot write no/such/folder/x"),
        "{}",
        run.stderr
    );
}

#[test]
fn invalid_diffs_are_rejected_with_line_and_reason() {
    let folder = Folder::new();
    for (text, place) in [
        ("just some words\n", "stdin: line 1"),
        (
            "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n",
            "stdin: line ",
        ),
        ("{\"diff\": 1}", "stdin: line 1"),
    ] {
        let run = folder.review_text(text, &[]);
        assert_eq!(run.status, 2, "{text:?} {run:?}");
        assert!(
            run.stderr.contains(place) && run.stdout.is_empty(),
            "{text:?} {run:?}"
        );
    }
}

#[test]
fn other_diff_formats_are_rejected_by_name() {
    let folder = Folder::new();
    let index =
        "Index: x.py\n===================================================================\n";
    for (body, reason) in [
        ("2a3\n> x = 1\n", "stdin: line 3: this is a normal diff"),
        (
            "*** x.py\n--- x.py\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
            "line 3: this is a context diff",
        ),
        ("2a\nx = 1\n.\n", "line 3: this is an ed script"),
        ("a2 1\nx = 1\n", "line 3: this is an RCS script"),
        ("x = 1 | x = 2\n", "line 3: this is not a unified diff"),
    ] {
        let run = folder.review_text(
            format!("{index}{body}{}", added("a.py", GOOD)),
            &["--fail-on", "never"],
        );
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (2, ""),
            "{body:?} {run:?}"
        );
        assert!(
            run.stderr.contains(reason) && run.stderr.contains("diff -u`"),
            "{body:?} {run:?}"
        );
    }
}

#[test]
fn files_with_nothing_to_review_do_not_count_towards_the_limit() {
    let folder = Folder::new();
    let moved = |n: usize| {
        format!(
            "diff --git a/old/{n}.py b/new/{n}.py\nsimilarity index 100%\nrename from old/{n}.py\nrename to new/{n}.py\n"
        )
    };
    let deleted = |n: usize| format!("--- a/gone/{n}.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = {n}\n");
    let vendored = |n: usize| added(&format!("vendor/{n}.py"), GOOD);
    for (kind, warning, more) in [
        (&moved as &dyn Fn(usize) -> String, None, None),
        (&deleted, None, None),
        (
            &vendored,
            Some("FILE_SKIPPED_VENDORED"),
            Some("vendor/0.py:1 any/hidden-from-review"),
        ),
    ] {
        let edit = format!(
            "diff --git a/z.py b/z.py\nnew file mode 100644\n{}",
            added("z.py", BAD)
        );
        let change: String = (0..1_200).map(kind).chain([edit]).collect();
        let run = folder.review_text(change, &["--fail-on", "never"]);
        assert_eq!(
            (run.status, run.findings()),
            (
                0,
                more.into_iter()
                    .chain(["z.py:1 python/mutable-default-argument"])
                    .map(str::to_owned)
                    .collect()
            ),
            "{run:?}"
        );
        assert_eq!(
            run.warnings().len(),
            if warning.is_some() { 1_200 } else { 0 }
        );
        assert!(
            run.warnings()
                .iter()
                .all(|found| warning.is_some_and(|code| found.starts_with(code)))
        );
    }
    let change: String = (0..1_002)
        .map(|n| added(&format!("a{n:04}.py"), GOOD))
        .collect();
    let run = folder.review_text(change, &["--fail-on", "never"]);
    assert_eq!(
        run.warnings(),
        [
            "FILE_SKIPPED_TOO_LARGE a1000.py", "FILE_SKIPPED_TOO_LARGE a1001.py"
        ]
    );
}

#[test]
fn an_empty_pipe_is_a_change_without_content() {
    for text in ["", "\n\n"] {
        let run = Folder::new().review_text(text, &[]);
        assert_eq!(
            (run.status, run.stderr.as_str()),
            (0, "no changes to review\n")
        );
    }
}

#[test]
fn invalid_utf_8_is_replaced_with_a_warning() {
    let mut diff = added("a.py", "# caf\u{e9}\ndef add(item, basket=[]):\n").into_bytes();
    let at = diff
        .windows(2)
        .position(|pair| pair == "\u{e9}".as_bytes())
        .unwrap();
    diff.splice(at..at + 2, [0xe9]);
    let run = Folder::new().review_text(diff, &[]);
    assert_eq!(run.findings(), ["a.py:2 python/mutable-default-argument"]);
    assert_eq!(run.warnings(), ["ENCODING_REPLACED -"]);
}

#[test]
fn the_language_option_applies_to_files_with_unknown_paths() {
    let folder = Folder::new();
    let script = added("bin/tool", BAD);
    assert_eq!(
        folder.review_text(&script, &[]).findings(),
        Vec::<String>::new()
    );
    for name in ["py", "Python", "python"] {
        let run = folder.review_text(&script, &["--language", name]);
        assert_eq!(
            run.findings(),
            ["bin/tool:1 python/mutable-default-argument"],
            "{name}"
        );
    }
    let run = folder.review_text(&script, &["--language", "pyhton"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("Python"), "{}", run.stderr);
}

#[test]
fn wrong_usage_is_status_2_with_a_hint() {
    let folder = Folder::new();
    for (arguments, expected) in [
        (&["change.diff"][..], "cannot read change.diff"),
        (&["."], "not in a git checkout"),
        (&["--staged", "--base", "main"], "cannot be used with"),
        (
            &["-", "--commit", "HEAD"],
            "cannot be combined with other selections",
        ),
        (&["-", "--format", "yaml"], "pretty, json"),
        (&["-", "--fail-on", "P9"], "never"),
        (&["-", "--min-confidence", "2"], "from 0 to 1"),
        (&["-", "--min-confidence", "NaN"], "from 0 to 1"),
        (&["-", "--server", "http://127.0.0.1:1"], "--organization"),
        (&["-", "--organization", "org_1"], "--server"),
    ] {
        let run = folder.hunkwise(&[&["review"], arguments].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(
            run.stderr.contains(expected),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn input_beyond_a_limit_is_status_2_and_names_the_limit() {
    let heading = "h".repeat(4_085);
    let diff = format!("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@ {heading}\n-a\n+b\n");
    let run = Folder::new().review_text(diff, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    let message = "The limit `hunkHeaderBytes` is 4096 bytes; the request has 4097 bytes.";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}
