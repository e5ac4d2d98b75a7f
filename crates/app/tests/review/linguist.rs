//! Files that `.gitattributes` marks as generated or third-party are not reviewed. With a base, the attributes of the
//! merge base count.

use crate::support::{BAD, Folder, GOOD, found};

fn warnings(expected: &[&str]) -> Vec<String> {
    expected.iter().map(|&warning| warning.to_owned()).collect()
}

#[test]
fn marked_files_are_skipped_in_every_kind_of_change() {
    let folder = Folder::repository(&[
        (
            ".gitattributes",
            "*.gen.py linguist-generated\n/lib/** linguist-vendored=true\nlib/own.py -linguist-vendored\n",
        ),
        (
            "deep/.gitattributes",
            "x.gen.py linguist-generated=false\n\"a b.py\" linguist-generated\n[attr]made linguist-generated\n",
        ),
        ("a.gen.py", GOOD),
        ("src/a.py", GOOD),
    ]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.gen.py", BAD);
    for path in [
        "lib/x.py", "lib/own.py", "deep/x.gen.py", "deep/a b.py", "deep/y.gen.py", "src/lib/z.py",
    ] {
        folder.write(path, BAD);
    }
    folder.write("src/a.py", BAD);
    let check = |arguments: &[&str]| {
        let run = folder.review(arguments);
        let expected = [
            "deep/x.gen.py:1", "lib/own.py:1", "src/a.py:1", "src/lib/z.py:1",
        ];
        assert_eq!(run.findings(), found(&expected), "{arguments:?}: {run:?}");
        let mut found = run.warnings();
        found.sort();
        let generated = ["a.gen.py", "deep/a b.py", "deep/y.gen.py"]
            .map(|path| format!("FILE_SKIPPED_GENERATED {path}"));
        assert_eq!(
            found,
            [
                &generated[..],
                &["FILE_SKIPPED_VENDORED lib/x.py".to_owned()]
            ]
            .concat(),
            "{arguments:?}"
        );
    };
    check(&[]);
    check(&["--base", "main"]);
    folder.git(&["add", "--all"]);
    check(&["--staged"]);
    folder.commit("bad");
    check(&["--base", "main"]);
    check(&["--commit", "HEAD"]);
    check(&["main..topic"]);
    check(&["--base", "main", "--strict"]);
}

#[test]
fn with_a_base_the_attributes_of_the_change_do_not_count() {
    let folder = Folder::repository(&[("a.py", GOOD), ("sub/b.py", GOOD)]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write(".gitattributes", "*.py linguist-generated\n");
    folder.write("a.py", BAD);
    folder.write("sub/b.py", BAD);
    folder.commit("hide");
    let run = folder.review(&["--base", "main"]);
    let language = "LANGUAGE_NOT_SUPPORTED .gitattributes";
    assert_eq!(
        (run.findings(), run.warnings()),
        (found(&["a.py:1", "sub/b.py:1"]), warnings(&[language])),
        "{run:?}"
    );
    let skipped = warnings(&[
        "FILE_SKIPPED_GENERATED a.py", "FILE_SKIPPED_GENERATED sub/b.py", language,
    ]);
    let run = folder.review(&["--base", "main", "--config-from", "checkout"]);
    assert_eq!(
        (run.findings(), run.warnings()),
        (Vec::new(), skipped),
        "{run:?}"
    );
    assert_eq!(
        folder
            .review(&[
                "--base", "main", "--config-from", "checkout", "--no-project-config"
            ])
            .findings()
            .len(),
        2
    );
    folder.git(&["checkout", "--quiet", "main"]);
    folder.git(&["merge", "--quiet", "topic"]);
    folder.git(&["checkout", "--quiet", "-b", "next"]);
    folder.git(&["rm", "--quiet", ".gitattributes"]);
    folder.write("sub/b.py", format!("{BAD}x = 1\n"));
    folder.commit("next");
    let run = folder.review(&["--base", "main"]);
    assert_eq!(
        run.warnings(),
        warnings(&["FILE_SKIPPED_GENERATED sub/b.py"]),
        "{run:?}"
    );
}

#[test]
fn only_unmarked_files_are_reported_as_hidden() {
    let base: &[(&str, &str)] = &[
        (
            ".gitattributes",
            "gen/** linguist-generated\nvendor/** linguist-vendored\n",
        ),
        (".hunkwise.toml", "ignore = [\"third_party/\"]\n"),
    ];
    for (files, hidden) in [(base, 0), (&[("a.py", GOOD)], 1)] {
        let folder = Folder::repository(files);
        folder.git(&["checkout", "--quiet", "-b", "topic"]);
        folder.write("gen/a.py", format!("# @generated\n{BAD}"));
        folder.write("vendor/b.py", BAD);
        folder.write("third_party/c.py", BAD);
        folder.commit("new");
        let run = folder.review(&["--base", "main", "--strict"]);
        let findings = run
            .findings()
            .into_iter()
            .filter(|finding| finding.ends_with(" any/hidden-from-review"))
            .count();
        assert_eq!(
            (findings, run.status),
            (hidden, if hidden > 0 { 3 } else { 0 }),
            "{run:?}"
        );
        assert_eq!(
            run.warnings()
                .iter()
                .filter(|warning| warning.starts_with("FILE_SKIPPED_"))
                .count(),
            // The rules read a new file that a tool wrote.
            3 - hidden,
            "{run:?}"
        );
    }
}

#[test]
fn a_link_in_place_of_the_bases_attributes_is_not_followed() {
    let folder = Folder::repository(&[("a.py", GOOD), ("elsewhere", "*.py linguist-generated\n")]);
    std::os::unix::fs::symlink("elsewhere", folder.path().join(".gitattributes")).unwrap();
    folder.commit("link");
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("a.py", BAD);
    folder.commit("bad");
    assert_eq!(
        folder.review(&["--base", "main"]).findings(),
        found(&["a.py:1"])
    );
}
