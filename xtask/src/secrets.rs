//! Generates the detectors' table and their documentation page from gitleaks' configuration.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Deserialize;
use syntax::semantics::secrets::{DetectorInfo, Kind as DetectorKind, detectors};

use crate::run::root;

const SOURCE: &str = "crates/syntax/data/secrets/gitleaks.toml";
const TABLE: &str = "crates/syntax/data/secrets/detectors.rs";
const PAGE: &str = "docs/secrets.md";
const PAGE_HEAD: &str = include_str!("secrets/head.md");

/// gitleaks' configuration, as far as it is used.
#[derive(Deserialize)]
struct Config {
    rules: Vec<Entry>,
    #[serde(default)]
    allowlists: Vec<Allow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    id: String,
    #[serde(default)]
    regex: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    secret_group: usize,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    allowlists: Vec<Allow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Allow {
    #[serde(default)]
    condition: String,
    #[serde(default)]
    regex_target: String,
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
}

/// The generated files.
pub(crate) fn files() -> Result<BTreeMap<PathBuf, String>, String> {
    let text = std::fs::read_to_string(root().join(SOURCE))
        .map_err(|error| format!("{SOURCE}: {error}"))?;
    let config: Config = toml::from_str(&text).map_err(|error| format!("{SOURCE}: {error}"))?;
    Ok(BTreeMap::from([
        (PathBuf::from(TABLE), table(&config)?),
        (PathBuf::from(PAGE), page(&detectors())),
    ]))
}

fn table(config: &Config) -> Result<String, String> {
    let mut out = format!(
        "// Made from {SOURCE} by `cargo xtask codegen`. For its licence, see LICENSE in this folder.\nImported {{\n    everywhere: "
    );
    let [everywhere] = config.allowlists.as_slice() else {
        return Err(format!("{SOURCE}: not one list for all rules"));
    };
    allow(&mut out, everywhere);
    out.push_str(",\n    detectors: &[\n");
    for entry in &config.rules {
        detector(&mut out, entry);
    }
    out.push_str("    ],\n}\n");
    Ok(out)
}

fn detector(out: &mut String, entry: &Entry) {
    let _ = write!(
        out,
        "        Detector {{ id: {:?}, title: {:?}, pattern: {}, group: {}, keywords: &{:?}, entropy: {:?}, path: {}, kind: Kind::{}, lines: {}, allow: &[",
        entry.id,
        title(&entry.id),
        raw(&pattern(entry)),
        entry.secret_group,
        entry.keywords,
        entry.entropy,
        raw(&translated(&entry.path)),
        kind(entry),
        ["(?:[\\r\\n]", "(?s:.)", "[\\s\\S"]
            .iter()
            .any(|sign| entry.regex.contains(sign)),
    );
    for list in &entry.allowlists {
        allow(out, list);
        out.push_str(", ");
    }
    out.push_str("] },\n");
}

fn allow(out: &mut String, allow: &Allow) {
    let target = match allow.regex_target.as_str() {
        "match" => "Match",
        "line" => "Line",
        _ => "Secret",
    };
    let _ = write!(
        out,
        "Allow {{ all: {}, target: Target::{target}, pattern: {}, path: {}, words: &{:?} }}",
        allow.condition == "AND",
        raw(&any_of(&allow.regexes)),
        raw(&any_of(&allow.paths)),
        allow.stopwords,
    );
}

/// One pattern that matches whenever any of several patterns matches.
fn any_of(patterns: &[String]) -> String {
    patterns
        .iter()
        .map(|pattern| format!("(?:{})", translated(pattern)))
        .collect::<Vec<_>>()
        .join("|")
}

/// A Rust raw string literal.
fn raw(text: &str) -> String {
    let marks = (0..8)
        .map(|count| "#".repeat(count))
        .find(|marks| !text.contains(&format!("\"{marks}")));
    let marks = marks.unwrap_or_default();
    format!("r{marks}\"{text}\"{marks}")
}

/// The pattern without its optional prefix before the service's name, which is irrelevant and slow. Only the generic
/// rule needs the prefix, because its lists examine it.
fn pattern(entry: &Entry) -> String {
    let text = translated(&entry.regex);
    if kind(entry) == "Generic" {
        return text;
    }
    let lead = r"[\w.-]{0,50}?";
    text.replacen(&format!("(?i){lead}"), "(?i)", 1)
        .replacen(&format!("{lead}(?i:{lead}"), "(?i:", 1)
        .trim_start_matches(lead)
        .to_owned()
}

/// Translates RE2's syntax to that of Rust's regex and removes group names, which serve only for selection. In RE2,
/// unlike in Rust's regex, a brace that is not a repetition is a literal, and so are a bracket and doubled operators
/// in a class.
fn translated(pattern: &str) -> String {
    let mut out = String::new();
    let mut class = false;
    let mut rest = pattern;
    while let Some(sign) = rest.chars().next() {
        let escaped = if sign == '\\' {
            rest.chars().nth(1).map_or(0, char::len_utf8)
        } else {
            0
        };
        let (token, tail) = rest.split_at(sign.len_utf8() + escaped);
        rest = tail;
        match token {
            "[" if !class => {
                class = true;
                // A bracket at the start of a class is a literal.
                let negated = tail.strip_prefix('^').unwrap_or(tail);
                let literal = usize::from(negated.starts_with(']'));
                let (start, inner) = tail.split_at(tail.len() - negated.len() + literal);
                out.push('[');
                out.push_str(&start.replace(']', "\\]"));
                rest = inner;
                continue;
            }
            "]" if class => class = false,
            "[" if !tail.starts_with(':') => out.push('\\'),
            "&" | "-" | "~" if class && tail.starts_with(token) => out.push('\\'),
            "{" if !class && !repeats(tail) => out.push('\\'),
            "(" if !class && tail.starts_with("?P<") => {
                out.push_str("(?:");
                rest = tail.split_once('>').map_or(tail, |(_, inner)| inner);
                continue;
            }
            _ => {}
        }
        out.push_str(token);
    }
    out
}

/// Whether the text after a brace makes it a repetition: `2}`, `2,}`, `2,3}`.
fn repeats(tail: &str) -> bool {
    tail.split_once('}').is_some_and(|(count, _)| {
        let (least, most) = count.split_once(',').unwrap_or((count, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        !least.is_empty() && is_number(least) && is_number(most)
    })
}

fn kind(entry: &Entry) -> &'static str {
    const CONTEXT: &[&str] = &[
        "curl-auth-header", "curl-auth-user", "freemius-secret-key", "hashicorp-tf-password",
        "kubernetes-secret-yaml", "nuget-config-password", "pkcs12-file",
    ];
    const PUBLIC: &[&str] = &[
        "-client-id", "-public-key", "-pub-key", "-pub-api-key", "-access-id", "-user-api-id",
    ];
    let id = entry.id.as_str();
    if id == "generic-api-key" {
        "Generic"
    } else if CONTEXT.contains(&id) {
        "Context"
    } else if PUBLIC.iter().any(|end| id.ends_with(end)) {
        "Public"
    } else if entry.regex.contains(r"(?:[ \t\w.-]{0,20})") || id == "sourcegraph-access-token" {
        "Named"
    } else {
        "Form"
    }
}

/// The name of a rule as text: `github-pat` becomes "GitHub personal access token".
fn title(id: &str) -> String {
    const WORDS: &[(&str, &str)] = &[
        ("1password", "1Password"),
        ("ad", "AD"),
        ("api", "API"),
        ("aws", "AWS"),
        ("ca", "CA"),
        ("cicd", "CI/CD"),
        ("circleci", "CircleCI"),
        ("clickhouse", "ClickHouse"),
        ("curl", "curl"),
        ("digitalocean", "DigitalOcean"),
        ("droneci", "Drone CI"),
        ("easypost", "EasyPost"),
        ("flyio", "Fly.io"),
        ("frameio", "Frame.io"),
        ("gcp", "Google Cloud"),
        ("github", "GitHub"),
        ("gitlab", "GitLab"),
        ("gocardless", "GoCardless"),
        ("hashicorp", "HashiCorp"),
        ("hubspot", "HubSpot"),
        ("huggingface", "Hugging Face"),
        ("id", "ID"),
        ("jfrog", "JFrog"),
        ("jwt", "JSON web token"),
        ("launchdarkly", "LaunchDarkly"),
        ("linkedin", "LinkedIn"),
        ("maxmind", "MaxMind"),
        ("messagebird", "MessageBird"),
        ("microsoft", "Microsoft"),
        ("npm", "npm"),
        ("nuget", "NuGet"),
        ("nytimes", "New York Times"),
        ("oauth", "OAuth"),
        ("openai", "OpenAI"),
        ("openshift", "OpenShift"),
        ("pat", "personal access token"),
        ("pkcs12", "PKCS #12"),
        ("planetscale", "PlanetScale"),
        ("privateai", "Private AI"),
        ("ptt", "pipeline trigger token"),
        ("pypi", "PyPI"),
        ("rapidapi", "RapidAPI"),
        ("rrt", "runner registration token"),
        ("rubygems", "RubyGems"),
        ("scim", "SCIM"),
        ("sendgrid", "SendGrid"),
        ("settlemint", "SettleMint"),
        ("sumologic", "Sumo Logic"),
        ("tf", "Terraform"),
        ("travisci", "Travis CI"),
        ("url", "URL"),
        ("yaml", "YAML"),
    ];
    let words = id.split('-').enumerate().map(|(place, word)| {
        let known = WORDS
            .iter()
            .find(|(short, _)| *short == word)
            .map(|(_, long)| (*long).to_owned());
        known.unwrap_or_else(|| {
            if place == 0 {
                capitalised(word)
            } else {
                word.to_owned()
            }
        })
    });
    words.collect::<Vec<_>>().join(" ")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

fn page(detectors: &[DetectorInfo]) -> String {
    let mut out = PAGE_HEAD.trim_end().to_owned();
    let _ = writeln!(out, "\n\n## The {} detectors\n", detectors.len());
    out.push_str("| detector | finds | recognized by | checked | from |\n|---|---|---|---|---|\n");
    for info in detectors {
        let origin = match info.kind {
            DetectorKind::Form => "its form",
            DetectorKind::Named => "the service's name before it",
            DetectorKind::Generic => "a name such as `key` before it",
            DetectorKind::Public => "its form or name; public, so only P3",
            DetectorKind::Context => "its context",
        };
        let checked = if info.checked { "yes" } else { "" };
        let from = if info.imported {
            "gitleaks"
        } else {
            "Hunkwise"
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {origin} | {checked} | {from} |",
            info.id, info.title
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{raw, title, translated};

    #[test]
    fn re2_patterns_are_translated_to_rust() {
        for (re2, rust) in [
            (r"^\$(?:\d+|{\d+})$", r"^\$(?:\d+|\{\d+})$"),
            (r"a{2,3}b{4}c{5,}d{,6}", r"a{2,3}b{4}c{5,}d\{,6}"),
            (r"[^]a[b]{{x}}", r"[^\]a\[b]\{\{x}}"),
            (r"[\w&&~~.--x]\{", r"[\w\&&\~~.\--x]\{"),
            (r"[[:alpha:]\]]+", r"[[:alpha:]\]]+"),
            (r"(?P<alg>ab)|(c)", r"(?:ab)|(c)"),
        ] {
            assert_eq!(translated(re2), rust);
        }
    }

    #[test]
    fn rule_names_become_titles() {
        assert_eq!(
            title("github-fine-grained-pat"),
            "GitHub fine grained personal access token"
        );
        assert_eq!(title("stripe-access-token"), "Stripe access token");
        assert_eq!(raw(r##"a"#b"##), r####"r##"a"#b"##"####);
    }
}
