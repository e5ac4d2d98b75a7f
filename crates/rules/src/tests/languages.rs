//! Every language that a rule declares has a positive and a negative example.

use lint::{RuleInfo, RuleSet, testing};
use review::Language;
use syntax::language::Grammar;

use crate::built_in;

/// A language, and those in which its code usually means the same.
const SUPERSETS: &[(&str, &[&str])] = &[
    ("JavaScript", &["TypeScript", "TSX"]),
    ("TypeScript", &["TSX"]),
    ("C", &["C++"]),
];

/// An example as one of another language: with another suffix for the files of its own.
fn translated(rule: &RuleInfo, text: &str, from: &str, to: &str) -> Option<String> {
    let suffix = Grammar::find(to)?.row().extension;
    if !text.starts_with("path:") {
        let own = rule.languages.first().is_some_and(|name| name == from);
        return own.then(|| format!("path: src/example.{suffix}\n{text}"));
    }
    let renamed = |path: &str| {
        let (name, note) = path.split_once(' ').unwrap_or((path, ""));
        let language = Language::of_path(name, String::new)?;
        let (stem, _) = name.rsplit_once('.')?;
        (language.name() == from).then(|| format!("path: {stem}.{suffix} {note}\n"))
    };
    let lines = text.lines().map(|line| {
        let path = line.strip_prefix("path: ").and_then(renamed);
        path.unwrap_or_else(|| format!("{line}\n"))
    });
    Some(lines.collect())
}

/// Whether one of a rule's examples is in a language, or is as good in it.
fn has_example(set: &RuleSet, rule: &RuleInfo, fires: bool, language: &str) -> bool {
    let examples = if fires {
        &rule.positive
    } else {
        &rule.negative
    };
    if examples
        .iter()
        .any(|text| testing::languages(rule, text).contains(language))
    {
        return true;
    }
    let mut subsets = SUPERSETS
        .iter()
        .filter(|(_, supersets)| supersets.contains(&language));
    subsets.any(|(subset, _)| {
        examples.iter().any(|text| {
            testing::languages(rule, text).contains(subset)
                && translated(rule, text, subset, language).is_some_and(|text| {
                    testing::languages(rule, &text).contains(language)
                        && testing::check_example(set, rule, &text, fires).is_ok()
                })
        })
    })
}

#[test]
fn every_declared_language_has_examples() {
    let set = built_in();
    let mut lacking = Vec::new();
    for rule in set.rules() {
        for language in &rule.languages {
            let missing: Vec<&str> = [("positive", true), ("negative", false)]
                .into_iter()
                .filter(|(_, fires)| !has_example(set, rule, *fires, language))
                .map(|(name, _)| name)
                .collect();
            if !missing.is_empty() {
                lacking.push(format!("{} {language}: no {}", rule.id, missing.join(", ")));
            }
        }
    }
    assert!(
        lacking.is_empty(),
        "{} languages lack an example; add one, or do not declare the language:\n{}",
        lacking.len(),
        lacking.join("\n")
    );
}
