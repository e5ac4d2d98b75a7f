//! The built-in rules as data that the engine needs.

use review::Language;
use syntax::language::Grammar;

use super::overlaps::Overlaps;
use super::table::PrefilterRow;
use crate::facts::RenamedRules;
use crate::rule::yaml::Document;
use crate::rule::{Check, EvidenceTable, RatedRule, RuleInfo, Source};

/// A catalog of built-in rules.
pub struct Catalog {
    /// The rules.
    pub sources: &'static [Source],
    /// The evidence for them.
    pub evidence: EvidenceTable,
    /// The literals that the rules written in YAML require in a text, in the order of their IDs.
    pub prefilters: &'static [PrefilterRow],
    /// The ID of each rule written in YAML and its compact form for a review as JSON, in the order of the IDs.
    pub compact: &'static [(&'static str, &'static str)],
    /// The rules that were merged into another one.
    pub renamed: RenamedRules,
    /// The IDs of rules of earlier versions, one per line, sorted.
    pub removed: &'static str,
    /// The rules that report the same defect.
    pub overlaps: Overlaps,
}

/// A catalog without rules, for custom rules alone.
pub(super) static EMPTY: Catalog = Catalog::EMPTY;

impl Catalog {
    /// A catalog without rules.
    pub const EMPTY: Self = Self {
        sources: &[],
        evidence: EvidenceTable::EMPTY,
        prefilters: &[],
        compact: &[],
        renamed: RenamedRules::new(""),
        removed: "",
        overlaps: Overlaps::NONE,
    };

    /// The IDs of the rules, without reading them.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.sources.iter().map(Source::id)
    }

    /// The description of one rule, without reading the others.
    #[must_use]
    pub fn info(&self, id: &str) -> Option<RuleInfo> {
        self.describe(self.sources.iter().find(|source| source.id() == id)?)
    }

    /// The IDs of rules of earlier versions. A reference to one is outdated, not an error.
    pub fn removed_ids(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.removed.lines()
    }

    /// The current ID of a rule that had this ID before it was merged into another.
    #[must_use]
    pub fn current_id(&self, former: &str) -> Option<&'static str> {
        self.renamed.current_id(former)
    }

    /// The former IDs under which a finding of a rule may be known in a file of this language.
    pub fn former_ids<'i>(
        &self,
        current: &'i str,
        language: Option<Language>,
    ) -> impl Iterator<Item = &'static str> + use<'i> {
        self.renamed.former_ids(current, language)
    }

    /// The rules written in Rust.
    fn rules(&self) -> impl Iterator<Item = RatedRule> {
        self.sources
            .iter()
            .filter_map(|source| self.rated_rule(source))
    }

    /// The cross-file rules. A file's facts show which of them may report on it.
    pub(crate) fn of_diffs(&self) -> impl Iterator<Item = RatedRule> {
        self.rules()
            .filter(|rule| matches!(rule.check, Check::Diff { .. }))
    }

    /// The rules about other files of the repository.
    pub(crate) fn of_repositories(&self) -> impl Iterator<Item = RatedRule> {
        self.rules()
            .filter(|rule| matches!(rule.check, Check::Repository { .. }))
    }

    /// The IDs of the rules that compare old code with new.
    pub(crate) fn change_ids(&self) -> impl Iterator<Item = &'static str> {
        self.rules()
            .filter(|rule| matches!(rule.check, Check::Change { .. }))
            .map(|rule| rule.rule.id)
    }

    /// A rule written in Rust, with its confidence.
    pub(super) fn rated_rule(&self, source: &Source) -> Option<RatedRule> {
        let rule = source.rule()?;
        let confidence = self.evidence.confidence(rule.id);
        Some(RatedRule { rule, confidence })
    }

    /// A rule written in YAML, as in its file. A test reads all of them.
    pub(crate) fn document(&self, source: &Source) -> Option<Document> {
        let document = source.document().ok().flatten()?;
        let confidence = self.evidence.confidence(&document.id);
        Some(document.built_in(confidence))
    }

    /// The compact form of a rule written in YAML, for a review.
    pub(crate) fn compact_document(&self, id: &str) -> Option<Document> {
        let index = self
            .compact
            .binary_search_by(|(own, _)| (*own).cmp(id))
            .ok()?;
        let (_, json) = self.compact.get(index)?;
        Document::compact(json, self.evidence.confidence(id))
    }

    /// The literals that a rule written in YAML requires in a text of a language; `None` if it is not for that
    /// language.
    pub(super) fn prefilter(&self, id: &str, grammar: Grammar) -> Option<&'static PrefilterRow> {
        let first = self.prefilters.partition_point(|row| row.id < id);
        let mut rows = self
            .prefilters
            .iter()
            .skip(first)
            .take_while(|row| row.id == id);
        rows.find(|row| row.languages.contains(&grammar.name()))
    }

    /// The description of a rule of the catalog.
    pub(super) fn describe(&self, source: &Source) -> Option<RuleInfo> {
        let rule = self.rated_rule(source).map(RuleInfo::from);
        let info = rule.or_else(|| Some(RuleInfo::from(&self.document(source)?)))?;
        let evidence = self.evidence.find(&info.id).map(|row| row.evidence);
        Some(RuleInfo { evidence, ..info })
    }
}
