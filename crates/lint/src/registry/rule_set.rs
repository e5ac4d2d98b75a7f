//! Sets of rules that are applied together: built-in, custom, or both.

use std::fmt;
use std::sync::{Arc, OnceLock};

use syntax::language::{Grammar, ROWS};

use super::catalog::{Catalog, EMPTY};
use super::compiled::Compiled;
use super::rule_file::{Problem, RuleFile};
use super::yaml_rule::YamlRule;
use crate::rule::yaml::Document;
use crate::rule::{Check, RatedRule, RuleInfo, Source};

/// A set of rules. They are compiled for a language on its first use.
pub struct RuleSet {
    catalog: &'static Catalog,
    /// The built-in rules that no custom rule replaces.
    sources: Vec<Source>,
    /// The custom rules.
    own: Vec<Arc<Document>>,
    by_grammar: Vec<OnceLock<Compiled>>,
    without_grammar: OnceLock<Compiled>,
    infos: OnceLock<Vec<RuleInfo>>,
    /// Whether rules examine only texts and nodes that contain their words.
    by_words: bool,
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("own", &self.own.len())
            .finish_non_exhaustive()
    }
}

impl RuleSet {
    /// The rules of a catalog.
    #[must_use]
    pub fn new(catalog: &'static Catalog) -> Self {
        Self::with(catalog, catalog.sources.to_vec(), Vec::new())
    }

    /// Like [`new`](Self::new), but rules also examine texts and nodes without the words that they require. It finds
    /// the same and takes longer; tests compare both.
    #[must_use]
    pub fn without_prefilter(catalog: &'static Catalog) -> Self {
        Self {
            by_words: false,
            ..Self::new(catalog)
        }
    }

    fn with(catalog: &'static Catalog, sources: Vec<Source>, own: Vec<Arc<Document>>) -> Self {
        Self {
            catalog,
            sources,
            own,
            by_grammar: ROWS.iter().map(|_| OnceLock::new()).collect(),
            without_grammar: OnceLock::new(),
            infos: OnceLock::new(),
            by_words: true,
        }
    }

    /// The rules of these files only.
    ///
    /// # Errors
    /// All problems of the files.
    pub fn from_files(files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        Ok(Self::of(documents(files)?))
    }

    /// The rules of a catalog and those of these files, which replace built-in rules with the same ID.
    ///
    /// # Errors
    /// All problems of the files.
    pub fn with_files(catalog: &'static Catalog, files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        let own = Self::of(documents(files)?).own;
        let stays = |source: &&Source| !own.iter().any(|document| document.id == source.id());
        let sources = catalog.sources.iter().filter(stays).copied().collect();
        Ok(Self::with(catalog, sources, own))
    }

    pub(crate) fn of(documents: Vec<Document>) -> Self {
        let own = documents.into_iter().map(Arc::new).collect();
        Self::with(&EMPTY, Vec::new(), own)
    }

    /// The catalog of the built-in rules.
    #[must_use]
    pub fn catalog(&self) -> &'static Catalog {
        self.catalog
    }

    /// The descriptions of all rules, sorted by ID.
    pub fn rules(&self) -> &[RuleInfo] {
        self.infos.get_or_init(|| {
            let own = self.own.iter().map(|document| RuleInfo::from(&**document));
            let mut infos: Vec<RuleInfo> = own
                .chain(
                    self.sources
                        .iter()
                        .filter_map(|source| self.catalog.describe(source)),
                )
                .collect();
            infos.sort_by(|a, b| a.id.cmp(&b.id));
            infos
        })
    }

    /// The description of one rule.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&RuleInfo> {
        self.rules().iter().find(|info| info.id == id)
    }

    /// The IDs of all rules, without reading the built-in ones.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        let own = self.own.iter().map(|document| document.id.as_str());
        own.chain(self.sources.iter().map(|source| source.id()))
    }

    pub(crate) fn knows(&self, id: &str) -> bool {
        self.ids().any(|known| known == id)
    }

    /// The node kinds that a language parses the patterns of a custom rule as.
    pub(crate) fn patterns(&self, id: &str, grammar: Grammar) -> Vec<String> {
        let own = self
            .own
            .iter()
            .find(|document| document.id == id && document.is_for(grammar));
        own.map(|document| {
            document
                .patterns(grammar)
                .into_iter()
                .map(|pattern| pattern.outline)
                .collect()
        })
        .unwrap_or_default()
    }

    /// The rules for a language.
    pub(crate) fn compiled(&self, grammar: Option<Grammar>) -> &Compiled {
        match grammar.and_then(|grammar| Some((grammar, self.by_grammar.get(grammar.index())?))) {
            Some((grammar, slot)) => slot.get_or_init(|| self.compile(grammar)),
            None => self.without_grammar.get_or_init(|| self.for_plain_text()),
        }
    }

    fn compile(&self, grammar: Grammar) -> Compiled {
        let sources = || {
            self.sources
                .iter()
                .filter(|source| source.is_in_folder_of(grammar))
        };
        let is_for =
            |languages: &[&str]| languages.is_empty() || languages.contains(&grammar.name());
        let rules = sources()
            .filter_map(|source| self.catalog.rated_rule(source))
            .filter(|rule| is_for(rule.languages));
        let builtin =
            sources().filter_map(|source| YamlRule::built_in(self.catalog, *source, grammar));
        let custom = self
            .own
            .iter()
            .filter_map(|document| YamlRule::custom(document, grammar));
        Compiled::new(
            grammar,
            rules,
            builtin.chain(custom).collect(),
            self.by_words,
        )
    }

    fn for_plain_text(&self) -> Compiled {
        let rules = self
            .sources
            .iter()
            .filter_map(|source| self.catalog.rated_rule(source));
        let is_for_text = |check: &Check| {
            matches!(
                check,
                Check::Text { .. }
                    | Check::Unparsable { .. }
                    | Check::Suppression { .. }
                    | Check::Repository { .. }
            )
        };
        Compiled::of_text(
            rules.filter(|rule: &RatedRule| is_for_text(&rule.check) && rule.languages.is_empty()),
        )
    }
}

fn documents(files: &[RuleFile]) -> Result<Vec<Document>, Vec<Problem>> {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match file.placed() {
            Ok(rules) => documents.extend(rules.into_iter().map(|placed| placed.document)),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        Ok(documents)
    } else {
        Err(problems)
    }
}
