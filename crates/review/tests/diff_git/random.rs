//! Random changes: applying the new side of the diff to the old file yields the new file.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use review::diff::{Diff, FileDiff, LineKind, OwnedDiff};

use crate::consistent;
use crate::counts::wrong_counts;
use crate::oracle::{assert_same, changes};
use crate::repo::{Entry, Repo, Tree};

/// Lines that look like other parts of a diff, and repeated lines.
const LINES: [&str; 26] = [
    "a",
    "a",
    "b",
    "c",
    "",
    "",
    "  ",
    "- x",
    "-- ",
    "-- a/x",
    "++ b/x",
    "@@ -1 +1 @@",
    "@@@ -1 -1 +1 @@@",
    "diff --git a/x b/x",
    "\\ No newline at end of file",
    "Binary files a and b differ",
    "\r",
    "x\r",
    "\rx",
    "é\u{2028}日",
    "\tt ",
    "\u{c}\u{b}\u{85}",
    "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001",
    "Index: x",
    "fn f() {",
    "}",
];

const NAMES: [&str; 24] = [
    "a", "b", "a b", " lead", "trail ", "tab\t", "quo\"te", "\"q\"", "back\\slash", "nl\nline",
    "é", "日本", "😀.rs", "-dash", "x => y", "{a => b}", "cr\r", "a/b", "d/a b", "d/b/d/b",
    "dev/null", "e d/f\tg", "b/b b", "\u{1}\u{7f}",
];

const FIND: [&[&str]; 4] = [
    &["-M"],
    &["--no-renames"],
    &["-C", "--find-copies-harder"],
    &["-M30%", "-C30%"],
];

const FORMS: [&[&str]; 11] = [
    &["-U0"],
    &["-U1"],
    &["-U25"],
    &["--no-prefix"],
    &["--binary", "--full-index"],
    &["--function-context"],
    &["--src-prefix=o/", "--dst-prefix=nnn n/"],
    &["--patience"],
    &["--stat", "-p"],
    &["--inter-hunk-context=3"],
    &[],
];

type Content = (Vec<&'static str>, bool);

fn content() -> impl Strategy<Value = Content> {
    (
        prop::collection::vec(select(&LINES[..]), 0..14),
        any::<bool>(),
    )
}

fn bytes((lines, ended): &Content) -> Vec<u8> {
    let mut text = lines.join("\n");
    if *ended && !lines.is_empty() {
        text.push('\n');
    }
    text.into_bytes()
}

/// One edit: position, number of removed lines, added lines.
type Edit = (Index, usize, Vec<&'static str>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(
        (
            any::<Index>(),
            0..3_usize,
            prop::collection::vec(select(&LINES[..]), 0..3),
        ),
        0..3,
    )
}

fn edit(content: &Content, edits: &[Edit], flip_end: bool) -> Content {
    let (mut lines, ended) = content.clone();
    for (at, gone, come) in edits {
        let at = at.index(lines.len() + 1);
        let end = (at + gone).min(lines.len());
        lines.splice(at..end, come.iter().copied());
    }
    (lines, ended != flip_end)
}

