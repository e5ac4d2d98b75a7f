//! Known difficult diffs.

use review::diff::{Diff, LineKind, OwnedDiff, Status};

use crate::oracle::{Change, assert_same, changes};
use crate::repo::{Entry, Repo, Tree, file, tree};

fn numbered(range: std::ops::Range<usize>) -> String {
    range.map(|i| format!("line {i}\n")).collect()
}

fn executable(content: &str) -> Entry {
    Entry {
        mode: "100755",
        ..file(content)
    }
}

fn link(target: &str) -> Entry {
    Entry {
        mode: "120000",
        ..file(target)
    }
}

/// Commits both trees and compares the diff between them with git, for each list of options.
fn check(old: &Tree, new: &Tree, options: &[&[&str]]) {
    let Some(mut repo) = Repo::new() else { return };
    let names = repo.commit_all(&[(old, &[], "old"), (new, &[0], "new")]);
    for options in options {
        check_range(&repo, &[&names[0], &names[1]], options);
    }
}

/// Options that start with `-c` are for git itself, the others for `git diff`.
fn check_range(repo: &Repo, range: &[&str], options: &[&str]) {
    let (settings, options) = match options {
        ["-c", setting, rest @ ..] => (vec!["-c", *setting], rest),
        rest => (Vec::new(), rest),
    };
    let args: Vec<&str> = settings
        .iter()
        .chain(&["diff"])
        .chain(options)
        .chain(range)
        .copied()
        .collect();
    let text = repo.text(&args);
    let find: Vec<&str> = options
        .iter()
        .filter(|option| is_about_files(option))
        .copied()
        .collect();
    let context = format!("{args:?}\n{}", text.chars().take(4_000).collect::<String>());
    let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {context}"));
    assert_same(&diff.files, &changes(repo, &find, range), &context);
}

fn is_about_files(option: &str) -> bool {
    ["-M", "-C", "--find", "--no-renames", "--text"]
        .iter()
        .any(|start| option.starts_with(start))
}

#[test]
fn modified_new_and_deleted_files_with_every_kind_of_prefix() {
    let old = tree([
        ("a.txt", file(numbered(0..40))),
        ("gone.txt", file("bye\n")),
    ]);
    let edited = numbered(0..10) + "X\n" + &numbered(11..40);
    let new = tree([("a.txt", file(edited)), ("new.txt", file("hi\nthere\n"))]);
    let options: &[&[&str]] = &[
        &[],
        &["-U0"],
        &["--no-prefix"],
        &["-c", "diff.mnemonicPrefix=true"],
        &["--src-prefix=old dir/", "--dst-prefix=new dir/"],
        &["--src-prefix=before/", "--dst-prefix=x/"],
        &["--src-prefix=src://", "--dst-prefix=dst://"],
        &["-R"],
        &["--full-index", "--binary"],
        &["--stat", "-p", "--summary"],
    ];
    let Some(mut repo) = Repo::new() else { return };
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    for options in options {
        let range = [&*names[0], &*names[1]];
        let range = if *options == ["-R"] {
            [range[1], range[0]]
        } else {
            range
        };
        if *options == ["-R"] {
            let text = repo.text(&["diff", "-R", &names[0], &names[1]]);
            assert_same(
                &Diff::parse(&text).unwrap().files,
                &changes(&repo, &[], &range),
                &text,
            );
        } else {
            check_range(&repo, &range, options);
        }
    }
}

#[test]
fn renames_with_and_without_edits() {
    let old = tree([
        ("a.txt", file(numbered(0..40))),
        ("b.txt", file(numbered(100..150))),
    ]);
    let new = tree([
        ("dir with space.txt", file(numbered(0..40))),
        ("c.txt", file(numbered(100..149) + "Z\n")),
    ]);
    check(
        &old,
        &new,
        &[
            &["-M"],
            &["--no-renames"],
            &["-M", "--no-prefix"],
            &["-M", "--src-prefix=x y/", "--dst-prefix=z/"],
        ],
    );
}

#[test]
fn copies() {
    let old = tree([("a.txt", file(numbered(0..40)))]);
    let new = tree([
        ("a.txt", file(numbered(0..40) + "t\n")),
        ("copy.txt", file(numbered(0..40))),
        ("copy2.txt", file(numbered(0..39) + "q\n")),
    ]);
    check(&old, &new, &[&["-C", "--find-copies-harder"]]);
}

