//! Counts the steps of rules on the cases, in this process.
//!
//! Steps are the same on every machine, so they identify a rule whose work grows faster than the text. The CPU time
//! of the whole program is noisy, and shows only that there is such a rule.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use lint::{Cost, measure};
use syntax::parse::Limits;

use super::case::Case;
use super::judge::EXPONENT;

/// Sizes in bytes of the two diffs of a case.
pub(super) type Sizes = [usize; 2];
/// Takes seconds for all cases, and stays below the limits at which walks are cut short.
pub(super) const SMALL: Sizes = [1_500, 12_000];
/// Above the limits on trees: growth here is unbounded.
pub(super) const LARGE: Sizes = [12_000, 96_000];
/// Steps below which growth cannot be measured.
const FLOOR: u64 = 5_000;
/// Deep trees need a large stack; a worker's is larger still.
const STACK: usize = 16 << 20;

/// A rule whose steps grow faster than a case's diff, or that exceeded its budget.
#[derive(Debug, Clone)]
pub(super) struct Growth {
    case: String,
    /// The exponent with which its steps grow.
    exponent: f64,
    /// Its steps per byte of the larger diff.
    per_byte: f64,
    ended: bool,
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            case,
            exponent,
            per_byte,
            ended,
        } = self;
        write!(
            f,
            "{case}: size^{exponent:.2}, {per_byte:.0} steps a byte{}",
            if *ended { ", ended" } else { "" }
        )
    }
}

/// The rules with excessive growth and their cases, worst first.
pub(super) fn growing(
    cases: &[Case],
    sizes: Sizes,
    jobs: usize,
) -> Result<BTreeMap<String, Vec<Growth>>, String> {
    let (next, found) = (
        AtomicUsize::new(0),
        Mutex::new(BTreeMap::<String, Vec<Growth>>::new()),
    );
    let work = || -> Result<(), String> {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (rule, growth) in of_case(case, sizes)? {
                found
                    .lock()
                    .map_err(|error| error.to_string())?
                    .entry(rule)
                    .or_default()
                    .push(growth);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let start = |_| {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
        };
        let threads: Result<Vec<_>, _> = (0..jobs.max(1)).map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().map_err(|_| "a case panicked".to_owned())?
        };
        threads
            .map_err(|error| error.to_string())?
            .into_iter()
            .try_for_each(join)
    })?;
    let mut found = found.into_inner().map_err(|error| error.to_string())?;
    for growths in found.values_mut() {
        growths.sort_by(|a, b| b.per_byte.total_cmp(&a.per_byte));
    }
    Ok(found)
}

fn of_case(case: &Case, sizes: Sizes) -> Result<Vec<(String, Growth)>, String> {
    let [small, large] = sizes.map(|size| (case.diff)(size));
    let size = (large.len() as f64 / small.len() as f64).ln();
    let [few, many] = [cost(&small)?, cost(&large)?];
    let growth = |rule: &String, steps: u64| {
        let before = few.by_rule.get(rule).copied().unwrap_or(0).max(FLOOR);
        let exponent = (steps as f64 / before as f64).ln() / size;
        let per_byte = steps as f64 / large.len() as f64;
        Growth {
            case: case.name.clone(),
            exponent,
            per_byte,
            ended: many.ended.contains(rule),
        }
    };
    let all = many
        .by_rule
        .iter()
        .map(|(rule, steps)| (rule.clone(), growth(rule, *steps)));
    Ok(all
        .filter(|(_, growth)| growth.exponent > EXPONENT || growth.ended)
        .collect())
}

/// The steps of each rule on a diff.
fn cost(diff: &str) -> Result<Cost, String> {
    let diff = review::Diff::parse(diff).map_err(|error| error.to_string())?;
    let plan = review::chunk::plan(&diff, None, &Default::default());
    let mut all = Cost::default();
    for file in plan.chunks.iter() {
        let cost = measure(file, rules::built_in(), &Limits::default()).1;
        for (rule, steps) in cost.by_rule {
            *all.by_rule.entry(rule).or_default() += steps;
        }
        all.ended.extend(cost.ended);
    }
    Ok(all)
}
