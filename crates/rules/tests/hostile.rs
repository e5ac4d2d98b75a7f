//! Hostile input: every scan returns in bounded time and reports what it skipped.
//!
//! Inputs that abort the process are not here; `app` runs them on the worker pool.

use std::borrow::Cow;

use lint::{Report, scan};
use review::{Chunk, ChunkHunk, Language, Line, LineKind, Status, WarningCode};
use syntax::parse::Limits;

/// Scans `text` as an added file.
fn scan_added(language: &str, text: &str) -> Report {
    scan_as(language, text, Status::Added, LineKind::Added)
}

fn scan_as(language: &str, text: &str, status: Status, kind: LineKind) -> Report {
    let lines: Vec<Line<'_>> = (1..)
        .zip(text.split('\n'))
        .map(|(number, text)| Line {
            kind,
            old: (kind != LineKind::Added).then_some(number),
            new: (kind != LineKind::Removed).then_some(number),
            text,
            terminated: true,
        })
        .collect();
    let file = Chunk {
        index: 0,
        path: Cow::Borrowed("src/hostile"),
        language: Language::find(language),
        status,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed("class X {"),
            lines: Cow::Owned(lines),
        }],
    };
    scan(&file, rules::built_in(), &Limits::default())
}

fn codes(report: &Report) -> Vec<WarningCode> {
    report.warnings.iter().map(|warning| warning.code).collect()
}

const LANGUAGES: &[&str] = &[
    "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "Rust", "C", "C++", "C#", "Ruby",
    "PHP", "Kotlin", "Shell", "SQL", "YAML", "JSON", "Dockerfile", "HCL",
];

#[test]
fn two_hundred_thousand_nested_parentheses_are_analysed_in_part_or_rejected() {
    let deep = format!("x = {}1{};", "(".repeat(200_000), ")".repeat(200_000));
    for language in [
        "Python", "JavaScript", "Java", "C", "Go", "Rust", "PHP", "C#",
    ] {
        let report = scan_added(language, &deep);
        let codes = codes(&report);
        let has_warning = codes.contains(&WarningCode::FilePartlyAnalyzed)
            || codes.contains(&WarningCode::FileSkippedParserFailed);
        assert!(has_warning, "{language}: {codes:?}");
    }
}

#[test]
fn scans_of_unmatched_brackets_return_in_every_language() {
    const PARTS: &[&str] = &[
        "(", "[", "{", "<", "a<", "`${", "\"", "'", "/*", "<<", "if x:\n ", "?", "- ", "#if x\n",
        "$(",
    ];
    for language in LANGUAGES {
        for part in PARTS {
            let text = format!("{}x\n}}\n", part.repeat(60));
            scan_as(language, &text, Status::Modified, LineKind::Added);
            scan_as(language, &text, Status::Modified, LineKind::Removed);
        }
    }
}

#[test]
fn a_scan_of_a_megabyte_on_one_line_returns() {
    for language in LANGUAGES {
        scan_added(language, &"a".repeat(1 << 20));
    }
    for language in ["Python", "JavaScript", "C++"] {
        for line in [
            "a+".repeat(1 << 18),
            "x = \"".to_owned() + &"é".repeat(1 << 18),
        ] {
            scan_added(language, &line);
        }
    }
}

#[test]
fn scans_of_half_tokens_and_control_bytes_return() {
    for language in LANGUAGES {
        for text in [
            "\0\0\0", "a\0b = \0", "\"\\", "'\\u{", "/*", "\u{FEFF}x", "\r\r\r", "\u{202E}", "é",
            "<?php", "%", "\\", "\u{1F4A9}(",
        ] {
            scan_added(language, text);
            scan_as(
                language,
                &format!("}}\n{text}\n{text}"),
                Status::Modified,
                LineKind::Added,
            );
        }
    }
}

#[test]
fn a_scan_in_the_wrong_language_returns() {
    let python = "def f(x=[]):\n    return x is \"a\"\n".repeat(200);
    for language in LANGUAGES {
        scan_added(language, &python);
    }
}

#[test]
fn inputs_known_to_abort_a_scanner_are_rejected_before_parsing() {
    let yaml: String = (0..256)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    let ruby = format!(
        "x({})\n",
        (0..300)
            .map(|n| format!("<<AAAA{n}"))
            .collect::<Vec<_>>()
            .join(",")
    );
    let kotlin = format!("val a = {}", "\"${".repeat(3_000));
    let php = "$(".repeat(100_000);
    let java = "a<".repeat(100_000);
    for (language, text) in [
        ("PHP", php),
        ("Java", java),
        ("YAML", yaml),
        ("YAML", "- ".repeat(300)),
        ("Ruby", ruby),
        ("Kotlin", kotlin),
    ] {
        let report = scan_added(language, &text);
        assert!(
            codes(&report).contains(&WarningCode::FileSkippedParserFailed),
            "{language}"
        );
    }
}

#[test]
fn inputs_with_exploding_error_recovery_are_rejected() {
    let (shell, python, java) = (
        ".b()".repeat(20_000),
        "\\\n".repeat(30_000),
        "x => ".repeat(5_000),
    );
    for (language, text) in [("Shell", shell), ("Python", python), ("Java", java)] {
        let report = scan_added(language, &text);
        assert!(
            codes(&report).contains(&WarningCode::FileSkippedParserFailed),
            "{language}"
        );
    }
}

#[test]
fn a_long_repetitive_table_is_parsed() {
    let text = format!(
        "int a[] = {{{}}};\nint b(void) {{ return 1; }}\n",
        "0, ".repeat(5_000)
    );
    assert_eq!(codes(&scan_added("C", &text)), []);
}

#[test]
fn large_texts_are_left_to_the_text_rules() {
    let mut text = "x = 1\n".repeat(200_000);
    text.push_str("<<<<<<< HEAD\n");
    let report = scan_added("Python", &text);
    assert_eq!(codes(&report), [WarningCode::FilePartlyAnalyzed]);
    assert_eq!(report.candidates.len(), 1);
}

#[test]
fn a_language_without_a_grammar_has_a_warning() {
    let report = scan_added("Haskell", "main = print 1\n");
    assert_eq!(
        codes(&report),
        [WarningCode::FilePartlyAnalyzed],
        "a new program"
    );
    let report = scan_added("Makefile", "all:\n\techo 1\n");
    assert_eq!(codes(&report), [WarningCode::LanguageNotSupported]);
}

#[test]
fn the_same_input_has_the_same_report() {
    let text = "def f(x=[], y={}):\n    if x is \"a\":\n        return 1\n".repeat(50);
    assert_eq!(scan_added("Python", &text), scan_added("Python", &text));
    let report = scan_added("Python", &text);
    let of = |id: &str| {
        report
            .candidates
            .iter()
            .filter(|found| found.rule_id() == Some(id))
            .count()
    };
    assert_eq!(
        (
            of("python/mutable-default-argument"),
            of("python/is-with-literal")
        ),
        (50, 50)
    );
}