#[derive(Debug, Clone)]
enum Fate {
    Keep,
    Edit(Vec<Edit>, bool),
    Gone,
    Moved(&'static str, Vec<Edit>),
    Copied(&'static str, Vec<Edit>),
    Mode,
    Link,
    Module,
    Binary,
    ToBinary,
}

fn fate() -> impl Strategy<Value = Fate> {
    let name = || select(&NAMES[..]);
    prop_oneof![
        1 => Just(Fate::Keep),
        4 => (edits(), any::<bool>()).prop_map(|(edits, end)| Fate::Edit(edits, end)),
        1 => Just(Fate::Gone),
        2 => (name(), edits()).prop_map(|(name, edits)| Fate::Moved(name, edits)),
        1 => (name(), edits()).prop_map(|(name, edits)| Fate::Copied(name, edits)),
        1 => Just(Fate::Mode),
        1 => Just(Fate::Link),
        1 => Just(Fate::Module),
        1 => Just(Fate::Binary),
        1 => Just(Fate::ToBinary),
    ]
}

/// Adds a file to a tree unless its path or one of its folders is taken.
fn put(tree: &mut Tree, path: &str, mode: &'static str, content: Vec<u8>) {
    let path = path.as_bytes();
    let below = |folder: &[u8], file: &[u8]| {
        file.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with(b"/"))
    };
    if tree
        .keys()
        .all(|other| other != path && !below(other, path) && !below(path, other))
    {
        tree.insert(path.to_vec(), Entry { mode, content });
    }
}

fn trees(files: &BTreeMap<&'static str, (Content, Fate)>) -> (Tree, Tree) {
    let (mut old, mut new) = (Tree::new(), Tree::new());
    let binary = |content: &Content| [&bytes(content)[..], b"\0\x01\xff"].concat();
    let link = |content: &Content| {
        String::from_utf8(bytes(content))
            .unwrap()
            .replace('\0', "")
            .into_bytes()
    };
    for (path, (content, fate)) in files {
        match fate {
            Fate::Keep
            | Fate::Edit(..)
            | Fate::Gone
            | Fate::Moved(..)
            | Fate::Copied(..)
            | Fate::Mode
            | Fate::ToBinary => {
                put(&mut old, path, "100644", bytes(content));
            }
            Fate::Link => put(
                &mut old,
                path,
                "120000",
                [b"l", &link(content)[..]].concat(),
            ),
            Fate::Module => put(&mut old, path, "160000", "1".repeat(40).into_bytes()),
            Fate::Binary => put(&mut old, path, "100644", binary(content)),
        }
    }
    for (path, (content, fate)) in files {
        match fate {
            Fate::Keep => put(&mut new, path, "100644", bytes(content)),
            Fate::Edit(edits, end) => {
                put(&mut new, path, "100644", bytes(&edit(content, edits, *end)))
            }
            Fate::Gone => {}
            Fate::Moved(name, edits) => put(
                &mut new,
                name,
                "100644",
                bytes(&edit(content, edits, false)),
            ),
            Fate::Copied(name, edits) => {
                put(&mut new, path, "100644", bytes(content));
                put(
                    &mut new,
                    name,
                    "100755",
                    bytes(&edit(content, edits, false)),
                );
            }
            Fate::Mode => put(&mut new, path, "100755", bytes(content)),
            Fate::Link => put(
                &mut new,
                path,
                "120000",
                [b"m", &link(content)[..]].concat(),
            ),
            Fate::Module => put(&mut new, path, "160000", "2".repeat(40).into_bytes()),
            Fate::Binary => put(
                &mut new,
                path,
                "100644",
                [&binary(content)[..], b"x"].concat(),
            ),
            Fate::ToBinary => put(&mut new, path, "100644", binary(content)),
        }
    }
    (old, new)
}

/// The content of an entry as the diff sees it.
fn visible(entry: Option<&Entry>) -> String {
    let Some(entry) = entry else {
        return String::new();
    };
    let content = String::from_utf8_lossy(&entry.content).into_owned();
    if entry.mode == "160000" {
        format!("Subproject commit {content}\n")
    } else {
        content
    }
}

/// Builds the new file from the old one and the hunks, and checks every line and number.
fn apply(old: &str, file: &FileDiff<'_>) -> String {
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new = String::new();
    let (mut at, mut written) = (0, 0_u32);
    for hunk in &file.hunks {
        let start = hunk.old.start as usize - usize::from(hunk.old.count > 0);
        new.extend(lines[at..start].iter().copied());
        written += u32::try_from(start - at).unwrap();
        at = start;
        for line in &hunk.lines {
            let text = format!("{}{}", line.text, if line.terminated { "\n" } else { "" });
            if line.kind != LineKind::Added {
                assert_eq!(line.old, Some(u32::try_from(at).unwrap() + 1));
                assert_eq!(lines[at], text);
                at += 1;
            }
            if line.kind != LineKind::Removed {
                written += 1;
                assert_eq!(line.new, Some(written));
                new.push_str(&text);
            }
        }
    }
    new.extend(lines[at..].iter().copied());
    new
}

/// Checks that the text is consistent and that every wrong count is detected.
fn check_text(text: &str) {
    consistent::check(text);
    for wrong in wrong_counts(text) {
        assert!(Diff::parse(&wrong).is_err(), "{wrong}");
    }
}

/// Checks the diff between two trees, in every format, against git and against the trees.
fn check(repo: &RefCell<Repo>, old: &Tree, new: &Tree, find: &[&str], form: &[&str], quote: bool) {
    let names = repo
        .borrow_mut()
        .commit_all(&[(old, &[], "old"), (new, &[0], "new")]);
    let repo = repo.borrow();
    let range = [&*names[0], &*names[1]];
    let quote = if quote {
        "core.quotePath=true"
    } else {
        "core.quotePath=false"
    };
    let args: Vec<&str> = ["-c", quote, "diff"]
        .iter()
        .chain(find)
        .chain(form)
        .chain(&range)
        .copied()
        .collect();
    let text = repo.text(&args);
    let changes = changes(&repo, find, &range);
    if changes.is_empty() {
        assert!(Diff::parse(&text).is_err());
        return;
    }
    let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_same(&diff.files, &changes, &text);
    check_text(&text);
    assert_eq!(
        Diff::parse(&text.replace('\n', "\r\n")).as_ref(),
        Ok(&diff),
        "{text}"
    );
    for file in diff.files.iter().filter(|file| !file.binary) {
        let entry = |tree: &Tree, path: Option<&str>| {
            visible(path.and_then(|path| tree.get(path.as_bytes())))
        };
        let (before, after) = (
            entry(old, file.old_path.as_deref()),
            entry(new, file.new_path.as_deref()),
        );
        assert_eq!(apply(&before, file), after, "{text}");
    }
    let coloured: Vec<&str> = args.iter().chain(&["--color=always"]).copied().collect();
    assert_eq!(
        OwnedDiff::parse(repo.text(&coloured)).unwrap().diff(),
        &diff
    );
}

/// Checks that every line of a merge's diff is in the file at its number.
fn check_merge(
    repo: &RefCell<Repo>,
    parents: [&Content; 2],
    result: &Content,
    form: &str,
    unified: &str,
) {
    let tree = |content: &Content| -> Tree {
        [(
            b"f x".to_vec(),
            Entry {
                mode: "100644",
                content: bytes(content),
            },
        )]
        .into()
    };
    let (base, one, two, merged) = (
        tree(&(vec![], false)),
        tree(parents[0]),
        tree(parents[1]),
        tree(result),
    );
    let commits: &[(&Tree, &[usize], &str)] = &[
        (&base, &[], "0"),
        (&one, &[0], "1"),
        (&two, &[0], "2"),
        (&merged, &[1, 2], "m"),
    ];
    let names = repo.borrow_mut().commit_all(commits);
    let text = repo
        .borrow()
        .text(&["show", "--format=", form, unified, &names[3]]);
    if text.is_empty() {
        return;
    }
    let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!((diff.files.len(), diff.files[0].path()), (1, "f x"));
    consistent::check(&text);
    if form == "-c" {
        check_text(&text);
    }
    let sides = [parents[0], result].map(|content| String::from_utf8(bytes(content)).unwrap());
    let sides: Vec<Vec<&str>> = sides
        .iter()
        .map(|side| side.split_terminator('\n').collect())
        .collect();
    for line in diff.files[0].hunks.iter().flat_map(|hunk| &hunk.lines) {
        for (side, number) in sides.iter().zip([line.old, line.new]) {
            assert!(
                number.is_none_or(|number| side[number as usize - 1] == line.text),
                "{line:?} {text}"
            );
        }
    }
    let count = |kind| {
        diff.files[0]
            .hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind == kind)
            .count()
    };
    assert!(
        count(LineKind::Added) + count(LineKind::Removed) > 0,
        "{text}"
    );
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    }
}

