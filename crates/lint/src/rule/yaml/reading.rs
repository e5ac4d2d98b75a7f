//! Reads a rule from the tree of its file, or lists all problems.

use std::collections::{BTreeMap, HashMap, HashSet};

use ast_grep_config::{SerializableRule, SerializableRuleCore, Transformation};
use review::{Language, Versions};
use serde::Deserialize;
use syntax::language::Grammar;

use super::document::Document;
use super::literal_prefilter::RuleOutline;
use super::object;
use super::value::{At, ReadError, Value, Yaml};
use crate::rule::reference::is_reference;

/// Every property that a rule may have.
const PROPERTIES: &[&str] = &[
    "id", "languages", "title", "summary", "why", "fix", "references", "priority", "category",
    "confidence", "tests", "report", "replace", "rule", "constraints", "types", "versions",
    "utils", "transform", "positive", "negative",
];

/// ast-grep's names for our properties, and ast-grep's properties that a review does not need.
const OF_AST_GREP: &[(&str, &str)] = &[
    ("language", "write `languages: [Python]`"),
    ("message", "write `summary`"),
    ("severity", "write `priority`: P0, P1, P2 or P3"),
    ("note", "write `why`"),
    ("files", "configure where a rule applies in .hunkwise.toml"),
    (
        "ignores",
        "configure where a rule applies in .hunkwise.toml",
    ),
    ("rewriters", "a review does not change code"),
    ("labels", "name the variable to report in `report`"),
    ("metadata", "leave it out"),
    ("url", "leave it out"),
];

/// The default confidence of a custom rule.
const CONFIDENCE: f32 = 0.8;

/// A text, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    pub(super) fn into_list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::More(texts) => texts,
        }
    }
}

/// The properties of one rule, and the problems so far.
struct Properties<'y> {
    yaml: &'y Yaml,
    faults: Vec<ReadError>,
}

impl Document {
    /// Parses a text with a single rule.
    ///
    /// # Errors
    /// All problems, one per line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let line =
            |fault: &ReadError| format!("{}:{}: {}", fault.at.line, fault.at.column, fault.message);
        let lines = |faults: Vec<ReadError>| faults.iter().map(line).collect::<Vec<_>>().join("\n");
        match Yaml::documents(text)
            .map_err(|fault| line(&fault))?
            .as_slice()
        {
            [rule] => Self::read(rule).map_err(lines),
            documents => Err(format!("expected one rule, not {}", documents.len())),
        }
    }

    /// Reads a rule from a part of a file.
    ///
    /// # Errors
    /// All problems, in file order.
    pub(crate) fn read(yaml: &Yaml) -> Result<Self, Vec<ReadError>> {
        let mut properties = Properties {
            yaml,
            faults: Vec::new(),
        };
        let document = properties.document();
        properties.reject_unknown();
        match document {
            Some(document) if properties.faults.is_empty() => Ok(document),
            _ => Err(properties.faults),
        }
    }
}

impl<'y> Properties<'y> {
    fn document(&mut self) -> Option<Document> {
        if !matches!(self.yaml.value, Value::Map(_)) {
            self.fault(
                self.yaml.at,
                format!(
                    "a rule is a mapping (`id: …`), not {}",
                    self.yaml.type_name()
                ),
            );
            return None;
        }
        let (id, languages) = (self.required("id"), self.languages());
        let (title, summary) = (self.required("title"), self.required("summary"));
        let (priority, category) = (self.required("priority"), self.required("category"));
        let (why, fix) = (self.optional("why"), self.optional("fix"));
        let (confidence, tests, report) = (
            self.confidence(),
            self.optional("tests"),
            self.optional("report"),
        );
        let (positive, negative) = (self.optional("positive"), self.optional("negative"));
        let references = self.references();
        let replace: Option<OneOrMore> = self.optional("replace");
        let types: Option<BTreeMap<String, Vec<String>>> = self.optional("types");
        let versions: Option<Versions> = self.optional("versions");
        let core = self.core();
        let id: String = id?;
        self.check_id(&id);
        Some(Document {
            id,
            languages: languages?,
            title: title?,
            summary: summary?,
            why: why.unwrap_or_default(),
            fix: fix.unwrap_or_default(),
            references: references.unwrap_or_default(),
            priority: priority?,
            category: category?,
            confidence: confidence.unwrap_or(CONFIDENCE),
            is_custom: true,
            tests: tests.unwrap_or_default(),
            report,
            replace: replace.map(OneOrMore::into_list).unwrap_or_default(),
            types: types.unwrap_or_default(),
            versions: versions.unwrap_or_default(),
            shape: self.yaml.get("rule").map(RuleOutline::of)?,
            core: core?,
            positive: positive.unwrap_or_default(),
            negative: negative.unwrap_or_default(),
        })
    }

