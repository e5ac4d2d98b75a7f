//! Applies a repository's configuration to files and findings.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use lint::custom::{Problem, RuleFile};
use review::output::Gate;
use review::output::json::{FindingBody, ReviewBody, WarningBody};
use review::{
    Diff, Event, Filter, LOWERED_IN_TEST_CODE, Language, Priority, RuleId, Side, Warning,
    WarningCode,
};

use super::config::{self, Config, Entry};
use super::nearest::nearest;
use super::rules::Found;

/// Maximum number of unknown rules that are reported together, because finding similar names takes time.
const MAX_UNKNOWN: usize = 50;

/// A configuration in force.
#[derive(Debug, Clone, Default)]
pub(crate) struct Policy(Arc<Config>);

/// The number of suppressed findings by rule.
type Suppressed = BTreeMap<String, usize>;

impl Policy {
    /// Reads the text of a configuration file and checks it against the existing rules and their files.
    ///
    /// # Errors
    /// All faults, in the order of lines.
    pub(super) fn read(
        file: &str,
        text: &str,
        found: &Found,
        rules: &[RuleFile],
    ) -> Result<Self, Vec<Problem>> {
        let (config, mut problems) = config::parse(file, text);
        // An unknown name may belong to a rule that could not be read.
        let is_unread = |entry: &Entry| {
            let is_named = || rules.iter().any(|file| file.text.contains(&entry.name));
            !found.problems.is_empty() && (entry.pattern.is_some() || is_named())
        };
        let is_known =
            |entry: &Entry| found.ids().any(|id| entry.is_for(id)) || is_for_removed(entry);
        let strangers = config
            .rules
            .iter()
            .filter(|entry| !is_known(entry) && !is_unread(entry));
        problems.extend(
            strangers
                .take(MAX_UNKNOWN)
                .map(|entry| unknown(file, entry, found)),
        );
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if problems.is_empty() {
            Ok(Self(Arc::new(config)))
        } else {
            Err(problems)
        }
    }

    /// The names in the file that match only removed rules, and so have no effect.
    pub(super) fn removed(&self, found: &Found) -> Vec<&str> {
        let is_idle = |entry: &&Entry| {
            entry.current_id().is_none()
                && is_for_removed(entry)
                && !found.ids().any(|id| entry.is_for(id))
        };
        self.0
            .rules
            .iter()
            .filter(is_idle)
            .map(|entry| entry.name.as_str())
            .collect()
    }

    /// The former IDs in the file, with the current ones.
    pub(super) fn renamed(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.0
            .rules
            .iter()
            .filter_map(|entry| Some((entry.name.as_str(), entry.current_id()?)))
    }

    /// The minimum confidence, if set in the file.
    pub(crate) fn min_confidence(&self) -> Option<f32> {
        self.0.min_confidence
    }

    /// Which findings fail a run, if set in the file.
    pub(crate) fn fail_on(&self) -> Option<Gate> {
        self.0.fail_on
    }

    /// The guidelines for reviewers, if set in the file.
    pub(crate) fn guidelines(&self) -> Option<&str> {
        self.0.guidelines.as_deref()
    }