#[test]
fn modes_with_and_without_edits_and_repetitive_names() {
    let names = [
        "x.sh", "y.sh", "a b/c b/d e", "a/b/a/b", "b/b b/b", "x y x y",
    ];
    let old = tree(names.map(|name| (name, file(numbered(0..9)))));
    let mut new = tree(names.map(|name| (name, executable(&numbered(0..9)))));
    new.insert(b"y.sh".to_vec(), executable(&(numbered(0..8) + "n\n")));
    check(
        &old,
        &new,
        &[
            &[],
            &["--no-prefix"],
            &["--src-prefix=i/j/", "--dst-prefix=w/"],
            &["-c", "diff.mnemonicPrefix=true"],
        ],
    );
}

#[test]
fn binary_files_as_marker_and_as_patch() {
    let bytes: Vec<u8> = (0..=255).cycle().take(1024).collect();
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let old = tree([
        ("i.bin", file(&bytes)),
        ("del.bin", file([0; 99])),
        ("t.txt", file("a\n")),
    ]);
    let new = tree([
        ("i.bin", file(reversed)),
        ("n and b.bin", file([0, 1].repeat(700))),
        ("t.txt", file("b\n")),
    ]);
    check(
        &old,
        &new,
        &[
            &[],
            &["--binary"],
            &["--no-prefix"],
            &["--no-prefix", "--binary"],
        ],
    );
    let moved = tree([(
        "j.bin",
        Entry {
            mode: "100755",
            ..file([bytes, vec![7]].concat())
        },
    )]);
    check(&old, &moved, &[&["-M"], &["-M", "--binary"]]);
}

const NASTY: [&str; 17] = [
    "tab\there.txt", "quo\"te.txt", "back\\slash.txt", "nl\nline.txt", "ünïcode é.txt",
    "日本語.txt", "plain.txt", "emoji😀.rs", "trail ", "-dash", "b0/b", "a/b/a/b", "x => y",
    "{a => b}/c", " lead", "dev/null", "\"q\"",
];

#[test]
fn quoted_and_misleading_paths() {
    let all = |name: &str, entry: Entry| {
        NASTY.map(|path| (format!("{name}{path}").into_bytes(), entry.clone()))
    };
    let mut old: Tree = all("", file("a\nb\n")).into();
    let mut new: Tree = all("", file("a\nc\n")).into();
    old.insert(b"latin\xe9.txt".to_vec(), file("a\n"));
    new.insert(b"latin\xe9.txt".to_vec(), file("b\n"));
    let quotes: &[&[&str]] = &[&[], &["-c", "core.quotePath=false"], &["--no-prefix"]];
    check(&old, &new, quotes);
    check(
        &old,
        &all("", executable("a\nb\n")).into(),
        &[&["--no-renames"], &["--no-renames", "--no-prefix"]],
    );
    check(
        &new,
        &all("moved ", file("a\nc\n")).into(),
        &[&["-M"], &["--no-renames"]],
    );
    check(
        &old,
        &all("empty ", file("")).into(),
        &[&["--no-renames"], &["--no-renames", "--no-prefix"]],
    );
}

#[test]
fn no_line_feed_at_the_end() {
    let old = tree([
        ("both", file("a\nb")),
        ("ctx", file(format!("a\n{}end", numbered(0..2)))),
        ("n", file("a\nb\n")),
        ("o", file("a\nb")),
        ("one", file("x")),
    ]);
    let new = tree([
        ("both", file("a\nc")),
        ("ctx", file(format!("z\n{}end", numbered(0..2)))),
        ("fresh", file("nonl")),
        ("n", file("a\nb")),
        ("o", file("a\nb\n")),
        ("one", file("y")),
    ]);
    check(&old, &new, &[&[], &["-U0"]]);
    let Some(mut repo) = Repo::new() else { return };
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", &names[0], &names[1]]);
    let diff = Diff::parse(&text).unwrap();
    let open = |path: &str| -> Vec<(LineKind, &str)> {
        let file = diff.files.iter().find(|file| file.path() == path).unwrap();
        let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines
            .filter(|line| !line.terminated)
            .map(|line| (line.kind, line.text))
            .collect()
    };
    assert_eq!(
        open("both"),
        [(LineKind::Removed, "b"), (LineKind::Added, "c")]
    );
    assert_eq!(open("ctx"), [(LineKind::Context, "end")]);
    assert_eq!(open("n"), [(LineKind::Added, "b")]);
    assert_eq!(open("o"), [(LineKind::Removed, "b")]);
}