    fn fault(&mut self, at: At, message: impl Into<String>) {
        self.faults.push(ReadError {
            at,
            message: message.into(),
        });
    }

    fn required<T: Deserialize<'y>>(&mut self, name: &str) -> Option<T> {
        if self.yaml.get(name).is_none() {
            self.fault(self.yaml.at, format!("`{name}` is missing"));
        }
        self.optional(name)
    }

    fn optional<T: Deserialize<'y>>(&mut self, name: &str) -> Option<T> {
        match self.yaml.get(name)?.read() {
            Ok(value) => Some(value),
            Err(ReadError { at, message }) => {
                self.fault(at, format!("`{name}`: {message}"));
                None
            }
        }
    }

    fn check_id(&mut self, id: &str) {
        let at = self.yaml.get("id").map_or(self.yaml.at, |value| value.at);
        if !is_id(id) {
            let form =
                "expected folder/name-of-the-pattern in lower-case letters, digits and hyphens";
            self.fault(at, format!("`id`: {form}, such as acme/raw-query"));
        }
    }

    fn languages(&mut self) -> Option<Vec<String>> {
        let names: Vec<String> = self.required("languages")?;
        let list = self.yaml.get("languages")?;
        if names.is_empty() {
            self.fault(list.at, "`languages`: name at least one");
        }
        for (name, item) in names.iter().zip(list.items()) {
            if Grammar::find(name).is_none() {
                self.fault(
                    item.at,
                    format!(
                        "`languages`: there is no grammar for {name:?}{}",
                        known_language(name)
                    ),
                );
            }
        }
        Some(names)
    }

    fn references(&mut self) -> Option<Vec<String>> {
        let references: Vec<String> = self.optional("references")?;
        let items = self.yaml.get("references").map_or(&[][..], Yaml::items);
        for (reference, item) in references
            .iter()
            .zip(items)
            .filter(|(reference, _)| !is_reference(reference))
        {
            self.fault(
                item.at,
                format!("`references`: {reference:?} is neither `CWE-89` nor an https address"),
            );
        }
        Some(references)
    }

    fn confidence(&mut self) -> Option<f32> {
        let confidence: f32 = self.optional("confidence")?;
        if !(confidence > 0.0 && confidence <= 1.0) {
            let at = self
                .yaml
                .get("confidence")
                .map_or(self.yaml.at, |value| value.at);
            self.fault(at, "`confidence`: expected a number above 0 and up to 1");
        }
        Some(confidence)
    }

    /// The part that ast-grep builds a matcher from.
    fn core(&mut self) -> Option<SerializableRuleCore> {
        let before = self.faults.len();
        let rule = self.yaml.get("rule");
        match rule {
            Some(rule) => object::check(rule, &mut self.faults),
            None => self.fault(self.yaml.at, "`rule` is missing"),
        }
        for name in ["constraints", "utils"] {
            for (_, rule) in self.yaml.get(name).map_or(&[][..], Yaml::entries) {
                object::check(rule, &mut self.faults);
            }
        }
        if self.faults.len() > before {
            return None;
        }
        let rule: Option<SerializableRule> = self.optional("rule");
        let constraints: Option<HashMap<String, SerializableRule>> = self.optional("constraints");
        let utils: Option<HashMap<String, SerializableRule>> = self.optional("utils");
        let transform: Option<HashMap<String, Transformation>> = self.optional("transform");
        Some(SerializableRuleCore {
            rule: rule?,
            constraints,
            utils,
            transform,
        })
    }

    fn reject_unknown(&mut self) {
        let mut seen = HashSet::new();
        for (key, _) in self.yaml.entries() {
            if !PROPERTIES.contains(&key.name.as_str()) && seen.insert(key.name.as_str()) {
                let advice = OF_AST_GREP.iter().find(|(name, _)| *name == key.name);
                let advice = advice.map_or_else(
                    || object::suggestion(&key.name, PROPERTIES),
                    |(_, advice)| format!(": {advice}"),
                );
                self.faults.push(ReadError {
                    at: key.at,
                    message: format!("unknown property `{}`{advice}", key.name),
                });
            }
        }
        self.faults.sort_by_key(|fault| fault.at);
    }
}

/// `folder/name-of-the-pattern`.
pub(crate) fn is_id(id: &str) -> bool {
    let is_name = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    id.len() <= 100 && id.split('/').count() == 2 && id.split('/').all(is_name)
}

fn known_language(name: &str) -> String {
    let known = |language: &Language| Grammar::find(language.name()).is_some();
    if let Some(language) = Language::find(name).filter(known) {
        return format!("; write {:?}", language.name());
    }
    let names: Vec<&str> = Grammar::all().map(Grammar::name).collect();
    match object::suggestion(name, &names) {
        none if none.is_empty() => format!("; there is one for {}", names.join(", ")),
        near => near,
    }
}
