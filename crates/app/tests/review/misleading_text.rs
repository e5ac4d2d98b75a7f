//! Text that a compiler reads differently from what the diff shows.

use crate::support::Folder;

const RULE: &str = "any/misleading-source-text";

/// Files with a line that hides code, each with the number of that line. Several are those of real attacks.
const HIDDEN: &[(&str, &str, u32)] = &[
    (
        "src/a.py",
        "import os\nfrom flask import request\n# c\ros.system(\"ls \" + request.args[\"x\"])\n",
        3,
    ),
    (
        "src/b.py",
        "import os\rfrom flask import request\r# c\ros.system(request.args[\"x\"])\r",
        1,
    ),
    (
        "src/c.py",
        "\u{feff}# coding: utf-7\n# c +AAo-import os+ADs-os.system(x)\n",
        1,
    ),
    (
        "src/d.py",
        "#!/usr/bin/env python3\n# -*- coding: unicode_escape -*-\n# c \\u000aos.system(x)\n",
        2,
    ),
    (
        "src/e.py",
        "# vim: set fileencoding=raw_unicode_escape :\n# c \\u000aos.system(x)\n",
        1,
    ),
    ("src/f.py", "x = 1 # c\r\r  \ros.system(x)\n", 1),
    ("src/A.java", "class A {\n    // c\rint a = run();\n}\n", 2),
    (
        "src/B.java",
        "class B {\n    // c \\u000a int a = run();\n}\n",
        2,
    ),
    (
        "src/C.java",
        "class C {\n    // c \\uuuu000D int a = run();\n}\n",
        2,
    ),
    (
        "src/D.java",
        "class D {\n    /* c \\u002a\\u002f int a = run(); /* */\n}\n",
        2,
    ),
    (
        "src/E.java",
        "class E {\n    String a = \"\\u0022 + run() + \\u0022\";\n}\n",
        2,
    ),
    (
        "src/F.java",
        "class F {\n    void f() { R.get().\\u0065xec(x); }\n}\n",
        2,
    ),
    (
        "src/a.kt",
        "fun f() {\n    // c\rRuntime.getRuntime().exec(x)\n}\n",
        2,
    ),
    ("src/a.scala", "object A {\n  // c \\u000a run()\n}\n", 2),
    ("src/a.groovy", "// c\rrun()\n", 1),
    (
        "src/a.cs",
        "class A {\n    // c\u{2028}int a = Run();\n}\n",
        2,
    ),
    (
        "src/b.cs",
        "class B {\n    #region c\u{85}int a = Run();\n    #endregion\n}\n",
        2,
    ),
    (
        "src/c.cs",
        "class C {\n    // c\u{2029}int a = Run();\n}\n",
        2,
    ),
    ("src/a.js", "start(); // c\u{2028}run(x);\n", 1),
    ("src/a.ts", "start(); // c\rrun(x);\n", 1),
    (
        "src/a.vue",
        "<script>\nstart() // c\u{2029}run(x)\n</script>\n",
        2,
    ),
    ("src/a.php", "<?php\n// c\rsystem($x);\n", 2),
    (
        "src/a.c",
        "int f(void) {\n    // c\rrun();\n    // is it checked??/\n    check();\n    return 0;\n}\n",
        2,
    ),
    ("src/a.swift", "// c\rrun()\n", 1),
    ("src/a.dart", "// c\rrun();\n", 1),
    ("src/a.lua", "-- c\ros.execute(x)\n", 1),
    ("src/a.ps1", "# c\rInvoke-Expression $x\n", 1),
    ("src/a.graphql", "# c\rtype A { b: C }\n", 1),
    ("db/a.sql", "-- c\rDROP TABLE a;\n", 1),
    ("config/a.yml", "# c\rpassword: kR8vQ2mZx7pW\n", 1),
    ("config/b.yml", "# c\u{85}password: kR8vQ2mZx7pW\n", 1),
    (
        "config/c.yml",
        "a: \"b\"\u{2028}password: kR8vQ2mZx7pW\n",
        1,
    ),
    ("config/app.properties", "# c\rpassword=kR8vQ2mZx7pW\n", 1),
];

