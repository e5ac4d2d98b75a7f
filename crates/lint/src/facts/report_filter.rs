//! Filters cross-file findings: the rule must be enabled for the file and not suppressed by a comment.

use std::collections::{BTreeMap, HashMap, HashSet};

use review::{Candidate, Suppression, Warning, WarningCode};

use crate::facts::Facts;

/// The rule settings of one file.
#[derive(Default)]
struct File<'a> {
    path: &'a str,
    rules: HashSet<&'a str>,
    ignored: HashMap<(u32, &'a str), Option<&'a Suppression>>,
}

/// The rule settings of all files.
pub(crate) struct ReportFilter<'a> {
    files: HashMap<usize, File<'a>>,
    /// The number of suppressed findings, by path.
    off: BTreeMap<&'a str, usize>,
}

impl<'a> ReportFilter<'a> {
    pub(crate) fn new(facts: &'a [Facts]) -> Self {
        let mut files: HashMap<usize, File<'_>> = HashMap::new();
        for own in facts {
            let file = files.entry(own.file).or_default();
            file.path = &own.path;
            file.rules
                .extend(own.rules.iter().map(|rule| rule.id.as_str()));
            file.ignored.extend(
                own.ignored
                    .iter()
                    .map(|own| ((own.line, own.rule.as_str()), own.suppression.as_ref())),
            );
        }
        Self {
            files,
            off: BTreeMap::new(),
        }
    }

    /// Removes findings that are disabled or suppressed, and counts those suppressed by comments. Those suppressed only
    /// by comments that the change adds are marked instead.
    pub(crate) fn filter(&mut self, found: &mut Vec<Candidate>) {
        found.retain_mut(|candidate| {
            let Some(file) = self.files.get(&candidate.file) else {
                return false;
            };
            let rule = candidate.rule_id().unwrap_or_default();
            if !file.rules.contains(rule) {
                return false;
            }
            let above = candidate.line.checked_sub(1);
            let lines = [Some(candidate.line), above].into_iter().flatten();
            let comments: Vec<_> = lines
                .filter_map(|line| file.ignored.get(&(line, rule)).copied())
                .collect();
            if comments.is_empty() {
                return true;
            }
            *self.off.entry(file.path).or_default() += 1;
            // A single comment that existed before the change is enough.
            let added: Option<Vec<&Suppression>> = comments.into_iter().collect();
            candidate.suppression = added.and_then(|added| added.first().copied().cloned());
            candidate.suppression.is_some()
        });
    }

    /// A warning about suppressed findings for each file.
    pub(crate) fn warnings(self) -> impl Iterator<Item = Warning> {
        self.off.into_iter().map(|(path, count)| {
            let plural = if count == 1 {
                "finding was"
            } else {
                "findings were"
            };
            let message =
                format!("{count} {plural} across files suppressed by comments in the code.");
            Warning::file(WarningCode::FindingsSuppressed, path, message)
        })
    }
}
