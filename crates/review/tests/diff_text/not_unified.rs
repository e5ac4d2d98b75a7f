//! Changes that are not unified. No file may count as unchanged because its change was not understood.

use proptest::prelude::*;
use proptest::sample::select;
use review::diff::{Diff, Status};

const EQUALS: &str = "===================================================================\n";
const UNIFIED: &str = "@@ -1 +1,2 @@\n a\n+b\n";
const CONTEXT: &str =
    "*** x.py\t2026\n--- x.py\t2026\n***************\n*** 1 ****\n--- 1,2 ----\n  a\n+ b\n";

fn error(text: &str) -> (usize, String) {
    let error = Diff::parse(text).expect_err(text);
    (error.line, error.reason)
}

/// Path, status and whether it is binary, of each file.
fn files(text: &str) -> Vec<(String, Status, bool)> {
    let diff = Diff::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    diff.files
        .iter()
        .map(|file| (file.path().to_owned(), file.status, file.binary))
        .collect()
}

#[test]
fn each_form_is_rejected_by_name_below_each_header() {
    let headers = [
        (format!("Index: x.py\n{EQUALS}"), 3),
        (format!("Index: x.py\n{EQUALS}\n"), 4),
        (
            format!(
                "Index: x.py\n{EQUALS}RCS file: /cvs/x.py,v\nretrieving revision 1.1\nretrieving revision 1.2\n\
                 diff -r1.1 -r1.2\n"
            ),
            7,
        ),
        (
            format!("Index: x.py\n{EQUALS}--- x.py\t(revision 1)\n+++ x.py\t(working copy)\n"),
            5,
        ),
        (
            format!("{EQUALS}RCS file: x.py,v\nretrieving revision 1.1\ndiff -r1.1 x.py\n"),
            5,
        ),
        ("diff -r old/x.py new/x.py\n".to_owned(), 2),
        ("==== //depot/x.py#1 - /ws/x.py ====\n".to_owned(), 2),
        (
            "diff --git a/x.py b/x.py\nold mode 100644\nnew mode 100755\n".to_owned(),
            4,
        ),
        (
            "diff --git a/x.py b/y.py\nsimilarity index 90%\nrename from x.py\nrename to y.py\n\n"
                .to_owned(),
            6,
        ),
        (
            "diff --git a/x.py b/x.py\nindex 1..2 100644\n".to_owned(),
            3,
        ),
    ];
    let bodies = [
        ("2a3\n> x\n", "this is a normal diff,"),
        ("2,3c2\n< x\n< y\n---\n> z\n", "this is a normal diff,"),
        (CONTEXT, "this is a context diff,"),
        ("2a\nx\n.\n", "this is an ed script,"),
        ("a2 1\nx\n", "this is an RCS script,"),
    ];
    let unified = format!("diff --git a/y b/y\nindex 1..2 100644\n--- a/y\n+++ b/y\n{UNIFIED}");
    for (header, line) in &headers {
        for (body, reason) in bodies {
            for (before, after) in [("", ""), ("", unified.as_str()), (unified.as_str(), "")] {
                let found = error(&format!("{before}{header}{body}{after}"));
                assert!(
                    found.1.starts_with(reason) && found.1.contains("use `diff -u`"),
                    "{header}{body}: {found:?}"
                );
                assert_eq!(found.0, line + before.lines().count(), "{header}{body}");
                let crlf = format!("{before}{header}{body}{after}").replace('\n', "\r\n");
                assert_eq!(error(&crlf), found, "{crlf}");
            }
        }
    }
}

#[test]
fn normal_and_context_diffs_are_rejected_without_a_header() {
    let unified = format!("--- a/y\n+++ b/y\n{UNIFIED}");
    assert!(
        error(&format!("{unified}2a3\n> x\n"))
            .1
            .contains("a normal diff")
    );
    assert_eq!(error(&format!("2a3\n> x\n{unified}")).0, 1);
    let context = error(&format!("{CONTEXT}{unified}"));
    assert!(
        context.0 == 3 && context.1.contains("a context diff"),
        "{context:?}"
    );
}

