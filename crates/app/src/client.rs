//! A client of the service, which uses only the public API.

mod account;
mod events;
#[cfg(test)]
mod tests;

use std::error::Error as _;
use std::fmt::Display;
use std::net::SocketAddr;
use std::time::Duration;

use address::{is_loopback, is_private, reachable};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Response, StatusCode};
use review::Progress;
use review::output::json::ReviewBody;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use settings::Secret;

use crate::outcome::{Error, Exit};
pub(crate) use account::{Me, Organization};
use events::{Event, Parser};

/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(10);
/// Maximum size of a response, in bytes.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// Maximum size of all events of a response, in bytes. The review is one of them.
const STREAM_BYTES: usize = 2 * ANSWER_BYTES;
/// The media type of an event stream.
const EVENT_STREAM: &str = "text/event-stream";

/// Receives the progress of a review.
pub(crate) type Watch<'w> = dyn FnMut(Progress) + 'w;

/// The address of the service and the caller's token.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: reqwest::Url,
    token: Secret,
}

/// Whether an access token may be sent to another machine in plain text.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct PlainHttp {
    /// Send the access token over plain HTTP to another machine, where anyone on the network path can read it
    #[arg(long)]
    insecure_http: bool,
}

impl PlainHttp {
    /// For requests that carry no access token.
    pub(crate) const WITHOUT_TOKEN: Self = Self {
        insecure_http: true,
    };

    /// Refuses to send a token to this address in plain text unless the user allowed it.
    ///
    /// # Errors
    /// `server` is not an HTTP address, or is plain HTTP to another machine.
    pub(crate) fn check(self, server: &str) -> Result<(), Error> {
        let url = address(server)?;
        if self.insecure_http || is_private(&url) {
            return Ok(());
        }
        Err(Error::usage(format!(
            "{server}: over plain HTTP anyone on the network path can read the access token; use https://, or add \
             --insecure-http if you trust the network"
        )))
    }
}

/// The body of a review request.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'a> {
    pub(crate) diff: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target_language: Option<&'a str>,
    /// How much of its file each hunk contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff_context: Option<&'a str>,
    /// The purpose of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) change_description: Option<&'a str>,
    /// Other files of the repository, for look-ups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) context_files: Vec<ContextFile>,
    /// The paths of all files of the repository, one per line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context_paths: Option<String>,
    /// Searches in the repository.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) context_searches: Vec<ContextSearch>,
}

/// A file of the repository that is not part of the change.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ContextFile {
    pub(crate) path: String,
    pub(crate) content: String,
}

/// A search in the repository. The diff and the context files contain every file that it found.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ContextSearch {
    /// The names, as whole words.
    pub(crate) names: Vec<String>,
    /// The extensions of the files, without a dot.
    pub(crate) extensions: Vec<String>,
}

/// The limits of a service for a diff and the files around it. Those that an older service does not have are 0.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServiceLimits {
    pub(crate) body_bytes: usize,
    pub(crate) diff_bytes: usize,
    pub(crate) diff_lines: usize,
    pub(crate) context_files: usize,
    pub(crate) context_files_bytes: usize,
    pub(crate) context_paths: usize,
    pub(crate) context_paths_bytes: usize,
    /// `None` if no engine looks into context files.
    pub(crate) look_ups: Option<usize>,
}

/// The fields of an RFC 9457 problem that are shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    code: String,
    detail: String,
    request_id: Option<String>,
    #[serde(default)]
    errors: Vec<FieldError>,
}

#[derive(Debug, Deserialize)]
struct FieldError {
    pointer: String,
    detail: String,
}

/// The normalized address of a service, under which its token is stored.
///
/// # Errors
/// `server` is not an HTTP address.
pub(crate) fn key(server: &str) -> Result<String, Error> {
    Ok(address(server)?.as_str().trim_end_matches('/').to_owned())
}

