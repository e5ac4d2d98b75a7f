//! The built-in rules as a review reads them: JSON generated at build time (`build.rs` of `rules`), without the parts
//! that only their pages show.

use std::collections::{BTreeMap, HashMap};

use ast_grep_config::{SerializableRule, SerializableRuleCore, Transformation};
use review::{Category, Priority, Versions};
use serde::Deserialize;

use super::document::Document;
use super::literal_prefilter::RuleOutline;
use super::reading::OneOrMore;
use crate::rule::definition::Tests;

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
    #[serde(default)]
    versions: Versions,
    rule: SerializableRule,
    constraints: Option<HashMap<String, SerializableRule>>,
    utils: Option<HashMap<String, SerializableRule>>,
    transform: Option<HashMap<String, Transformation>>,
}

impl Document {
    /// A built-in rule without its examples, its explanation and its literals; `None` if its JSON cannot be read, which a test
    /// excludes.
    pub(crate) fn compact(json: &str, confidence: f32) -> Option<Self> {
        let compact: Compact = serde_json::from_str(json).ok()?;
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
            confidence,
            is_custom: false,
            tests: compact.tests,
            report: compact.report,
            replace: compact
                .replace
                .map(OneOrMore::into_list)
                .unwrap_or_default(),
            types: compact.types,
            versions: compact.versions,
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

impl Document {
    /// Whether a compact form is equivalent to this rule, as far as a review needs it.
    pub(crate) fn is_same_as(&self, compact: &Self) -> bool {
        let texts = |of: &Self| {
            (
                of.id.clone(),
                of.summary.clone(),
                of.fix.clone(),
                of.report.clone(),
                of.replace.clone(),
            )
        };
        let transform = |of: &Self| serde_json::to_value(&of.core.transform).ok();
        texts(self) == texts(compact)
            && (self.priority, self.category, self.tests)
                == (compact.priority, compact.category, compact.tests)
            && self.types == compact.types
            && self.versions == compact.versions
            && transform(self) == transform(compact)
    }
}
