//! Input from an attacker who wants to break the reviewer: each file leads to a warning at most, and affects no other
//! file.

use std::fs;
use std::process::Stdio;

use crate::support::{BAD, Folder, GOOD, Run, added, ended};
#[cfg(target_os = "linux")]
use crate::worker::children;

/// The same finding in a file before and after the hostile one.
fn surrounded(path: &str, hostile: &str) -> Run {
    let diff = added("before.py", BAD) + &added(path, hostile) + &added("later.py", BAD);
    Folder::new().review_text(diff, &[])
}

fn assert_costs_only_itself(path: &str, hostile: &str) -> Run {
    let run = surrounded(path, hostile);
    let findings = run.findings();
    for good in ["before.py:1", "later.py:1"] {
        let finding = format!("{good} python/mutable-default-argument");
        assert!(
            findings.contains(&finding),
            "{path}: {findings:?} {}",
            run.stderr
        );
    }
    run
}

#[test]
fn files_that_abort_their_parser_do_not_affect_others() {
    let yaml: String = (0..256).map(|n| " ".repeat(n) + "a:\n").collect();
    let ruby = (0..120)
        .map(|n| format!("<<AAAA{n}"))
        .collect::<Vec<_>>()
        .join(",");
    for (path, text) in [
        ("a.yaml", yaml),
        ("a.rb", format!("x({ruby})\n")),
        ("a.kt", format!("val a = {}\n", "\"${".repeat(1_000))),
    ] {
        let run = assert_costs_only_itself(path, &text);
        assert_eq!(
            run.warnings(),
            [format!("FILE_SKIPPED_PARSER_FAILED {path}")]
        );
    }
}

#[test]
fn deep_nesting_is_neither_a_crash_nor_a_hang() {
    for (path, text) in [
        (
            "a.py",
            format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000)),
        ),
        (
            "a.js",
            format!("x = {}1{}\n", "[".repeat(100_000), "]".repeat(100_000)),
        ),
        ("a.json", "[".repeat(100_000) + "\n"),
        ("a.cpp", "V<".repeat(20_000) + "\n"),
        ("a.java", "class A {".repeat(20_000) + "\n"),
    ] {
        assert_costs_only_itself(path, &text);
    }
}

#[test]
fn control_bytes_are_text_like_any_other() {
    assert_costs_only_itself("a.py", &format!("x = '{}'\n", "\0".repeat(10_000)));
    let run = surrounded("a.py", "x = '\u{1b}]0;owned\u{7}\u{1b}[2J'\n");
    assert!(!run.stdout.contains('\u{1b}'));
}

/// Asserts that neither stream contains control sequences or CI commands.
fn assert_inert(run: &Run, has_commands: bool) {
    for text in [&run.stdout, &run.stderr] {
        let acts = |c: char| {
            (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}' || c == '\u{2028}'
        };
        assert!(
            !text.contains(acts) && !text.contains("##vso[") && !text.contains("##["),
            "{run:?}"
        );
        assert!(
            has_commands || !text.lines().any(|line| line.trim_start().starts_with("::")),
            "{run:?}"
        );
    }
}

#[test]
fn output_contains_no_terminal_or_ci_commands() {
    let path = "::error::##vso[task.setvariable variable=x]\u{9b}31m\u{202e}\u{2028}.py";
    let folder = Folder::repository(&[(path, GOOD)]);
    folder.write(path, BAD);
    for format in [
        "pretty", "json", "sarif", "github", "gitlab", "rdjsonl", "markdown", "junit", "agent",
    ] {
        let run = folder.hunkwise(&["review", "--format", format]);
        assert!(
            run.status == 0 && run.stdout.contains("mutable-default-argument"),
            "{run:?}"
        );
        assert_inert(&run, format == "github");
    }
    let run = folder.review(&[]);
    assert_eq!(
        run.findings(),
        [format!("{path}:1 python/mutable-default-argument")]
    );
    let missing = format!("x\n::error::y\n##[error]{path}");
    for arguments in [
        &["review", missing.as_str()][..],
        &["review", "--baseline", &missing],
        &["rules", "test", &missing],
    ] {
        let run = folder.hunkwise(arguments);
        assert!(run.status > 0 && run.stderr.contains("vso[task"), "{run:?}");
        assert_inert(&run, false);
    }
}

#[test]
fn a_line_beyond_the_limit_skips_its_file_and_is_named() {
    let run = assert_costs_only_itself("a.py", &format!("x = '{}'\n", "y".repeat(5_000_000)));
    assert_eq!(run.warnings(), ["FILE_SKIPPED_TOO_LARGE a.py"]);
    let run = assert_costs_only_itself("a.py", &format!("x = '{}'\n", "y".repeat(2_000_000)));
    assert!(
        run.warnings().contains(&"LINE_TRUNCATED a.py".to_owned()),
        "{:?}",
        run.warnings()
    );
}

#[test]
fn files_beyond_the_limit_of_10_000_are_named_and_the_others_reviewed() {
    let diff: String = (0..10_000)
        .map(|n| added(&format!("src/{n}.py"), BAD))
        .collect();
    let run = Folder::new().review_text(diff, &[]);
    let left_out: Vec<String> = (1_000..10_000)
        .map(|n| format!("FILE_SKIPPED_TOO_LARGE src/{n}.py"))
        .collect();
    let warnings = run.warnings();
    assert!(
        left_out
            .iter()
            .zip(&warnings)
            .all(|(expected, warning)| expected == warning)
    );
    assert_eq!(
        warnings.get(9_000..),
        Some(&["FINDINGS_TRUNCATED -".to_owned()][..])
    );
    assert_eq!((run.status, run.findings().len()), (0, 500));
}

