//! Scores the rule engine on labelled changes: recall where bugs were made, the same on their fixes, noise on clean
//! commits, and other analysers' test suites. What the corpora hold is told in the README beside them.

mod corpus;
mod fragments;
mod labels;
mod own;
mod report;
mod score;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use review::output::json::FindingBody;
use review::{Diff, Engine, Options, Priority};

use self::corpus::{Item, Kind};
use self::score::Score;
use crate::run::{self, Result};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    mode: Option<Mode>,
    /// The folder of the corpora, or single files of it.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Count findings of this priority and above.
    #[arg(long, default_value = "P2")]
    pub(crate) priority: Priority,
    /// Count findings of this confidence and above.
    #[arg(long, default_value_t = 0.0)]
    pub(crate) min_confidence: f64,
    /// Count findings of rules whose ID contains this only.
    #[arg(long)]
    pub(crate) rule: Option<String>,
    /// Only items of this language, as the corpora name it.
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// Print each counted finding, one JSON object a line, instead of tables.
    #[arg(long)]
    pub(crate) findings: bool,
    /// Also a table per rule.
    #[arg(long)]
    pub(crate) by_rule: bool,
    /// Also the YAML rules of this folder; one with the ID of a built-in rule takes its place.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) rules: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum Mode {
    /// Instead: how well the hunks can be read without the files around them, and what that costs.
    Fragments(fragments::Args),
}

/// One item with what the engine said of it and what that is worth.
pub(crate) struct Scored {
    item: Item,
    reversed: bool,
    findings: Vec<(FindingBody, bool)>,
    score: Score,
}

pub(crate) fn run(args: &Args) -> Result {
    if let Some(Mode::Fragments(args)) = &args.mode {
        return fragments::run(args);
    }
    let mut jobs = Vec::new();
    for item in corpus::read(&args.paths)? {
        if args.language.as_ref().is_some_and(|language| *language != item.language) {
            continue;
        }
        if item.kind == Kind::Bugs {
            jobs.push((item.clone(), true));
        }
        jobs.push((item, false));
    }
    let scored = score_all(&jobs, args)?;
    if args.findings {
        run::print(&report::findings(&scored))
    } else {
        run::print(&report::tables(&scored, args.by_rule))
    }
}

/// Reviews the items on every core. Items are independent, so their order does not matter.
fn score_all(jobs: &[(Item, bool)], args: &Args) -> std::result::Result<Vec<Scored>, String> {
    let rules = args.rules.as_deref().map(own::rules).transpose()?.map(Arc::new);
    let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(lint::InProcess { rules, ..Default::default() })];
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut done = Vec::new();
        while let Some((item, reversed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match score_one(item, *reversed, &engines, args) {
                Ok(scored) => done.push(scored),
                Err(error) => run::say(&format!("not scored: {error}")),
            }
        }
        done
    };
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let parts = threads.into_iter().map(|thread| thread.join().map_err(|_| "the engine panicked".to_owned()));
        parts.collect::<std::result::Result<Vec<_>, String>>()
    })?;
    let mut scored: Vec<Scored> = parts.into_iter().flatten().collect();
    scored.sort_by(|a, b| (&a.item.id, a.reversed).cmp(&(&b.item.id, b.reversed)));
    Ok(scored)
}

fn score_one(
    item: &Item,
    reversed: bool,
    engines: &[Arc<dyn Engine>],
    args: &Args,
) -> std::result::Result<Scored, String> {
    let mut item = item.clone();
    if reversed {
        let (diff, labels) = labels::reverse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
        (item.diff, item.labels) = (diff, labels);
    }
    let diff = Diff::parse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
    let never = std::future::pending();
    let (options, mut observe) = (Options::default(), |_| ());
    let review = review::review(&diff, None, engines, &options, never, &mut observe);
    let review = futures_executor::block_on(review).map_err(|error| format!("{}: {error}", item.id))?;
    let body = review::output::json::body(&item.id, None, &review, 0);
    let counts = |finding: &FindingBody| {
        finding.priority <= args.priority
            && finding.confidence >= args.min_confidence
            && args
                .rule
                .as_ref()
                .is_none_or(|part| finding.rule_id.as_ref().is_some_and(|id| id.contains(part.as_str())))
    };
    let findings: Vec<FindingBody> = body.findings.into_iter().filter(counts).collect();
    let (score, on) = score::score(&item, &findings);
    Ok(Scored { item, reversed, findings: findings.into_iter().zip(on).collect(), score })
}
