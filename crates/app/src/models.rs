//! Creates the model engine from the settings.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use llm::{Chain, ChatModel, HttpModel, Key, ModelEngine, ModelSettings, Redactor, RetryPolicy};
use settings::{Llm, Model, Secret};

use crate::outcome::Error;
use crate::provider_calls::ProviderCalls;
use crate::telemetry;

/// The engine that calls the configured models and counts the calls.
///
/// # Errors
/// A setting of a model is unusable, or a file that it names cannot be read.
pub(crate) fn engine(settings: &Llm, calls: &ProviderCalls) -> Result<ModelEngine, Error> {
    engine_of(settings, Arc::new(chain(settings, calls)?))
}

/// The configured engine, but with this model.
///
/// # Errors
/// A setting of a model is unusable, or a file that it names cannot be read.
pub(crate) fn engine_of(settings: &Llm, model: Arc<dyn ChatModel>) -> Result<ModelEngine, Error> {
    let models = settings
        .models
        .iter()
        .map(model_settings)
        .collect::<Result<_, _>>()?;
    let engine = llm::Settings {
        models,
        ..settings.engine.clone()
    };
    Ok(ModelEngine::new(
        model,
        &engine,
        Redactor::new(syntax::semantics::secrets::secret_places),
    ))
}

/// The configured models as a chain that counts its calls.
///
/// # Errors
/// A setting of a model is unusable, or a file that it names cannot be read.
pub(crate) fn chain(settings: &Llm, calls: &ProviderCalls) -> Result<Chain, Error> {
    let protocols = settings.models.iter().map(|model| model.protocol);
    let models = clients(settings)?.into_iter().zip(protocols);
    let models = models
        .map(|(model, protocol)| calls.watch(Arc::new(model), protocol))
        .collect();
    let chain = Chain::new(models, RetryPolicy::default(), Arc::new(jitter));
    chain.ok_or_else(|| Error::usage("[llm]: no model is configured"))
}

/// A client for each configured model, in the order of fallback.
///
/// # Errors
/// A setting of a model is unusable, or a file that it names cannot be read.
pub(crate) fn clients(settings: &Llm) -> Result<Vec<HttpModel>, Error> {
    let call_time = Duration::from_secs(settings.engine.call_seconds);
    let client = |model: &Model| {
        let http = HttpModel::new(&model_settings(model)?, call_time)
            .map_err(|error| wrong(&model.model, &error))?;
        Ok(if model.trace_context {
            http.traced(telemetry::trace_parent)
        } else {
            http
        })
    };
    settings.models.iter().map(client).collect()
}

fn model_settings(model: &Model) -> Result<ModelSettings, Error> {
    let read = |path: &String| {
        std::fs::read(path)
            .map_err(|error| wrong(&model.model, &format!("ca_file {path}: {error}")))
    };
    Ok(ModelSettings {
        protocol: model.protocol,
        model: model.model.clone(),
        base_url: model.base_url.expose().to_owned(),
        api_key: model.api_key.as_ref().map(|key| Key::read(key.expose())),
        api_key_file: model
            .api_key
            .as_ref()
            .and_then(|key| key.file().map(Into::into)),
        credential_command: model.credential_command.clone().unwrap_or_default(),
        headers: model
            .headers
            .as_ref()
            .map_or(Ok(Vec::new()), |text| headers(&model.model, text))?,
        proxy: model.proxy.as_ref().map(|proxy| Key::new(proxy.expose())),
        ca_pem: model.ca_file.as_ref().map(read).transpose()?,
        structured_output: model.structured_output,
        stream: model.stream,
        reasoning: model.reasoning,
        extra_body: model.extra_body.clone(),
        context_window: model.context_window,
        max_output_tokens: model.max_output_tokens,
        price_input_per_million: model.price_input_per_million,
        price_output_per_million: model.price_output_per_million,
    })
}

fn headers(model: &str, text: &Secret) -> Result<Vec<(String, Key)>, Error> {
    let lines = text.expose().lines().filter(|line| !line.trim().is_empty());
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_owned(), Key::new(value.trim())))
    };
    // The line is not shown, because it may contain a key.
    lines
        .map(|line| {
            header(line)
                .ok_or_else(|| wrong(model, &"headers: expected `name: value` on each line"))
        })
        .collect()
}

fn wrong(model: &str, error: &dyn std::fmt::Display) -> Error {
    Error::usage(format!("[[llm.models]] {model}: {error}"))
}

/// A number from 0 to 1. The standard library seeds each hasher differently; nothing secret depends on it.
fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    f64::from((random >> 32) as u32) / f64::from(u32::MAX)
}
