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
fn values_whose_name_is_in_another_line_are_masked() {
    for (path, text) in [
        (
            "a.tf",
            "variable \"db_password\" {\n  type = string\n  default = \"@\"\n}",
        ),
        ("a.tf", "variable \"db_password\" { default = \"@\" }"),
        (
            "a.tf",
            "variable \"db_password\" {\n  default = <<-EOT\n    @\n  EOT\n}",
        ),
        ("a.tf", "  password = <<EOT\n@\nEOT"),
        (
            "a.tf.json",
            "{\n  \"variable\": {\n    \"db_password\": {\n      \"default\": \"@\"\n    }\n  }\n}",
        ),
        (
            "stack.yml",
            "Parameters:\n  DbPassword:\n    Type: String\n    Default: @",
        ),
        (
            "arm.json",
            "{\n  \"adminPassword\": {\n    \"value\": \"@\"\n  }\n}",
        ),
        ("pod.yml", "env:\n  - name: DB_PASSWORD\n    value: @"),
        (
            "pod.yml",
            "env:\n  - name: DB_PASSWORD\n    value: |-\n      @",
        ),
        ("pod.yml", "env:\n  - value: '@'\n    name: DB_PASSWORD"),
        ("pod.yml", "env:\n  - {name: DB_PASSWORD, value: @}"),
        (
            "task.json",
            "[{\"name\": \"DB_PASSWORD\", \"value\": \"@\"}]",
        ),
        (
            "task.json",
            "{\n  \"name\": \"DB_PASSWORD\",\n  \"slotSetting\": false,\n  \"value\": \"@\"\n}",
        ),
        (
            "hive.xml",
            "<property>\n  <name>a.ConnectionPassword</name>\n  <value>@</value>\n</property>",
        ),
        (
            "Info.plist",
            "<dict>\n  <key>ApiToken</key>\n  <string>@</string>\n</dict>",
        ),
        ("a.rs", "const PASSWORD: &str =\n    \"@\";"),
        ("a.py", "password = \"\"\"\n@\n\"\"\""),
        ("a.js", "const password = `\n  @\n`;"),
    ] {
        let shown = shown(path, &text.replace('@', "kR8vQ2mZx7pW"));
        assert!(
            !shown.contains("R8vQ2mZx") && shown.contains('…'),
            "{path}: {shown}"
        );
    }
}

#[test]
fn values_of_other_names_are_shown() {
    for (path, text) in [
        (
            "a.tf",
            "variable \"instance\" {\n  default = \"t3.micro1\"\n}\nvariable \"db_password\" {\n}\nvariable \"size\" {\n  default = \"m5.large2\"\n}",
        ),
        (
            "pod.yml",
            "- name: DB_PASSWORD\n  valueFrom: a1b2c3d4\n- name: DB_HOST\n  value: db1.internal2",
        ),
        ("a.py", "def f(name, value=kR8vQ2mZx7pW):\n    return value"),
        (
            "a.json",
            "{\"name\": \"hunkwise\", \"value\": \"v1.2.3-rc4\"}",
        ),
    ] {
        assert_eq!(shown(path, text), text);
    }
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
