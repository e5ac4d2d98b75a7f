//! The model that is evaluated: its flags, and its answers kept on a tape or taken from one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::corpus::{Item, Kind};
use super::tape::{Meter, Missing, Player, Questions, Recorder};
use llm::{
    Chain, ChatModel, HttpModel, Key, ModelEngine, ModelSettings, Protocol, Redactor, RetryPolicy,
    Settings, Window,
};

/// The model. The settings of the service have more; an evaluation needs one model that answers.
#[derive(clap::Args)]
#[command(next_help_heading = "With --engine llm")]
pub(crate) struct Flags {
    /// What the provider speaks: openai, openai-responses, anthropic or gemini.
    #[arg(long, default_value = "openai")]
    protocol: Protocol,
    /// The model's name at the provider.
    #[arg(long, required_if_eq("engine", "llm"))]
    pub(super) model: Option<String>,
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
    pub(super) max_output_tokens: u64,
    /// Price of a million tokens taken in.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    pub(super) price_input: f64,
    /// Price of a million tokens given out.
    #[arg(long, value_name = "PRICE", default_value_t = 0.0)]
    pub(super) price_output: f64,
    /// Findings of a change that keep their priority, at most.
    #[arg(long, value_name = "K", default_value_t = Settings::default().max_selected)]
    max_selected: usize,
    /// Do not ask before the first call.
    #[arg(long)]
    pub(super) yes: bool,
    /// Keep each answer of the model in this folder; what is there already is not asked again.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Take the answers from this folder, without a network.
    #[arg(long, value_name = "DIR")]
    pub(super) replay: Option<PathBuf>,
    /// What is done about a prompt that was never recorded.
    #[arg(long, value_enum, default_value = "fail", value_name = "WHAT")]
    replay_missing: Missing,
    /// Compare with three plain prompts. Golden items that are recorded or replayed are always compared.
    #[arg(long)]
    baselines: bool,
    /// Findings that the third plain prompt may report.
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(super) at_most: usize,
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

/// The model, and its tape if it has one.
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

    /// An engine that asks it. On a tape the same change must always become the same prompts.
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

    /// Fails where the tape is not complete.
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
