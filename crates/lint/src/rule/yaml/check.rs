//! Checks a rule file for its author. Reports all problems together, each with its position.

use std::collections::HashSet;

use syntax::language::Grammar;

use super::document::Document;
use super::object;
use super::pattern::{PARTS, Parsed};
use super::template::variables;
use super::value::{At, ReadError, Yaml};

/// A rule and its position.
pub(crate) struct LocatedRule {
    pub(crate) document: Document,
    pub(crate) at: At,
    /// The positions of its examples: positive, then negative.
    pub(crate) examples: (Vec<At>, Vec<At>),
}

/// The rules of a file and all problems, in file order.
pub(crate) fn file(text: &str) -> (Vec<LocatedRule>, Vec<ReadError>) {
    let documents = match Yaml::documents(text) {
        Ok(documents) => documents,
        Err(fault) => return (Vec::new(), vec![fault]),
    };
    let (mut rules, mut faults) = (Vec::new(), Vec::new());
    for yaml in &documents {
        let regexes = unusable_regexes(yaml);
        match Document::read(yaml) {
            Ok(document) if regexes.is_empty() => {
                let mut found = unusable_patterns(yaml, &document);
                if found.is_empty() {
                    found = meaning(yaml, &document);
                }
                faults.extend(found);
                let places = |name| {
                    yaml.get(name)
                        .map_or(&[][..], Yaml::items)
                        .iter()
                        .map(|item| item.at)
                        .collect()
                };
                let at = yaml.get("id").map_or(yaml.at, |id| id.at);
                rules.push(LocatedRule {
                    document,
                    at,
                    examples: (places("positive"), places("negative")),
                });
            }
            read => {
                let mut found = read.err().unwrap_or_default();
                found.extend(regexes);
                found.sort_by_key(|fault| fault.at);
                faults.extend(found);
            }
        }
    }
    (rules, faults)
}

/// The patterns that none of the rule's languages can parse. They match nothing.
fn unusable_patterns(yaml: &Yaml, document: &Document) -> Vec<ReadError> {
    let mut patterns = Vec::new();
    PARTS
        .iter()
        .filter_map(|name| yaml.get(name))
        .for_each(|part| part.values_of("pattern", &mut patterns));
    let grammars: Vec<Grammar> = document
        .languages
        .iter()
        .filter_map(|name| Grammar::find(name))
        .collect();
    let fault = |pattern: &&Yaml| {
        let value: serde_json::Value = pattern.read().ok()?;
        let parsed = |grammar: &Grammar| Some((grammar.name(), Parsed::of(&value, *grammar)?));
        let parsed: Vec<(&str, Parsed)> = grammars.iter().map(parsed).collect::<Option<_>>()?;
        let (language, first) = parsed
            .first()
            .filter(|_| parsed.iter().all(|(_, parsed)| parsed.has_error))?;
        let message = format!(
            "this pattern can never match: {language} parses it as {}; write a complete expression or statement, or a \
             `context` with a `selector`",
            first.outline
        );
        Some(ReadError {
            at: pattern.at,
            message,
        })
    };
    patterns.iter().filter_map(fault).collect()
}

fn unusable_regexes(yaml: &Yaml) -> Vec<ReadError> {
    let mut faults = Vec::new();
    let parts = PARTS.iter().filter_map(|name| yaml.get(name));
    parts.for_each(|part| object::check_regexes(part, &mut faults));
    faults
}

/// Problems that appear only when the rule is compiled for its languages.
fn meaning(yaml: &Yaml, document: &Document) -> Vec<ReadError> {
    let mut faults = Vec::new();
    let mut reported = HashSet::new();
    for grammar in document
        .languages
        .iter()
        .filter_map(|name| Grammar::find(name))
    {
        match document.compile(grammar) {
            Ok(pattern) => {
                for message in unknown_variables(document, &pattern.matcher.defined_vars()) {
                    let place = yaml.get(message.0).map_or(yaml.at, |value| value.at);
                    if reported.insert(message.1.clone()) {
                        faults.push(ReadError {
                            at: place,
                            message: format!("`{}`: {}", message.0, message.1),
                        });
                    }
                }
            }
            Err(reason) => {
                if reported.insert(reason.clone()) {
                    let message = format!("`rule` does not work for {}: {reason}", grammar.name());
                    faults.push(ReadError {
                        at: position_of_error(yaml, &reason),
                        message,
                    });
                }
            }
        }
    }
    faults
}

/// Variables that the summary, `replace` or `report` use but the rule does not define: property and message.
fn unknown_variables(document: &Document, known: &HashSet<&str>) -> Vec<(&'static str, String)> {
    let mut names: Vec<&str> = known
        .iter()
        .copied()
        .filter(|name| !name.starts_with('_'))
        .collect();
    names.sort_unstable();
    let has = match names.as_slice() {
        [] => "it has none".to_owned(),
        names => format!(
            "it has {}",
            names
                .iter()
                .map(|name| format!("${name}"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    let mut unknown = Vec::new();
    let templates = document
        .replace
        .iter()
        .map(|template| ("replace", template));
    for (property, template) in [("summary", &document.summary)]
        .into_iter()
        .chain(templates)
    {
        for name in variables(template).filter(|name| *name != "MATCH" && !known.contains(name)) {
            let message = format!(
                "${name} is not a variable of the rule ({has}, and $MATCH is the whole match)"
            );
            unknown.push((property, message));
        }
    }
    if let Some(name) = document
        .report
        .as_deref()
        .filter(|name| !known.contains(name))
    {
        unknown.push((
            "report",
            format!("{name} is not a variable of the rule ({has}; omit the dollar sign here)"),
        ));
    }
    for name in document
        .types
        .keys()
        .filter(|name| !known.contains(name.as_str()))
    {
        unknown.push((
            "types",
            format!("{name} is not a variable of the rule ({has}; omit the dollar sign here)"),
        ));
    }
    unknown
}

/// The position of the word in ast-grep's error, which quotes it but gives no position.
fn position_of_error(yaml: &Yaml, reason: &str) -> At {
    let parts = ["rule", "constraints", "utils", "transform"];
    let values = || parts.iter().filter_map(|name| yaml.get(name));
    let words = reason.split('`').skip(1).step_by(2);
    let place = words
        .filter(|word| !parts.contains(word))
        .find_map(|word| values().find_map(|value| value.place_of(word)));
    place
        .or_else(|| yaml.get("rule").map(|rule| rule.at))
        .unwrap_or(yaml.at)
}