fn address(server: &str) -> Result<reqwest::Url, Error> {
    let mut url = reqwest::Url::parse(server)
        .map_err(|error| Error::usage(format!("--server {server}: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.cannot_be_a_base() {
        return Err(Error::usage(format!(
            "--server {server}: expected an address like https://hunkwise.example.com"
        )));
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

impl Client {
    /// A client of the service at `server`, which gives up after `timeout`.
    ///
    /// # Errors
    /// As [`PlainHttp::check`].
    pub(crate) fn new(
        server: &str,
        token: Secret,
        timeout: Duration,
        plain: PlainHttp,
    ) -> Result<Self, Error> {
        plain.check(server)?;
        let http = builder(timeout);
        // A proxy cannot reach services on this machine.
        let http = if is_loopback(&address(server)?) {
            http.no_proxy()
        } else {
            http
        };
        Self::with(http, server, token)
    }

    /// A client of the service that listens at an address of this machine. Its certificate is not checked: it names the
    /// public address, and the connection does not leave the machine.
    ///
    /// # Errors
    /// The client cannot be built.
    pub(crate) fn on_this_machine(
        (scheme, listens): (&str, SocketAddr),
        token: Secret,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let http = builder(timeout)
            .no_proxy()
            .tls_danger_accept_invalid_certs(true);
        Self::with(http, &format!("{scheme}://{}", reachable(listens)), token)
    }

    fn with(http: reqwest::ClientBuilder, server: &str, token: Secret) -> Result<Self, Error> {
        let base = address(server)?;
        llm::install_tls();
        let http = http
            .build()
            .map_err(|error| Error::failure(explain(&error)))?;
        Ok(Self { http, base, token })
    }

    /// Requests the review of a diff on behalf of an organization. With a watch, progress events are requested;
    /// services without them work too.
    ///
    /// # Errors
    /// Status 2 for errors of the caller, 3 for failures of the service or the network.
    pub(crate) async fn review(
        &self,
        organization: &str,
        request: &Request<'_>,
        watch: Option<&mut Watch<'_>>,
    ) -> Result<ReviewBody, Error> {
        let url = self.url(&[
            "v1", "organizations", organization, "reviews", "diff", "sync",
        ]);
        let mut post = self
            .http
            .post(url)
            .bearer_auth(self.token.expose())
            .json(request);
        if watch.is_some() {
            post = post.header(ACCEPT, EVENT_STREAM);
        }
        let response = post
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        if response.status() == StatusCode::OK && is_event_stream(&response) {
            return self.last_event(response, watch).await;
        }
        self.body(&self.read(response).await?)
    }

    /// Reads the body of a successful response.
    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Error> {
        let status = response.status();
        let retry_after = response
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok().map(str::to_owned));
        let mut bytes = Vec::new();
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.unreachable(&error))?
        {
            if bytes.len() + part.len() > ANSWER_BYTES {
                return Err(
                    self.failure(format!("the response is longer than {ANSWER_BYTES} bytes"))
                );
            }
            bytes.extend_from_slice(&part);
        }
        match status {
            StatusCode::OK => Ok(bytes),
            status => Err(refusal(
                self.place(),
                status,
                retry_after.as_deref(),
                &bytes,
            )),
        }
    }

    /// Requests the user that the token belongs to.
    ///
    /// # Errors
    /// Status 2 if the service refuses the token, 3 if it fails or cannot be reached.
    pub(crate) async fn me(&self) -> Result<Me, Error> {
        self.get(&["v1", "me"], None).await
    }

    /// Requests the limits. Older services have no such endpoint, and take neither whole files nor context files.
    ///
    /// # Errors
    /// As [`Client::me`].
    pub(crate) async fn limits(&self) -> Result<ServiceLimits, Error> {
        #[derive(Deserialize)]
        struct Body {
            limits: ServiceLimits,
        }
        Ok(self.get::<Body>(&["v1", "limits"], None).await?.limits)
    }

    /// Requests all organizations of the user, page by page.
    ///
    /// # Errors
    /// As [`Client::me`].
    pub(crate) async fn organizations(&self) -> Result<Vec<Organization>, Error> {
        let (mut all, mut cursor) = (Vec::new(), None);
        loop {
            let page: account::Page = self
                .get(&["v1", "organizations"], cursor.as_deref())
                .await?;
            all.extend(page.organizations);
            if page.next_cursor.is_none() || page.next_cursor == cursor {
                return Ok(all);
            }
            cursor = page.next_cursor;
        }
    }

    async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        cursor: Option<&str>,
    ) -> Result<T, Error> {
        let mut url = self.url(path);
        if let Some(cursor) = cursor {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        let answer = self
            .http
            .get(url)
            .bearer_auth(self.token.expose())
            .send()
            .await;
        let bytes = self
            .read(answer.map_err(|error| self.unreachable(&error))?)
            .await?;
        let body = serde_json::from_slice(&bytes);
        body.map_err(|error| {
            self.failure(format!(
                "the response is not from hunkwise: {error}; is the address right?"
            ))
        })
    }

    /// Checks whether the service is ready. No token is needed and none is sent.
    ///
    /// # Errors
    /// Status 3 if it is not ready or does not respond.
    pub(crate) async fn ready(&self) -> Result<(), Error> {
        let answer = self
            .http
            .get(self.url(&["readyz"]))
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        match answer.status() {
            StatusCode::OK => Ok(()),
            status => Err(self.failure(format!(
                "answered {status}: it cannot serve now, and its log says why"
            ))),
        }
    }

    /// Reads events up to the one that ends the review.
    async fn last_event(
        &self,
        mut response: Response,
        mut watch: Option<&mut Watch<'_>>,
    ) -> Result<ReviewBody, Error> {
        let mut parser = Parser::new(ANSWER_BYTES);
        let mut bytes = 0usize;
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.unreachable(&error))?
        {
            bytes += part.len();
            if bytes > STREAM_BYTES {
                return Err(
                    self.failure(format!("the response is longer than {STREAM_BYTES} bytes"))
                );
            }
            for Event { name, data } in parser.feed(&part).map_err(|error| self.failure(error))? {
                match name.as_str() {
                    "progress" => report(watch.as_deref_mut(), &data),
                    "review" => return self.body(data.as_bytes()),
                    "error" => {
                        return Err(refusal(self.place(), stated(&data), None, data.as_bytes()));
                    }
                    // Events of later versions.
                    _ => (),
                }
            }
        }
        Err(self.failure("the connection ended before the review did; try again"))
    }

    fn body(&self, bytes: &[u8]) -> Result<ReviewBody, Error> {
        serde_json::from_slice(bytes)
            .map_err(|error| self.failure(format!("the response is not a review: {error}")))
    }

    fn place(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    fn unreachable(&self, error: &reqwest::Error) -> Error {
        self.failure(explain(error))
    }

    fn failure(&self, what: impl Display) -> Error {
        let port = self.base.port_or_known_default().unwrap_or_default();
        Error::failure(format!("{}:{port}: {what}", self.place()))
    }

    /// The address of a path below the base, each segment encoded.
    fn url(&self, segments: &[&str]) -> reqwest::Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }
}

fn builder(timeout: Duration) -> reqwest::ClientBuilder {
    // Redirects are not followed: they would forward the token or lose the diff.
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(timeout)
        .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")))
}

fn is_event_stream(response: &Response) -> bool {
    let media_type = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(EVENT_STREAM)
}

/// Reports the progress of the review. Invalid data is ignored: it only delays the progress bar.
fn report(watch: Option<&mut Watch<'_>>, data: &str) {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        chunks_done: usize,
        chunks_total: usize,
        findings: usize,
    }
    if let (Some(watch), Ok(body)) = (watch, serde_json::from_str::<Body>(data)) {
        watch(Progress {
            chunks_done: body.chunks_done,
            chunks_total: body.chunks_total,
            findings: body.findings,
        });
    }
}

