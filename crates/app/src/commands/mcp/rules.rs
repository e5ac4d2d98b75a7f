//! `explain_rule` and `list_rules`.

use std::fmt::Write as _;

use lint::{RuleInfo, RuleSet, pages, reference_url};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::answer::Answer;
use super::arguments::{self, ExplainRule, ListRules};
use crate::commands::rules::{find, is_of};
use crate::outcome::Error;

/// Rules in the short form of the list.
const LINES: usize = 100;

/// Says why a rule matters.
///
/// # Errors
/// There is no such rule: names the nearest.
pub(super) fn explain(arguments: Option<JsonObject>) -> Result<Answer, Error> {
    let ExplainRule { rule_id } = arguments::read(arguments)?;
    let rule = find(&[], &rule_id)?;
    Ok(Answer { data: explained(&rule), text: pages::page(&rule) })
}

fn explained(rule: &RuleInfo) -> Value {
    let mut data = row(rule);
    let references: Vec<String> = rule.references.iter().map(|text| reference_url(text)).collect();
    let more = json!({
        "confidence": (f64::from(rule.confidence) * 100.0).round() / 100.0,
        "why": rule.why,
        "suggestedFix": rule.fix,
        "badExample": rule.bad_example(),
        "goodExample": rule.good_example(),
        "references": references,
    });
    if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
        data.extend(more);
    }
    data
}

/// Lists the rules of a language and a category.
///
/// # Errors
/// There is no such language or category.
pub(super) fn list(arguments: Option<JsonObject>) -> Result<Answer, Error> {
    let ListRules { language, category } = arguments::read(arguments)?;
    let language = arguments::language(language.as_deref())?;
    let mut rules: Vec<&RuleInfo> =
        RuleSet::builtin().rules().iter().filter(|rule| is_of(rule, language, category)).collect();
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    let rows: Vec<Value> = rules.iter().map(|rule| row(rule)).collect();
    Ok(Answer { data: json!({ "rules": rows }), text: table(&rules) })
}

fn row(rule: &RuleInfo) -> Value {
    json!({
        "ruleId": rule.id,
        "title": rule.title,
        "priority": rule.priority,
        "category": rule.category,
        "languages": rule.languages,
    })
}

fn table(rules: &[&RuleInfo]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for rule in rules.iter().take(LINES) {
        let _ = writeln!(out, "{}\t{}\t{}", rule.id, rule.priority, rule.title);
    }
    if rules.len() > LINES {
        let _ = writeln!(out, "more\t{}; name a language or a category", rules.len() - LINES);
    }
    let _ = writeln!(out, "sum\t{} rules", rules.len());
    out
}
