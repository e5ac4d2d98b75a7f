//! The arguments of the tools.

use mcp::Page;
use review::{Category, Language};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::context_files::ContextFile;
use crate::commands::values::{change_message, named_language};
use crate::outcome::Error;

/// Arguments of `review_diff`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReviewDiff {
    pub(super) diff: String,
    pub(super) language: Option<String>,
    pub(super) min_confidence: Option<f32>,
    pub(super) change_description: Option<String>,
    pub(super) context_files: Option<Vec<ContextFile>>,
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<u64>,
}

/// Arguments of `review_working_tree`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReviewWorkingTree {
    pub(super) path: Option<String>,
    #[serde(default)]
    pub(super) staged: bool,
    pub(super) base: Option<String>,
    pub(super) untracked: Option<bool>,
    pub(super) language: Option<String>,
    pub(super) min_confidence: Option<f32>,
    pub(super) change_description: Option<String>,
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<u64>,
}

/// Arguments of `explain_rule`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ExplainRule {
    pub(super) rule_id: String,
}

/// Arguments of `list_rules`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ListRules {
    pub(super) language: Option<String>,
    pub(super) category: Option<Category>,
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<u64>,
}

/// Reads the arguments of a tool.
///
/// # Errors
/// One is missing, unknown or of the wrong type. The message names it.
pub(super) fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Error> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Error::usage(format!("the arguments are not valid: {error}")))
}

/// The page of a result.
///
/// # Errors
/// The cursor or the limit is not valid.
pub(super) fn page(cursor: Option<&str>, limit: Option<u64>) -> Result<Page, Error> {
    Page::new(cursor, limit).map_err(|(argument, why)| Error::usage(format!("{argument}: {why}")))
}

/// The description of a change.
///
/// # Errors
/// It is too long.
pub(super) fn description(text: Option<String>) -> Result<Option<String>, Error> {
    let checked = text.map(|text| change_message(&text)).transpose();
    checked.map_err(|why| Error::usage(format!("changeDescription: {why}")))
}

/// Parses a language; `None` for `auto`.
///
/// # Errors
/// The language is unknown. The message suggests similar names.
pub(super) fn language(name: Option<&str>) -> Result<Option<Language>, Error> {
    match name {
        None => Ok(None),
        Some(name) if name.eq_ignore_ascii_case("auto") => Ok(None),
        Some(name) => named_language(name)
            .map(Some)
            .map_err(|why| Error::usage(format!("language: {why}"))),
    }
}

/// Checks a confidence.
///
/// # Errors
/// It is not between 0 and 1.
pub(super) fn confidence(number: Option<f32>) -> Result<Option<f32>, Error> {
    if number.is_none_or(|number| (0.0..=1.0).contains(&number)) {
        return Ok(number);
    }
    Err(Error::usage("minConfidence: expected a number from 0 to 1"))
}
