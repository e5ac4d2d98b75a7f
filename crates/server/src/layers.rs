//! The layers around every request, from the outside in: compression of the response; the edge (request ID, log line,
//! metrics, trace, header limits, response header fields, and the only place that writes a `Problem`); panics; CORS.

mod cors;
mod query_token;

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{self, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::{
    Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header,
};
use axum::response::{IntoResponse, Response};
use tower::Service;
use tower::layer::layer_fn;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::predicate::Predicate as _;
use tower_http::compression::{CompressionLayer, DefaultPredicate};
use tracing::Instrument;

use crate::context::{Context, REQUEST_ID};
use crate::error::{Code, FieldError, Problem};
use crate::extract::session::Session;
use crate::handlers::reviews::diff_sync::ReviewStream;
use crate::metrics::GaugeGuard;
use crate::oidc::CALLBACK_PATH;
use crate::web::error_page::{self, Reader};
use crate::web::page::Written;
use crate::wire::problem::ProblemBody;
use crate::{State, client_address, traces};

/// No operation needs more. Far larger headers are cut off by the transport, without a body.
const HEADER_BYTES: usize = 32 << 10;
const HEADER_FIELDS: usize = 100;
const URI_BYTES: usize = 8 << 10;

/// Set unless a handler set its own.
static SECURITY_HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Browsers use only TLS for a year after each response.
const ONE_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds the layers to the routes as one: each layer that the router adds separately costs a box per request.
pub(crate) fn wrap(routes: Router<State>, state: &State) -> Router<State> {
    let edge = state.clone();
    cors::allow(routes, &state.settings().cors_origins).layer((
        CompressionLayer::new().compress_when(DefaultPredicate::new().and(is_for_a_caller)),
        CompressionLayer::new()
            .quality(STREAM_QUALITY)
            .compress_when(is_review_stream),
        layer_fn(move |inner| RequestLayer {
            inner,
            state: edge.clone(),
        }),
        CatchPanicLayer::custom(|_: Box<dyn Any + Send>| Problem::panicked().into_response()),
    ))
}

/// Event streams stay open as long as their reviews take. At this quality Brotli holds no memory between two events;
/// at the default one it holds 9 MB for its window. Compressed data is flushed whenever the stream waits for an
/// event.
const STREAM_QUALITY: CompressionLevel = CompressionLevel::Precise(1);

fn is_review_stream(_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    extensions.get::<ReviewStream>().is_some()
}

/// Whether a response is for a caller with a token. Each response compressed on the fly has a compressor until it is
/// sent, which is too much memory for unauthenticated clients.
fn is_for_a_caller(status: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    status.is_success() && extensions.get::<ForCaller>().is_some()
}

/// Marks the response of an operation that needs a token.
#[derive(Debug, Clone, Copy)]
struct ForCaller;

/// See the module. A hand-written service, because one made from a function costs each request two copies of the
/// inner future.
#[derive(Clone)]
struct RequestLayer<S> {
    inner: S,
    state: State,
}

impl<S> Service<Request> for RequestLayer<S>
where
    S: Service<Request, Response: IntoResponse, Error = Infallible, Future: Send + 'static>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let context = Context::new(self.state.clock(), self.state.release_tasks());
        let line = LogLine::new(&request, context.clone(), &self.state);
        let trace = traces::request(&request, line.method, context.request_id());
        let answered = trace.clone();
        let for_caller = needs_token(request.uri().path());
        let for_browser;
        (request, for_browser) = reader_of(request, for_caller, &self.state);
        request.extensions_mut().insert(context.clone());
        // Every log line of a request has its ID from here on.
        let span = tracing::info_span!("request", request_id = context.request_id());
        if client_address::is_forwarded_by_other(&request, &self.state.settings().trusted_proxies) {
            span.in_scope(|| self.state.warn_of_untrusted_proxy());
        }
        let state = self.state.clone();
        let inside = check_head(&request).map(|()| self.inner.call(request));
        let answer = async move {
            let response = match inside {
                Ok(response) => last_words(&state, response).await,
                Err(problem) => problem.into_response(),
            };
            context.release_tasks().done().await;
            let mut response = finish(response, &context, for_caller, for_browser.as_ref());
            if state.settings().is_https() {
                response
                    .headers_mut()
                    .insert(header::STRICT_TRANSPORT_SECURITY, ONE_YEAR);
            }
            traces::answered(&answered, response.status());
            line.finish(response.status());
            Ok(response)
        };
        Box::pin(answer.instrument(span).instrument(trace))
    }
}

/// The browser that requests a page, if it is one.
fn reader_of(request: Request, for_caller: bool, state: &State) -> (Request, Option<Reader>) {
    if for_caller || !accepts_html(request.headers()) {
        return (request, None);
    }
    let next = page_of(&request);
    let (parts, body) = request.into_parts();
    let session = Session::of(&parts, state.settings());
    let form_token = session.secret().map(|_| session.form_token());
    let reader = Reader { next, form_token };
    (Request::from_parts(parts, body), Some(reader))
}

/// The page that a browser requested, or the first page for a path that only takes forms.
fn page_of(request: &Request) -> String {
    let path = if *request.method() == Method::GET {
        request.uri().path()
    } else {
        "/"
    };
    path.to_owned()
}

/// The response, or a refusal if the request is still running when the service ends.
async fn last_words<R: IntoResponse>(
    state: &State,
    response: impl Future<Output = Result<R, Infallible>>,
) -> Response {
    tokio::select! {
        biased;
        response = response => response.into_response(),
        () = state.last_words() => Problem::stopping().into_response(),
    }
}