#[test]
fn carriage_returns_and_other_line_ends_stay_in_the_content() {
    let odd = "a\x0cb\x0bc\u{85}d\u{2028}e\n";
    let old = tree([
        ("cr.txt", file("a\rb\rc\n")),
        ("crlf.txt", file("a\r\nb\r\nc\r\n")),
        ("l1.txt", file(b"caf\xe9\nok\n")),
        ("mix", file("a\nb\n")),
        ("odd.txt", file(odd)),
    ]);
    let new = tree([
        ("cr.txt", file("a\rB\rc\n")),
        ("crlf.txt", file("a\r\nB\r\nc\r\n")),
        ("l1.txt", file(b"caf\xe8\nok\n")),
        ("mix", file("a\r\nb\r\n")),
        ("odd.txt", file(odd.to_uppercase())),
    ]);
    check(&old, &new, &[&[]]);
    let Some(mut repo) = Repo::new() else { return };
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", &names[0], &names[1]]);
    let diff = Diff::parse(&text).unwrap();
    assert!(
        diff.files[1].hunks[0]
            .lines
            .iter()
            .all(|line| line.text.ends_with('\r'))
    );
    assert_eq!(diff.files[0].hunks[0].lines[1].text, "a\rB\rc");
}

#[test]
fn content_that_looks_like_headers() {
    let old = tree([
        (
            "d.patch",
            file("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
        ),
        ("m.md", file("ok\n")),
        ("q.sql", file("-- drop\n-- a/x\nselect 1;\n++ b\n")),
    ]);
    let markers = "ok\n\\ No newline at end of file\nBinary files a and b differ\nGIT binary patch\nrename from x\n";
    let new = tree([
        (
            "d.patch",
            file("diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1,2 +1 @@\n-a\n+b\n@@ -9 +9 @@\n"),
        ),
        ("m.md", file(markers)),
        ("q.sql", file("select 1;\n++ c\n++ /dev/null\n")),
    ]);
    check(&old, &new, &[&[], &["-U0"]]);
}

#[test]
fn a_heading_that_looks_like_a_range() {
    let head = "int f(char *a) { /* @@ -1 +1 @@ */\n";
    let numbered = |range| numbered(range).replace("line", "  line");
    let old = tree([("f.c", file(format!("{head}{}}}\n", numbered(0..20))))]);
    let new = tree([(
        "f.c",
        file(format!(
            "{head}{}Q\n{}}}\n",
            numbered(0..15),
            numbered(16..20)
        )),
    )]);
    check(&old, &new, &[&[]]);
    let Some(mut repo) = Repo::new() else { return };
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", &names[0], &names[1]]);
    let hunk = &Diff::parse(&text).unwrap().files[0].hunks[0];
    assert_eq!(hunk.heading, "int f(char *a) { /* @@ -1 +1 @@ */");
    assert!(text.lines().any(|line| line == hunk.header));
}

#[test]
fn links_submodules_changes_of_type_and_empty_files() {
    let module = |digit: &str| Entry {
        mode: "160000",
        content: digit.repeat(40).into_bytes(),
    };
    let old = tree([
        ("e", file("")),
        ("k", file("x\n")),
        ("l", link("a")),
        ("sub mod", module("1")),
        ("t", file("reg\n")),
    ]);
    let new = tree([
        ("emp ty", file("")),
        ("k", file("y\n")),
        ("l", link("b")),
        ("sub mod", module("2")),
        ("t", link("zz")),
    ]);
    check(
        &old,
        &new,
        &[&["--no-renames"], &["-M"], &["--no-renames", "--no-prefix"]],
    );
}

#[test]
fn a_rewritten_file() {
    let Some(mut repo) = Repo::new() else { return };
    let other: String = (0..60).map(|i| format!("other {}\n", i * 7)).collect();
    let (old, new) = (
        tree([("a", file(numbered(0..60)))]),
        tree([("a", file(other))]),
    );
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", "-B", &names[0], &names[1]]);
    assert!(text.contains("dissimilarity index"));
    let diff = Diff::parse(&text).unwrap();
    assert_eq!(
        (diff.files[0].status, diff.files[0].hunks[0].lines.len()),
        (Status::Modified, 120)
    );
}

/// A merge: each parent changes a line, and the merge alone changes one file.
fn merge(repo: &mut Repo) -> Vec<String> {
    let body = |line: &str| file(numbered(0..5) + line + "\n" + &numbered(6..20));
    let base = tree([("f.txt", body("line 5")), ("g.txt", file(numbered(0..20)))]);
    let theirs = tree([
        ("f.txt", body("theirs")),
        ("g.txt", file("T\n".to_owned() + &numbered(1..20))),
    ]);
    let ours = tree([
        ("f.txt", body("ours")),
        ("g.txt", file(numbered(0..19) + "O\n")),
    ]);
    let both = tree([
        ("f.txt", body("both")),
        ("g.txt", file("T\n".to_owned() + &numbered(1..19) + "O\n")),
    ]);
    repo.commit_all(&[
        (&base, &[], "base"),
        (&theirs, &[0], "theirs"),
        (&ours, &[0], "ours"),
        (&both, &[2, 1], "merge"),
    ])
}

#[test]
fn a_merge_is_read_on_its_new_side() {
    let Some(mut repo) = Repo::new() else { return };
    let names = merge(&mut repo);
    let text = repo.text(&["show", "--cc", "--format=", &names[3]]);
    let diff = Diff::parse(&text).unwrap();
    assert_eq!(
        (diff.files.len(), diff.files[0].status, diff.files[0].path()),
        (1, Status::Modified, "f.txt")
    );
    let lines: Vec<_> = diff.files[0].hunks[0]
        .lines
        .iter()
        .map(|line| (line.kind, line.old, line.new, line.text))
        .collect();
    assert_eq!(
        lines[2..5],
        [
            (LineKind::Context, Some(5), Some(5), "line 4"),
            (LineKind::Removed, Some(6), None, "ours"),
            (LineKind::Removed, None, None, "theirs"),
        ]
    );
    assert_eq!(
        lines[5..7],
        [
            (LineKind::Added, None, Some(6), "both"),
            (LineKind::Context, Some(7), Some(7), "line 6")
        ]
    );
    check_range(&repo, &[&names[2], &names[3]], &[]);
    let text = repo.text(&["show", "-m", "--first-parent", "--format=", &names[3]]);
    assert_same(
        &Diff::parse(&text).unwrap().files,
        &changes(&repo, &[], &[&names[2], &names[3]]),
        &text,
    );
}

#[test]
fn git_counts_omitted_lines_of_a_merge() {
    let Some(mut repo) = Repo::new() else { return };
    let rest = "a\n".repeat(7);
    let one = tree([("f", file(format!("b\n{rest}")))]);
    let two = tree([("f", file(format!("a\nb\n{rest}")))]);
    let merged = tree([("f", file(format!("b\na\na\n- x\n{}", "a\n".repeat(5))))]);
    let commits: &[(&Tree, &[usize], &str)] = &[
        (&Tree::new(), &[], "0"),
        (&one, &[0], "1"),
        (&two, &[0], "2"),
        (&merged, &[1, 2], "a"),
        (&merged, &[2, 1], "b"),
    ];
    let names = repo.commit_all(commits);
    let old = |name: &str| -> Vec<Option<u32>> {
        let text = repo.text(&["show", "--cc", "--format=", name]);
        let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(diff.files[0].hunks[0].lines[3].new, Some(4));
        diff.files[0].hunks[0]
            .lines
            .iter()
            .map(|line| line.old)
            .collect()
    };
    assert_eq!(
        old(&names[3])[..5],
        [Some(1), Some(2), Some(3), None, Some(4)],
        "the second parent's line is left out"
    );
    assert!(
        old(&names[4]).iter().all(Option::is_none),
        "the first parent's line is left out"
    );
}

#[test]
fn an_unfinished_merge_in_the_work_tree() {
    let Some(mut repo) = Repo::new() else { return };
    let names = merge(&mut repo);
    repo.git(&["checkout", "-q", &names[2]]);
    repo.try_git(&["merge", &names[1]]);
    let text = repo.text(&["diff"]);
    let diff = Diff::parse(&text).unwrap();
    assert_eq!((diff.files.len(), diff.files[0].path()), (1, "f.txt"));
    let added = diff.files[0].hunks[0]
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Added)
        .map(|line| line.text);
    assert!(
        added.clone().any(|text| text.starts_with("<<<<<<<"))
            && added.clone().any(|text| text == "theirs")
    );
}

