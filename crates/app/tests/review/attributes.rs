//! `.gitattributes` in a change cannot hide text: only the content decides whether a file is binary.

use crate::support::{BAD, Folder, GOOD, finish, found};

const BINARY: &[u8] = b"\x89PNG\x00\x01\x02\n\xff\n";

#[test]
fn text_is_reviewed_regardless_of_attributes() {
    for attributes in [
        "*.py binary", "src/*.py -diff", "*.py diff=none\n*.py -diff", "*.py -text -diff",
    ] {
        let folder = Folder::repository(&[
            ("src/a.py", GOOD),
            ("src/moved.py", &format!("{GOOD}{}", "x = 1\n".repeat(9))),
        ]);
        folder.git(&["checkout", "--quiet", "-b", "topic"]);
        folder.write(".gitattributes", attributes);
        folder.write("src/a.py", BAD);
        folder.git(&["mv", "src/moved.py", "src/*.py"]);
        folder.write("src/*.py", format!("{BAD}{}", "x = 1\n".repeat(9)));
        folder.write("src/new.py", BAD);
        let tracked = ["src/*.py:1", "src/a.py:1"];
        let all = ["src/*.py:1", "src/a.py:1", "src/new.py:1"];
        let check = |arguments: &[&str], expected: &[&str]| {
            let run = folder.review(arguments);
            let mut findings = run.findings();
            findings.retain(|finding| !finding.ends_with("any/hidden-from-review"));
            findings.sort();
            assert_eq!(
                findings,
                found(expected),
                "{attributes}: {arguments:?}: {run:?}"
            );
            assert!(
                !run.stdout.contains("FILE_SKIPPED"),
                "{attributes}: {arguments:?}: {run:?}"
            );
        };
        check(&["--no-untracked"], &tracked);
        check(&[], &all);
        check(&["--base", "main"], &all);
        check(&["src/a.py"], &["src/a.py:1"]);
        check(&["--base", "main", "src/a.py"], &["src/a.py:1"]);
        folder.git(&["add", "--all"]);
        check(&["--staged"], &all);
        folder.commit("bad");
        check(&["--base", "main"], &all);
        check(&["--commit", "HEAD"], &all);
        check(&["main..topic"], &all);
        let mut command = folder.command();
        let run = finish(
            command
                .args(["review", "--base", "main", "--format", "json"])
                .current_dir(folder.path().join("src")),
        );
        let findings = run
            .findings()
            .into_iter()
            .filter(|finding| !finding.ends_with("any/hidden-from-review"));
        assert_eq!(findings.count(), 3, "{run:?}");
    }
}

#[test]
fn a_file_with_a_nul_byte_is_binary_unless_it_is_source_code() {
    let folder = Folder::repository(&[("a.py", GOOD), ("b.png", "not a picture yet\n")]);
    folder.write("old.bin", BINARY);
    folder.commit("binary");
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write(".gitattributes", "*.py -diff\n*.png binary\n*.bin -diff\n");
    folder.write("a.py", BAD);
    folder.write("b.png", BINARY.repeat(1_000_000));
    folder.write("c.png", BINARY);
    folder.write("old.bin", "text now\n");
    folder.commit("bad");
    let skipped = ["b.png", "c.png", "old.bin"].map(|path| format!("FILE_SKIPPED_BINARY {path}"));
    for arguments in [["--base", "main"], ["--commit", "HEAD"]] {
        let run = folder.review(&arguments);
        assert_eq!(
            run.findings(),
            [
                vec![".gitattributes:1 any/hidden-from-review".to_owned()],
                found(&["a.py:1"])
            ]
            .concat()
        );
        assert_eq!(
            run.warnings()
                .iter()
                .filter(|warning| skipped.contains(warning))
                .count(),
            3,
            "{run:?}"
        );
        assert_eq!(run.status, 0);
    }
}

#[test]
fn hidden_text_beyond_the_limit_stays_binary_without_affecting_other_files() {
    let folder = Folder::repository(&[("a.py", GOOD), ("table.csv", "")]);
    folder.write(".gitattributes", "*.csv -diff\n*.py -diff\n");
    folder.write("a.py", BAD);
    folder.write("table.csv", "1,2,3\n".repeat(10_000));
    let mut command = folder.command();
    command
        .args(["review", "--format", "json"])
        .env("HUNKWISE_LIMITS__DIFF_BYTES", "1000");
    let run = finish(&mut command);
    let hidden = vec![".gitattributes:2 any/hidden-from-review".to_owned()];
    assert_eq!(
        run.findings(),
        [hidden, found(&["a.py:1"])].concat(),
        "{run:?}"
    );
    assert!(
        run.warnings()
            .contains(&"FILE_SKIPPED_BINARY table.csv".to_owned()),
        "{run:?}"
    );
}
