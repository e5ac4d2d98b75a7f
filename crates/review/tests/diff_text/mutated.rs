//! Truncated, corrupted and invented diffs.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use review::diff::Diff;

use crate::consistent::check;
use crate::counts::wrong_counts;
use crate::samples::ALL;

#[test]
fn every_wrong_count_is_rejected() {
    for sample in ALL {
        for text in [sample.to_owned(), sample.replace('\n', "\r\n")] {
            for wrong in wrong_counts(&text) {
                assert!(Diff::parse(&wrong).is_err(), "{wrong}");
            }
        }
    }
}

#[test]
fn a_truncated_diff_is_a_shorter_diff_or_an_error() {
    for sample in ALL {
        let whole = Diff::parse(sample).unwrap();
        for (end, _) in sample.char_indices() {
            let text = &sample[..end];
            check(text);
            let Ok(diff) = Diff::parse(text) else {
                continue;
            };
            let complete = &diff.files[..diff.files.len() - 1];
            assert_eq!(complete, &whole.files[..complete.len()], "{text}");
        }
    }
}

#[test]
fn a_lost_line_is_an_error_or_harmless() {
    for sample in ALL {
        let lines: Vec<&str> = sample.split_inclusive('\n').collect();
        for lost in 0..lines.len() {
            let mut rest = lines.clone();
            let line = rest.remove(lost);
            let text = rest.concat();
            check(&text);
            let in_hunk = Diff::parse(sample)
                .unwrap()
                .files
                .iter()
                .flat_map(|file| &file.hunks)
                .any(|hunk| {
                    let first = hunk.lines[0].text.as_ptr();
                    let last = hunk.lines[hunk.lines.len() - 1].text.as_ptr();
                    (first..=last).contains(&line.as_bytes()[1..].as_ptr())
                });
            assert!(
                !in_hunk || line.starts_with('\\') || Diff::parse(&text).is_err(),
                "{text}"
            );
        }
    }
}

/// Fragments of diffs, in random combinations.
const PIECES: [&str; 68] = [
    "diff --git a/x b/x\n",
    "diff --git \"a/\\351\" \"b/\\351\"\n",
    "diff --git ",
    "diff --cc x\n",
    "diff --combined x\n",
    "index 1..2 100644\n",
    "index 1,2..3\n",
    "old mode 100644\n",
    "new mode 100755\n",
    "mode 1,2..3\n",
    "new file mode 100644\n",
    "deleted file mode 100644\n",
    "similarity index 90%\n",
    "rename from x\n",
    "rename to y\n",
    "copy from x\n",
    "copy to y\n",
    "--- a/x\n",
    "+++ b/x\n",
    "--- /dev/null\n",
    "+++ /dev/null\n",
    "--- x\t1970-01-01 00:00:00\n",
    "Binary files a/x and b/x differ\n",
    "GIT binary patch\n",
    "literal 1\n",
    "IcmZPo000310RR91\n",
    "@@ -1 +1 @@\n",
    "@@ -1,2 +1,2 @@ f\n",
    "@@ -0,0 +1 @@\n",
    "@@ -4 +4,0 @@\n",
    "@@ -4294967295 +1 @@\n",
    "@@@ -1 -1 +1 @@@\n",
    "@@@ -1,0 -1 +1 @@@\n",
    " a\n",
    "-a\n",
    "+a\n",
    "++a\n",
    " -a\n",
    "\n",
    "\r\n",
    "\\ No newline at end of file\n",
    "-- \n",
    "---\n",
    "Index: x\n=====\n",
    "Cannot display: x\n",
    "svn:mime-type = x\n",
    "Files x and y differ\n",
    "2a3\n",
    "> a\n",
    "***************\n*** 1 ****\n",
    "Property changes on: x\n",
    "From 0000000000000000000000000000000000000000 Mon\n",
    "\u{1b}[1m",
    "Binary files differ\n",
    "Only in a: b\n",
    "File a is a regular file while file b is a directory\n",
    "# HG changeset patch\n",
    "--------------------\nr1 | a | b\n\n",
    "--- x   2026-01-01 00:00:00\n+++ x   2026-01-01 00:00:00\n",
    "From: a\n",
    "From a b\nSubject: c\n",
    "Content-Transfer-Encoding: quoted-printable\n\n",
    "Content-Transfer-Encoding: base64\n\n",
    "Content-Type: multipart/mixed; boundary=x\n\n",
    "--x\n",
    "--x--\n",
    "=\n",
    "é\u{0}\"\t\\ ",
];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<char>().prop_map(String::from),
        select(&PIECES[..]).prop_map(String::from)
    ]
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn any_text_is_parsed_or_rejected(text in ".{0,200}") {
        check(&text);
    }

    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_are_parsed_or_rejected(pieces in prop::collection::vec(select(&PIECES[..]), 0..25)) {
        check(&pieces.concat());
    }

    #[test]
    fn a_corrupted_diff_is_parsed_or_rejected(
        sample in select(&ALL[..]),
        edits in prop::collection::vec((any::<Index>(), 0..4_usize, piece()), 1..4),
    ) {
        let mut text: Vec<char> = sample.chars().collect();
        for (at, gone, come) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + gone).min(text.len());
            text.splice(at..end, come.chars());
        }
        check(&text.into_iter().collect::<String>());
    }
}
