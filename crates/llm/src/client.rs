//! The one outward socket of the model engine.
//!
//! A provider is not trusted more than the diff is. Nothing is followed to another address, nothing is read beyond a
//! bound, nothing of an answer gets into an error or a log, and the content type is not believed. A call has one limit of
//! time for everything; dropping its future closes the connection.

mod address;
mod error;
mod header;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::{Body, Certificate, Client, ClientBuilder, Proxy, Response, Url};
use review::TokenUsage;

use crate::model::{CallError, ChatModel, Prompt, Reply, Window};
use crate::protocol::{Decoded, Dialect, provider_error, retry_after};
use crate::settings::ModelSettings;

pub use error::ClientError;

/// Time to reach the provider.
const CONNECT: Duration = Duration::from_secs(10);
/// Bytes of an answer at most: a reply of 128,000 tokens has about 500 kB.
const REPLY_BYTES: usize = 2 * 1024 * 1024;
/// Bytes of an error that are looked at.
const ERROR_BYTES: usize = 64 * 1024;
/// Bytes that a token has at least, in the mean, over real diffs: for providers that do not count.
const TOKEN_BYTES: u64 = 3;

/// Tells the `traceparent` of the call under way (W3C Trace Context), if it is part of a trace.
pub type TraceParent = fn() -> Option<String>;

/// A model behind HTTP.
pub struct HttpModel {
    http: Client,
    url: Url,
    settings: ModelSettings,
    name: Arc<str>,
    /// Whether the provider speaks OpenAI's own dialect.
    own_dialect: AtomicBool,
    trace_parent: Option<TraceParent>,
}

impl HttpModel {
    /// A client of the model that `settings` name, which gives a call `call_time` in all.
    ///
    /// # Errors
    /// A setting cannot be used.
    pub fn new(settings: &ModelSettings, call_time: Duration) -> Result<Self, ClientError> {
        let endpoint = settings.protocol.endpoint(settings);
        let url = address::of(&settings.base_url, &endpoint).ok_or(ClientError::BaseUrl)?;
        crate::tls::install_tls();
        // A redirect would carry the key and the prompt to who knows where.
        let http = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(CONNECT)
            .timeout(call_time)
            .default_headers(header::of(settings, endpoint.headers)?)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")));
        let http = trusting(proxied(http, settings, &url)?, settings)?;
        Ok(Self {
            http: http.build().map_err(|_| ClientError::Tls)?,
            own_dialect: AtomicBool::new(Dialect::of(url.host_str().unwrap_or_default()) == Dialect::Own),
            url,
            settings: settings.clone(),
            name: settings.model.as_str().into(),
            trace_parent: None,
        })
    }

    /// The same client, whose calls tell the provider which trace they are part of.
    #[must_use]
    pub fn traced(self, trace_parent: TraceParent) -> Self {
        Self { trace_parent: Some(trace_parent), ..self }
    }

    async fn call(&self, prompt: &Prompt) -> Result<Reply, CallError> {
        let first = self.dialect();
        let mut reply = self.send(prompt, first).await;
        if first == Dialect::Compatible && matches!(reply, Err(Failure::Dialect(_))) {
            reply = self.send(prompt, Dialect::Own).await;
            self.own_dialect.fetch_or(reply.is_ok(), Ordering::Relaxed);
        }
        reply.map_err(|failure| {
            let (Failure::Call(error) | Failure::Dialect(error)) = failure;
            tracing::debug!(model = &*self.name, %error, "a call to a model failed");
            error
        })
    }

    fn dialect(&self) -> Dialect {
        if self.own_dialect.load(Ordering::Relaxed) { Dialect::Own } else { Dialect::Compatible }
    }

    async fn send(&self, prompt: &Prompt, dialect: Dialect) -> Result<Reply, Failure> {
        let body = self.settings.protocol.encode(&self.settings, prompt, dialect);
        let sent = body.len();
        // Wrapped, it cannot be sent twice, so it is not kept until the answer comes.
        let body = Body::wrap(Body::from(body));
        let mut request = self.http.post(self.url.clone()).body(body);
        if let Some(parent) = self.trace_parent.and_then(|parent| parent()) {
            request = request.header("traceparent", parent);
        }
        let response = request.send().await.map_err(|error| call_error(&error))?;
        if !response.status().is_success() {
            return Err(refused(response).await);
        }
        let body = whole(response).await?;
        let decoded = self.settings.protocol.decode(&body)?;
        Ok(self.reply(decoded, sent))
    }

    fn reply(&self, decoded: Decoded, sent: usize) -> Reply {
        let usage = decoded.usage.unwrap_or_else(|| estimate(sent, decoded.text.len()));
        Reply { text: decoded.text, finish: decoded.finish, usage, model: Arc::clone(&self.name) }
    }
}

impl ChatModel for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Window {
        Window { context: self.settings.context_window, output: self.settings.max_output_tokens }
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.call(prompt).boxed()
    }
}

/// Why a request got no reply.
enum Failure {
    Call(CallError),
    /// The same, but the other dialect of OpenAI's protocol may be taken.
    Dialect(CallError),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

/// No proxy leads back to this machine.
fn proxied(http: ClientBuilder, settings: &ModelSettings, url: &Url) -> Result<ClientBuilder, ClientError> {
    match &settings.proxy {
        _ if address::is_loopback(url) => Ok(http.no_proxy()),
        Some(proxy) => Ok(http.proxy(Proxy::all(proxy.expose()).map_err(|_| ClientError::Proxy)?)),
        None => Ok(http),
    }
}

fn trusting(http: ClientBuilder, settings: &ModelSettings) -> Result<ClientBuilder, ClientError> {
    let Some(pem) = &settings.ca_pem else { return Ok(http) };
    let certificates = Certificate::from_pem_bundle(pem).map_err(|_| ClientError::CertificateAuthority)?;
    if certificates.is_empty() {
        return Err(ClientError::CertificateAuthority);
    }
    Ok(http.tls_certs_merge(certificates))
}

/// The body of a success, as long as it is no longer than any reply may be.
async fn whole(mut response: Response) -> Result<Vec<u8>, CallError> {
    let announced = response.content_length().unwrap_or_default();
    let (body, ended) = if announced > REPLY_BYTES as u64 {
        (Vec::new(), false)
    } else {
        read(&mut response, REPLY_BYTES).await.map_err(|error| call_error(&error))?
    };
    if ended { Ok(body) } else { Err(CallError::TooLarge) }
}

/// The status alone tells enough, so a broken or endless body changes nothing.
async fn refused(mut response: Response) -> Failure {
    let status = response.status().as_u16();
    let wait = retry_after::read(response.headers());
    let (body, _) = read(&mut response, ERROR_BYTES).await.unwrap_or_default();
    let error = provider_error::read(status, wait, &body);
    if provider_error::is_of_dialect(status, &body) { Failure::Dialect(error) } else { Failure::Call(error) }
}

/// At most `bound` bytes, and whether that was all.
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
    if error.is_timeout() && !error.is_connect() { CallError::TimedOut } else { CallError::Connection }
}

fn estimate(sent: usize, received: usize) -> TokenUsage {
    let tokens = |bytes: usize| (bytes as u64).div_ceil(TOKEN_BYTES);
    let (prompt_tokens, completion_tokens) = (tokens(sent), tokens(received));
    TokenUsage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, estimated: true }
}
