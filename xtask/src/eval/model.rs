//! Evaluates a language model. The maximum cost is shown before the first call, and the actual cost at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use llm::{Estimate, ModelEngine};
use review::chunk::plan;
use review::{Diff, Engine, Options, TokenUsage};

use super::args::Args;
use super::corpus::Item;
use super::judge;
use super::models::Models;
use super::scoring::{self, Outcome};
use crate::run;

/// Concurrent reviews. Each makes several concurrent calls.
const REVIEWS: usize = 4;

/// Reviews all items with the engine, which receives the findings of the engines `before` it, and with plain prompts.
pub(super) fn compare(
    jobs: &[(Item, bool)],
    before: &[Arc<dyn Engine>],
    args: &Args,
) -> Result<judge::Judgement, String> {
    let models = Models::new(&args.model)?;
    let items: Vec<&Item> = jobs
        .iter()
        .map(|(item, _)| item)
        .filter(|item| judge::is_judged(item))
        .collect();
    let mut estimate = estimate(jobs, &models.engine());
    judge::plain_calls(&items, args.model.max_output_tokens, &mut estimate);
    agree(items.len(), &estimate, args)?;
    let runtime = runtime()?;
    let selection = judge::Selection {
        priority: args.priority,
        min_confidence: args.min_confidence,
    };
    let results = judge::review_all(
        &items,
        before,
        &models,
        args.model.at_most,
        selection,
        || runtime.enter(),
    )?;
    models.check()?;
    let unanswered = models
        .player
        .as_ref()
        .map(|player| player.lost())
        .unwrap_or_default();
    Ok(judge::Judgement::of(&items, results, &unanswered))
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.map_err(|error| format!("the runtime cannot be started: {error}"))
}

/// Asks for confirmation before money is spent. A replay costs nothing.
fn agree(reviews: usize, estimate: &Estimate, args: &Args) -> Result<(), String> {
    if args.model.replay.is_some() {
        return Ok(());
    }
    if args.limit.is_none() {
        return Err(
            "--engine llm: each review costs money: limit their number with --limit N".to_owned(),
        );
    }
    run::say(&forecast(reviews, estimate, args));
    if !args.model.yes && !agreed()? {
        return Err("nothing was sent".to_owned());
    }
    Ok(())
}

/// Reviews all items after confirmation, and reports the cost.
pub(super) fn score_all(
    jobs: &[(Item, bool)],
    rules: Arc<dyn Engine>,
    args: &Args,
) -> Result<(Outcome, String), String> {
    let models = Models::new(&args.model)?;
    let engine = Arc::new(models.engine());
    agree(jobs.len(), &estimate(jobs, &engine), args)?;
    let runtime = runtime()?;
    let engines = [rules, Arc::clone(&engine) as Arc<dyn Engine>];
    let outcome = scoring::score_all(jobs, &engines, args, REVIEWS, || runtime.enter())?;
    models.check()?;
    let mut bill = bill(&outcome, &engine);
    if let Some(lost) = models
        .player
        .map(|player| player.lost())
        .filter(|lost| !lost.is_empty())
    {
        let _ = writeln!(
            bill,
            "reviews with prompts that are not on the tape: {}",
            lost.len()
        );
    }
    Ok((outcome, bill))
}

/// The maximum cost of all reviews. Unreadable items cost nothing, and are reported during the review.
fn estimate(jobs: &[(Item, bool)], engine: &ModelEngine) -> Estimate {
    let options = Options::default();
    let mut all = Estimate::default();
    for item in jobs
        .iter()
        .filter_map(|(item, reversed)| scoring::turned(item, *reversed).ok())
    {
        let Ok(diff) = Diff::parse(&item.diff) else {
            continue;
        };
        let one = engine.estimate(&plan(&diff, None, &options.sizes).chunks, &options.scope);
        all.calls += one.calls;
        all.prompt_tokens += one.prompt_tokens;
        all.completion_tokens += one.completion_tokens;
    }
    all.cost = engine.cost(all.prompt_tokens, all.completion_tokens);
    all
}

fn forecast(reviews: usize, estimate: &Estimate, args: &Args) -> String {
    let Estimate {
        calls,
        prompt_tokens,
        completion_tokens,
        cost,
    } = estimate;
    let cost = match cost {
        Some(cost) => {
            format!("at most {cost:.2} by the prices given, unless calls must be repeated")
        }
        None => "unknown: set --price-input and --price-output".to_owned(),
    };
    let name = args.model.model.as_deref().unwrap_or_default();
    format!(
        "{name}: {reviews} reviews in at most {calls} calls\ntokens sent: about {prompt_tokens}\ntokens received: at most \
         {completion_tokens}, by far less as a rule\ncost: {cost}"
    )
}

/// Asks the user at the terminal.
fn agreed() -> Result<bool, String> {
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() {
        return Err(
            "there is no terminal to ask for confirmation: use --yes to continue without it"
                .to_owned(),
        );
    }
    let mut answer = String::new();
    let asked = stderr
        .write_all(b"Continue? [y/N] ")
        .and_then(|()| stderr.flush())
        .and_then(|()| stdin.read_line(&mut answer));
    asked.map_err(|error| format!("the terminal: {error}"))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The usage, its cost, and the failures.
fn bill(outcome: &Outcome, engine: &ModelEngine) -> String {
    let mut usage = TokenUsage::default();
    outcome.scored.iter().for_each(|one| usage += one.usage);
    let mut out = format!(
        "model: {} reviews, {} failed\n",
        outcome.scored.len() + outcome.failed,
        outcome.failed
    );
    let counted = if usage.estimated {
        " (in part estimated)"
    } else {
        ""
    };
    let (sent, received) = (usage.prompt_tokens, usage.completion_tokens);
    let _ = writeln!(out, "tokens sent {sent}, received {received}{counted}");
    if let Some(cost) = engine.cost(sent, received) {
        let _ = writeln!(out, "cost {cost:.4}, without the reviews that failed");
    }
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    for code in outcome.scored.iter().flat_map(|one| &one.warnings) {
        *warnings.entry(code.as_str()).or_default() += 1;
    }
    for (code, count) in warnings {
        let _ = writeln!(out, "warnings {code:30} {count:>6}");
    }
    out
}
