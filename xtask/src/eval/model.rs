//! A language model as the reviewer: what it will cost is said before the first call, and what it did cost at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use llm::{
    Chain, ChatModel, Estimate, HttpModel, Key, ModelEngine, ModelSettings, Protocol, Redactor,
    RetryPolicy, Settings, Window,
};
use review::chunk::plan;
use review::{Diff, Engine, Options, TokenUsage};

use super::Outcome;
use super::corpus::{Item, Kind};
use super::judge;
use super::tape::{Meter, Missing, Player, Questions, Recorder};
use crate::run;

/// Reviews at once; each makes several calls at once.
const REVIEWS: usize = 4;

/// The model. The settings of the service have more; an evaluation needs one model that answers.
#[derive(clap::Args)]
#[command(next_help_heading = "With --engine llm")]
pub(crate) struct Flags {
    /// What the provider speaks: openai, openai-responses, anthropic or gemini.
    #[arg(long, default_value = "openai")]
    protocol: Protocol,
    /// The model's name at the provider.
    #[arg(long, required_if_eq("engine", "llm"))]
    model: Option<String>,
    /// Where the provider is, for example `https://api.openai.com/v1`; a replay needs none.
    #[arg(long, value_name = "URL")]
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
    /// Findings of a change that keep their priority, at most.
    #[arg(long, value_name = "K", default_value_t = Settings::default().max_selected)]
    max_selected: usize,
    /// Do not ask before the first call.
    #[arg(long)]
    yes: bool,
    /// Keep each answer of the model in this folder; what is there already is not asked again.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Take the answers from this folder, without a network.
    #[arg(long, value_name = "DIR")]
    replay: Option<PathBuf>,
    /// What is done about a prompt that was never recorded.
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT")]
    replay_missing: Missing,
    /// Compare with three plain prompts. Golden items that are recorded or replayed are always compared.
    #[arg(long)]
    baselines: bool,
    /// Findings that the third plain prompt may report.
    #[arg(long, value_name = "K", default_value_t = 5)]
    at_most: usize,
}

impl Flags {
    /// Whether plain prompts are asked beside the engine.
    pub(super) fn compares(&self, jobs: &[(Item, bool)]) -> bool {
        let is_taped = self.record.is_some() || self.replay.is_some();
        self.baselines || is_taped && jobs.iter().any(|(item, _)| item.kind == Kind::Golden)
    }

    fn questions(&self) -> Questions {
        Questions::new(self.protocol, self.model.as_deref().unwrap_or_default())
    }
}

/// The model, with what is written down of it.
pub(super) struct Models {
    pub(super) meter: Arc<Meter>,
    pub(super) player: Option<Arc<Player>>,
    recorder: Option<Arc<Recorder>>,
    settings: Settings,
}

impl Models {
    fn new(args: &Flags) -> Result<Self, String> {
        let settings = settings(args)?;
        let (mut model, mut player, mut recorder) = (None, None, None);
        if let Some(folder) = &args.replay {
            let window = Window {
                context: args.context_window,
                output: args.max_output_tokens,
            };
            let one = Arc::new(Player::new(
                folder.clone(),
                args.questions(),
                window,
                args.replay_missing,
            )?);
            (model, player) = (Some(Arc::clone(&one) as Arc<dyn ChatModel>), Some(one));
        }
        let mut model = model.map_or_else(|| chain(&settings), Ok)?;
        if let Some(folder) = &args.record {
            let one = Arc::new(Recorder::new(model, folder.clone(), args.questions())?);
            (model, recorder) = (Arc::clone(&one) as Arc<dyn ChatModel>, Some(one));
        }
        Ok(Self {
            meter: Arc::new(Meter::new(model)),
            player,
            recorder,
            settings,
        })
    }

    /// An engine that asks it. On a tape the same change must always become the same prompts.
    pub(super) fn engine(&self) -> ModelEngine {
        let model = Arc::clone(&self.meter) as Arc<dyn ChatModel>;
        let engine = ModelEngine::new(model, &self.settings, Redactor::new(lint::secret_places));
        if self.player.is_some() || self.recorder.is_some() {
            engine.with_fixed_estimates()
        } else {
            engine
        }
    }