#[test]
fn a_change_far_beyond_the_limits_is_refused_before_it_takes_memory() {
    let run = Folder::new().review_text("+".repeat(40 << 20), &[]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("larger than 33554432 bytes"),
        "{}",
        run.stderr
    );
    let run = Folder::new().review_text("+\n".repeat(900_000), &[]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("more than 800000 lines"),
        "{}",
        run.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_of_4_mib_takes_less_than_200_mb() {
    let folder = Folder::new();
    let line = |n: usize| {
        format!("    value_{n} = compute(a, {n}) + other[{n}] if a is not None else 'text {n}'\n")
    };
    let lines: String = (0..1_000).map(line).collect();
    let diff: String = (0..)
        .map(|n| added(&format!("src/{n}.py"), &lines))
        .take((4 << 20) / (lines.len() + 1_100))
        .collect();
    assert!(
        diff.len() > 3_900_000 && diff.len() <= 4 << 20,
        "{}",
        diff.len()
    );
    let file = fs::File::open(folder.write("change.diff", diff)).unwrap();
    let mut command = folder.command();
    command
        .args(["review", "-", "--format", "json"])
        .stdin(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let family = [vec![child.id()], children(child.id())].concat();
        peak = peak.max(family.iter().filter_map(|id| peak_kib(*id)).sum());
    }
    let run = ended(child);
    assert_eq!((run.status, run.warnings()), (0, Vec::new()), "{run:?}");
    assert!(peak > 5_000 && peak < 200_000, "{peak} KiB");
}

/// The peak memory of a process.
#[cfg(target_os = "linux")]
fn peak_kib(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn code_that_does_not_parse_is_never_a_clean_result() {
    let folder = Folder::new();
    let broken = added("src/a.py", "def area(width:\n    return width\n")
        + &added("src/b.c", "int f(int a {\n    return a;\n}\n");
    let run = folder.review_text(&broken, &[]);
    assert_eq!(
        (run.status, run.findings()),
        (
            1,
            vec![
                "src/a.py:1 any/does-not-parse".to_owned(),
                "src/b.c:1 any/does-not-parse".to_owned(),
            ]
        ),
        "{run:?}"
    );
    assert_eq!(
        run.warnings(),
        [
            "FILE_PARTLY_ANALYZED src/a.py", "FILE_PARTLY_ANALYZED src/b.c"
        ]
    );
    assert_eq!(folder.review_text(&broken, &["--strict"]).status, 3);
    let cut = "--- a/src/a.py\n+++ b/src/a.py\n@@ -40,3 +40,3 @@\n a = 1\n-def area(width):\n+def area(width:\n     return width\n";
    let run = folder.review_text(cut, &["--strict"]);
    assert_eq!((run.status, run.findings()), (3, Vec::new()), "{run:?}");
    assert_eq!(run.warnings(), ["FILE_PARTLY_ANALYZED src/a.py"]);
}

#[test]
fn a_syntax_error_hides_no_other_function_in_its_file() {
    let text = format!(
        "#ifdef A\nint f(int a) {{\n#else\nint f(long a) {{\n#endif\n  return 0;\n}}\n{}",
        "int g(char *p) {\n  free(p);\n  return p[0];\n}\n"
    );
    let folder = Folder::new();
    let run = folder.review_text(added("src/util.c", &text), &[]);
    assert_eq!(
        run.findings(),
        ["src/util.c:10 c/used-after-free"],
        "{run:?}"
    );
    let lines: Vec<&str> = text.lines().collect();
    let context: String = lines[..8].iter().map(|line| format!(" {line}\n")).collect();
    let change = format!(
        "--- a/src/util.c\n+++ b/src/util.c\n@@ -1,9 +1,11 @@\n{context}+  free(p);\n+  return p[0];\n }}\n"
    );
    let run = folder.review_text(change, &["--strict"]);
    assert_eq!(
        (run.status, run.findings()),
        (1, vec!["src/util.c:10 c/used-after-free".to_owned()]),
        "{run:?}"
    );
}

#[test]
fn a_part_of_a_large_file_is_not_mistaken_for_the_file() {
    // More than fits into a chunk, in one function.
    let body: String = (0..20_000).map(|n| format!("\tg({n})\n")).collect();
    let text = format!("package a\n\nfunc f() {{\n{body}}}\n");
    let folder = Folder::new();
    assert_eq!(
        folder
            .review_text(added("src/large.go", &text), &[])
            .findings(),
        Vec::<String>::new()
    );
    let lines: Vec<&str> = text.lines().collect();
    let context: String = lines[..3].iter().map(|line| format!(" {line}\n")).collect();
    let rest: String = lines[3..].iter().map(|line| format!("+{line}\n")).collect();
    let change = format!(
        "--- a/src/large.go\n+++ b/src/large.go\n@@ -1,3 +1,{} @@\n{context}{rest}",
        lines.len()
    );
    assert_eq!(
        folder.review_text(change, &[]).findings(),
        Vec::<String>::new()
    );
}
