//! Scores the rule engine, or a language model, on labelled changes: recall where bugs were made, the same on their
//! fixes, noise on clean commits, and other analysers' test suites. What the corpora hold is described in the README beside
//! them.

mod corpus;
mod fragments;
mod judge;
mod labels;
mod ledger;
mod masks;
mod model;
mod own;
mod pick;
mod report;
mod score;
mod tape;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use review::output::json::FindingBody;
use review::{
    Budget, Diff, DiffContext, Engine, Options, Priority, Request, Scope, TextMask, TokenUsage,
    WarningCode,
};

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
    /// Rewrite the ledger: eval/evidence.tsv and eval/verdicts.tsv. Then run cargo xtask codegen.
    #[arg(long, conflicts_with_all = ["rule", "language", "limit", "rules", "engine", "min_confidence"])]
    pub(crate) ledger: bool,
    /// Also the YAML rules of this folder; one with the ID of a built-in rule takes its place.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) rules: Option<PathBuf>,
    /// At most so many changes of each corpus, evenly spread; always the same ones. A bug and its fix are one.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Who reviews: the rules, or a language model that receives what the rules found.
    #[arg(long, value_enum, default_value = "rules")]
    pub(crate) engine: Choice,
    #[command(flatten)]
    pub(crate) model: model::Flags,
}

/// Who reviews.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Choice {
    Rules,
    Llm,
}

#[derive(clap::Subcommand)]
enum Mode {
    /// Instead: how well the hunks can be read without the files around them, and what that costs.
    Fragments(fragments::Args),
    /// Instead: how many values a model would not be shown because they look like secrets.
    Masks(masks::Args),
}

/// One item with what the engine said of it and what that is worth.
pub(crate) struct Scored {
    item: Item,
    reversed: bool,
    findings: Vec<(FindingBody, bool)>,
    score: Score,
    usage: TokenUsage,
    /// What was left out or failed.
    warnings: Vec<WarningCode>,
}

/// What came of all reviews.
#[derive(Default)]
pub(crate) struct Outcome {
    scored: Vec<Scored>,
    /// Reviews that failed as a whole.
    failed: usize,
}

pub(crate) fn run(args: &Args) -> Result {
    match &args.mode {
        Some(Mode::Fragments(args)) => return fragments::run(args),
        Some(Mode::Masks(args)) => return masks::run(args),
        None => {}
    }
    let mut items = corpus::read(&args.paths)?;
    items.retain(|item| {
        args.language
            .as_ref()
            .is_none_or(|language| *language == item.language)
    });
    if let Some(limit) = args.limit {
        items = pick::evenly(items, limit);
    }
    let jobs: Vec<(Item, bool)> = items.into_iter().flat_map(both_ways).collect();
    let rules = args
        .rules
        .as_deref()
        .map(own::rules)
        .transpose()?
        .map(Arc::new);
    let rules: Arc<dyn Engine> = Arc::new(lint::RuleEngine::new(lint::InProcess {
        rules,
        ..Default::default()
    }));
    let (outcome, bill) = match args.engine {
        Choice::Rules => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            (score_all(&jobs, &[rules], args, cores, || ())?, None)
        }
        Choice::Llm if args.model.compares(&jobs) => {
            return run::print(&model::compare(&jobs, &[rules], args)?.to_string());
        }
        Choice::Llm => {
            let (outcome, bill) = model::score_all(&jobs, rules, args)?;
            (outcome, Some(bill))
        }
    };
    if args.ledger {
        return ledger::update(&outcome.scored);
    }
    if args.findings {
        run::print(&report::findings(&outcome.scored))?;
        bill.iter().for_each(|bill| run::say(bill));
        return Ok(());
    }
    run::print(&report::tables(&outcome.scored, args.by_rule))?;
    bill.iter().try_for_each(|bill| run::print(bill))
}

/// A bug is reviewed as it came, and once more turned round, as its fix.
fn both_ways(item: Item) -> impl Iterator<Item = (Item, bool)> {
    let turned = (item.kind == Kind::Bugs).then(|| (item.clone(), true));
    turned.into_iter().chain([(item, false)])
}

/// Reviews the items, so many at once. Items are independent, so their order does not matter. What `enter` gives is held
/// by each thread.
fn score_all<G>(
    jobs: &[(Item, bool)],
    engines: &[Arc<dyn Engine>],
    args: &Args,
    at_once: usize,
    enter: impl Fn() -> G + Sync,
) -> std::result::Result<Outcome, String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let _entered = enter();
        let mut done = Outcome::default();
        while let Some((item, reversed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match score_one(item, *reversed, engines, args) {
                Ok(scored) => done.scored.push(scored),
                Err(error) => {
                    run::say(&format!("not scored: {error}"));
                    done.failed += 1;
                }
            }
        }
        done
    };
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        let parts = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "the engine panicked".to_owned()));
        parts.collect::<std::result::Result<Vec<_>, String>>()
    })?;
    let failed = parts.iter().map(|part| part.failed).sum();
    let mut scored: Vec<Scored> = parts.into_iter().flat_map(|part| part.scored).collect();
    scored.sort_by(|a, b| (&a.item.id, a.reversed).cmp(&(&b.item.id, b.reversed)));
    Ok(Outcome { scored, failed })
}

/// The item as it is reviewed.
fn turned(item: &Item, reversed: bool) -> std::result::Result<Item, String> {
    let mut item = item.clone();
    if reversed {
        (item.diff, item.labels) =
            labels::reverse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
    }
    Ok(item)
}

fn score_one(
    item: &Item,
    reversed: bool,
    engines: &[Arc<dyn Engine>],
    args: &Args,
) -> std::result::Result<Scored, String> {
    let item = turned(item, reversed)?;
    let diff = Diff::parse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
    let never = std::future::pending();
    let scope = Scope {
        tenant: judge::asker(judge::Arm::Ours, &item.id),
        ..Scope::default()
    };
    let (options, budget) = (
        &Options {
            scope,
            ..Options::default()
        },
        &Budget::of_bytes(item.diff.len()),
    );
    let request = Request {
        diff: &diff,
        context: if item.whole.is_some() {
            DiffContext::Files
        } else {
            DiffContext::Hunks
        },
        target_language: None,
        engines,
        filters: &[],
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    let review = futures_executor::block_on(review::review(request, never, &mut |_| ()))
        .map_err(|error| format!("{}: {error}", item.id))?;
    let body = review::output::json::body(&item.id, None, &review, 0);
    let counts = |finding: &FindingBody| {
        (finding.priority <= args.priority || args.ledger)
            && finding.confidence >= args.min_confidence
            && args.rule.as_ref().is_none_or(|part| {
                finding
                    .rule_id
                    .as_ref()
                    .is_some_and(|id| id.contains(part.as_str()))
            })
    };
    let findings: Vec<FindingBody> = body.findings.into_iter().filter(counts).collect();
    let (score, on) = score::score(&item, &findings);
    let findings = findings.into_iter().zip(on).collect();
    let warnings = review.warnings.iter().map(|warning| warning.code).collect();
    Ok(Scored {
        item,
        reversed,
        findings,
        score,
        usage: review.usage,
        warnings,
    })
}