#[test]
fn a_merge_of_four_that_adds_deletes_and_changes_modes() {
    let Some(mut repo) = Repo::new() else { return };
    let base = tree([
        ("f", file(numbered(0..9))),
        ("g", file("one\n")),
        ("z", file("1\n")),
    ]);
    let with = |name: &str| -> Tree {
        base.clone()
            .into_iter()
            .chain(tree([(name, file("x\n"))]))
            .collect()
    };
    let (one, two, three) = (with("f1"), with("f2"), with("f3"));
    let mut result = tree([
        ("evil \"new\"", file("fresh")),
        ("f", file("evil\n".to_owned() + &numbered(1..9))),
        ("g", executable("one\n")),
    ]);
    result.insert(b"empty".to_vec(), file(""));
    let commits: &[(&Tree, &[usize], &str)] = &[
        (&base, &[], "base"),
        (&one, &[0], "1"),
        (&two, &[0], "2"),
        (&three, &[0], "3"),
        (&base, &[0], "0"),
        (&result, &[4, 1, 2, 3], "merge"),
    ];
    let names = repo.commit_all(commits);
    for form in ["--cc", "-c"] {
        let text = repo.text(&["show", form, "--format=", &names[5]]);
        let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let find = |path: &str| {
            diff.files
                .iter()
                .find(|file| file.path() == path)
                .unwrap_or_else(|| panic!("{path} in {text}"))
        };
        assert_eq!(find("evil \"new\"").status, Status::Added);
        assert_eq!(find("empty").status, Status::Added);
        assert_eq!(
            (find("z").status, find("z").new_path.as_deref()),
            (Status::Removed, None)
        );
        assert_eq!(
            (find("g").status, find("g").old_mode, find("g").new_mode),
            (Status::ModeChanged, Some(0o100_644), Some(0o100_755))
        );
        assert!(find("f").hunks[0].lines[0].number().is_some());
    }
}

