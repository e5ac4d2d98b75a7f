//! Fetches documents from the OpenID Connect issuer, whose tokens the service checks.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use address::{is_loopback, is_private};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use server::{CodeFlow, Fetch, SignIn};
use settings::Oidc;

/// Timeout for one document, from sending the request to reading the last byte.
const TIMEOUT: Duration = Duration::from_secs(5);

type Failure = Box<dyn Error + Send + Sync>;

/// The settings of the issuer for the service.
pub(crate) fn of(settings: &Oidc) -> SignIn {
    let Oidc {
        issuer,
        audience,
        jwks_url,
        scopes,
        ..
    } = settings.clone();
    let (issuer, jwks_url) = (
        issuer.expose().to_owned(),
        jwks_url.map(|url| url.expose().to_owned()),
    );
    SignIn {
        issuer,
        audience,
        jwks_url,
        scopes,
        code_flow: code_flow(settings),
        fetch: Arc::new(Web::default()),
    }
}

fn code_flow(settings: &Oidc) -> Option<CodeFlow> {
    let Oidc {
        client_id,
        client_secret,
        redirect_url,
        request_scopes,
        session_scopes,
        ..
    } = settings.clone();
    Some(CodeFlow {
        client_id: client_id?,
        client_secret: client_secret.map(|secret| secret.expose().to_owned()),
        redirect_url: redirect_url?.expose().to_owned(),
        request_scopes,
        session_scopes,
    })
}

/// Fetches over https, or over plain http on this machine. Clients are created on first use.
#[derive(Default)]
struct Web {
    far: OnceLock<Client>,
    /// Without a proxy, because a proxy cannot reach this machine.
    near: OnceLock<Client>,
}

impl Fetch for Web {
    fn fetch<'a>(&'a self, url: &'a str, limit: usize) -> BoxFuture<'a, Result<Vec<u8>, Failure>> {
        self.ask(url, limit, |client, url| client.get(url)).boxed()
    }

    fn post_form<'a>(
        &'a self,
        url: &'a str,
        form: String,
        authorization: Option<String>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Failure>> {
        let post = move |client: &Client, url| {
            let post = client
                .post(url)
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(form);
            let post = post.header(ACCEPT, "application/json");
            authorization
                .into_iter()
                .fold(post, |post, value| post.header(AUTHORIZATION, value))
        };
        self.ask(url, limit, post).boxed()
    }
}

impl Web {
    /// Sends a request to the address if it is safe. Errors name the address without its query.
    async fn ask(
        &self,
        url: &str,
        limit: usize,
        request: impl FnOnce(&Client, reqwest::Url) -> RequestBuilder,
    ) -> Result<Vec<u8>, Failure> {
        let url =
            reqwest::Url::parse(url).map_err(|error| format!("the address is invalid: {error}"))?;
        if !is_private(&url) {
            return Err(
                "the address must be an https URL (plain http to this machine only)".into(),
            );
        }
        let place = format!("{}{}", url.host_str().unwrap_or_default(), url.path());
        let answer = async { read(request(&self.client(&url)?, url), limit).await }.await;
        answer.map_err(|error| format!("{place}: {}", with_causes(error.as_ref())).into())
    }

    fn client(&self, url: &reqwest::Url) -> Result<Client, Failure> {
        let near = is_loopback(url);
        let slot = if near { &self.near } else { &self.far };
        if let Some(client) = slot.get() {
            return Ok(client.clone());
        }
        llm::install_tls();
        // No redirects: keys must come from the place that the operator or the issuer specifies.
        let client = Client::builder()
            .redirect(Policy::none())
            .timeout(TIMEOUT)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")));
        let client = if near { client.no_proxy() } else { client };
        let client = client.build()?;
        Ok(slot.get_or_init(|| client).clone())
    }
}

/// The body of a successful response.
async fn read(request: RequestBuilder, limit: usize) -> Result<Vec<u8>, Failure> {
    let too_long = || format!("the response is longer than {limit} bytes");
    let mut answer = request.send().await.map_err(reqwest::Error::without_url)?;
    if answer.status() != reqwest::StatusCode::OK {
        return Err(format!("the response has the status {}", answer.status().as_u16()).into());
    }
    if answer
        .content_length()
        .is_some_and(|length| length > limit as u64)
    {
        return Err(too_long().into());
    }
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
        if body.len() + part.len() > limit {
            return Err(too_long().into());
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    words
}
