//! The human-readable report.

use std::fmt::Write as _;

use super::judge::{Bounds, Point, Run};
use crate::run::{self, Result};

/// Number of cases in the final table.
const WORST: usize = 20;

/// A case on one line: cost at each size, growth, warnings of the response, problems.
pub(super) fn line(run: &Run, bounds: Bounds) -> String {
    let mut text = format!(
        "{} {:<44}",
        if run.faults.is_empty() {
            "ok  "
        } else {
            "FAIL"
        },
        run.name
    );
    for point in &run.points {
        let _infallible = write!(text, " | {}", shown(point));
    }
    if let Some(exponent) = run.exponent() {
        let _infallible = write!(text, " | ^{exponent:.2} {:.0}%", share(run, bounds) * 100.0);
    }
    for (code, count) in run
        .points
        .last()
        .map(|point| &point.warnings)
        .into_iter()
        .flatten()
    {
        let _infallible = write!(text, " {code}×{count}");
    }
    if let Some(point) = run
        .points
        .last()
        .filter(|point| point.cost.status == Some(2))
    {
        let _infallible = write!(text, " refused: {}", point.said);
    }
    for fault in &run.faults {
        let _infallible = write!(text, "\n     {fault}");
    }
    text.push('\n');
    text
}

fn shown(point: &Point) -> String {
    let cost = point.cost;
    format!(
        "{}k {:.2}s (own {:.2}) {}M",
        point.bytes >> 10,
        cost.cpu,
        cost.own,
        cost.memory / 1_000_000
    )
}

/// The highest share of its bound that any size used, in CPU time or memory.
fn share(run: &Run, bounds: Bounds) -> f64 {
    let of = |point: &Point| {
        let cpu = point.cost.cpu / bounds.cpu(point.bytes);
        cpu.max(point.cost.memory as f64 / Bounds::memory(point.bytes) as f64)
    };
    run.points.iter().map(of).fold(0.0, f64::max)
}

/// The most expensive cases and the failed ones.
pub(super) fn summary(runs: &[Run], bounds: Bounds) -> Result {
    let mut worst: Vec<&Run> = runs.iter().collect();
    worst.sort_by(|a, b| share(b, bounds).total_cmp(&share(a, bounds)));
    let mut text = format!(
        "\nThe most expensive of {} cases, by their share of the bounds:\n",
        runs.len()
    );
    for run in worst.iter().take(WORST) {
        text.push_str(&line(run, bounds));
    }
    run::print(&text)?;
    let failed: Vec<&str> = runs
        .iter()
        .filter(|run| !run.faults.is_empty())
        .map(|run| run.name.as_str())
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} of {} cases cost too much:\n  {}",
        failed.len(),
        runs.len(),
        failed.join("\n  ")
    ))
}
