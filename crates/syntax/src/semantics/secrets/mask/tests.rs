//! Everything that a detector finds is masked, regardless of the text around it.

use super::secret_places;
use crate::semantics::secrets::detectors::all;
use crate::semantics::secrets::scanner::{BLOCKS, GENERIC, TOKENS};
use crate::semantics::secrets::tests::made::Maker;

/// A text of several lines as it is shown.
fn shown(path: &str, text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let places = secret_places(path, &[&lines]).remove(0);
    let masked = lines.iter().zip(places).map(|(line, places)| {
        let mut line = (*line).to_owned();
        places
            .into_iter()
            .rev()
            .for_each(|place| line.replace_range(place, "…"));
        line
    });
    masked.collect::<Vec<_>>().join("\n")
}

#[test]
fn everything_that_a_detector_finds_is_masked() {
    for detector in all().filter(|detector| detector.id != "pkcs12-file") {
        for seed in 1..20 {
            let (text, path) = Maker::new(seed).example(detector);
            // Multi-line commands and manifests consist of lines that the other examples cover.
            if text.contains('\n') {
                continue;
            }
            let found = [&TOKENS, &BLOCKS]
                .into_iter()
                .flat_map(|scanner| scanner.find(&text, &path));
            let random = GENERIC
                .find(&text, &path)
                .into_iter()
                .filter(|found| super::is_random(found.value));
            for secret in found.chain(random) {
                let shown = shown(&path, &text);
                let hidden: String = secret.value.chars().skip(4).collect();
                assert!(
                    hidden.len() < 4 || !shown.contains(&hidden),
                    "{}: {text} is shown as {shown}",
                    detector.id
                );
            }
        }
    }
}

#[test]
fn a_token_at_the_edge_of_a_window_is_masked_completely() {
    let token = format!(
        "{}{}.{}",
        "eyJhbGciOiJIUzI1NiJ9",
        ".eyJzdWIiOiJvcmRlcnMiLCJhZG1pbiI6dHJ1ZX0",
        "aB3dE5gH".repeat(400)
    );
    for before in [0, 1000, 3000, 4000, 4090, 9000] {
        let line = format!(
            "{} \"{token}\" {}",
            "é ".repeat(before / 3),
            "b ".repeat(3000)
        );
        assert!(!shown("a.js", &line).contains("aB3dE5gHaB3d"), "{before}");
    }
}

#[test]
fn a_key_is_masked_to_its_end_and_code_is_not() {
    let line = "q7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxP";
    let code = "if line == \"-----BEGIN PRIVATE KEY-----\" {\n    return read(line);\n}";
    assert_eq!(shown("a.rs", code), code);
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{line}\nAb3=\n-----END PRIVATE KEY-----\nreturn 1\n{}",
        "a".repeat(64)
    );
    let hidden = format!(
        "-----BEGIN PRIVATE KEY-----\n…\n…\n-----END PRIVATE KEY-----\nreturn 1\n{}",
        "a".repeat(64)
    );
    assert_eq!(shown("a.pem", &key), hidden);
    let certificate = format!("-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----");
    assert_eq!(shown("a.pem", &certificate), certificate);
}

#[test]
fn names_hashes_and_references_are_shown() {
    for (path, text) in [
        (
            "a.rs",
            "httparse::Error::Token => Parse::Header(Header::Token),",
        ),
        ("a.py", "password = os.environ[\"DB_PASSWORD_1\"]"),
        ("a.py", "token = self.tokens2.next_token(start1)"),
        ("a.yaml", "password: ${DB_PASSWORD_1}"),
        ("a.yaml", "kind: Secret\nstringData:\n  a: {{ .Values.a }}"),
        ("a.yaml", "kind: ConfigMap\ndata:\n  a: aG7xP2mQ9zL1"),
        (
            "a.yaml",
            "uses: actions/checkout@9fceb02d0ae598e95dc970b74767f19372d61af8",
        ),
        (
            "a.json",
            "\"integrity\": \"sha512-q7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxP==\"",
        ),
        ("a.py", "https://example.com:8080/a@b"),
    ] {
        assert_eq!(shown(path, text), text);
    }
}