const MESSAGE: &str = "Subject: fix\n\nbody with\n--- a/fake\n+++ b/fake\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/fake b/fake\n";

/// A message that `git am` accepts as one, although it looks like a diff.
const MESSAGE_OF_MAIL: &str = "Subject: fix\n\nbody with\n\n    --- a/fake\n    +++ b/fake\n    @@ -1 +1 @@\n    -x\n    +y\n\n\
    @@ -1 +1 @@\n-x\n+y\n\n--- a/fake\n+++ b/fake\nno hunk\n\ndiff --git a/fake b/fake\n";

/// Three commits; the message of the second looks like a diff.
fn history(repo: &mut Repo, message: &str) -> Vec<String> {
    let first = tree([("a.txt", file(numbered(0..30)))]);
    let second = tree([
        ("a.txt", file(numbered(0..29) + "end\n")),
        ("b -- c.txt", file("1\n")),
    ]);
    let third = tree([
        ("a.txt", file(numbered(0..28) + "end\n")),
        ("b -- c.txt", file("1\n")),
    ]);
    repo.commit_all(&[
        (&first, &[], "first"),
        (&second, &[0], message),
        (&third, &[1], "third\n\n- one\n- two\n"),
    ])
}

#[test]
fn messages_and_statistics_around_the_diff() {
    let Some(mut repo) = Repo::new() else { return };
    let names = history(&mut repo, MESSAGE);
    let (one, two, three) = (&*names[0], &*names[1], &*names[2]);
    let range = |from: &str, to: &str| changes(&repo, &[], &[from, to]);
    let (older, newer) = (range(one, two), range(two, three));
    let reversed: Vec<_> = newer.iter().chain(&older).cloned().collect();
    let series = format!("{one}..{three}");
    let cases: &[(&[&str], &[_])] = &[
        (&["show", two], &older),
        (&["show", "--stat", "-p", two], &older),
        (&["log", "-p", &series], &reversed),
        (&["log", "-p", "--stat", "--oneline", &series], &reversed),
    ];
    for (args, expected) in cases {
        assert_read(&repo.text(args), expected);
    }
}

#[test]
fn mails_with_their_messages_statistics_and_signatures() {
    let Some(mut repo) = Repo::new() else { return };
    let names = history(&mut repo, MESSAGE_OF_MAIL);
    let range = |from: usize, to: usize| changes(&repo, &[], &[&names[from], &names[to]]);
    let both: Vec<_> = range(0, 1).into_iter().chain(range(1, 2)).collect();
    let series = format!("{}..{}", names[0], names[2]);
    let cases: &[&[&str]] = &[
        &["log", "-p", "--reverse", "--pretty=email", &series],
        &["format-patch", "--stdout", &series],
        &["format-patch", "--stdout", "-p", &series],
        &["format-patch", "--stdout", "--no-signature", &series],
        &["format-patch", "--stdout", "--cover-letter", &series],
        &[
            "format-patch", "--stdout", "--signature=some words", &series,
        ],
    ];
    for args in cases {
        assert_read(&repo.text(args), &both);
    }
}

