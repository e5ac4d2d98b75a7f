//! Every detector compiles and finds matches of its own pattern. The texts are generated from the patterns, so that
//! this repository contains no token.

pub(super) mod made;

use std::collections::HashSet;

use super::detector::{Detector, Kind};
use super::detectors::{IMPORTED, all};
use super::lazy::compiled;
use super::redact::{masked, redacted, shown_code, without_literals};
use super::scanner::{BLOCKS, GENERIC, Scanner, TOKENS, is_block};
use made::Maker;

fn scanner(detector: &Detector) -> &'static Scanner {
    match (detector.kind, is_block(detector)) {
        (Kind::Generic, _) => &GENERIC,
        (_, true) => &BLOCKS,
        (_, false) => &TOKENS,
    }
}

#[test]
fn all_222_rules_of_gitleaks_exist_and_compile() {
    assert_eq!(IMPORTED.detectors.len(), 222);
    let mut ids = HashSet::new();
    for detector in all() {
        assert!(ids.insert(detector.id), "{} is there twice", detector.id);
        let lists = detector.allow.iter().chain([&IMPORTED.everywhere]);
        let lists = lists.flat_map(|allow| [allow.pattern, allow.path]);
        for pattern in [detector.pattern, detector.path]
            .into_iter()
            .chain(lists)
            .filter(|text| !text.is_empty())
        {
            assert!(compiled(pattern).is_some(), "{}: {pattern}", detector.id);
        }
        let lower = |word: &&str| !word.is_empty() && **word == word.to_ascii_lowercase();
        assert!(detector.keywords.iter().all(lower), "{}", detector.id);
        assert!(
            detector.pattern.is_empty() == detector.keywords.is_empty(),
            "{} has no keyword",
            detector.id
        );
    }
}

#[test]
fn every_detector_finds_a_match_of_its_pattern() {
    // Private keys have their own rule, and a file is not a text.
    let apart = ["private-key", "pkcs12-file"];
    let missed: Vec<&str> = all()
        .filter(|detector| !apart.contains(&detector.id))
        .filter(|detector| {
            !(1..60).any(|seed| {
                let (text, path) = Maker::new(seed).example(detector);
                scanner(detector)
                    .find(&text, &path)
                    .iter()
                    .any(|secret| secret.detector.id == detector.id)
            })
        })
        .map(|detector| detector.id)
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_secret_is_never_shown_in_full() {
    for detector in all().filter(|detector| detector.kind == Kind::Form) {
        for seed in 1..20 {
            let (text, path) = Maker::new(seed).example(detector);
            for secret in scanner(detector).find(&text, &path) {
                let shown = redacted(&text);
                assert!(!shown.contains(secret.value), "{}", detector.id);
                assert!(masked(secret.value).chars().count() <= 5);
            }
        }
    }
}

#[test]
fn quotations_of_other_rules_are_redacted() {
    let key = concat!("AKIA", "QYLPMN5HHHFPZAM2");
    assert_eq!(
        redacted(&format!("`x == \"{key}\"` is always false.")),
        "`x == \"AKIA…\"` is always false."
    );
    assert_eq!(
        redacted("`password = \"hg7.Kq!2\"` is set twice."),
        "`password = \"hg7.…\"` is set twice."
    );
    assert_eq!(
        redacted("`token == \"refresh\"` is compared with `==`."),
        "`token == \"refresh\"` is compared with `==`."
    );
    assert_eq!(
        redacted("`a.secret(\"x\")` is removed."),
        "`a.secret(\"x\")` is removed."
    );
    assert_eq!(
        redacted("`get(\"http://shop:hG7qz1Lm9P@db\")`"),
        "`get(\"http://shop:hG7q…@db\")`"
    );
    assert_eq!(
        redacted("-----BEGIN PRIVATE KEY-----\\nMIIE"),
        "-----BEGIN PRIVATE KEY----…"
    );
    assert_eq!(
        without_literals("`sign` takes `\"s3cr3t-of-ours\".getBytes()`"),
        "`sign` takes `\"s3cr…\".getBytes()`"
    );
    assert_eq!(
        without_literals("`config[\"SECRET_KEY\"]` doesn't"),
        "`config[\"SECRET_KEY\"]` doesn't"
    );
}

#[test]
fn secrets_over_several_lines_are_found_without_their_names() {
    let values = |text: &str, path: &str| {
        BLOCKS
            .find(text, path)
            .iter()
            .map(|found| found.value.to_owned())
            .collect::<Vec<_>>()
    };
    let value = "aEc3cXoxTG05UEw0dzJ4";
    assert_eq!(
        values(
            &format!("kind: Secret\ndata:\n  password: {value}\n"),
            "a.yaml"
        ),
        [value]
    );
    assert!(
        values(
            &format!("kind: Secret\ndata:\n  password: {value}\n"),
            "a.py"
        )
        .is_empty()
    );
    assert!(
        values(
            "kind: Secret\ndata:\n  password: {{ .Values.password }}\n",
            "a.yaml"
        )
        .is_empty()
    );
    let value = "hG7qz1Lm9P";
    assert_eq!(
        values(
            &format!("curl \\\n  --user shop:{value} https://shop.internal"),
            "run.sh"
        ),
        [value]
    );
    assert!(
        values(
            "curl -u \"$USER:$PASSWORD\" https://shop.internal",
            "run.sh"
        )
        .is_empty()
    );
}

#[test]
fn long_lines_are_read_in_pieces() {
    let token = concat!("AKIA", "QYLPMN5HHHFPZAM2");
    for before in [0, 3000, 4090, 4096, 50_000] {
        let line = format!("{} \"{token}\" {}", "é".repeat(before), "b".repeat(5000));
        let found = TOKENS.find(&line, "a.js");
        assert_eq!(
            found.iter().map(|secret| secret.value).collect::<Vec<_>>(),
            [token],
            "{before}"
        );
    }
    let long = format!("{}{}", "a".repeat(1 << 20), "key=".repeat(1 << 16));
    assert!(TOKENS.find(&long, "a.js").is_empty() && GENERIC.find(&long, "a.js").is_empty());
}

#[test]
fn placeholders_and_public_parts_are_not_tokens() {
    for line in [
        "key = \"AKIAIOSFODNN7EXAMPLE\"",
        "token: glpat-xxxxxxxxxxxxxxxxxxxx",
        "DISCORD_TOKEN=${DISCORD_TOKEN}",
        "stripe = \"sk_live_your_key_goes_here_0001\"",
        "const heroku = 'a-name-of-an-application-in-words'",
        "asana: {{ .Values.asana.token }}",
    ] {
        assert!(TOKENS.find(line, "src/a.py").is_empty(), "{line}");
    }
}

#[test]
fn the_line_of_code_of_a_finding_shows_no_secret() {
    use review::Category::{LogicBug, SecretExposure};
    let key = format!(
        "{}{}",
        "MIIEvQIBADANBgkqhkiG9w0B", "AQEFAASCBKcwggSjAgEAAoIB"
    );
    assert_eq!(shown_code(SecretExposure, &key), "MIIE…");
    assert_eq!(
        shown_code(SecretExposure, "password = 'hunter-two'"),
        "password = 'hunt…'"
    );
    assert_eq!(
        shown_code(
            SecretExposure,
            "secret = load_secret_from_the_environment()"
        ),
        "secret = load_secret_from_the_environment()"
    );
    assert_eq!(
        shown_code(LogicBug, "greeting = 'hello there'"),
        "greeting = 'hello there'"
    );
}