#[test]
fn applying_the_diff_produces_the_new_files() {
    let Some(repo) = Repo::new().map(RefCell::new) else {
        return;
    };
    let files = prop::collection::btree_map(select(&NAMES[..]), (content(), fate()), 1..7);
    let find = select(&FIND[..]);
    let form = select(&FORMS[..]);
    proptest!(config(100), |(files in files, find in find, form in form, quote in any::<bool>())| {
        let (old, new) = trees(&files);
        check(&repo, &old, &new, find, form, quote);
    });
}

#[test]
fn lines_of_merges_have_the_right_numbers() {
    let Some(repo) = Repo::new().map(RefCell::new) else {
        return;
    };
    let form = select(&["--cc", "-c"][..]);
    // With -U0, git itself writes inconsistent hunk headers for merges.
    let unified = select(&["-U1", "-U3"][..]);
    let base = (content(), edits(), edits(), edits());
    let ends = any::<[bool; 3]>();
    proptest!(config(100), |((base, one, two, result) in base, form in form, unified in unified, ends in ends)| {
        let parents = [edit(&base, &one, ends[0]), edit(&base, &two, ends[1])];
        let result = edit(&parents[0], &result, ends[2]);
        check_merge(&repo, [&parents[0], &parents[1]], &result, form, unified);
    });
}
