//! Random passwords and tokens are found in every configuration format. Values that only resemble them are not
//! reported.

use lint::scan;
use review::chunk::{Sizes, plan};
use review::{Diff, Priority};
use syntax::parse::Limits;

/// Values of each kind.
const VALUES: usize = 40;
/// How many of them must be found.
const ENOUGH: usize = 36;

/// A format: the path, unchanged lines above the added one, and the added line with `NAME` and `VALUE`.
type Format = (&'static str, &'static [&'static str], &'static str);

const FORMATS: &[Format] = &[
    ("config/app.yaml", &["db:"], "  NAME: VALUE"),
    ("config/app.yaml", &["db:"], "  NAME: \"VALUE\""),
    ("compose.yml", &["    environment:"], "      NAME: VALUE"),
    ("compose.yml", &["    environment:"], "      - NAME=VALUE"),
    (
        "k8s/secret.yaml",
        &["kind: Secret", "stringData:"],
        "  NAME: VALUE",
    ),
    (
        "k8s/secret.yaml",
        &["kind: Secret", "data:"],
        "  NAME: BASE64",
    ),
    (
        "k8s/shop.yaml",
        &["          env:", "            - name: NAME"],
        "              value: VALUE",
    ),
    (
        "src/main/resources/application.properties",
        &["shop.a=b"],
        "shop.NAME=VALUE",
    ),
    ("pyproject/settings.toml", &["[db]"], "NAME = \"VALUE\""),
    ("settings.ini", &["[db]"], "NAME = VALUE"),
    (".env", &["A=b"], "NAME=VALUE"),
    ("settings.json", &["{"], "  \"NAME\": \"VALUE\","),
    ("deploy.sh", &["#!/bin/sh"], "export NAME=VALUE"),
    ("deploy.sh", &["#!/bin/sh"], "NAME='VALUE' ./run"),
    ("Dockerfile", &["FROM debian:12"], "ENV NAME=VALUE"),
    ("Dockerfile", &["FROM debian:12"], "ENV NAME VALUE"),
    ("Dockerfile", &["FROM debian:12"], "ARG NAME=VALUE"),
    ("main.tf", &["resource \"a\" \"b\" {"], "  NAME = \"VALUE\""),
    ("main.tf", &["variable \"NAME\" {"], "  default = \"VALUE\""),
    (
        "shop/settings.py",
        &["class Settings:"],
        "    NAME: str = \"VALUE\"",
    ),
    ("shop/settings.py", &["import os"], "NAME = \"VALUE\""),
    (
        "src/settings.ts",
        &["import a from 'a';"],
        "export const NAME: string = 'VALUE';",
    ),
    (
        "src/Settings.kt",
        &["package a"],
        "private const val NAME: String = \"VALUE\"",
    ),
];

/// Formats in which only a password is in a connection string.
const ADDRESSES: &[Format] = &[
    (
        "config/app.yaml",
        &["db:"],
        "  url: postgres://shop:VALUE@db.shop.internal:5432/shop",
    ),
    (
        ".env",
        &["A=b"],
        "BROKER=amqp://shop:VALUE@mq.shop.internal:5672/",
    ),
    (
        ".env",
        &["A=b"],
        "CACHE=redis://:VALUE@cache.shop.internal:6379/0",
    ),
    (
        "settings.json",
        &["{"],
        "  \"mongo\": \"mongodb+srv://shop:VALUE@cluster.shop.internal/shop\",",
    ),
    (
        "app.properties",
        &["a=b"],
        "url=jdbc:postgresql://db.shop.internal/shop?user=shop&password=VALUE",
    ),
    (
        "settings.json",
        &["{"],
        "  \"Default\": \"Server=db;User Id=shop;Password=VALUE;Encrypt=true\",",
    ),
];

const ALPHANUMERIC: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WITH_SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!%*-_";

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn text(&mut self, letters: &[u8], length: usize) -> String {
        let mut letter = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            letters[(self.0 >> 33) as usize % letters.len()] as char
        };
        (0..length).map(|_| letter()).collect()
    }
}

