//! The command line's client of the service: the public API and nothing else.

use std::error::Error as _;
use std::time::Duration;

use review::output::json::ReviewBody;
use serde::{Deserialize, Serialize};

use crate::commands::{Error, Exit};
use crate::settings::Secret;

/// Time to reach the service.
const CONNECT: Duration = Duration::from_secs(10);
/// Bytes of an answer at most.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// Where the service is, and who asks.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: reqwest::Url,
    token: Secret,
}

/// What is sent to be reviewed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'a> {
    pub(crate) diff: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target_language: Option<&'a str>,
}

/// The part of RFC 9457 that is shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    code: String,
    detail: String,
    request_id: Option<String>,
    #[serde(default)]
    errors: Vec<Fault>,
}

#[derive(Debug, Deserialize)]
struct Fault {
    pointer: String,
    detail: String,
}

impl Client {
    /// A client of the service at `server`, which gives up after `timeout`.
    ///
    /// # Errors
    /// `server` is no HTTP address.
    pub(crate) fn new(server: &str, token: Secret, timeout: Duration) -> Result<Self, Error> {
        let base = reqwest::Url::parse(server).map_err(|error| Error::usage(format!("--server {server}: {error}")))?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(Error::usage(format!(
                "--server {server}: expected an address like https://hunkwise.example.com"
            )));
        }
        llm::install_tls();
        // A redirect would carry the token, or lose the diff: both are surprises.
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(timeout)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")));
        // No proxy leads back to this machine.
        let http = if is_loopback(&base) { http.no_proxy() } else { http };
        let http = http.build().map_err(|error| Error::failure(explain(&error)))?;
        Ok(Self { http, base, token })
    }

    /// Has a diff reviewed in the name of an organization.
    ///
    /// # Errors
    /// Status 2 where the caller is at fault, 3 where the service or the way to it is.
    pub(crate) async fn review(&self, organization: &str, request: &Request<'_>) -> Result<ReviewBody, Error> {
        let url = self.url(&["v1", "organizations", organization, "reviews", "diff", "sync"]);
        let place = self.base.host_str().unwrap_or_default();
        let unreachable = |error: reqwest::Error| Error::failure(format!("{place}: {}", explain(&error)));
        let sent = self.http.post(url).bearer_auth(self.token.expose()).json(request).send().await;
        let mut response = sent.map_err(unreachable)?;
        let status = response.status();
        let retry_after =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok().map(str::to_owned));
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(unreachable)? {
            if bytes.len() + part.len() > ANSWER_BYTES {
                return Err(Error::failure(format!("{place}: the answer is longer than {ANSWER_BYTES} bytes")));
            }
            bytes.extend_from_slice(&part);
        }
        if status != reqwest::StatusCode::OK {
            return Err(refusal(place, status, retry_after.as_deref(), &bytes));
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| Error::failure(format!("{place}: the answer is not a review: {error}")))
    }

    /// The address of a path below the base, each segment encoded.
    fn url(&self, segments: &[&str]) -> reqwest::Url {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }
}

fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// What the service said no to, in its own words.
fn refusal(place: &str, status: reqwest::StatusCode, retry_after: Option<&str>, bytes: &[u8]) -> Error {
    let theirs = status.is_client_error() && !matches!(status.as_u16(), 408 | 429);
    let exit = if theirs { Exit::Usage } else { Exit::Failure };
    let Ok(problem) = serde_json::from_slice::<Problem>(bytes) else {
        let message =
            format!("{place} answered {status}, and not in the way that hunkwise does: is the address right?");
        return Error { exit, message };
    };
    let mut message = format!("{place} refused the review: {}: {}", problem.code, problem.detail);
    for fault in problem.errors.iter().filter(|fault| !problem.detail.contains(&fault.detail)) {
        message.push_str(&format!("\n  {}: {}", fault.pointer, fault.detail));
    }
    if let Some(seconds) = retry_after {
        message.push_str(&format!("\n  try again in {seconds} s"));
    }
    if let Some(id) = problem.request_id {
        message.push_str(&format!("\n  request {id}"));
    }
    // It goes to a terminal, and came from outside.
    let shown = message.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    Error { exit, message: shown }
}

/// An error with its causes: the outermost alone never says what is wrong with a certificate.
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
