//! What a change breaks in files that it does not touch: connects the breaks of changed files with the uses in others.
//!
//! Nothing is parsed here: both sides are facts.

use std::collections::BTreeMap;

use review::repository::{MAX_NAMES, MentionSearch};
use review::{Candidate, Side, Warning};

use super::modules::{Modules, extensions};
use crate::facts::{Borrowed, Break, Breaks, Facts, ReportFilter};
use crate::registry::RuleSet;
use crate::rule::Check;

/// What files around the change use, by their paths.
pub(super) type Uses = BTreeMap<String, Vec<Borrowed>>;

/// What to search for; `None` if nothing that could be found is broken. The flag tells whether there are more names.
pub(super) fn search(changed: &[Breaks]) -> Option<(MentionSearch, bool)> {
    let mut search = MentionSearch::default();
    let mut is_cut = false;
    for file in changed {
        let extensions = extensions(&file.path);
        for one in file.breaks.iter().filter(|_| !extensions.is_empty()) {
            if search.names.contains(&one.name) {
                continue;
            }
            if search.names.len() == MAX_NAMES {
                is_cut = true;
                break;
            }
            search.names.push(one.name.clone());
        }
        search.extensions.extend(extensions);
    }
    search.extensions.sort_unstable();
    search.extensions.dedup();
    (!search.names.is_empty()).then_some((search, is_cut))
}

/// The findings, and warnings about those that comments suppress.
pub(super) fn conclude(
    changed: &[Breaks],
    uses: &Uses,
    paths: &[String],
) -> (Vec<Candidate>, Vec<Warning>) {
    let modules = Modules::new(paths.iter().chain(uses.keys()).map(String::as_str));
    let settings: Vec<Facts> = changed.iter().map(Breaks::settings).collect();
    let mut report_filter = ReportFilter::new(&settings);
    // Comments are on the new side.
    let without_comments: Vec<Facts> = settings
        .iter()
        .map(|own| Facts {
            ignored: Vec::new(),
            ..own.clone()
        })
        .collect();
    let mut rule_filter = ReportFilter::new(&without_comments);
    let mut found = Vec::new();
    for file in changed {
        for one in &file.breaks {
            let used = used(file, one, uses, &modules);
            if used.is_empty() || modules.has_module(&file.path, &one.name) {
                continue;
            }
            for rule in RuleSet::of_repositories() {
                let Check::Repository { run } = rule.check else {
                    continue;
                };
                let Some(broken) = run(one, &used) else {
                    continue;
                };
                let mut candidate =
                    rule.meta()
                        .candidate(file.file, one.side, one.line, &broken.summary);
                candidate.references = broken.references;
                found.push(candidate);
            }
        }
    }
    let (mut removed, mut found): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|one: &Candidate| one.side == Side::Old);
    rule_filter.filter(&mut removed);
    report_filter.filter(&mut found);
    found.append(&mut removed);
    let warnings = report_filter.warnings().collect();
    (found, warnings)
}

/// The uses of a broken name in other files, by path.
fn used(file: &Breaks, one: &Break, uses: &Uses, modules: &Modules<'_>) -> Vec<(String, Borrowed)> {
    let others = uses.iter().filter(|(path, _)| **path != file.path);
    let all = others.flat_map(|(path, borrowed)| borrowed.iter().map(move |own| (path, own)));
    let means = |path: &str, own: &Borrowed| {
        own.name == one.name
            && modules.means(path, &own.module, own.way, one.is_one_object, &file.path)
    };
    all.filter(|(path, own)| means(path, own))
        .map(|(path, own)| (path.clone(), own.clone()))
        .collect()
}