/// Whether a secret with priority P0 or P1 is found in the added line.
#[expect(clippy::unwrap_used, reason = "the diff is made here")]
fn is_found((path, above, line): &Format, name: &str, value: &str) -> bool {
    let filled = |text: &str| {
        text.replace("NAME", name)
            .replace("BASE64", &base64(value))
            .replace("VALUE", value)
    };
    let context: String = above
        .iter()
        .map(|text| format!(" {}\n", filled(text)))
        .collect();
    let text = format!(
        "--- a/{path}\n+++ b/{path}\n@@ -1,{0} +1,{1} @@\n{context}+{2}\n",
        above.len(),
        above.len() + 1,
        filled(line)
    );
    let diff = Diff::parse(&text).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let reports = plan
        .chunks
        .iter()
        .map(|file| scan(file, rules::built_in(), &Limits::default()));
    reports.flat_map(|report| report.candidates).any(|found| {
        found.category == review::Category::SecretExposure
            && matches!(found.priority, Priority::P0 | Priority::P1)
    })
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |bits: u32| DIGITS[(bits & 63) as usize] as char;
    let mut out = String::new();
    for part in text.as_bytes().chunks(3) {
        let at = |index: usize| u32::from(part.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        out.extend([digit(bits >> 18), digit(bits >> 12)]);
        out.push(if part.len() > 1 {
            digit(bits >> 6)
        } else {
            '='
        });
        out.push(if part.len() > 2 { digit(bits) } else { '=' });
    }
    out
}

#[test]
fn random_values_are_found_in_every_format() {
    let mut numbers = Numbers(7);
    let mut missed = Vec::new();
    for (name, formats) in [
        ("DB_PASSWORD", FORMATS),
        ("API_TOKEN", FORMATS),
        ("", ADDRESSES),
    ] {
        for format in formats {
            for (letters, length) in [(ALPHANUMERIC, 16), (ALPHANUMERIC, 24), (WITH_SIGNS, 20)] {
                // In a shell and in a URL, punctuation has a meaning.
                if letters == WITH_SIGNS && (name.is_empty() || format.0.ends_with(".sh")) {
                    continue;
                }
                let found = (0..VALUES)
                    .filter(|_| is_found(format, name, &numbers.text(letters, length)))
                    .count();
                if found < ENOUGH {
                    missed.push(format!(
                        "{found} of {VALUES} with {length} characters: {name} {format:?}"
                    ));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn placeholders_for_secrets_are_not_reported() {
    const VALUES: &[&str] = &[
        "${DB_PASSWORD}",
        "${DB_PASSWORD:-}",
        "$DB_PASSWORD",
        "{{ db_password }}",
        "{{ .Values.db.password1 }}",
        "vault:secret/data/shop#password",
        "ENC[AES256_GCM,data:q8Zr3LmX0pTvB6nY==,iv:q8Zr3LmX]",
        "ENC(q8Zr3LmX0pTvB6nYc2WdKj5H)",
        "$(cat /run/secrets/db)",
        "!Ref DatabasePassword1",
        "/run/secrets/db_password",
        "changeme",
        "changeme123",
        "change-me-2024",
        "xxxxxxxxxxxxxxxx",
        "<password>",
        "your-password-here",
        "example",
        "example-password-1",
        "password",
        "password123",
        "Password1!",
        "postgres",
        "postgres123",
        "secret",
        "supersecret",
        "admin",
        "test1234",
        "placeholder",
        "REPLACE_ME",
        "TODO",
        "null",
        "true",
        "none",
        "1234567890",
        "op://vault/shop/password1",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop",
        "projects/shop/secrets/db/versions/1",
        "shop-database-credentials-v2",
        "shop.db.password.v2",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f2c4be17ad0386cf5e1b7a49d30c86e5f72a1b4c9d8e0379f2c4be17ad0386c",
        "%DB_PASSWORD%",
        "__DB_PASSWORD1__",
        "ssh-ed25519",
    ];
    const OTHERS: &[&str] = &[
        "DB_PASSWORD_FILE", "PASSWORD_HASH", "PUBLIC_KEY", "CHECKSUM", "SHA256", "INTEGRITY",
        "TOKEN_URL", "SECRET_NAME", "COMMIT", "REQUEST_ID", "CERTIFICATE",
    ];
    let mut wrong = Vec::new();
    for format in FORMATS.iter().filter(|format| !format.2.contains("BASE64")) {
        for value in VALUES {
            if is_found(format, "DB_PASSWORD", value) || is_found(format, "API_TOKEN", value) {
                wrong.push(format!("{value} in {format:?}"));
            }
        }
        for name in OTHERS {
            if is_found(format, name, "w3gTlcrhDFLGWrhh") {
                wrong.push(format!("{name} in {format:?}"));
            }
        }
    }
    let mut numbers = Numbers(11);
    for path in [
        "poetry.lock", "package-lock.json", "docs/setup.md", "README.md", ".env.example",
        "config/app.sample.yaml", "tests/fixtures/app.yaml", "examples/app.yaml",
    ] {
        let format: Format = (path, &["a"], "NAME: VALUE");
        let found = (0..VALUES.len())
            .filter(|_| is_found(&format, "DB_PASSWORD", &numbers.text(ALPHANUMERIC, 16)))
            .count();
        if found > 0 {
            wrong.push(format!("{found} in {path}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