    /// Removes ignored files, with a warning for each, and marks the others as test code or not where the file declares
    /// it.
    pub(crate) fn cut(&self, diff: &mut Diff<'_>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for file in &mut diff.files {
            file.is_test = self.0.is_test(file.path());
        }
        diff.files.retain(|file| {
            let ignored = self.0.ignore.contain(file.path());
            let old = file.path_on(Side::Old);
            if ignored {
                warnings.push(ignored_file(file.path()));
            } else if old != file.path() && self.0.ignore.contain(old) {
                let message = "its unchanged lines were not reviewed: .hunkwise.toml ignores the old name of the file; `git diff \
                               --no-renames` shows them";
                warnings.push(Warning::file(WarningCode::FilePartlyAnalyzed, file.path(), message));
            }
            !ignored
        });
        warnings
    }

    /// A filter that withholds the findings that this configuration disables, and sets the priority of the others.
    pub(crate) fn filter(&self, diff: &Diff<'_>) -> PolicyFilter {
        let paths = diff
            .files
            .iter()
            .map(|file| file.path().to_owned())
            .collect();
        PolicyFilter {
            policy: self.clone(),
            paths,
            suppressed: Mutex::default(),
        }
    }

    /// Applies to a finished review what the filter would have done during it.
    pub(crate) fn apply(&self, body: &mut ReviewBody, diff: &mut Diff<'_>) {
        let mut suppressed = Suppressed::new();
        let ignored = self.cut(diff);
        let mut is_wanted = |finding: &mut FindingBody| {
            let rule = finding.rule_id.as_deref();
            if let Some(priority) = self.priority(rule, &finding.file_path) {
                finding.priority = priority;
                if let Some(summary) = finding.summary.strip_suffix(LOWERED_IN_TEST_CODE) {
                    finding.summary = summary.to_owned();
                }
            }
            !self.0.ignore.contain(&finding.file_path)
                && self.keeps(rule, &finding.file_path, &mut suppressed)
        };
        body.findings.retain_mut(&mut is_wanted);
        body.metadata.suppressed_findings.retain_mut(&mut is_wanted);
        // The order within a priority is preserved.
        body.findings.sort_by_key(|finding| finding.priority);
        body.metadata
            .warnings
            .splice(0..0, ignored.iter().map(WarningBody::from));
        body.metadata
            .warnings
            .extend(warning(&suppressed).as_ref().map(WarningBody::from));
    }

    /// The priority of a rule's findings, if set in the file.
    fn priority(&self, rule: Option<&str>, path: &str) -> Option<Priority> {
        self.ask(rule?, path, |entry| entry.priority)
    }

    /// Whether a finding of a rule in a file is enabled.
    fn keeps(&self, rule: Option<&str>, path: &str, suppressed: &mut Suppressed) -> bool {
        let Some(rule) = rule else { return true };
        let wanted = self.ask(rule, path, |entry| entry.enabled).unwrap_or(true)
            && self
                .ask(rule, path, |entry| entry.paths.as_ref())
                .is_none_or(|paths| paths.contain(path))
            && !self
                .ask(rule, path, |entry| entry.ignore.as_ref())
                .is_some_and(|ignore| ignore.contain(path));
        if !wanted {
            *suppressed.entry(rule.to_owned()).or_default() += 1;
        }
        wanted
    }

    /// The most specific value that the entries for a rule have.
    fn ask<'p, T>(
        &'p self,
        rule: &str,
        path: &str,
        what: impl Fn(&'p Entry) -> Option<T>,
    ) -> Option<T> {
        let language = || Language::of_path(path, String::new);
        let is_for = |entry: &&Entry| {
            entry.is_for(rule)
                || entry.current_id().is_some_and(|current| current == rule)
                    && rules::catalog()
                        .former_ids(rule, language())
                        .any(|former| former == entry.name)
        };
        self.0.rules.iter().rev().filter(is_for).find_map(what)
    }
}

/// Filters findings by a repository's configuration, before equivalent ones are merged.
pub(crate) struct PolicyFilter {
    policy: Policy,
    /// The paths of the diff's files, by index.
    paths: Vec<String>,
    suppressed: Mutex<Suppressed>,
}

impl Filter for PolicyFilter {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        let Event::Found(mut candidate) = event else {
            return Some(event);
        };
        let path = self.paths.get(candidate.file).map_or("", String::as_str);
        let rule = candidate.origin.rule().map(RuleId::as_str);
        let mut suppressed = self
            .suppressed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let wanted = self.policy.keeps(rule, path, &mut suppressed);
        if let Some(priority) = self.policy.priority(rule, path) {
            candidate.priority = priority;
            candidate.lowered_in_test_code = false;
        }
        wanted.then_some(Event::Found(candidate))
    }

    fn warnings(&self) -> Vec<Warning> {
        warning(
            &self
                .suppressed
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
        .into_iter()
        .collect()
    }
}

/// The warning about suppressed findings, with their number and rules.
fn warning(suppressed: &Suppressed) -> Option<Warning> {
    let names: Vec<String> = suppressed
        .iter()
        .map(|(rule, count)| format!("{rule} ({count})"))
        .collect();
    let findings = match suppressed.values().sum() {
        0 => return None,
        1 => "1 finding was".to_owned(),
        n => format!("{n} findings were"),
    };
    let message = format!(
        "{findings} suppressed by .hunkwise.toml: {}",
        names.join(", ")
    );
    Some(Warning::review(WarningCode::FindingsSuppressed, message))
}

fn is_for_removed(entry: &Entry) -> bool {
    entry.current_id().is_some() || rules::catalog().removed_ids().any(|id| entry.is_for(id))
}

fn unknown(file: &str, entry: &Entry, found: &Found) -> Problem {
    let near = nearest(&entry.name, found.ids());
    let message = match near.as_slice() {
        _ if entry.pattern.is_some() => format!(
            "{:?} matches no rule; `hunkwise rules list` shows all",
            entry.name
        ),
        [] => format!(
            "there is no rule {:?}; `hunkwise rules list` shows all",
            entry.name
        ),
        near => format!(
            "there is no rule {:?}; did you mean {}?",
            entry.name,
            near.join(" or ")
        ),
    };
    Problem {
        file: file.to_owned(),
        line: entry.line,
        column: entry.column,
        message,
    }
}

pub(super) fn ignored_file(path: &str) -> Warning {
    Warning::file(
        WarningCode::FileSkippedIgnored,
        path,
        "not reviewed: ignored in .hunkwise.toml",
    )
}
