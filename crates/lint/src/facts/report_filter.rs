//! Filters cross-file findings: the rule must be enabled for the file and not suppressed by a comment.

use std::collections::{BTreeMap, HashMap, HashSet};

use review::{Candidate, Side, Suppression, Warning, WarningCode};

use crate::facts::Facts;

/// The rule settings of one file.
#[derive(Default)]
struct File<'a> {
    path: &'a str,
    rules: HashSet<&'a str>,
    /// The covered lines and rules, with the comment unless it is the base's.
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
            for own in &own.ignored {
                let comment = own.suppression.as_ref();
                // A single comment of the base is enough.
                file.ignored
                    .entry((own.line, own.rule.as_str()))
                    .and_modify(|known| *known = known.and(comment))
                    .or_insert(comment);
            }
        }
        Self {
            files,
            off: BTreeMap::new(),
        }
    }

    /// Removes findings that are disabled or suppressed, and counts those suppressed by comments. Those suppressed only
    /// by comments of the change are marked instead. Comments are on the new side: none covers a removed line.
    pub(crate) fn filter(&mut self, found: &mut Vec<Candidate>) {
        found.retain_mut(|candidate| {
            let Some(file) = self.files.get(&candidate.file) else {
                return false;
            };
            let rule = candidate.rule_id().unwrap_or_default();
            if !file.rules.contains(rule) {
                return false;
            }
            let comment = file
                .ignored
                .get(&(candidate.line, rule))
                .filter(|_| candidate.side == Side::New);
            let Some(comment) = comment else { return true };
            *self.off.entry(file.path).or_default() += 1;
            candidate.suppression = comment.cloned();
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
