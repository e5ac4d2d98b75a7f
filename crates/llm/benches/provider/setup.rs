//! The engine as the service configures it, and one review by it.

use std::sync::Arc;
use std::time::Duration;

use llm::{
    Chain, HttpModel, Key, ModelEngine, ModelSettings, Protocol, Redactor, RetryPolicy, Settings,
};
use review::{Diff, Engine, Options, Request, Review, TextMask};
use tokio::runtime::{Builder, Runtime};

use crate::Fallible;

/// A generous limit: late calls should show in the figures, not fail.
const CALL: Duration = Duration::from_secs(60);

/// Two threads, for two cores.
pub(crate) fn runtime() -> Fallible<Runtime> {
    Ok(Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?)
}

/// An engine that uses the provider at this address.
pub(crate) fn engine(base_url: &str, settings: &Settings) -> Fallible<Arc<dyn Engine>> {
    let model = ModelSettings {
        api_key: Some(Key::new("key-of-the-bench")),
        context_window: 128_000,
        max_output_tokens: 8_192,
        ..ModelSettings::new(Protocol::OpenAi, "scripted", base_url)
    };
    let http = HttpModel::new(&model, CALL)?;
    let chain = Chain::new(
        vec![Arc::new(http)],
        RetryPolicy::default(),
        Arc::new(|| 0.5),
    )
    .ok_or("no model")?;
    let settings = Settings {
        models: vec![model],
        ..settings.clone()
    };
    Ok(Arc::new(ModelEngine::new(
        Arc::new(chain),
        &settings,
        Redactor::new(|_, passages| {
            passages
                .iter()
                .map(|lines| vec![Vec::new(); lines.len()])
                .collect()
        }),
    )))
}

/// Reviews the text of a diff.
pub(crate) async fn review(engine: &Arc<dyn Engine>, text: &str) -> Fallible<Review> {
    let diff = Diff::parse(text)?;
    let engines = std::slice::from_ref(engine);
    let (options, budget) = (&Options::default(), &review::Budget::of_bytes(text.len()));
    let request = Request {
        context: review::DiffContext::default(),
        diff: &diff,
        target_language: None,
        engines,
        filters: &[],
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    Ok(review::review(request, std::future::pending(), &mut |_| ()).await?)
}

/// Reviews the text and checks that nothing failed.
pub(crate) async fn checked(engine: &Arc<dyn Engine>, text: &str, findings: usize) -> Fallible<()> {
    let review = review(engine, text).await?;
    if review.findings.len() == findings && review.warnings.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} findings instead of {findings}; warnings: {:?}",
        review.findings.len(),
        review.warnings
    )
    .into())
}
