//! Mails: encoded bodies contain the same files as the diff in them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::select;
use review::diff::{DiffText, OwnedDiff};

use crate::consistent::check;
use crate::samples::{GIT, HG, MAIL, MERGE, PLAIN, SVN};

/// The head of a mail.
const HEAD: &str = "From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\n\
    Subject: [PATCH] one\nMIME-Version: 1.0\n";

/// The body of [`MAIL`].
fn body() -> &'static str {
    MAIL.split_once("\n\n").unwrap().1
}

fn in_lines(text: &str, width: usize) -> String {
    text.as_bytes()
        .chunks(width)
        .map(|line| format!("{}\n", String::from_utf8_lossy(line)))
        .collect()
}

fn base64(text: &str) -> String {
    format!(
        "Content-Transfer-Encoding: base64\n\n{}",
        in_lines(&STANDARD.encode(text), 76)
    )
}

fn quoted(text: &str) -> String {
    let mut lines = String::from("Content-Transfer-Encoding: Quoted-Printable\n\n");
    for line in text.split_inclusive('\n') {
        let line = line.trim_end_matches('\n');
        let mut width = 0;
        for (index, byte) in line.bytes().enumerate() {
            let is_last = index + 1 == line.len();
            let word = match byte {
                b'=' | 0..=31 | 127.. => format!("={byte:02X}"),
                b' ' if is_last => "=20".to_owned(),
                _ => char::from(byte).to_string(),
            };
            if width + word.len() > 30 {
                lines.push_str("=\n");
                width = 0;
            }
            width += word.len();
            lines.push_str(&word);
        }
        lines.push('\n');
    }
    lines
}

/// The parts of `git format-patch --attach`, the second in any encoding.
fn attached(text: &str, encode: fn(&str) -> String) -> String {
    let part = encode(text);
    format!(
        "Content-Type: multipart/mixed; boundary=\"------------2.47\"\n\nThis is a multi-part message in MIME format.\n\
         --------------2.47\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n\
         - a point\n--- a quotation\n---\n a.sql | 2 +-\n\n\n\
         --------------2.47\nContent-Type: text/x-patch; name=\"0001.patch\"\n\
         Content-Disposition: attachment; filename=\"0001.patch\"\n{part}\n--------------2.47--\n\n"
    )
}

fn plain(text: &str) -> String {
    format!("Content-Transfer-Encoding: 8bit\n\n{text}")
}

const FORMS: [fn(&str) -> String; 6] = [
    plain,
    base64,
    quoted,
    |text| attached(text, plain),
    |text| attached(text, base64),
    |text| attached(text, quoted),
];

fn files(text: &str) -> OwnedDiff {
    OwnedDiff::parse(text.to_owned()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn an_encoded_mail_is_read_as_its_diff() {
    for sample in [GIT, MERGE, SVN, HG, PLAIN, body()] {
        for form in FORMS {
            let mail = format!("{HEAD}{}", form(sample));
            let headless = mail.split_once('\n').unwrap().1.to_owned();
            let expected = files(sample);
            for (text, copies) in [
                (mail.clone(), 1),
                (headless, 1),
                (mail.replace('\n', "\r\n"), 1),
                (mail.repeat(2), 2),
            ] {
                check(&text);
                let found = files(&text);
                let expected = (0..copies).flat_map(|_| &expected.diff().files);
                assert!(
                    found.diff().files.iter().eq(expected),
                    "{text}\n{:?}",
                    found.diff().files
                );
            }
        }
    }
}

#[test]
fn a_decoded_mail_is_not_decoded_again() {
    let mail = format!("{HEAD}{}", quoted(&GIT.replace("one", "a =3D b")));
    let once = DiffText::of(mail);
    assert!(once.as_str().contains("a =3D b"));
    assert_eq!(
        DiffText::of(once.as_str().to_owned()).as_str(),
        once.as_str()
    );
}

#[test]
fn no_part_of_a_mail_is_ignored() {
    let change = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n");
    let mail = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=x\n\n{}\n--x\n\n{}\n--x\nContent-Type: text/html\n\n{}\n\
         --x\nContent-Type: image/png\n\n{}\n--x\nContent-Type: message/rfc822\n\nSubject: inner\n\n{}\n--x--\n{}",
        change("preamble"),
        change("text"),
        change("html"),
        change("image"),
        change("mail"),
        change("epilogue")
    );
    let readable = DiffText::of(mail);
    let found = readable
        .parse()
        .unwrap_or_else(|error| panic!("{error}: {}", readable.as_str()));
    let paths: Vec<_> = found.files.iter().map(review::FileDiff::path).collect();
    assert_eq!(
        paths,
        ["preamble", "text", "html", "image", "mail", "epilogue"]
    );
}

#[test]
fn mails_in_mails_have_any_depth() {
    let head = "From: a\nContent-Type: multipart/mixed; boundary=x\n\n";
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    for part in [
        "--x\nContent-Type: message/rfc822\n\n",
        "--x\nContent-Type: multipart/mixed; boundary=x\n\n",
    ] {
        let mail = format!("{head}{}{}", part.repeat(50_000), quoted(diff));
        assert_eq!(files(&mail).diff().files.len(), 1);
    }
}

#[test]
fn errors_state_that_lines_are_counted_in_the_decoded_mail() {
    let mail = format!(
        "{HEAD}{}",
        base64("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n")
    );
    let error = OwnedDiff::parse(mail).unwrap_err();
    assert!(
        error.line == 11
            && error
                .reason
                .ends_with("(the line is counted in the decoded mail)"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_the_same_inside_a_mail(
        lines in prop::collection::vec("[ -~é日=]{0,60}", 1..8),
        form in select(&FORMS[..]),
    ) {
        let added: String = lines.iter().map(|line| format!("+{line}\n")).collect();
        let diff = format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1,{} @@\n{added}", lines.len());
        let mail = format!("{HEAD}{}", form(&diff));
        let (found, expected) = (files(&mail), files(&diff));
        prop_assert_eq!(found.diff(), expected.diff(), "{}", mail);
    }
}
