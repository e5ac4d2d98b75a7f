//! Files with large diffs do not affect the review of other files.

use crate::support::{BAD, Folder, GOOD, Run, finish, found};

/// Runs `hunkwise review` with this limit on the bytes of a diff.
fn review(folder: &Folder, bytes: usize, arguments: &[&str]) -> Run {
    let mut command = folder.command();
    command.args(["review", "--format", "json"]).args(arguments);
    finish(command.env("HUNKWISE_LIMITS__DIFF_BYTES", bytes.to_string()))
}

/// Lines of a table with this many bytes.
fn table(bytes: usize) -> String {
    "1,2,3,4\n".repeat(bytes / 8)
}

#[test]
fn a_large_file_is_named_and_the_others_are_reviewed() {
    const LIMIT: usize = 100_000;
    let rewritten = table(2_000_000).replace('4', "5");
    let before = [
        ("b.csv", table(2_000_000)),
        ("gone.csv", table(2_000_000)),
        ("z.py", GOOD.to_owned()),
    ];
    let before: Vec<(&str, &str)> = before
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let folder = Folder::repository(&before);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a table.csv", table(30_000_000));
    folder.write("b.csv", &rewritten);
    folder.git(&["rm", "--quiet", "gone.csv"]);
    folder.write("picture.png", b"\0\x01".repeat(2_000_000));
    folder.write("z.py", BAD);
    let check = |arguments: &[&str]| {
        let run = review(&folder, LIMIT, arguments);
        assert_eq!(run.findings(), found(&["z.py:1"]), "{arguments:?}: {run:?}");
        let mut warnings = run.warnings();
        warnings.sort();
        let expected = ["a table.csv", "b.csv", "gone.csv"]
            .map(|path| format!("FILE_SKIPPED_TOO_LARGE {path}"));
        let binary = ["FILE_SKIPPED_BINARY picture.png".to_owned()];
        assert_eq!(warnings, [&binary[..], &expected].concat(), "{arguments:?}");
        assert!(
            run.stdout.contains("its diff is larger than 100000 bytes"),
            "{arguments:?}"
        );
    };
    check(&[]);
    folder.git(&["add", "--all"]);
    check(&["--staged"]);
    folder.commit("large");
    check(&["--base", "main"]);
    check(&["--commit", "HEAD"]);
}

#[test]
fn ignored_files_are_skipped_before_they_are_read() {
    let folder =
        Folder::repository(&[("z.py", GOOD), (".hunkwise.toml", "ignore = [\"data/\"]\n")]);
    for n in 0..1_100 {
        folder.write(&format!("data/{n:04}.csv"), table(10_000));
    }
    folder.write("data/large.csv", table(20_000_000));
    folder.write("z.py", BAD);
    let run = review(&folder, 100_000, &[]);
    assert_eq!(
        (run.status, run.findings()),
        (0, found(&["z.py:1"])),
        "{run:?}"
    );
    assert_eq!(run.warnings().len(), 1_101);
    assert!(
        run.warnings()
            .iter()
            .all(|warning| warning.starts_with("FILE_SKIPPED_IGNORED data/"))
    );
}

#[test]
fn files_beyond_the_total_limit_are_named() {
    let folder = Folder::repository(&[("z.py", GOOD)]);
    folder.write("a.py", BAD);
    for n in 0..20 {
        folder.write(&format!("data/{n:02}.csv"), table(80_000));
    }
    folder.write("z.py", BAD);
    let run = review(&folder, 100_000, &[]);
    assert_eq!(run.findings(), found(&["a.py:1"]));
    let unread = run
        .warnings()
        .into_iter()
        .filter(|warning| warning.starts_with("FILE_SKIPPED_TOO_LARGE"))
        .count();
    assert_eq!(unread, 13, "eight times the limit fit: {run:?}");
    assert!(
        run.warnings()
            .contains(&"FILE_SKIPPED_TOO_LARGE z.py".to_owned())
    );
}

#[test]
fn a_change_with_nothing_left_is_not_reviewed() {
    let folder = Folder::repository(&[
        ("a.csv", ""),
        (".hunkwise.toml", "ignore = [\"b.csv\"]\n"),
        ("b.csv", ""),
    ]);
    folder.write("a.csv", table(2_000_000));
    let run = review(&folder, 100_000, &[]);
    assert_eq!(
        (run.status, run.warnings()),
        (3, vec!["FILE_SKIPPED_TOO_LARGE a.csv".to_owned()]),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("nothing was reviewed: a.csv: "),
        "{}",
        run.stderr
    );
    folder.git(&["checkout", "--quiet", "a.csv"]);
    folder.write("b.csv", table(100));
    for arguments in [
        &[][..],
        &["--server", "http://127.0.0.1:1", "--organization", "org_1"],
    ] {
        let run = review(&folder, 100_000, arguments);
        assert_eq!(
            (run.status, run.warnings()),
            (0, vec!["FILE_SKIPPED_IGNORED b.csv".to_owned()]),
            "{run:?}"
        );
    }
}