/// Whether a path is for callers with a token: below `/v1`, or `/mcp`.
fn needs_token(path: &str) -> bool {
    path == "/mcp"
        || path
            .strip_prefix("/v1")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether the client is a browser that requests a page.
fn accepts_html(headers: &HeaderMap) -> bool {
    let fields = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|field| field.to_str().ok());
    fields
        .flat_map(|field| field.split([',', ';']))
        .any(|range| range.trim().eq_ignore_ascii_case("text/html"))
}

fn check_head(request: &Request) -> Result<(), Problem> {
    let uri = request
        .uri()
        .path_and_query()
        .map_or(0, |text| text.as_str().len());
    if uri > URI_BYTES {
        return Err(Problem::new(
            Code::UriTooLong,
            format!("The URL may have at most {URI_BYTES} bytes; it has {uri}."),
        ));
    }
    // The parameters that the issuer sends back are random, single-use, and may look like a token.
    let may_hold_token = request.uri().path() != CALLBACK_PATH;
    if let Some(parameter) = query_token::find(request.uri()).filter(|_| may_hold_token) {
        let detail =
            "do not put tokens in URLs, which are logged and stored: send `Authorization: Bearer`";
        // The client tried to authenticate, so the missing header is reported first where a token is needed.
        if needs_token(request.uri().path())
            && !request.headers().contains_key(header::AUTHORIZATION)
        {
            return Err(Problem::new(
                Code::Unauthenticated,
                format!("`{parameter}`: {detail}"),
            ));
        }
        return Err(Problem::invalid(vec![FieldError::parameter(
            parameter, detail,
        )]));
    }
    let headers = request.headers();
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if bytes > HEADER_BYTES || headers.len() > HEADER_FIELDS {
        let detail =
            format!("The header may have at most {HEADER_FIELDS} fields and {HEADER_BYTES} bytes.");
        return Err(Problem::new(Code::HeadersTooLarge, detail));
    }
    Ok(())
}

/// Writes the problem, if the response is one, and the header fields common to all responses.
fn finish(
    mut response: Response,
    context: &Context,
    for_caller: bool,
    for_browser: Option<&Reader>,
) -> Response {
    let problem = Problem::take(response.extensions_mut()).or_else(|| framework_problem(&response));
    if let Some(problem) = problem {
        response = match for_browser {
            Some(reader) => error_page::write(&problem, response, context.request_id(), reader),
            None => write(&problem, response, context.request_id()),
        };
    }
    let headers = response.headers_mut();
    // One reservation for all fields added here.
    headers.reserve(4 + SECURITY_HEADERS.len());
    if let Ok(id) = HeaderValue::from_str(context.request_id()) {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(allowance) = context.allowance() {
        allowance.write(headers);
    }
    if for_caller {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    secure(headers);
    if for_caller {
        response.extensions_mut().insert(ForCaller);
    }
    response
}

fn secure(headers: &mut HeaderMap) {
    for (name, value) in &SECURITY_HEADERS {
        headers.entry(name).or_insert_with(|| value.clone());
    }
}

/// Refusals of the framework have no problem yet.
fn framework_problem(response: &Response) -> Option<Problem> {
    let status = response.status();
    if response.extensions().get::<Written>().is_some()
        || status.is_success()
        || status.is_redirection()
        || status.is_informational()
    {
        return None;
    }
    Some(match status {
        StatusCode::NOT_FOUND => Problem::no_such_path(),
        StatusCode::METHOD_NOT_ALLOWED => Problem::new(
            Code::MethodNotAllowed,
            "This path does not support the method.",
        ),
        _ => {
            tracing::error!(
                status = status.as_u16(),
                "an error response without a problem"
            );
            Problem::new(Code::Internal, "The service failed.")
        }
    })
}

fn write(problem: &Problem, response: Response, request_id: &str) -> Response {
    let body = serde_json::to_vec(&ProblemBody::new(problem, request_id)).unwrap_or_default();
    let (mut parts, _) = response.into_parts();
    parts.status = problem.code.status();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    Response::from_parts(parts, Body::from(body))
}

/// The single log line of a request, with the template of its route and never its path, query, token or content.
struct LogLine {
    method: &'static str,
    route: Option<MatchedPath>,
    /// Only if the operator enables it.
    client: Option<IpAddr>,
    context: Context,
    status: Option<StatusCode>,
    state: State,
    _in_flight: GaugeGuard,
}

impl LogLine {
    fn new(request: &Request, context: Context, state: &State) -> Self {
        let (method, route) = (
            method_name(request.method()),
            request.extensions().get().cloned(),
        );
        let settings = state.settings();
        let client = settings
            .log_client_addresses
            .then(|| client_address::of(request, &settings.trusted_proxies));
        let in_flight = state.metrics().http().begin();
        let client = client.flatten();
        Self {
            method,
            route,
            client,
            context,
            status: None,
            state: state.clone(),
            _in_flight: in_flight,
        }
    }

    fn finish(mut self, status: StatusCode) {
        self.status = Some(status);
    }
}

impl Drop for LogLine {
    /// Also written for a request whose client disconnected, which has no response: 499.
    fn drop(&mut self) {
        let (route, took) = (
            self.route.as_ref().map(MatchedPath::as_str),
            self.context.elapsed(),
        );
        self.state.metrics().http().end(
            route,
            self.method,
            self.status.map(|status| status.as_u16()),
            took,
        );
        tracing::info!(
            method = self.method,
            route,
            status = self.status.map_or(499, |status| status.as_u16()),
            duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            client = self.client.map(tracing::field::display),
            user_id = self.context.user().map(tracing::field::display),
            organization_id = self.context.organization().map(tracing::field::display),
            "request"
        );
    }
}

/// A method is free text, so only those that HTTP defines are logged.
fn method_name(method: &Method) -> &'static str {
    let known = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
    ];
    known
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("OTHER")
}
