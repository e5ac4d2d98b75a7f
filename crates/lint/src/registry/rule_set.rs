//! Sets of rules that are applied together: built-in, custom, or both.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use review::Language;

use super::compiled::Compiled;
use super::rule_file::{Problem, RuleFile};
use super::yaml_rule::YamlRule;
use crate::facts;
use crate::language::{Grammar, ROWS};
use crate::rule::yaml::Document;
use crate::rule::{Check, Rule, RuleInfo, Source};
use crate::rules::SOURCES;

/// A set of rules. They are compiled for a language on its first use.
pub struct RuleSet {
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
    pub(crate) fn new(sources: Vec<Source>, own: Vec<Arc<Document>>) -> Self {
        Self {
            sources,
            own,
            by_grammar: ROWS.iter().map(|_| OnceLock::new()).collect(),
            without_grammar: OnceLock::new(),
            infos: OnceLock::new(),
            by_words: true,
        }
    }

    /// The built-in rules.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<RuleSet> =
            LazyLock::new(|| RuleSet::new(SOURCES.to_vec(), Vec::new()));
        &BUILTIN
    }

    /// The rules of these files alone.
    ///
    /// # Errors
    /// All problems of the files.
    pub fn from_files(files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        Ok(Self::of(documents(files)?))
    }

    /// The built-in rules and those of these files, which replace built-in rules with the same ID.
    ///
    /// # Errors
    /// All problems of the files.
    pub fn builtin_and(files: &[RuleFile]) -> Result<Self, Vec<Problem>> {
        let own = Self::of(documents(files)?).own;
        let stays = |source: &&Source| !own.iter().any(|document| document.id == source.id());
        let sources = SOURCES.iter().filter(stays).copied().collect();
        Ok(Self::new(sources, own))
    }

    pub(crate) fn of(documents: Vec<Document>) -> Self {
        Self::new(Vec::new(), documents.into_iter().map(Arc::new).collect())
    }

    /// The description of one built-in rule, without reading the others.
    #[must_use]
    pub fn builtin_info(id: &str) -> Option<RuleInfo> {
        SOURCES.iter().find(|source| source.id() == id)?.info()
    }

    /// The IDs of the built-in rules, without reading them.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        SOURCES.iter().map(Source::id)
    }

    /// The IDs of built-in rules of earlier versions. A reference to one is outdated, not an error.
    pub fn removed_ids() -> impl Iterator<Item = &'static str> {
        include_str!("../rules/removed.txt").lines()
    }

    /// The current ID of a rule that had this one before it became part of another.
    #[must_use]
    pub fn current_id(former: &str) -> Option<&'static str> {
        facts::former::current_id(former)
    }

    /// The former IDs under which a finding of a rule in a file of this language may be known.
    pub fn former_ids<'i>(
        current: &'i str,
        language: Option<Language>,
    ) -> impl Iterator<Item = &'static str> + use<'i> {
        facts::former::former_ids(current, language)
    }

    /// The cross-file rules. A file's facts tell which of them may report on it.
    pub(crate) fn of_diffs() -> impl Iterator<Item = &'static Rule> {
        SOURCES
            .iter()
            .filter_map(Source::rule)
            .filter(|rule| matches!(rule.check, Check::Diff { .. }))
    }

    /// The rules about other files of the repository.
    pub(crate) fn of_repositories() -> impl Iterator<Item = &'static Rule> {
        SOURCES
            .iter()
            .filter_map(Source::rule)
            .filter(|rule| matches!(rule.check, Check::Repository { .. } | Check::Import { .. }))
    }

    /// The IDs of the built-in rules that compare old code with new.
    pub(crate) fn change_ids() -> impl Iterator<Item = &'static str> {
        let rules = SOURCES.iter().filter_map(Source::rule);
        rules
            .filter(|rule| matches!(rule.check, Check::Change { .. }))
            .map(|rule| rule.id)
    }

    /// The descriptions of all rules, sorted by ID.
    pub fn rules(&self) -> &[RuleInfo] {
        self.infos.get_or_init(|| {
            let own = self.own.iter().map(|document| RuleInfo::from(&**document));
            let mut infos: Vec<RuleInfo> = own
                .chain(self.sources.iter().filter_map(Source::info))
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

    /// What a language parses the patterns of a custom rule as.
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
            .filter_map(Source::rule)
            .filter(|rule| is_for(rule.languages));
        let builtin = sources().filter_map(|source| YamlRule::built_in(*source, grammar));
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
        let rules = self.sources.iter().filter_map(Source::rule);
        let is_for_text =
            |check: &Check| matches!(check, Check::Text { .. } | Check::Suppression { .. });
        Compiled::of_text(
            rules.filter(|rule| is_for_text(&rule.check) && rule.languages.is_empty()),
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

#[cfg(test)]
mod tests {
    use review::Language;

    use super::{Grammar, RuleSet, SOURCES};
    use crate::scan::testing;

    #[test]
    fn rules_report_exactly_the_marked_lines() {
        let set = RuleSet::builtin();
        let failures: Vec<String> = set
            .rules()
            .iter()
            .flat_map(|info| testing::check(set, info))
            .collect();
        assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    }

    #[test]
    fn rules_have_short_titles_advice_and_two_examples_of_each_kind() {
        let mut faults = Vec::new();
        for rule in RuleSet::builtin().rules() {
            let checks = [
                (
                    rule.title.chars().count() <= 60,
                    "the title is longer than 60 characters",
                ),
                (!rule.why.trim().is_empty(), "`why` is empty"),
                (!rule.fix.trim().is_empty(), "`fix` is empty"),
                (
                    rule.positive.len() >= 2,
                    "there are fewer than two positive examples",
                ),
                (
                    rule.negative.len() >= 2,
                    "there are fewer than two negative examples",
                ),
            ];
            faults.extend(
                checks
                    .iter()
                    .filter(|(good, _)| !good)
                    .map(|(_, what)| format!("{}: {what}", rule.id)),
            );
        }
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    #[test]
    fn the_literal_prefilter_changes_no_finding() {
        let set = RuleSet::builtin();
        let all = RuleSet {
            by_words: false,
            ..RuleSet::new(SOURCES.to_vec(), Vec::new())
        };
        let mut examples = 0;
        for info in set.rules() {
            for text in info.positive.iter().chain(&info.negative) {
                for file in testing::files(info, text) {
                    examples += 1;
                    let limits = crate::Limits::default();
                    let (with, without) = (
                        crate::scan(&file, set, &limits),
                        crate::scan(&file, &all, &limits),
                    );
                    assert_eq!(with, without, "an example of {}:\n{text}", info.id);
                }
            }
        }
        assert!(examples > 1_000, "{examples}");
    }

    #[test]
    fn removed_rules_do_not_exist_and_are_listed_once() {
        let ids: Vec<&str> = RuleSet::removed_ids().collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
        let returned = RuleSet::builtin_ids().filter(|id| ids.contains(id));
        assert_eq!(returned.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn former_ids_are_sorted_and_lead_to_rules_that_exist() {
        let former: Vec<&str> = crate::facts::former::renamed().map(|(id, _)| id).collect();
        assert!(former.is_sorted_by(|a, b| a < b), "{former:?}");
        for (id, current) in crate::facts::former::renamed() {
            assert!(
                RuleSet::builtin_ids().any(|known| known == current),
                "{current}"
            );
            assert!(RuleSet::builtin_ids().all(|known| known != id), "{id}");
            assert!(RuleSet::removed_ids().all(|removed| removed != id), "{id}");
        }
    }

    #[test]
    fn a_former_id_counts_in_its_own_language() {
        let ids = |language: &str| {
            let language = Language::find(language).unwrap();
            RuleSet::former_ids("any/sql-injection", Some(language)).collect::<Vec<_>>()
        };
        assert_eq!(ids("Python"), ["python/sql-text-with-value"]);
        assert_eq!(ids("Go"), Vec::<&str>::new());
        assert_eq!(
            RuleSet::current_id("python/sql-text-with-value"),
            Some("any/sql-injection")
        );
        assert_eq!(RuleSet::current_id("any/sql-injection"), None);
    }

    #[test]
    fn rules_can_be_compiled_for_all_their_languages() {
        let set = RuleSet::builtin();
        let problems =
            Grammar::all().flat_map(|grammar| set.compiled(Some(grammar)).problems(grammar));
        assert_eq!(problems.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