#[test]
fn an_unknown_line_in_an_index_block_is_rejected() {
    for line in [
        "a = 1    | a = 2", "Index: no row follows", "@ 1", "--- x.py", "~~~", "Binary file",
    ] {
        let found = error(&format!("Index: x.py\n{EQUALS}\n{line}\n"));
        assert!(
            found.0 == 4 && found.1.contains("not a unified diff"),
            "{line}: {found:?}"
        );
    }
}

#[test]
fn index_blocks_without_a_change_of_lines_are_read() {
    let block = |body: &str| format!("Index: x\n{EQUALS}{body}");
    let row = "_".repeat(67);
    for (body, status, binary) in [
        (String::new(), Status::Modified, false),
        ("\n\n".to_owned(), Status::Modified, false),
        (
            "RCS file: x\ndiff -N x\n".to_owned(),
            Status::Modified,
            false,
        ),
        (
            "? build\ncvs diff: Diffing lib\n".to_owned(),
            Status::Modified,
            false,
        ),
        (
            format!("\nProperty changes on: x\n{row}\nAdded: svn:executable\n   + *\n\n"),
            Status::ModeChanged,
            false,
        ),
        (
            format!("\nEigenschaften: x\n{row}\nAdded: svn:executable\n## -0,0 +1 ##\n+*\n"),
            Status::ModeChanged,
            false,
        ),
        (
            "Cannot display: file marked as a binary type.\nsvn:mime-type = image/png\n".to_owned(),
            Status::Modified,
            true,
        ),
        (
            "Anzeige nicht m\u{f6}glich.\nsvn:mime-type = image/png\n".to_owned(),
            Status::Modified,
            true,
        ),
        (
            "RCS file: x,v\nBinary files /tmp/cvs1 and /tmp/cvs2 differ\n".to_owned(),
            Status::Modified,
            true,
        ),
        (
            "Files trunk/a b\t9999 and trunk/a b\t9999 differ\n".to_owned(),
            Status::Modified,
            true,
        ),
        (
            format!("{}\nr11 | ada | 2026\n\n2a\n", "-".repeat(72)),
            Status::Modified,
            false,
        ),
    ] {
        let file = ("x".to_owned(), status, binary);
        assert_eq!(files(&block(&body)), std::slice::from_ref(&file), "{body}");
        assert_eq!(
            files(&block(&body).repeat(2)),
            [file.clone(), file],
            "{body}"
        );
    }
    let only = [
        ("x".to_owned(), Status::Modified, false),
        ("new/y".to_owned(), Status::Modified, false),
    ];
    assert_eq!(files(&block("Only in new: y\n")), only);
    let git = block("diff --git a/t/x b/t/x\nnew file mode 100644\n")
        + &block("diff --git a/y b/y\nnew file mode 1\n");
    let expected = [
        ("t/x", Status::Added),
        ("x", Status::Modified),
        ("y", Status::Added),
    ];
    assert_eq!(
        files(&git),
        expected.map(|(path, status)| (path.to_owned(), status, false))
    );
    let two = block("Binary files a and b differ\nBinary files c/y and d/y differ\n");
    assert_eq!(
        files(&two),
        [
            ("x".to_owned(), Status::Modified, true),
            ("y".to_owned(), Status::Modified, true)
        ]
    );
}

#[test]
fn the_message_of_a_mail_may_contain_anything() {
    let mail = format!(
        "From {} Mon Sep 17 00:00:00 2001\nSubject: x\n\nIndex: x.py\n{EQUALS}text\n2a3\n> x\n{CONTEXT}---\n\
         diff --git a/y b/y\nindex 1..2 100644\n--- a/y\n+++ b/y\n{UNIFIED}",
        "0".repeat(40)
    );
    assert_eq!(files(&mail), [("y".to_owned(), Status::Modified, false)]);
}

