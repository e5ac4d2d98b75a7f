//! The only outbound connection of the model engine.
//!
//! A provider is trusted no more than the diff. Redirects are not followed, reads are bounded, no part of an answer
//! gets into an error or a log, and the content type is ignored. A call has one time limit for everything, and dropping
//! its future closes the connection.

mod address;
mod certificate;
mod credential;
mod error;
mod header;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Body, Certificate, Client, ClientBuilder, Proxy, Response, Url};
use review::TokenUsage;
use tokio::time::{Instant, timeout, timeout_at};

use crate::model::{CallError, ChatModel, Prompt, Reply, Window};
use crate::protocol::{Decoded, Form, Incoming, Objection, provider_error, retry_after};
use crate::settings::{Key, ModelSettings};

use credential::Credential;

pub use error::ClientError;

/// Timeout for connecting to the provider.
const CONNECT: Duration = Duration::from_secs(10);
/// Maximum time between two events of a stream, once the model has begun to answer. Before that it may be silent while
/// it reasons, up to the time limit of the call.
const IDLE: Duration = Duration::from_secs(60);
/// Time to wait for the end of a response after the last event, so that the connection can be reused.
const DRAIN: Duration = Duration::from_millis(100);
/// Maximum bytes of an error response that are read.
const ERROR_BYTES: usize = 64 * 1024;
/// Lower bound of the mean bytes per token over real diffs, for providers that do not report usage.
const TOKEN_BYTES: u64 = 3;

/// Returns the `traceparent` of the current call (W3C Trace Context), if it is part of a trace.
pub type TraceParent = fn() -> Option<String>;

/// A model served over HTTP.
pub struct HttpModel {
    http: Client,
    /// The addresses for complete answers and for streams.
    urls: [Url; 2],
    settings: ModelSettings,
    name: Arc<str>,
    /// The form of request that the provider is known to accept.
    form: Mutex<Form>,
    credential: Credential,
    /// The configured headers carry the key.
    has_own_key: bool,
    trace_parent: Option<TraceParent>,
}

impl HttpModel {
    /// A client of the model in `settings`. Each call may take `call_time` in all.
    ///
    /// # Errors
    /// A setting cannot be used.
    pub fn new(settings: &ModelSettings, call_time: Duration) -> Result<Self, ClientError> {
        let protocol = settings.protocol;
        if let Some((pointer, setting)) = protocol.reserved(settings) {
            return Err(ClientError::ExtraBody { pointer, setting });
        }
        let url = |streamed| {
            address::of(&settings.base_url, &protocol.endpoint(settings, streamed))
                .ok_or(ClientError::BaseUrl)
        };
        let (plain, stream) = (url(false)?, url(true)?);
        let form = Form::of(settings, plain.host_str().unwrap_or_default());
        let headers = header::of(settings, protocol.endpoint(settings, form.streamed).headers)?;
        let credential = Credential::of(settings)?;
        let (key_header, _) = protocol.key_header(&Key::new(""));
        crate::tls::install_tls();
        // A redirect would send the key and the prompt to an unknown address.
        let http = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(CONNECT)
            .timeout(call_time)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")));
        let has_own_key = headers.contains_key(key_header);
        let http = trusting(
            proxied(http.default_headers(headers), settings, &plain)?,
            settings,
        )?;
        Ok(Self {
            http: http.build().map_err(|_| ClientError::Tls)?,
            urls: [plain, stream],
            settings: settings.clone(),
            name: settings.model.as_str().into(),
            form: Mutex::new(form),
            credential,
            has_own_key,
            trace_parent: None,
        })
    }

    /// The same client, which sends the trace context with its calls.
    #[must_use]
    pub fn traced(self, trace_parent: TraceParent) -> Self {
        Self {
            trace_parent: Some(trace_parent),
            ..self
        }
    }

    /// Makes a call, and repeats it once with a new key if the provider rejects a key that can be renewed.
    async fn call(&self, prompt: &Prompt) -> Result<Reply, CallError> {
        let key = self.credential.key().await?;
        let reply = self.adapt(prompt, key.as_ref()).await;
        let (Err(CallError::Key(400 | 401)), Some(refused)) = (&reply, &key) else {
            return reply;
        };
        match self.credential.renewed(refused).await? {
            Some(renewed) => self.adapt(prompt, Some(&renewed)).await,
            None => reply,
        }
    }

