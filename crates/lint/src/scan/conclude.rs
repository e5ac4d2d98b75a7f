//! The final, cross-file analysis, from the files' facts alone.
//!
//! It is linear in the facts and draws from the budget of the answer. When that ends, the findings so far are returned with a
//! warning about the rest.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use review::{Budget, Candidate, Shortlist, Spent, Warning, WarningCode};

use crate::facts::{Facts, Namesakes, ReportFilter, drop_moved, drop_removed, hash, is_changed};
use crate::registry::RuleSet;
use crate::rule::{Check, DiffSink};

/// Maximum number of cross-file findings of one diff.
const FINDINGS: usize = 5_000;

/// The result of the cross-file analysis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conclusion {
    /// The remaining single-file findings and the cross-file ones.
    pub candidates: Vec<Candidate>,
    /// Warnings about skipped work.
    pub warnings: Vec<Warning>,
    /// The number of findings of lower rank that were dropped because of the limit.
    pub cut: usize,
}

/// Combines the facts of all files: drops findings that another file's facts refute, and adds cross-file findings. The result
/// does not depend on the order of the facts.
pub async fn conclude(mut facts: Vec<Facts>, mut candidates: Vec<Candidate>, budget: &Budget) -> Conclusion {
    facts.sort_by_cached_key(|own| (own.file, first_line(own)));
    let mut warnings = Vec::new();
    let change_ids: HashSet<&str> = RuleSet::change_ids().collect();
    let is_change = |found: &Candidate| found.rule_id().is_some_and(|id| change_ids.contains(id));
    let mut refuted = drop_moved(&facts, &mut candidates, budget).await;
    if refuted.is_ok() {
        refuted = drop_removed(&facts, &mut candidates, is_change, budget).await;
    }
    if let Err(why) = refuted {
        let message = format!("Removed code was not searched for in the other files: {why}.");
        warnings.push(Warning::review(WarningCode::FilePartlyAnalyzed, message));
    }
    let mut report_filter = ReportFilter::new(&facts);
    let mut found = Shortlist::new(FINDINGS);
    if let Err(why) = compare(&facts, &mut report_filter, &mut found, budget).await {
        let message = format!("Not all changed functions and constants were compared with the other files: {why}.");
        warnings.push(Warning::review(WarningCode::FilePartlyAnalyzed, message));
    }
    warnings.extend(report_filter.warnings());
    if facts.iter().flat_map(|own| &own.definitions).any(is_changed) {
        let cut = facts.iter().filter(|own| own.cut);
        warnings.extend(cut.map(|own| {
            let message = "This file has so many calls that not all were compared with the changed functions.";
            Warning::file(WarningCode::FilePartlyAnalyzed, &own.path, message)
        }));
    }
    candidates.extend(found.take().into_iter().map(|(_, candidate)| candidate));
    Conclusion { candidates, warnings, cut: found.cut() }
}

/// As [`conclude`], without yielding, for callers outside an async runtime.
#[must_use]
pub fn conclude_at_once(facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
    let bytes = facts.iter().map(Facts::bytes).sum();
    let budget = Budget::of_bytes(bytes);
    let mut conclusion = pin!(conclude(facts, candidates, &budget));
    let mut context = Context::from_waker(Waker::noop());
    loop {
        // It never waits, it only yields.
        if let Poll::Ready(conclusion) = conclusion.as_mut().poll(&mut context) {
            return conclusion;
        }
    }
}

/// A line of the new side of a file, and the rule that reports there.
type Place = (usize, u32, &'static str);

/// Compares the files, name by name.
async fn compare(
    facts: &[Facts],
    report_filter: &mut ReportFilter<'_>,
    found: &mut Shortlist<Place>,
    budget: &Budget,
) -> Result<(), Spent> {
    let mut known: HashSet<Place> = HashSet::new();
    for names in by_name(facts, budget).await? {
        for rule in RuleSet::of_diffs() {
            let Check::Diff { run } = rule.check else { continue };
            let mut sink = DiffSink { info: rule.meta(), found: Vec::new() };
            run(&names, &mut sink);
            report_filter.filter(&mut sink.found);
            for candidate in sink.found {
                let place = (candidate.file, candidate.line, rule.id);
                if known.insert(place) {
                    found.add(place, candidate);
                }
            }
            budget.draw_and_yield(names.steps()).await?;
        }
    }
    Ok(())
}

/// The facts about each changed name, in diff order.
async fn by_name<'a>(facts: &'a [Facts], budget: &Budget) -> Result<Vec<Namesakes<'a>>, Spent> {
    let mut names: Vec<Namesakes<'_>> = Vec::new();
    let mut index: HashMap<(&str, u64), usize> = HashMap::new();
    for own in facts {
        let functions = own.definitions.iter().filter(|definition| is_changed(definition));
        let constants = own.constants.iter().filter(|constant| constant.changed.is_some());
        let changed = functions.map(|own| hash(&own.name)).chain(constants.map(|own| own.name));
        for name in changed {
            index.entry((&own.family, name)).or_insert_with(|| {
                names.push(Namesakes::default());
                names.len() - 1
            });
        }
        budget.draw_and_yield(steps(own.definitions.len() + own.constants.len())).await?;
    }
    for own in facts {
        let at = |name: u64| index.get(&(own.family.as_str(), name)).copied().unwrap_or(usize::MAX);
        for definition in &own.definitions {
            if let Some(names) = names.get_mut(at(hash(&definition.name))) {
                names.define(own, definition);
            }
        }
        for call in &own.calls {
            if let Some(names) = names.get_mut(at(call.name)) {
                names.call(own, call);
            }
        }
        for constant in &own.constants {
            if let Some(names) = names.get_mut(at(constant.name)) {
                names.set(own, constant);
            }
        }
        budget.draw_and_yield(steps(own.count())).await?;
    }
    Ok(names)
}

fn steps(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX).saturating_add(1)
}

fn first_line(facts: &Facts) -> (u32, u32) {
    let first = |lines: Option<u32>| lines.unwrap_or(u32::MAX);
    (first(facts.calls.iter().map(|call| call.line).min()), first(facts.definitions.iter().map(|own| own.line).min()))
}
