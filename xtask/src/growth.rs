//! Expensive diffs: each language element and each field of a diff, repeated, nested and multiplied.
//!
//! Each is reviewed by the real program at several sizes. docs/security.md states the maximum cost of a review. A
//! cost that grows faster than the diff exceeds that maximum at some size, so such growth is a failure at any size.

mod case;
mod elements;
mod examples;
mod fields;
mod judge;
mod measure;
mod report;
mod steps;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use case::Case;
use judge::{Bounds, Run};
pub(crate) use measure::{Args as MeasureArgs, measured};

use crate::run::{self, Result};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// All cases at all sizes, and every rule's examples: takes hours instead of a minute.
    #[arg(long)]
    full: bool,
    /// Only cases whose name contains this; repeatable.
    #[arg(long)]
    only: Vec<String>,
    /// The program (default: built with the dev profile).
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Factor on the allowed CPU time, because the program is built with fewer optimisations than a release.
    #[arg(long, default_value_t = judge::DEV_FACTOR)]
    factor: f64,
    /// Number of concurrent runs.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Count the steps of each rule on every element of every language and on every rule's examples, in this process;
    /// with `--full`, at larger sizes.
    #[arg(long)]
    steps: bool,
    /// Write the diffs of the cases to this folder and do not run them.
    #[arg(long)]
    write: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result {
    if args.steps {
        return count(args);
    }
    let sizes = if args.full { FULL } else { SMALL };
    let mut cases = fields::cases();
    if args.full {
        cases.extend(elements::cases()?);
        cases.extend(examples::cases()?);
    }
    cases.extend(elements::medleys()?);
    cases.retain(|case| args.full || !case.only_full || !args.only.is_empty());
    cases.retain(|case| {
        args.only.is_empty()
            || args
                .only
                .iter()
                .any(|part| case.name.contains(part.as_str()))
    });
    if let Some(folder) = &args.write {
        return write(&cases, sizes, folder);
    }
    let bounds = Bounds {
        factor: args.factor,
    };
    let program = args.binary.clone().map_or_else(run::program, Ok)?;
    let runs = run_all(&cases, sizes, &program, bounds, args.jobs)?;
    report::summary(&runs, bounds)
}

/// Lists the rules whose steps grow faster than the diff.
fn count(args: &Args) -> Result {
    let mut cases = elements::cases()?;
    cases.extend(examples::cases()?);
    cases.retain(|case| {
        args.only.is_empty()
            || args
                .only
                .iter()
                .any(|part| case.name.contains(part.as_str()))
    });
    let sizes = if args.full {
        steps::LARGE
    } else {
        steps::SMALL
    };
    let found = steps::growing(&cases, sizes, args.jobs)?;
    for (rule, growths) in &found {
        let worst = growths.first().map(ToString::to_string).unwrap_or_default();
        run::print(&format!(
            "{rule}: {} cases, the worst {worst}\n",
            growths.len()
        ))?;
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the steps of {} rules grow faster than the diff",
            found.len()
        ))
    }
}

/// Sizes of the diffs in bytes. The first one is the baseline: its cost is that of starting the program.
const FULL: &[usize] = &[1 << 10, 32 << 10, 256 << 10, 3 << 20];
const SMALL: &[usize] = &[1 << 10, 16 << 10, 128 << 10];

fn write(cases: &[Case], sizes: &[usize], folder: &std::path::Path) -> Result {
    for case in cases {
        for size in case.sizes(sizes) {
            let path = folder.join(format!("{}.{size}.diff", case.name.replace('/', ".")));
            std::fs::write(&path, (case.diff)(size))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Runs the cases concurrently and reports each when it is done.
fn run_all(
    cases: &[Case],
    sizes: &[usize],
    program: &std::path::Path,
    bounds: Bounds,
    jobs: usize,
) -> std::result::Result<Vec<Run>, String> {
    let next = AtomicUsize::new(0);
    let runs = Mutex::new(Vec::new());
    let work = || -> Result {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = judge::run(case, sizes, program, bounds)?;
            run::print(&report::line(&run, bounds))?;
            runs.lock().map_err(|error| error.to_string())?.push(run);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a case panicked".to_owned())?)
    })?;
    let mut runs = runs.into_inner().map_err(|error| error.to_string())?;
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(runs)
}