/// The status that a problem would have as a plain response.
fn stated(problem: &str) -> StatusCode {
    #[derive(Deserialize)]
    struct Body {
        status: u16,
    }
    let body = serde_json::from_str::<Body>(problem).ok();
    body.and_then(|body| StatusCode::from_u16(body.status).ok())
        .unwrap_or(StatusCode::BAD_GATEWAY)
}

/// The error for a refused request, with the service's own message.
fn refusal(place: &str, status: StatusCode, retry_after: Option<&str>, bytes: &[u8]) -> Error {
    let theirs = status.is_client_error() && !matches!(status.as_u16(), 408 | 429);
    let exit = if theirs { Exit::Usage } else { Exit::Failure };
    let Ok(problem) = serde_json::from_slice::<Problem>(bytes) else {
        let message = format!(
            "{place} answered {status}, but the response is not from hunkwise: is the address right?"
        );
        return Error { exit, message };
    };
    let mut message = format!("{place} refused: {}: {}", problem.code, problem.detail);
    for fault in problem
        .errors
        .iter()
        .filter(|fault| !problem.detail.contains(&fault.detail))
    {
        message.push_str(&format!("\n  {}: {}", fault.pointer, fault.detail));
    }
    if let Some(seconds) = retry_after {
        message.push_str(&format!("\n  try again in {seconds} s"));
    }
    if let Some(id) = problem.request_id {
        message.push_str(&format!("\n  request {id}"));
    }
    // The text comes from outside and goes to a terminal.
    let shown = message
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    Error {
        exit,
        message: shown,
    }
}

/// An error with its causes. The outermost error alone does not explain a certificate problem.
fn explain(error: &reqwest::Error) -> String {
    let mut parts = vec![if error.is_timeout() {
        "the service did not answer in time".to_owned()
    } else if error.is_connect() {
        "cannot connect".to_owned()
    } else {
        "the connection failed".to_owned()
    }];
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !parts.contains(&text) {
            parts.push(text);
        }
        cause = inner.source();
    }
    parts.join(": ")
}