/// Files in which the compiler reads what the diff shows.
const HARMLESS: &[(&str, &str)] = &[
    ("src/a.py", "# c\r\nx = 1\r\n"),
    ("src/b.py", "# c\r\r\nx = 1\r\r\n"),
    (
        "src/c.py",
        "# -*- coding: latin-1 -*-\nx = \"\u{2028}\"\n\u{c}\ny = 2\n",
    ),
    ("src/d.py", "x = 1\ny = 2\n# coding: utf-7\n"),
    ("src/a.c", "\u{c}\n/* Part two. */\n\u{c}\nint a;\n"),
    (
        "src/a.js",
        "const a = \"b\u{2028}c\";\nconst d = \"\\u000a\"; // \\u000a\n",
    ),
    ("src/a.json", "{\"a\": \"b\u{2028}c\"}\n"),
    (
        "src/A.java",
        "class A {\n    /** A line ends at \\u000a. */\n    String a = \"\\u0041\\\\u000a\";\n    char b = '\\u0022';\n}\n",
    ),
    ("src/a.go", "package a\n\n// c\rb\nvar a = 1\n"),
    ("locales/a.yml", "a: \"b\u{2028}c: d\"\nb: c\u{2028}d\n"),
    ("docs/a.md", "50 %\r100 %\n"),
];

fn pull_request(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::repository(&[("src/z.js", "start();\n")]);
    folder.git(&["config", "core.autocrlf", "false"]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    for (path, text) in files {
        folder.write(path, text);
    }
    folder.commit("change");
    folder
}

/// The places of the rule's findings.
fn places(folder: &Folder, options: &[&str]) -> Vec<String> {
    let run =
        folder.hunkwise(&[&["review", "--base", "main", "--format", "json"], options].concat());
    let of_rule = |found: String| {
        found
            .strip_suffix(RULE)
            .map(|place| place.trim().to_owned())
    };
    let mut places: Vec<String> = run.findings().into_iter().filter_map(of_rule).collect();
    places.sort();
    places
}

#[test]
fn code_behind_an_unknown_line_end_or_encoding_is_reported_with_and_without_whole_files() {
    let files: Vec<(&str, &str)> = HIDDEN
        .iter()
        .map(|(path, text, _)| (*path, *text))
        .collect();
    let folder = pull_request(&files);
    let mut expected: Vec<String> = HIDDEN
        .iter()
        .map(|(path, _, line)| format!("{path}:{line}"))
        .collect();
    expected.push("src/a.c:3".to_owned());
    expected.sort();
    assert_eq!(places(&folder, &[]), expected);
    assert_eq!(
        places(&folder, &["--context", "hunks", "--strict"]),
        expected
    );
}

#[test]
fn each_of_them_fails_the_gate_with_and_without_strict() {
    for (path, text) in [
        ("src/a.py", "# c\ros.getcwd()\n"),
        ("src/A.java", "// c \\u000a run();\n"),
        ("a.yml", "# c\u{85}a: b\n"),
    ] {
        let folder = pull_request(&[(path, text)]);
        for options in [
            &[] as &[&str],
            &["--strict"],
            &["--strict", "--context", "hunks"],
        ] {
            let run = folder.hunkwise(&[&["review", "--base", "main"], options].concat());
            assert_eq!(run.status, 1, "{path} {options:?}: {run:?}");
        }
    }
}

#[test]
fn a_line_added_to_an_old_file_is_reported() {
    let old: String = (0..40).map(|at| format!("a{at} = {at}\n")).collect();
    let folder = Folder::repository(&[("src/a.py", &old)]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write(
        "src/a.py",
        old.replace("a20 = 20\n", "a20 = 20\n# c\rimport os\n"),
    );
    folder.commit("change");
    assert_eq!(places(&folder, &["--context", "hunks"]), ["src/a.py:22"]);
    assert_eq!(places(&folder, &[]), ["src/a.py:22"]);
}

#[test]
fn usual_line_ends_escapes_and_encodings_are_not_reported() {
    let folder = pull_request(HARMLESS);
    assert_eq!(places(&folder, &[]), Vec::<String>::new());
    assert_eq!(
        places(&folder, &["--context", "hunks"]),
        Vec::<String>::new()
    );
}