    /// Fails where the tape is not complete.
    fn check(&self) -> Result<(), String> {
        self.player
            .as_ref()
            .map_or(Ok(()), |player| player.check())?;
        self.recorder
            .as_ref()
            .and_then(|recorder| recorder.fault())
            .map_or(Ok(()), Err)
    }
}

/// Reviews all with the engine, which receives what the engines `before` it found, and with plain prompts.
pub(super) fn compare(
    jobs: &[(Item, bool)],
    before: &[Arc<dyn Engine>],
    args: &super::Args,
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
    let heard = judge::hear(
        &items,
        before,
        &models,
        args.model.at_most,
        selection,
        || runtime.enter(),
    )?;
    models.check()?;
    let unheard = models
        .player
        .as_ref()
        .map(|player| player.lost())
        .unwrap_or_default();
    Ok(judge::Judgement::of(&items, heard, &unheard))
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.map_err(|error| format!("the runtime cannot be started: {error}"))
}

/// Asks before money is spent; a replay costs nothing.
fn agree(reviews: usize, estimate: &Estimate, args: &super::Args) -> Result<(), String> {
    if args.model.replay.is_some() {
        return Ok(());
    }
    if args.limit.is_none() {
        return Err("--engine llm: each review costs money, so say how many: --limit N".to_owned());
    }
    run::say(&forecast(reviews, estimate, args));
    if !args.model.yes && !agreed()? {
        return Err("nothing was sent".to_owned());
    }
    Ok(())
}

/// Reviews all, if that is wanted at the price, and says what was paid.
pub(super) fn score_all(
    jobs: &[(Item, bool)],
    rules: Arc<dyn Engine>,
    args: &super::Args,
) -> Result<(Outcome, String), String> {
    let models = Models::new(&args.model)?;
    let engine = Arc::new(models.engine());
    agree(jobs.len(), &estimate(jobs, &engine), args)?;
    let runtime = runtime()?;
    let engines = [rules, Arc::clone(&engine) as Arc<dyn Engine>];
    let outcome = super::score_all(jobs, &engines, args, REVIEWS, || runtime.enter())?;
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

fn settings(args: &Flags) -> Result<Settings, String> {
    let base_url = args
        .base_url
        .clone()
        .or_else(|| args.replay.as_ref().map(|_| String::new()));
    let (Some(model), Some(base_url)) = (&args.model, base_url) else {
        return Err("--engine llm: --model and --base-url say which one".to_owned());
    };
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(Key::new(text.trim()))
    };
    let model = ModelSettings {
        api_key: args.api_key_file.as_ref().map(read).transpose()?,
        context_window: args.context_window,
        max_output_tokens: args.max_output_tokens,
        price_input_per_million: args.price_input,
        price_output_per_million: args.price_output,
        ..ModelSettings::new(args.protocol, model, base_url)
    };
    // What was paid for once is to be paid for again: the figures are those of a first review.
    Ok(Settings {
        max_selected: args.max_selected,
        cache: false,
        models: vec![model],
        ..Settings::default()
    })
}

fn chain(settings: &Settings) -> Result<Arc<dyn ChatModel>, String> {
    let models = settings.models.iter().map(|model| {
        let http = HttpModel::new(model, Duration::from_secs(settings.call_seconds));
        Ok(Arc::new(http.map_err(|error| format!("--engine llm: {error}"))?) as Arc<dyn ChatModel>)
    });
    // So few callers need not be kept apart by chance.
    let chain = Chain::new(
        models.collect::<Result<_, String>>()?,
        RetryPolicy::default(),
        Arc::new(|| 0.5),
    );
    Ok(Arc::new(chain.ok_or("--engine llm: no model")?))
}

/// What all reviews together will take at most. What cannot be read costs nothing, and is reported when its turn comes.
fn estimate(jobs: &[(Item, bool)], engine: &ModelEngine) -> Estimate {
    let options = Options::default();
    let mut all = Estimate::default();
    for item in jobs
        .iter()
        .filter_map(|(item, reversed)| super::turned(item, *reversed).ok())
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

fn forecast(reviews: usize, estimate: &Estimate, args: &super::Args) -> String {
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
    let asked = stderr
        .write_all(b"Go on? [y/N] ")
        .and_then(|()| stderr.flush())
        .and_then(|()| stdin.read_line(&mut answer));
    asked.map_err(|error| format!("the terminal: {error}"))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What was used, what it cost, and what failed.
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
