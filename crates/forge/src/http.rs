//! The HTTP client for hosts: sequential requests with limits on time and size, and retries after rate limits.

#[cfg(test)]
mod tests;

use std::error::Error as _;
use std::time::Duration;

use address::{is_loopback, is_private};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LINK};
use reqwest::{Method, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::{Failure, SetupError};
use super::rate_limit;

/// Connection timeout, and timeout of one request.
const CONNECT: Duration = Duration::from_secs(10);
const TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum size of a response, in bytes.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// Maximum number of pages of a list, of 100 entries each.
const PAGES: usize = 50;
/// Maximum number of attempts at a rate limit, and the longest wait before another one.
const TRIES: usize = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Maximum length of a host's message that is shown, in characters.
const MESSAGE: usize = 300;

/// Waits for a duration.
pub type Pause = Box<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// Waits in real time.
pub fn real_pause() -> Pause {
    Box::new(|wait| tokio::time::sleep(wait).boxed())
}

/// The header that carries a token.
pub(super) enum Scheme {
    Bearer,
    PrivateToken,
}

/// The API of a host.
pub(super) struct Api {
    http: reqwest::Client,
    base: Url,
    token: (HeaderName, HeaderValue),
    pause: Pause,
}

/// A successful response.
struct Answer {
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Api {
    /// A crypto provider of TLS must be installed.
    ///
    /// # Errors
    /// The address is not safe for a token, or the token is invalid.
    pub(super) fn new(
        base: &str,
        token: &str,
        scheme: &Scheme,
        pause: Pause,
    ) -> Result<Self, SetupError> {
        let base = safe(base).map_err(|reason| SetupError::Address {
            url: base.to_owned(),
            reason,
        })?;
        // A redirect would send the token elsewhere.
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(TIMEOUT)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")));
        let http = if is_loopback(&base) {
            http.no_proxy()
        } else {
            http
        };
        let http = http
            .build()
            .map_err(|error| SetupError::Client(explain(error)))?;
        Ok(Self {
            http,
            base,
            token: header(token, scheme)?,
            pause,
        })
    }

    /// The URL of a path below the base, with each segment encoded.
    pub(super) fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// The base itself.
    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, url: Url) -> Result<T, Failure> {
        let answer = self.send(&Method::GET, &url, None).await?;
        self.read(&url, &answer.body)
    }

    pub(super) async fn write<T: DeserializeOwned>(
        &self,
        method: Method,
        url: Url,
        body: &Value,
    ) -> Result<T, Failure> {
        let answer = self.send(&method, &url, Some(body)).await?;
        self.read(&url, &answer.body)
    }

    /// All entries of a list.
    pub(super) async fn list<T: DeserializeOwned>(&self, mut url: Url) -> Result<Vec<T>, Failure> {
        url.query_pairs_mut().append_pair("per_page", "100");
        let mut entries = Vec::new();
        for _ in 0..PAGES {
            let answer = self.send(&Method::GET, &url, None).await?;
            entries.extend(self.read::<Vec<T>>(&url, &answer.body)?);
            match self.next_page(&answer.headers)? {
                Some(next) => url = next,
                None => return Ok(entries),
            }
        }
        Err(self.failure(&url, format!("the list has more than {PAGES} pages")))
    }

    /// Sends a request, and retries it if a rate limit ends soon.
    async fn send(
        &self,
        method: &Method,
        url: &Url,
        body: Option<&Value>,
    ) -> Result<Answer, Failure> {
        let mut tries = 1;
        loop {
            let mut response = self
                .request(method, url, body)
                .await
                .map_err(|error| self.failure(url, explain(error)))?;
            let bytes = self.bytes(url, &mut response).await?;
            let Some(wait) = rate_limit::wait(response.status(), response.headers()) else {
                return self.checked(url, &response, bytes);
            };
            if tries == TRIES || wait > LONGEST_WAIT {
                let message = format!(
                    "the rate limit is reached: try again in {} s",
                    wait.as_secs()
                );
                return Err(self.failure(url, message));
            }
            tries += 1;
            (self.pause)(wait).await;
        }
    }

    async fn request(
        &self,
        method: &Method,
        url: &Url,
        body: Option<&Value>,
    ) -> reqwest::Result<Response> {
        let (name, value) = &self.token;
        let request = self
            .http
            .request(method.clone(), url.clone())
            .header(name, value);
        let request = request
            .header("accept", "application/json")
            .header("x-github-api-version", "2022-11-28");
        body.into_iter()
            .fold(request, |request, body| request.json(body))
            .send()
            .await
    }

    async fn bytes(&self, url: &Url, response: &mut Response) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.failure(url, explain(error)))?
        {
            if bytes.len() + part.len() > ANSWER_BYTES {
                return Err(self.failure(
                    url,
                    format!("the response is longer than {ANSWER_BYTES} bytes"),
                ));
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    fn checked(&self, url: &Url, response: &Response, body: Vec<u8>) -> Result<Answer, Failure> {
        let status = response.status();
        if status.is_success() {
            return Ok(Answer {
                headers: response.headers().clone(),
                body,
            });
        }
        let message = self.words(url, &format!("answered {status}{}", stated(&body)));
        Err(match status {
            StatusCode::FORBIDDEN => Failure::Forbidden(message),
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => Failure::Refused(message),
            StatusCode::UNAUTHORIZED => Failure::Other(format!(
                "{message}\n  check the token: it is unknown, or has expired"
            )),
            StatusCode::NOT_FOUND => Failure::Other(format!(
                "{message}\n  check --api-url, the repository or project, the number, and whether the token may read them"
            )),
            status if status.is_redirection() => Failure::Other(format!(
                "{message}\n  redirects are not followed: use its current address or name"
            )),
            _ => Failure::Other(message),
        })
    }

    fn read<T: DeserializeOwned>(&self, url: &Url, body: &[u8]) -> Result<T, Failure> {
        let not_understood =
            |error| self.failure(url, format!("unexpected response for this API: {error}"));
        serde_json::from_slice(body).map_err(not_understood)
    }

    /// The next page, which must be on the same host, because the token is sent to it.
    fn next_page(&self, headers: &HeaderMap) -> Result<Option<Url>, Failure> {
        let link = headers
            .get(LINK)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let Some(next) = link.split(',').find_map(next_link) else {
            return Ok(None);
        };
        match self.base.join(next) {
            Ok(url) if url.origin() == self.base.origin() => Ok(Some(url)),
            _ => Err(self.failure(&self.base, "the next page of a list is on another host")),
        }
    }

    /// An error at a URL, without its query.
    pub(super) fn failure(&self, url: &Url, what: impl std::fmt::Display) -> Failure {
        Failure::Other(self.words(url, &what.to_string()))
    }

    fn words(&self, url: &Url, what: &str) -> String {
        format!(
            "{}{}: {what}",
            self.base.host_str().unwrap_or_default(),
            url.path()
        )
    }
}

fn safe(base: &str) -> Result<Url, String> {
    let mut url = Url::parse(base).map_err(|error| error.to_string())?;
    if !is_private(&url) {
        return Err(
            "expected an https address, as a token is sent there (plain http to this machine only)"
                .to_owned(),
        );
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("expected an address without a password".to_owned());
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

fn header(token: &str, scheme: &Scheme) -> Result<(HeaderName, HeaderValue), SetupError> {
    let (name, text) = match scheme {
        Scheme::Bearer => (AUTHORIZATION, format!("Bearer {token}")),
        Scheme::PrivateToken => (HeaderName::from_static("private-token"), token.to_owned()),
    };
    let mut value = HeaderValue::from_str(&text).map_err(|_| SetupError::Token)?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// `<https://…?page=2>; rel="next"`.
fn next_link(link: &str) -> Option<&str> {
    let (address, parameters) = link.split_once(';')?;
    let is_next = parameters
        .split(';')
        .any(|parameter| matches!(parameter.trim(), "rel=\"next\"" | "rel=next"));
    address
        .trim()
        .strip_prefix('<')?
        .strip_suffix('>')
        .filter(|_| is_next)
}

/// The host's own message, sanitized for a terminal.
fn stated(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let message = body
        .get("message")
        .or_else(|| body.get("error"))
        .map(|message| match message.as_str() {
            Some(text) => text.to_owned(),
            None => message.to_string(),
        });
    let shown = |text: String| {
        text.chars()
            .filter(|c| !c.is_control())
            .take(MESSAGE)
            .collect::<String>()
    };
    message
        .map(|text| format!(": {}", shown(text)))
        .unwrap_or_default()
}

/// An error with its causes and without its URL.
fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    words
}