fn assert_read(text: &str, expected: &[Change]) {
    let diff = Diff::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_same(&diff.files, expected, text);
    let windows = text.replace('\n', "\r\n");
    assert_eq!(Diff::parse(&windows).as_ref(), Ok(&diff), "{text}");
}

/// `git am` applies a diff that is pasted into a message, so it must be reviewed, too.
#[test]
fn a_diff_in_a_mail_message_is_a_change_as_for_git() {
    let Some(mut repo) = Repo::new() else { return };
    let hunk = "--- a/fake\n+++ b/fake\n@@ -1 +1 @@\n-x\n+y\n";
    let (old, new) = (tree([("a", file("1\n"))]), tree([("a", file("2\n"))]));
    for pasted in [
        format!("Subject\n\nwords\n{hunk}\nend\n"),
        format!("Subject\n\n{hunk}\nend\n\n---\n\nend\n"),
        format!(
            "Subject\n\ndiff --git a/fake b/fake\nindex 1111111..2222222 100644\n{hunk}\nend\n"
        ),
        format!("Subject\n\ndiff --git a/fake b/fake\n{hunk}\nend\n"),
    ] {
        let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], &pasted)]);
        let text = repo.text(&["format-patch", "--stdout", "-1", &names[1]]);
        let mail = repo.path().join("mail");
        std::fs::write(&mail, &text).unwrap();
        let by_git = repo.text(&["apply", "--numstat", mail.to_str().unwrap()]);
        let paths: Vec<&str> = by_git
            .lines()
            .filter_map(|line| line.split('\t').next_back())
            .collect();
        assert_eq!(paths, ["fake", "a"], "{text}");
        let diff = Diff::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(
            diff.files
                .iter()
                .map(|file| file.path())
                .collect::<Vec<_>>(),
            paths,
            "{text}"
        );
    }
    // A `---` directly below a hunk could be one of its lines.
    let names = repo.commit_all(&[
        (&old, &[], "old"),
        (&new, &[0], &format!("Subject\n\n{hunk}")),
    ]);
    let text = repo.text(&["format-patch", "--stdout", "-1", &names[1]]);
    let error = Diff::parse(&text).unwrap_err();
    assert_eq!(text.lines().nth(error.line - 1), Some("---"), "{error}");
    let cut_off = format!("Subject\n\n{}\nend\n", hunk.replace("-1 +1", "-1,9 +1,9"));
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], &cut_off)]);
    let text = repo.text(&["format-patch", "--stdout", "-1", &names[1]]);
    let error = Diff::parse(&text).unwrap_err();
    assert!(
        error.reason.contains("announces"),
        "git says that the patch is corrupt: {error}"
    );
}

#[test]
fn colour_is_stripped_from_owned_text_and_an_error_in_borrowed_text() {
    let Some(mut repo) = Repo::new() else { return };
    let old = tree([("a", file(format!("f() {{\n{}", numbered(0..20))))]);
    let new = tree([
        (
            "a",
            file(format!("f() {{\n{}a\tb  \n \tc\r\n", numbered(0..19))),
        ),
        ("x y", executable("1")),
    ]);
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let plain = repo.text(&["diff", &names[0], &names[1]]);
    let plain = Diff::parse(&plain).unwrap();
    for extra in [
        "--ws-error-highlight=all", "--color-moved=zebra", "--ws-error-highlight=none",
    ] {
        let text = repo.text(&[
            "-c",
            "core.whitespace=trailing-space,space-before-tab",
            "diff",
            "--color=always",
            extra,
            &names[0],
            &names[1],
        ]);
        assert_eq!(Diff::parse(&text).unwrap_err().line, 1);
        let owned =
            OwnedDiff::parse(text.clone()).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!(owned.diff(), &plain, "{text:?}");
        assert_eq!(
            OwnedDiff::parse(text.replace('\n', "\r\n")).unwrap().diff(),
            &plain
        );
    }
}