    /// Makes a call, and repeats it without the parts of its form that the provider rejects. The form that worked is
    /// remembered.
    async fn adapt(&self, prompt: &Prompt, key: Option<&Key>) -> Result<Reply, CallError> {
        let first = self.form();
        let mut form = first;
        let mut has_switched = false;
        loop {
            let failure = match self.send(prompt, form, key).await {
                Ok(reply) => {
                    if form != first {
                        self.remember(form);
                    }
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            let other = failure
                .objection
                .and_then(|objection| form.without(objection));
            match other {
                // A server that rejects both dialects is not asked forever.
                Some(other) if other.dialect == form.dialect || !has_switched => {
                    has_switched |= other.dialect != form.dialect;
                    form = other;
                }
                _ => return Err(failure.error),
            }
        }
    }

    fn form(&self) -> Form {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, form: Form) {
        let mut known = self.form.lock().unwrap_or_else(PoisonError::into_inner);
        *known = known.and(form);
        tracing::info!(model = &*self.name, form = ?*known, "the provider rejected a part of the request; it is left out from now on");
    }

    async fn send(&self, prompt: &Prompt, form: Form, key: Option<&Key>) -> Result<Reply, Failure> {
        let body = self.settings.protocol.encode(&self.settings, prompt, form);
        let sent = body.len();
        // A wrapped body cannot be sent twice, so it is not kept in memory until the answer arrives.
        let body = Body::wrap(Body::from(body));
        let [plain, stream] = &self.urls;
        let mut request = self
            .http
            .post(if form.streamed { stream } else { plain }.clone())
            .body(body);
        if let Some((name, value)) = key.and_then(|key| self.key_header(key)) {
            request = request.header(name, value);
        }
        if let Some(parent) = self.trace_parent.and_then(|parent| parent()) {
            request = request.header("traceparent", parent);
        }
        let response = request.send().await.map_err(|error| call_error(&error))?;
        if !response.status().is_success() {
            return Err(refused(response).await);
        }
        let incoming = Incoming::new(self.settings.protocol);
        Ok(self.reply(receive(response, incoming).await?, sent))
    }

    fn key_header(&self, key: &Key) -> Option<(HeaderName, HeaderValue)> {
        let protocol = self.settings.protocol;
        let is_token = self.credential.is_command();
        let (name, key) = if is_token {
            protocol.token_header(key)
        } else {
            protocol.key_header(key)
        };
        (!self.has_own_key).then_some((HeaderName::from_static(name), header::value(&key)?))
    }

    fn reply(&self, decoded: Decoded, sent: usize) -> Reply {
        let usage = decoded
            .usage
            .unwrap_or_else(|| estimate(sent, decoded.text.len()));
        let Decoded {
            text,
            finish,
            cached_tokens,
            ..
        } = decoded;
        Reply {
            text,
            finish,
            usage,
            cached_tokens,
            model: Arc::clone(&self.name),
        }
    }
}

impl ChatModel for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Window {
        Window {
            context: self.settings.context_window,
            output: self.settings.max_output_tokens,
        }
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        let call = self.call(prompt);
        let note = |error: &CallError| tracing::debug!(model = &*self.name, %error, "a call to a model failed");
        async move { call.await.inspect_err(note) }.boxed()
    }
}

/// Why a request failed.
struct Failure {
    error: CallError,
    /// The part of the request's form that the provider rejected.
    objection: Option<Objection>,
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self {
            error,
            objection: None,
        }
    }
}

/// The proxy, which is not used for addresses on this machine.
fn proxied(
    http: ClientBuilder,
    settings: &ModelSettings,
    url: &Url,
) -> Result<ClientBuilder, ClientError> {
    match &settings.proxy {
        _ if address::is_loopback(url) => Ok(http.no_proxy()),
        Some(proxy) => Ok(http.proxy(Proxy::all(proxy.expose()).map_err(|_| ClientError::Proxy)?)),
        None => Ok(http),
    }
}

fn trusting(http: ClientBuilder, settings: &ModelSettings) -> Result<ClientBuilder, ClientError> {
    let Some(pem) = &settings.ca_pem else {
        return Ok(http);
    };
    let certificates =
        Certificate::from_pem_bundle(pem).map_err(|_| ClientError::CertificateAuthority)?;
    if certificates.is_empty() {
        return Err(ClientError::CertificateAuthority);
    }
    Ok(http.tls_certs_merge(certificates))
}

/// Reads the body of a successful response, or as much of it as arrives.
async fn receive(mut response: Response, mut incoming: Incoming) -> Result<Decoded, CallError> {
    let mut events = 0;
    let mut deadline = Instant::now() + IDLE;
    let fault = loop {
        if incoming.events() > events {
            events = incoming.events();
            deadline = Instant::now() + IDLE;
        }
        let part = if incoming.has_begun() {
            timeout_at(deadline, response.chunk())
                .await
                .map_err(|_| CallError::TimedOut)
        } else {
            Ok(response.chunk().await)
        };
        match part.and_then(|part| part.map_err(|error| call_error(&error))) {
            Ok(Some(part)) if incoming.take(&part)? => {}
            Ok(Some(_)) => {
                let _ = timeout(DRAIN, response.chunk()).await;
                break None;
            }
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    incoming.end(fault)
}

/// The status is enough, so a broken or endless body does no harm.
async fn refused(mut response: Response) -> Failure {
    let status = response.status().as_u16();
    let wait = retry_after::read(response.headers());
    let (body, _) = read(&mut response, ERROR_BYTES).await.unwrap_or_default();
    let error = provider_error::read(status, wait, &body);
    Failure {
        error,
        objection: provider_error::objection(status, &body),
    }
}

/// Reads at most `bound` bytes; the flag is whether that was all.
async fn read(response: &mut Response, bound: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await? {
        if body.len() + part.len() > bound {
            return Ok((body, false));
        }
        body.extend_from_slice(&part);
    }
    Ok((body, true))
}

fn call_error(error: &reqwest::Error) -> CallError {
    if error.is_timeout() && !error.is_connect() {
        return CallError::TimedOut;
    }
    certificate::fault(error).map_or(CallError::Connection, CallError::Certificate)
}

fn estimate(sent: usize, received: usize) -> TokenUsage {
    let tokens = |bytes: usize| (bytes as u64).div_ceil(TOKEN_BYTES);
    let (prompt_tokens, completion_tokens) = (tokens(sent), tokens(received));
    TokenUsage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        estimated: true,
    }
}
