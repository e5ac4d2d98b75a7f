//! The evaluated model: its flags, and the tape that records or replays its answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::corpus::{Item, Kind};
use super::tape::{Meter, Missing, Player, Questions, Recorder};
use llm::{
    Chain, ChatModel, HttpModel, Key, ModelEngine, ModelSettings, Protocol, Redactor, RetryPolicy,
    Settings, Window,
};

/// The model. Unlike a service, an evaluation uses a single model.
#[derive(clap::Args)]
#[command(next_help_heading = "With --engine llm")]
pub(crate) struct Flags {
    /// The provider's protocol: openai, openai-responses, anthropic or gemini.
    #[arg(long, default_value = "openai")]
    protocol: Protocol,
    /// The model's name at the provider.
    #[arg(long, required_if_eq("engine", "llm"))]
    pub(super) model: Option<String>,
    /// The provider's base URL, for example `https://api.openai.com/v1`. Not needed for a replay.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The file that contains the key. A provider on this machine may not need one.
    #[arg(long, value_name = "FILE")]
    api_key_file: Option<PathBuf>,
    /// Maximum tokens of prompt and reply together.
    #[arg(long, value_name = "TOKENS", default_value_t = 128_000)]
    context_window: u64,
    /// Maximum tokens of a reply.
    #[arg(long, value_name = "TOKENS", default_value_t = 8_192)]
    pub(super) max_output_tokens: u64,
    /// Price of a million tokens sent.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    pub(super) price_input: f64,
    /// Price of a million tokens received.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    pub(super) price_output: f64,
    /// Maximum number of findings of a change that keep their priority.
    #[arg(long, value_name = "K", default_value_t = Settings::default().max_selected)]
    max_selected: usize,
    /// Do not ask for confirmation before the first call.
    #[arg(long)]
    pub(super) yes: bool,
    /// Record the model's answers in this folder. Calls whose answers are already there are not repeated.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Replay the answers from this folder, without a network.
    #[arg(long, value_name = "DIR")]
    pub(super) replay: Option<PathBuf>,
    /// How to handle a prompt that was not recorded.
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT")]
    replay_missing: Missing,
    /// Compare with three plain prompts. Golden items are always compared when recording or replaying.
    #[arg(long)]
    baselines: bool,
    /// Maximum number of findings in the third plain prompt.
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(super) at_most: usize,
}

impl Flags {
    /// Whether plain prompts are evaluated as well.
    pub(super) fn compares(&self, jobs: &[(Item, bool)]) -> bool {
        let is_taped = self.record.is_some() || self.replay.is_some();
        self.baselines || is_taped && jobs.iter().any(|(item, _)| item.kind == Kind::Golden)
    }

    fn questions(&self) -> Questions {
        Questions::new(self.protocol, self.model.as_deref().unwrap_or_default())
    }
}

/// The model, and its tape if there is one.
pub(super) struct Models {
    pub(super) meter: Arc<Meter>,
    pub(super) player: Option<Arc<Player>>,
    recorder: Option<Arc<Recorder>>,
    settings: Settings,
}

impl Models {
    pub(super) fn new(args: &Flags) -> Result<Self, String> {
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

    /// An engine that uses it. With a tape, the same change must always produce the same prompts.
    pub(super) fn engine(&self) -> ModelEngine {
        let model = Arc::clone(&self.meter) as Arc<dyn ChatModel>;
        let engine = ModelEngine::new(
            model,
            &self.settings,
            Redactor::new(syntax::semantics::secrets::secret_places),
        );
        if self.player.is_some() || self.recorder.is_some() {
            engine.with_fixed_estimates()
        } else {
            engine
        }
    }

    /// Fails if the tape is incomplete.
    pub(super) fn check(&self) -> Result<(), String> {
        self.player
            .as_ref()
            .map_or(Ok(()), |player| player.check())?;
        self.recorder
            .as_ref()
            .and_then(|recorder| recorder.fault())
            .map_or(Ok(()), Err)
    }
}

fn settings(args: &Flags) -> Result<Settings, String> {
    let base_url = args
        .base_url
        .clone()
        .or_else(|| args.replay.as_ref().map(|_| String::new()));
    let (Some(model), Some(base_url)) = (&args.model, base_url) else {
        return Err("--engine llm: set --model and --base-url".to_owned());
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
    // The cache is off, so that the figures are those of a first review.
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
    // With this few callers, jitter is not needed.
    let chain = Chain::new(
        models.collect::<Result<_, String>>()?,
        RetryPolicy::default(),
        Arc::new(|| 0.5),
    );
    Ok(Arc::new(chain.ok_or("--engine llm: no model")?))
}