#[test]
fn a_whole_diff_with_crlf_is_the_same_diff() {
    let Some(mut repo) = Repo::new() else { return };
    let old = tree([
        ("a.txt", file(numbered(0..40))),
        ("o.txt", file(numbered(50..90))),
        ("x", file("1\n")),
        ("y", file("a\r\nb")),
    ]);
    let new = tree([
        ("a.txt", file(numbered(0..39) + "end\n")),
        ("n", file("new\n")),
        ("p.txt", file(numbered(50..90))),
        ("x", executable("1\n")),
        ("y", file("a\r\nc\0")),
    ]);
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", "-M", "--binary", &names[0], &names[1]]);
    let windows = text.replace('\n', "\r\n");
    let diff = Diff::parse(&windows).unwrap();
    assert_eq!(Ok(&diff), Diff::parse(&text).as_ref());
    assert_same(
        &diff.files,
        &changes(&repo, &["-M"], &[&names[0], &names[1]]),
        &text,
    );
}

#[test]
fn damaged_and_incomplete_diffs() {
    let Some(mut repo) = Repo::new() else { return };
    let (old, new) = (
        tree([("a.txt", file("a\n\n\nb\n\nc\n"))]),
        tree([("a.txt", file("a\n\n\nB\n\nc\n"))]),
    );
    let names = repo.commit_all(&[(&old, &[], "old"), (&new, &[0], "new")]);
    let text = repo.text(&["diff", &names[0], &names[1]]);
    let diff = Diff::parse(&text).unwrap();
    let stripped: Vec<&str> = text
        .split('\n')
        .map(|line| line.trim_end_matches(' '))
        .collect();
    let stripped = stripped.join("\n");
    assert_ne!(stripped, text);
    assert_eq!(Diff::parse(&stripped).as_ref(), Ok(&diff));
    assert_eq!(Diff::parse(text.trim_end_matches('\n')).as_ref(), Ok(&diff));
    let reason = |text: String| Diff::parse(&text).unwrap_err().reason;
    assert!(reason(text[..text.len() - 8].to_owned()).contains("hunk header at line 5 announces"));
    assert!(
        reason(text.replace("-1,6 +1,6", "-1,9 +1,9"))
            .ends_with("the hunk header at line 5 announces 3 more lines")
    );
    assert!(reason(text.replace("-1,6 +1,6", "-1,3 +1,3")).contains("announces fewer lines"));
    // Surplus context is text, as for `git apply`.
    assert_eq!(
        Diff::parse(&text.replace("-1,6 +1,6", "-1,5 +1,5"))
            .unwrap()
            .files[0]
            .hunks[0]
            .lines
            .len(),
        6
    );
    let names = repo.commit_all(&[(&old, &[], "old"), (&Tree::new(), &[0], "new")]);
    let text = repo.text(&["diff", "--irreversible-delete", &names[0], &names[1]]);
    let diff = Diff::parse(&text).unwrap();
    assert_eq!(
        (diff.files[0].status, diff.files[0].hunks.len()),
        (Status::Removed, 0)
    );
}

#[test]
fn a_line_of_five_million_bytes() {
    let long = "a".repeat(5_000_000) + "\n";
    let old = tree([("min.js", file(&long)), ("z", file("1\n"))]);
    let new = tree([
        ("min.js", file(long.replacen("aa", "ab", 1))),
        ("z", file("2\n")),
    ]);
    check(&old, &new, &[&[]]);
}

#[test]
fn outside_a_repository_the_two_names_differ() {
    let Some(repo) = Repo::new() else { return };
    std::fs::create_dir_all(repo.path().join("one")).unwrap();
    std::fs::write(repo.path().join("one/x y"), "1\n").unwrap();
    std::fs::write(repo.path().join("two.txt"), "2\n").unwrap();
    std::fs::write(repo.path().join("b.bin"), "2\0\n").unwrap();
    let ask = |old: &str, new: &str| {
        String::from_utf8(repo.try_git(&["diff", "--no-index", old, new])).unwrap()
    };
    let text = ask("one/x y", "two.txt");
    let diff = Diff::parse(&text).unwrap();
    assert_eq!(
        (diff.files[0].old_path.as_deref(), diff.files[0].path()),
        (Some("one/x y"), "two.txt")
    );
    let text = ask("two.txt", "b.bin");
    let diff = Diff::parse(&text).unwrap();
    assert_eq!(
        (diff.files[0].binary, diff.files[0].path()),
        (true, "b.bin")
    );
}
