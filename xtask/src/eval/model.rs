//! A language model as the reviewer: what it will cost is said before the first call, and what it did cost at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use llm::{
    Chain, ChatModel, Effort, Estimate, HttpModel, Key, ModelEngine, ModelSettings, Protocol, Redactor, RetryPolicy,
    Settings,
};
use review::chunk::plan;
use review::{Diff, Engine, Options, TokenUsage};

use super::Outcome;
use super::corpus::Item;
use crate::run;

/// Reviews at once; each makes several calls at once.
const REVIEWS: usize = 4;

/// The model. The settings of the service have more; an evaluation needs one model that answers.
#[derive(clap::Args)]
#[command(next_help_heading = "With --engine llm")]
pub(crate) struct Flags {
    /// What the provider speaks: openai, anthropic or gemini.
    #[arg(long, default_value = "openai")]
    protocol: Protocol,
    /// The model's name at the provider.
    #[arg(long, required_if_eq("engine", "llm"))]
    model: Option<String>,
    /// Where the provider is, for example `https://api.openai.com/v1`.
    #[arg(long, value_name = "URL", required_if_eq("engine", "llm"))]
    base_url: Option<String>,
    /// The file that holds the key; a provider on this machine may need none.
    #[arg(long, value_name = "FILE")]
    api_key_file: Option<PathBuf>,
    /// Tokens that the model can take in and give out together.
    #[arg(long, value_name = "TOKENS", default_value_t = 128_000)]
    context_window: u64,
    /// Tokens that the model may give out in one call.
    #[arg(long, value_name = "TOKENS", default_value_t = 8_192)]
    max_output_tokens: u64,
    /// Price of a million tokens taken in.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    price_input: f64,
    /// Price of a million tokens given out.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    price_output: f64,
    /// How often each part of a change is read: low, medium or high.
    #[arg(long, default_value = "low")]
    effort: Effort,
    /// Do not ask before the first call.
    #[arg(long)]
    yes: bool,
}

/// Reviews all, if that is wanted at the price, and says what was paid.
pub(super) fn score_all(
    jobs: &[(Item, bool)],
    rules: Arc<dyn Engine>,
    args: &super::Args,
) -> Result<(Outcome, String), String> {
    if args.limit.is_none() {
        return Err("--engine llm: each review costs money, so say how many: --limit N".to_owned());
    }
    let engine = Arc::new(engine(&args.model)?);
    let estimate = estimate(jobs, &engine);
    run::say(&forecast(jobs.len(), &estimate, args));
    if !args.model.yes && !agreed()? {
        return Err("nothing was sent".to_owned());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| format!("the runtime cannot be started: {error}"))?;
    let engines = [rules, Arc::clone(&engine) as Arc<dyn Engine>];
    let outcome = super::score_all(jobs, &engines, args, REVIEWS, || runtime.enter())?;
    let bill = bill(&outcome, &engine);
    Ok((outcome, bill))
}

fn engine(args: &Flags) -> Result<ModelEngine, String> {
    let (Some(model), Some(base_url)) = (&args.model, &args.base_url) else {
        return Err("--engine llm: --model and --base-url say which one".to_owned());
    };
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(Key::new(text.trim()))
    };
    let model = ModelSettings {
        protocol: args.protocol,
        model: model.clone(),
        base_url: base_url.clone(),
        api_key: args.api_key_file.as_ref().map(read).transpose()?,
        headers: Vec::new(),
        proxy: None,
        ca_pem: None,
        structured_output: true,
        context_window: args.context_window,
        max_output_tokens: args.max_output_tokens,
        price_input_per_million: args.price_input,
        price_output_per_million: args.price_output,
    };
    // What was paid for once is to be paid for again: the figures are those of a first review.
    let settings = Settings { effort: args.effort, cache: false, models: vec![model], ..Settings::default() };
    let models = settings.models.iter().map(|model| {
        let http = HttpModel::new(model, Duration::from_secs(settings.call_seconds));
        Ok(Arc::new(http.map_err(|error| format!("--engine llm: {error}"))?) as Arc<dyn ChatModel>)
    });
    // So few callers need not be kept apart by chance.
    let chain = Chain::new(models.collect::<Result<_, String>>()?, RetryPolicy::default(), Arc::new(|| 0.5));
    let chain = chain.ok_or("--engine llm: no model")?;
    Ok(ModelEngine::new(Arc::new(chain), &settings, Redactor::new(lint::secret_places)))
}

/// What all reviews together will take at most. What cannot be read costs nothing, and is reported when its turn comes.
fn estimate(jobs: &[(Item, bool)], engine: &ModelEngine) -> Estimate {
    let options = Options::default();
    let mut all = Estimate::default();
    for item in jobs.iter().filter_map(|(item, reversed)| super::turned(item, *reversed).ok()) {
        let Ok(diff) = Diff::parse(&item.diff) else { continue };
        let one = engine.estimate(&plan(&diff, None, &options.sizes).chunks, &options.scope);
        all.calls += one.calls;
        all.prompt_tokens += one.prompt_tokens;
        all.completion_tokens += one.completion_tokens;
    }
    all.cost = engine.cost(all.prompt_tokens, all.completion_tokens);
    all
}

fn forecast(reviews: usize, estimate: &Estimate, args: &super::Args) -> String {
    let Estimate { calls, prompt_tokens, completion_tokens, cost } = estimate;
    let cost = match cost {
        Some(cost) => format!("at most {cost:.2} by the prices given, unless calls must be repeated"),
        None => "unknown: give --price-input and --price-output".to_owned(),
    };
    let name = args.model.model.as_deref().unwrap_or_default();
    format!(
        "{name}: {reviews} reviews in at most {calls} calls\ntokens sent: about {prompt_tokens}\ntokens received: at most \
         {completion_tokens}, by far less as a rule\ncost: {cost}"
    )
}

/// Asks the person at the terminal.
fn agreed() -> Result<bool, String> {
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() {
        return Err("there is no terminal to ask whether to go on: --yes says so".to_owned());
    }
    let mut answer = String::new();
    let asked =
        stderr.write_all(b"Go on? [y/N] ").and_then(|()| stderr.flush()).and_then(|()| stdin.read_line(&mut answer));
    asked.map_err(|error| format!("the terminal: {error}"))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What was used, what it cost, and what failed.
fn bill(outcome: &Outcome, engine: &ModelEngine) -> String {
    let mut usage = TokenUsage::default();
    outcome.scored.iter().for_each(|one| usage += one.usage);
    let mut out = format!("model: {} reviews, {} failed\n", outcome.scored.len() + outcome.failed, outcome.failed);
    let counted = if usage.estimated { " (in part estimated)" } else { "" };
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
