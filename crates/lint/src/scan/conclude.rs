//! The final, cross-file analysis, from the files' facts alone.
//!
//! It is linear in the facts and draws from the budget of the review. When the budget is exhausted, the findings so far
//! are returned with a warning about the rest.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use impact::hash;
use review::{Budget, Candidate, MemoryPermit, Shortlist, Spent, Warning, WarningCode};

use crate::facts::{
    Facts, Name, Namesakes, PackedFacts, ReportFilter, changed_names, drop_moved, drop_removed,
    is_changed, retain_names,
};
use crate::registry::Catalog;
use crate::rule::{Check, DiffSink};

/// Maximum number of cross-file findings of one diff.
const FINDINGS: usize = 5_000;

/// Bytes that the comparison needs for each definition: its entry among those with the same name, and their list.
const DEFINITION_BYTES: usize = 256;
/// The same for each call.
const CALL_BYTES: usize = 64;

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

/// Combines the facts of all files: drops findings that another file's facts refute, and adds cross-file findings. The
/// result does not depend on the order of the facts.
pub async fn conclude(
    catalog: &Catalog,
    mut facts: Vec<PackedFacts>,
    mut candidates: Vec<Candidate>,
    budget: &Budget,
) -> Conclusion {
    facts.sort_by_key(PackedFacts::order);
    let mut warnings = Vec::new();
    let change_ids: HashSet<&str> = catalog.change_ids().collect();
    let is_change = |found: &Candidate| found.rule_id().is_some_and(|id| change_ids.contains(id));
    let mut refuted = drop_moved(&facts, &mut candidates, budget).await;
    if refuted.is_ok() {
        refuted = drop_removed(&facts, &mut candidates, is_change, budget).await;
    }
    if let Err(why) = refuted {
        let message = format!("Removed code was not searched for in the other files: {why}.");
        warnings.push(Warning::review(WarningCode::SearchLimited, message));
    }
    let mut found = Shortlist::new(FINDINGS);
    if facts.iter().any(|own| own.has_changed) {
        warnings.extend(compare(catalog, &facts, &mut found, budget).await);
    }
    candidates.extend(found.take().into_iter().map(|(_, candidate)| candidate));
    Conclusion {
        candidates,
        warnings,
        cut: found.cut(),
    }
}

/// Like [`conclude`], without yielding, for callers outside an async runtime.
#[must_use]
pub fn conclude_at_once(
    catalog: &Catalog,
    facts: Vec<Facts>,
    candidates: Vec<Candidate>,
) -> Conclusion {
    let bytes = facts.iter().map(Facts::bytes).sum();
    let budget = Budget::of_bytes(bytes);
    let facts = facts.into_iter().map(PackedFacts::from).collect();
    at_once(conclude(catalog, facts, candidates, &budget))
}

/// The result of work that only yields and never waits.
pub(super) fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut context) {
            return result;
        }
    }
}

/// A line of the new side of a file, and the rule that reports there.
type Place = (usize, u32, &'static str);

/// Compares the files, as far as the budget allows, and returns the warnings.
async fn compare(
    catalog: &Catalog,
    facts: &[PackedFacts],
    found: &mut Shortlist<Place>,
    budget: &Budget,
) -> Vec<Warning> {
    let mut about_changed = AboutChanged::default();
    let mut compared = about_changed.unpack(facts, budget).await;
    let mut report_filter = ReportFilter::new(&about_changed.facts);
    if compared.is_ok() {
        compared = compare_names(
            catalog, &about_changed.facts, &mut report_filter, found, budget,
        )
        .await;
    }
    let mut warnings: Vec<Warning> = Vec::new();
    if let Err(why) = compared {
        let message =
            format!("Not all changed functions were compared with the other files: {why}.");
        warnings.push(Warning::review(WarningCode::SearchLimited, message));
    }
    warnings.extend(report_filter.warnings());
    warnings.extend(about_changed.cut.iter().map(|path| {
        let message =
            "This file has too many calls: not all were compared with the changed functions.";
        Warning::file(WarningCode::SearchLimited, path, message)
    }));
    warnings
}

/// The facts about functions that the diff changes.
#[derive(Default)]
struct AboutChanged {
    facts: Vec<Facts>,
    held: Vec<MemoryPermit>,
    /// The paths of the files that exceeded a limit.
    cut: Vec<String>,
}

impl AboutChanged {
    /// Reads the facts of all parts and keeps those about changed functions.
    async fn unpack(&mut self, facts: &[PackedFacts], budget: &Budget) -> Result<(), Spent> {
        let mut names: HashSet<Name> = HashSet::new();
        for own in facts
            .iter()
            .filter(|own| own.has_changed)
            .map(PackedFacts::unpack)
        {
            names.extend(changed_names(&own));
            budget.draw_and_yield(steps(own.definitions.len())).await?;
        }
        self.held
            .push(budget.hold(names.len().saturating_mul(2 * size_of::<Name>()))?);
        for mut own in facts.iter().map(PackedFacts::unpack) {
            budget.draw_and_yield(steps(own.count())).await?;
            if own.cut {
                self.cut.push(own.path.clone());
            }
            retain_names(&mut own, &names);
            if own.definitions.is_empty() && own.calls.is_empty() && own.ignored.is_empty() {
                continue;
            }
            let own = Facts {
                added: Vec::new(),
                removed_blocks: Vec::new(),
                removed_names: Vec::new(),
                losses: Vec::new(),
                ..own
            };
            self.keep(own, budget)?;
        }
        Ok(())
    }

    fn keep(&mut self, mut own: Facts, budget: &Budget) -> Result<(), Spent> {
        own.shrink();
        let entries = own.definitions.len() * DEFINITION_BYTES + own.calls.len() * CALL_BYTES;
        self.held
            .push(budget.hold(own.bytes().saturating_add(entries))?);
        self.facts.push(own);
        Ok(())
    }
}

/// Compares the files, name by name.
async fn compare_names(
    catalog: &Catalog,
    facts: &[Facts],
    report_filter: &mut ReportFilter<'_>,
    found: &mut Shortlist<Place>,
    budget: &Budget,
) -> Result<(), Spent> {
    let mut known: HashSet<Place> = HashSet::new();
    for names in by_name(facts, budget).await? {
        for rule in catalog.of_diffs() {
            let Check::Diff { run } = rule.check else {
                continue;
            };
            let mut sink = DiffSink {
                info: rule.meta(),
                found: Vec::new(),
            };
            run(&names, &mut sink);
            report_filter.filter(&mut sink.found);
            for candidate in sink.found {
                let place = (candidate.file, candidate.line, rule.rule.id);
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
        for definition in own
            .definitions
            .iter()
            .filter(|definition| is_changed(definition))
        {
            let name = hash(&definition.name);
            index.entry((&own.family, name)).or_insert_with(|| {
                names.push(Namesakes::default());
                names.len() - 1
            });
        }
        budget.draw_and_yield(steps(own.definitions.len())).await?;
    }
    for own in facts {
        let at = |name: u64| {
            index
                .get(&(own.family.as_str(), name))
                .copied()
                .unwrap_or(usize::MAX)
        };
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
        budget.draw_and_yield(steps(own.count())).await?;
    }
    Ok(names)
}

fn steps(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX).saturating_add(1)
}