/// The block of one file: what it announces, and what follows.
#[derive(Debug, Clone)]
struct Block {
    header: &'static str,
    labels: &'static str,
    body: Body,
}

#[derive(Debug, Clone)]
enum Body {
    /// Only header lines or notes.
    Notes(&'static str),
    Unified,
    Foreign(String),
}

const INDEX: [&str; 3] = [
    "Index: f\n=====\n",
    "Index: f\n=====\n\n",
    "Index: f\n=====\nRCS file: f,v\nretrieving revision 1.1\ndiff -r1 f\n",
];
const GIT: [&str; 3] = [
    "diff --git a/h b/h\nold mode 100644\nnew mode 100755\n",
    "diff --git a/g b/h\nsimilarity index 90%\nrename from g\nrename to h\n",
    "diff --git a/g b/h\ncopy from g\ncopy to h\n",
];
const NOTES: [&str; 5] = [
    "",
    "\n",
    "Cannot display: file marked as a binary type.\nsvn:mime-type = image/png\n",
    "Binary files /tmp/a and f differ\n",
    "\nProperty changes on: f\n_____\nAdded: svn:executable\n   + *\n",
];
const FORMS: [&str; 6] = [
    "2a3\n> x\n", "1,2c3\n< x\n< y\n---\n> z\n", CONTEXT, "2a\nx\n.\n", "3d\n", "a2 1\nx\nd4 1\n",
];

fn form() -> impl Strategy<Value = String> {
    select(&FORMS[..]).prop_map(str::to_owned)
}

fn index_block() -> impl Strategy<Value = Block> {
    let body = prop_oneof![
        3 => select(&NOTES[..]).prop_map(Body::Notes),
        2 => Just(Body::Unified),
        1 => prop_oneof![form(), "[e-z0-9=|<>*]{1,4}[|#]{1,9}\n"].prop_map(Body::Foreign),
    ];
    (select(&INDEX[..]), body).prop_map(|(header, body)| Block {
        header,
        labels: "--- f\n+++ f\n",
        body,
    })
}

fn git_block() -> impl Strategy<Value = Block> {
    let body = prop_oneof![
        3 => select(&NOTES[..2]).prop_map(Body::Notes),
        2 => Just(Body::Unified),
        1 => form().prop_map(Body::Foreign),
    ];
    (select(&GIT[..]), body).prop_map(|(header, body)| {
        let labels = if header.contains("from g") {
            "--- a/g\n+++ b/h\n"
        } else {
            "--- a/h\n+++ b/h\n"
        };
        Block {
            header,
            labels,
            body,
        }
    })
}

impl Block {
    fn text(&self) -> String {
        let Self {
            header,
            labels,
            body,
        } = self;
        match body {
            Body::Notes(notes) => format!("{header}{notes}"),
            Body::Unified => format!("{header}{labels}{UNIFIED}"),
            Body::Foreign(body) => format!("{header}{body}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_without_hunks_has_only_known_header_lines(
        blocks in prop::collection::vec(prop_oneof![index_block(), git_block()], 1..8),
    ) {
        let text: String = blocks.iter().map(Block::text).collect();
        let foreign = blocks.iter().position(|block| matches!(block.body, Body::Foreign(_)));
        match (Diff::parse(&text), foreign) {
            (Ok(diff), None) => {
                let read: Vec<usize> = diff.files.iter().map(|file| file.hunks.len()).collect();
                let sent: Vec<usize> =
                    blocks.iter().map(|block| usize::from(matches!(block.body, Body::Unified))).collect();
                prop_assert_eq!(read, sent, "{}", text);
            }
            (Err(error), Some(at)) => {
                let before: String = blocks[..at].iter().map(Block::text).collect();
                let first = before.lines().count() + blocks[at].header.lines().count() + 1;
                prop_assert_eq!(error.line, first, "{}: {}", error, text);
            }
            (read, foreign) => prop_assert!(false, "{read:?} {foreign:?} {text}"),
        }
    }
}
