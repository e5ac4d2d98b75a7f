//! The rules that a log's results reference.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::level::level;
use crate::finding::{Category, Priority};
use crate::output::json::FindingBody;
use crate::output::rule_name::rule_name;
use crate::output::subject::RuleText;
use crate::output::text::scrub;

/// Each rule once, in the order of results. Findings are sorted by priority, so a rule's first finding is its most
/// important.
pub(super) struct Rules<'a> {
    texts: &'a dyn Fn(&str) -> Option<RuleText>,
    index: HashMap<String, usize>,
    list: Vec<Value>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(texts: &'a dyn Fn(&str) -> Option<RuleText>) -> Self {
        Self {
            texts,
            index: HashMap::new(),
            list: Vec::new(),
        }
    }

    /// The index of the finding's rule, which is added if new.
    pub(super) fn index_of(&mut self, finding: &FindingBody) -> usize {
        let name = rule_name(finding);
        if let Some(index) = self.index.get(&*name) {
            return *index;
        }
        self.list
            .push(descriptor(&name, finding, (self.texts)(&name)));
        self.index.insert(name.into_owned(), self.list.len() - 1);
        self.list.len() - 1
    }

    pub(super) fn into_list(self) -> Vec<Value> {
        self.list
    }
}

fn descriptor(name: &str, finding: &FindingBody, text: Option<RuleText>) -> Value {
    let text = text.unwrap_or_else(|| unknown(name, finding));
    json!({
        "id": name,
        "shortDescription": { "text": scrub(&text.title) },
        "fullDescription": { "text": scrub(&text.why) },
        "help": { "text": scrub(&format!("{}\n\nWhat to do: {}", text.why, text.fix)), "markdown": scrub(&text.page) },
        "defaultConfiguration": { "level": level(finding.priority) },
        "properties": properties(finding),
    })
}

/// The texts for the model and for rules that only a service knows.
fn unknown(name: &str, finding: &FindingBody) -> RuleText {
    let category = finding
        .category
        .as_str()
        .to_ascii_lowercase()
        .replace('_', " ");
    let title = if finding.rule_id.is_some() {
        name.to_owned()
    } else {
        format!("Language model: {category}")
    };
    let why = format!("A defect of the category {category}.");
    let fix = "See the message of each result.".to_owned();
    let page = format!("{why} {fix}");
    RuleText {
        title,
        why,
        fix,
        page,
        consequence: None,
    }
}

fn properties(finding: &FindingBody) -> Value {
    let mut tags = vec![
        finding
            .category
            .as_str()
            .to_ascii_lowercase()
            .replace('_', "-"),
    ];
    let security = matches!(
        finding.category,
        Category::Security | Category::SecretExposure
    );
    if security {
        tags.push("security".to_owned());
        tags.dedup();
    }
    let mut properties = json!({ "tags": tags, "precision": precision(finding.confidence) });
    if security {
        properties["security-severity"] = severity(finding.priority).into();
    }
    properties
}

fn precision(confidence: f64) -> &'static str {
    match confidence {
        0.9.. => "very-high",
        0.7.. => "high",
        0.5.. => "medium",
        _ => "low",
    }
}

/// A CVSS score, in the middle of GitHub's "critical", "high", "medium" and "low".
fn severity(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 => "9.5",
        Priority::P1 => "8.0",
        Priority::P2 => "5.5",
        Priority::P3 => "2.0",
    }
}
