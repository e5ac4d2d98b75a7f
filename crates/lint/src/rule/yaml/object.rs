//! Validates ast-grep's rule objects before ast-grep reads them, because it stops at the first error and gives no position.

use regex::RegexBuilder;

use super::value::{Key, ReadError, Value, Yaml};

/// Maximum size of a compiled regular expression, in bytes.
const REGEX_BYTES: usize = 1 << 20;

/// The allowed keys of a rule object.
const PARTS: &[&str] = &[
    "pattern", "kind", "regex", "nthChild", "range", "inside", "has", "precedes", "follows", "all",
    "any", "not", "matches",
];
/// The allowed keys of a relation (`has`, `inside`, …).
const RELATION: &[&str] = &[
    "pattern", "kind", "regex", "nthChild", "range", "inside", "has", "precedes", "follows", "all",
    "any", "not", "matches", "stopBy", "field",
];
const PATTERN: &[&str] = &["context", "selector", "strictness"];

/// Records the problems of a rule object and its nested objects.
pub(super) fn check(rule: &Yaml, faults: &mut Vec<ReadError>) {
    object(rule, PARTS, faults);
}

fn object(rule: &Yaml, known: &[&str], faults: &mut Vec<ReadError>) {
    let Value::Map(entries) = &rule.value else {
        faults.push(wrong(
            rule,
            "a rule object (a mapping with `pattern`, `kind`, …)",
        ));
        return;
    };
    for (key, value) in entries {
        if known.contains(&key.name.as_str()) {
            part(key, value, faults);
        } else {
            let message = format!(
                "unknown part of a rule `{}`{}",
                key.name,
                suggestion(&key.name, known)
            );
            faults.push(ReadError {
                at: key.at,
                message,
            });
        }
    }
}

fn part(key: &Key, value: &Yaml, faults: &mut Vec<ReadError>) {
    match (key.name.as_str(), &value.value) {
        ("pattern", Value::Map(_)) => pattern(value, faults),
        ("inside" | "has" | "precedes" | "follows", _) => object(value, RELATION, faults),
        ("not", _) => object(value, PARTS, faults),
        ("all" | "any", Value::List(items)) => {
            items.iter().for_each(|item| object(item, PARTS, faults))
        }
        ("all" | "any", _) => faults.push(wrong(value, "a list of rule objects")),
        ("matches", Value::Map(_)) | ("stopBy", Value::Text(_)) => {}
        ("stopBy", _) => object(value, PARTS, faults),
        ("nthChild" | "range", _) => {}
        (_, Value::Null | Value::List(_) | Value::Map(_)) => {
            faults.push(wrong(value, &format!("text as `{}`", key.name)))
        }
        _ => {}
    }
}

fn pattern(value: &Yaml, faults: &mut Vec<ReadError>) {
    if value.get("context").is_none() {
        faults.push(ReadError {
            at: value.at,
            message: "a pattern is text, or a mapping with `context` and `selector`".to_owned(),
        });
    }
    for (key, value) in value.entries() {
        if !PATTERN.contains(&key.name.as_str()) {
            let message = format!(
                "unknown part of a pattern `{}`{}",
                key.name,
                suggestion(&key.name, PATTERN)
            );
            faults.push(ReadError {
                at: key.at,
                message,
            });
        } else if value.text().is_none() {
            faults.push(wrong(value, &format!("text as `{}`", key.name)));
        }
    }
}

/// Records the invalid regular expressions of a rule object. Compiling them takes long, so a rule that was already
/// checked is not checked again.
pub(super) fn check_regexes(rule: &Yaml, faults: &mut Vec<ReadError>) {
    for (key, value) in rule.entries() {
        match value.text().filter(|_| key.name == "regex") {
            Some(text) => faults.extend(regex(text).map(|message| ReadError {
                at: value.at,
                message,
            })),
            None => check_regexes(value, faults),
        }
    }
    rule.items()
        .iter()
        .for_each(|item| check_regexes(item, faults));
}

/// The problem of a regular expression, if any.
fn regex(text: &str) -> Option<String> {
    let error = match RegexBuilder::new(text).size_limit(REGEX_BYTES).build() {
        Ok(_) => return None,
        Err(regex::Error::CompiledTooBig(_)) => {
            format!("it takes more than {REGEX_BYTES} bytes of memory")
        }
        Err(error) => error.to_string(),
    };
    let reason = error.lines().last().unwrap_or_default();
    Some(format!(
        "not a regular expression that can be used: {}",
        reason.trim_start_matches("error: ")
    ))
}

fn wrong(value: &Yaml, expected: &str) -> ReadError {
    ReadError {
        at: value.at,
        message: format!("expected {expected}, not {}", value.type_name()),
    }
}

/// A suggestion of the most similar known name, as the end of a sentence.
pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    let distance =
        |known: &&str| strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    let known = if name.len() <= 100 { known } else { &[] };
    let near = known
        .iter()
        .copied()
        .min_by_key(distance)
        .filter(|near| distance(near) <= 1 + near.len() / 4);
    near.map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}
