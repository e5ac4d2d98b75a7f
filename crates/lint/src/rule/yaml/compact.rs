//! The built-in rules as a review reads them: JSON made at build time (`build.rs`), without what only their pages show.

use std::collections::{BTreeMap, HashMap};

use ast_grep_config::{SerializableRule, SerializableRuleCore, Transformation};
use review::{Category, Priority};
use serde::Deserialize;

use super::document::Document;
use super::literal_prefilter::RuleOutline;
use super::reading::OneOrMore;
use crate::rule::definition::Tests;

/// In the order of the IDs.
static RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/compact_rules.rs"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compact {
    id: String,
    summary: String,
    #[serde(default)]
    fix: String,
    priority: Priority,
    category: Category,
    #[serde(default)]
    tests: Tests,
    report: Option<String>,
    replace: Option<OneOrMore>,
    #[serde(default)]
    types: BTreeMap<String, Vec<String>>,
    rule: SerializableRule,
    constraints: Option<HashMap<String, SerializableRule>>,
    utils: Option<HashMap<String, SerializableRule>>,
    transform: Option<HashMap<String, Transformation>>,
}

impl Document {
    /// A built-in rule without its examples, its explanation and its literals; `None` if there is none of this ID in YAML.
    pub(crate) fn compact(id: &str) -> Option<Self> {
        let index = RULES.binary_search_by(|(own, _)| (*own).cmp(id)).ok()?;
        let compact: Compact = serde_json::from_str(RULES.get(index)?.1).ok()?;
        let Compact {
            rule,
            constraints,
            utils,
            transform,
            ..
        } = compact;
        Some(Self {
            id: compact.id,
            languages: Vec::new(),
            title: String::new(),
            summary: compact.summary,
            why: String::new(),
            fix: compact.fix,
            references: Vec::new(),
            priority: compact.priority,
            category: compact.category,
            confidence: None,
            tests: compact.tests,
            report: compact.report,
            replace: compact
                .replace
                .map(OneOrMore::into_list)
                .unwrap_or_default(),
            types: compact.types,
            core: SerializableRuleCore {
                rule,
                constraints,
                utils,
                transform,
            },
            positive: Vec::new(),
            negative: Vec::new(),
            shape: RuleOutline::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, RULES};
    use crate::rules::SOURCES;

    #[test]
    fn every_rule_in_yaml_has_its_compact_form() {
        let documents: Vec<Document> = SOURCES
            .iter()
            .filter_map(|source| source.document())
            .collect();
        assert_eq!(documents.len(), RULES.len());
        for full in documents {
            let compact = Document::compact(&full.id).unwrap_or_else(|| panic!("{}", full.id));
            let seen = |of: &Document| {
                let texts = (
                    of.id.clone(),
                    of.summary.clone(),
                    of.fix.clone(),
                    of.report.clone(),
                    of.replace.clone(),
                );
                (texts, of.priority, of.category, of.tests, of.types.clone())
            };
            assert_eq!(seen(&compact), seen(&full), "{}", full.id);
            let transform = |of: &Document| serde_json::to_value(&of.core.transform).unwrap();
            assert_eq!(transform(&compact), transform(&full), "{}", full.id);
        }
    }
}
