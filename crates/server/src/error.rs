//! Errors: codes, their representation (RFC 9457) and their documentation.
//!
//! [`Code`] is the only list. A handler returns a [`Problem`]; the outermost layer writes it, because only there the
//! request's ID is known for every response, including those of the framework and of panics.

mod remedy;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse, Response};
use store::StoreError;

/// Seconds after which a client may retry when the database was unavailable.
const NOT_READY_SECONDS: u64 = 5;
/// Seconds after which the issuer's keys are fetched again.
const NO_KEYS_SECONDS: u64 = 10;

/// Maximum number of faults in a response, and their maximum size in bytes of JSON. The last one may be the count of
/// the rest.
const FAULTS: usize = 100;
const FAULTS_BYTES: usize = 48 << 10;
/// Maximum length of the text of a problem or of a fault, and of a fault's location.
const TEXT_CHARACTERS: usize = 300;
/// The length of an escaped control character in JSON.
const ESCAPED_BYTES: usize = 6;
/// The length of a fault's property names in JSON.
const FRAME_BYTES: usize = 40;

const INTERNAL: &str = "The service failed. Give its operator the request ID to find the cause.";

/// Declares the codes and derives everything that depends only on the code.
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $status:ident $text:literal, $title:literal, $when:literal;)*) => {
        /// A stable error code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Code { $(#[doc = $when] $variant),* }

        impl Code {
            /// Every code, in order of status.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name on the wire.
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// Its HTTP status.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),* }
            }

            /// The short text that is the same for every occurrence.
            pub(crate) const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),* }
            }

            /// When it occurs, for the documentation.
            pub(crate) const fn when(self) -> &'static str {
                match self { $(Self::$variant => $when),* }
            }
        }
    };
}

codes! {
    InvalidRequest = BAD_REQUEST "INVALID_REQUEST", "The request is not valid",
        "The body is not JSON, or a property or parameter is missing, unknown, of the wrong type or out of range; `errors` names every fault.";
    Unauthenticated = UNAUTHORIZED "UNAUTHENTICATED", "No bearer token",
        "There is no `Authorization: Bearer` header, or it is not in that form.";
    InvalidToken = UNAUTHORIZED "INVALID_TOKEN", "The token is not valid",
        "The token is unknown, malformed, expired, revoked, wrongly signed, or from another issuer or audience; the answer does not say which.";
    InsufficientScope = FORBIDDEN "INSUFFICIENT_SCOPE", "The token may not do this",
        "The token lacks the scope that the operation needs, or it is bound to another organization.";
    InsufficientRole = FORBIDDEN "INSUFFICIENT_ROLE", "The member's role may not do this",
        "The caller's role in the organization does not allow this; `detail` names the roles that do.";
    OriginNotAllowed = FORBIDDEN "ORIGIN_NOT_ALLOWED", "The origin is not allowed",
        "The `Origin` header names a web page's origin that the operator does not allow (`[cors]`).";
    EntitlementRequired = FORBIDDEN "ENTITLEMENT_REQUIRED", "An entitlement is required",
        "The member has no active entitlement for the product `diff-review` in this organization.";
    CrossSite = FORBIDDEN "CROSS_SITE", "The request comes from another site",
        "A page of another origin, or an old page, sent a form of the console.";
    OrganizationNotFound = NOT_FOUND "ORGANIZATION_NOT_FOUND", "No such organization",
        "The organization does not exist, is not active, or the caller is not a member; the answer does not say which.";
    NotFound = NOT_FOUND "NOT_FOUND", "No such resource",
        "No resource exists at this path, or the request names one that does not exist.";
    MethodNotAllowed = METHOD_NOT_ALLOWED "METHOD_NOT_ALLOWED", "The method is not allowed",
        "The path does not support this method; `Allow` lists those that it supports.";
    NotAcceptable = NOT_ACCEPTABLE "NOT_ACCEPTABLE", "No acceptable media type",
        "The `Accept` header excludes every media type that the operation can return.";
    RequestTimeout = REQUEST_TIMEOUT "REQUEST_TIMEOUT", "The request took too long to arrive",
        "The client did not deliver its request in time.";
    Conflict = CONFLICT "CONFLICT", "The request conflicts with the current state",
        "The request conflicts with the current state of the resource; `detail` says how.";
    IdempotencyConflict = CONFLICT "IDEMPOTENCY_CONFLICT", "The idempotency key was used for another request",
        "The same `Idempotency-Key` was used with another body within 24 hours.";
    LastOwner = CONFLICT "LAST_OWNER", "The organization would have no owner",
        "The last owner of an organization cannot be removed or demoted.";
    PayloadTooLarge = PAYLOAD_TOO_LARGE "PAYLOAD_TOO_LARGE", "The request is too large",
        "The request exceeds a limit; `detail` names the limit, its value and the size sent.";
    UriTooLong = URI_TOO_LONG "URI_TOO_LONG", "The address is too long",
        "The path and query are too long.";
    UnsupportedMediaType = UNSUPPORTED_MEDIA_TYPE "UNSUPPORTED_MEDIA_TYPE", "The media type is not supported",
        "The body is not `application/json`, or its content coding is not identity, gzip or br.";
    RateLimited = TOO_MANY_REQUESTS "RATE_LIMITED", "Too many requests",
        "The token, or all tokens of its user together, exceeded the request rate; `Retry-After` says when to retry.";
    TooManyReviews = TOO_MANY_REQUESTS "TOO_MANY_REVIEWS", "Too many concurrent reviews",
        "The organization or the user has reached its limit of concurrent reviews, and none ended in time.";
    QuotaExceeded = TOO_MANY_REQUESTS "QUOTA_EXCEEDED", "The monthly quota is used up",
        "The member's entitlement allows no more reviews this month (UTC).";
    HeadersTooLarge = REQUEST_HEADER_FIELDS_TOO_LARGE "HEADERS_TOO_LARGE", "The header is too large",
        "The header fields are too large.";
    Internal = INTERNAL_SERVER_ERROR "INTERNAL", "Internal error",
        "A defect in the service; its log has the details under the request ID.";
    InDevelopment = NOT_IMPLEMENTED "IN_DEVELOPMENT", "In development",
        "The operation is planned and not available yet.";
    AnalysisFailed = BAD_GATEWAY "ANALYSIS_FAILED", "The analysis failed",
        "A required engine failed on every part of the diff; `detail` says why.";
    Overloaded = SERVICE_UNAVAILABLE "OVERLOADED", "The service is overloaded",
        "The service has reached its limit of concurrent reviews or of memory for request bodies, and none ended in time; or a slow body was dropped to free memory for others.";
    NotReady = SERVICE_UNAVAILABLE "NOT_READY", "The service is not ready",
        "The service cannot reach its database, or the OpenID Connect issuer whose keys it needs, or it is stopping.";
    AnalysisTimeout = GATEWAY_TIMEOUT "ANALYSIS_TIMEOUT", "The analysis took too long",
        "The analysis did not complete in the time allowed.";
}

/// The location of a fault in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// JSON Pointer (RFC 6901) into the body; empty for the body as a whole.
    Pointer(String),
    /// Name of a query parameter.
    Parameter(String),
    /// Name of a header field.
    Header(&'static str),
}

/// One fault of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// Where it is.
    pub(crate) place: Place,
    /// One sentence that never echoes a diff or a token.
    pub(crate) detail: String,
}

impl FieldError {
    /// A fault of a property of the body.
    pub(crate) fn at(property: &str, detail: impl Into<String>) -> Self {
        let escaped = property.replace('~', "~0").replace('/', "~1");
        Self {
            place: Place::Pointer(format!("/{escaped}")),
            detail: detail.into(),
        }
    }

    /// A fault of the body as a whole.
    pub(crate) fn body(detail: impl Into<String>) -> Self {
        Self {
            place: Place::Pointer(String::new()),
            detail: detail.into(),
        }
    }

    /// The same fault, relocated into the object at `pointer`.
    pub(crate) fn below(mut self, pointer: &str) -> Self {
        if let Place::Pointer(within) = &mut self.place {
            within.insert_str(0, pointer);
        }
        self
    }

    /// A fault of a query parameter.
    pub(crate) fn parameter(name: &str, detail: impl Into<String>) -> Self {
        Self {
            place: Place::Parameter(name.to_owned()),
            detail: detail.into(),
        }
    }

    /// A fault of a header field.
    pub(crate) fn header(name: &'static str, detail: impl Into<String>) -> Self {
        Self {
            place: Place::Header(name),
            detail: detail.into(),
        }
    }
}

impl FieldError {
    /// Truncates its texts and returns its maximum size in JSON.
    fn shorten(&mut self) -> usize {
        let place = match &mut self.place {
            Place::Pointer(text) | Place::Parameter(text) => {
                shorten(text, TEXT_CHARACTERS);
                bytes_in_json(text)
            }
            Place::Header(name) => name.len(),
        };
        shorten(&mut self.detail, TEXT_CHARACTERS);
        place + bytes_in_json(&self.detail) + FRAME_BYTES
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.place {
            Place::Pointer(pointer) => pointer.trim_start_matches('/'),
            Place::Parameter(name) => name,
            Place::Header(name) => name,
        };
        if name.is_empty() {
            f.write_str(&self.detail)
        } else {
            write!(f, "{name}: {}", self.detail)
        }
    }
}

/// A refusal to be sent to the client.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) detail: Cow<'static, str>,
    pub(crate) faults: Vec<FieldError>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Parameters of the challenge of RFC 6750, if the response has one.
    challenge: Option<String>,
}

impl Problem {
    /// A refusal with a specific text.
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let mut detail = detail.into();
        if detail.len() > TEXT_CHARACTERS {
            shorten(detail.to_mut(), TEXT_CHARACTERS);
        }
        Self {
            code,
            detail,
            faults: Vec::new(),
            headers: Vec::new(),
            challenge: None,
        }
    }

    /// A request with these faults, of which there is at least one.
    pub(crate) fn invalid(mut faults: Vec<FieldError>) -> Self {
        let all = faults.len();
        bound(&mut faults);
        let mut detail = faults.first().map_or_else(
            || "The request is not valid.".to_owned(),
            FieldError::to_string,
        );
        let more = if all > 1 {
            format!(" (and {} more)", all - 1)
        } else {
            String::new()
        };
        // The count of further faults is shown even if the first one is long.
        shorten(&mut detail, TEXT_CHARACTERS - more.len());
        Self {
            faults,
            ..Self::new(Code::InvalidRequest, detail + &more)
        }
    }

    /// An exceeded limit: its name, its value and the size sent, for example `more than 8388608 bytes`.
    pub(crate) fn too_large(
        limit: &str,
        value: impl fmt::Display,
        sent: impl fmt::Display,
    ) -> Self {
        Self::new(
            Code::PayloadTooLarge,
            format!("The limit `{limit}` is {value}; the request has {sent}."),
        )
    }

    /// An invalid token; the reason is not disclosed.
    pub(crate) fn invalid_token() -> Self {
        Self::new(Code::InvalidToken, "The access token is not valid.")
    }

    /// A path that does not exist, or not for this caller.
    pub(crate) fn no_such_path() -> Self {
        Self::new(Code::NotFound, "This path does not exist.")
    }

    /// An illegal transition.
    pub(crate) fn illegal_step(what: &str, from: &str, to: &str) -> Self {
        Self::new(
            Code::Conflict,
            format!("The {what} is `{from}` and cannot become `{to}`."),
        )
    }

    /// A cap was reached. Its name in the store is that of the setting; for callers, it is that of `GET /v1/limits`.
    fn full(limit: &str, most: u32) -> Self {
        let mut words = limit.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        let name = words.fold(first, |name, word| {
            let (initial, rest) = word.split_at_checked(1).unwrap_or(("", word));
            name + &initial.to_ascii_uppercase() + rest
        });
        Self::new(
            Code::Conflict,
            format!("The limit `{name}` is {most} and has been reached."),
        )
    }

    /// A defect of the service: logged with its causes, reported to the client without them.
    pub(crate) fn internal(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error = with_causes(error), "internal error");
        Self::new(Code::Internal, INTERNAL)
    }

    /// A panic. Its payload is not logged, because it may contain part of the request.
    pub(crate) fn panicked() -> Self {
        tracing::error!("panic while handling a request");
        Self::new(Code::Internal, INTERNAL)
    }

    /// The database cannot be reached; the causes are logged here.
    pub(crate) fn not_ready(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error = with_causes(error), "the database cannot be reached");
        Self::new(Code::NotReady, "The service cannot reach its database.")
            .retry_after(NOT_READY_SECONDS)
    }

    /// The database can be read, but not written.
    fn not_writable(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error = with_causes(error), "the database cannot be written");
        Self::new(Code::NotReady, "The service cannot write to its database.")
            .retry_after(NOT_READY_SECONDS)
    }

    /// The issuer's signing keys cannot be fetched, so no token can be verified.
    pub(crate) fn no_keys() -> Self {
        let detail = "The service could not fetch the OpenID Connect issuer's signing keys, so it cannot verify its tokens.";
        Self::new(Code::NotReady, detail).retry_after(NO_KEYS_SECONDS)
    }

    /// The service stopped before the request was answered.
    pub(crate) fn stopping() -> Self {
        Self::new(
            Code::NotReady,
            "The service is stopping. Send the request again.",
        )
        .retry_after(NOT_READY_SECONDS)
    }

    /// Adds a header field.
    pub(crate) fn with_header(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds parameters to the challenge, if the response has one.
    pub(crate) fn with_challenge(self, challenge: Option<String>) -> Self {
        Self { challenge, ..self }
    }

    /// Sets `Retry-After` in whole seconds, at least one.
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.with_header(header::RETRY_AFTER, seconds.max(1))
    }

    /// The value of `Retry-After`, in seconds.
    pub(crate) fn seconds_to_retry(&self) -> Option<u64> {
        let (_, value) = self
            .headers
            .iter()
            .find(|(name, _)| name == header::RETRY_AFTER)?;
        value.to_str().ok()?.parse().ok()
    }

    /// Takes the problem of a response that still has to be written.
    pub(crate) fn take(extensions: &mut Extensions) -> Option<Self> {
        extensions.remove()
    }
}

impl IntoResponse for Problem {
    /// An empty response that carries the problem; the outermost layer writes its body.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        for (name, value) in &self.headers {
            response.headers_mut().append(name, value.clone());
        }
        if matches!(self.code, Code::Unauthenticated | Code::InvalidToken) {
            let challenge = challenge(self.code, self.challenge.as_deref());
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Keeps the faults worth listing and adds the number of the rest.
fn bound(faults: &mut Vec<FieldError>) {
    let all = faults.len();
    let most = if all > FAULTS { FAULTS - 1 } else { FAULTS };
    let mut left = FAULTS_BYTES;
    let shortened = faults.iter_mut().take(most).map(FieldError::shorten);
    let listed = shortened.take_while(|bytes| {
        left = left.saturating_sub(*bytes);
        left > 0
    });
    let listed = listed.count();
    faults.truncate(listed);
    if all > listed {
        faults.push(FieldError::body(format!(
            "further faults: {}",
            all - listed
        )));
    }
}

/// Cuts a text to this number of characters, the last of which is an ellipsis.
fn shorten(text: &mut String, most: usize) {
    if text.chars().nth(most).is_some()
        && let Some((end, _)) = text.char_indices().nth(most.saturating_sub(1))
    {
        text.truncate(end);
        text.push('…');
    }
}

/// An error and its causes, as the log writes only the error itself.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Maximum size in JSON.
fn bytes_in_json(text: &str) -> usize {
    text.chars()
        .map(|character| {
            if character.is_control() {
                ESCAPED_BYTES
            } else {
                character.len_utf8() + 1
            }
        })
        .sum()
}

/// The challenge of RFC 6750 section 3.
fn challenge(code: Code, parameters: Option<&str>) -> HeaderValue {
    let error = (code == Code::InvalidToken).then_some("error=\"invalid_token\"");
    let parameters: Vec<&str> = error.into_iter().chain(parameters).collect();
    let text = format!("Bearer {}", parameters.join(", "));
    HeaderValue::from_str(text.trim_end()).unwrap_or(HeaderValue::from_static("Bearer"))
}

impl From<StoreError> for Problem {
    /// Handlers match the store errors that they expect; these are the unexpected ones, and those with the same
    /// response everywhere.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::not_ready(&error),
            StoreError::Unwritable(_) => Self::not_writable(&error),
            StoreError::Full { cap, most } => Self::full(cap, most),
            // The token of the request was revoked while the request was running.
            StoreError::NotFound("token") => Self::invalid_token(),
            _ => Self::internal(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, FAULTS, FieldError, Problem, TEXT_CHARACTERS};

    fn characters(text: &str) -> usize {
        text.chars().count()
    }

    #[test]
    fn only_a_text_that_is_too_long_is_cut() {
        for (sent, shown) in [(299, 299), (300, 300), (301, 300), (5_000, 300)] {
            let text = "é".repeat(sent);
            let problem = Problem::new(Code::Conflict, text.clone());
            assert_eq!(
                (characters(&problem.detail), problem.detail.ends_with('…')),
                (shown, sent > 300)
            );
            let fault = &Problem::invalid(vec![FieldError::body(text.clone())]).faults[0];
            assert_eq!(
                (characters(&fault.detail), fault.detail.ends_with('…')),
                (shown, sent > 300)
            );
        }
    }

    #[test]
    fn many_faults_are_summarized_by_the_first_and_their_number() {
        let long = "n".repeat(TEXT_CHARACTERS);
        for count in [1, 2, FAULTS, FAULTS + 1, 5_000] {
            let mut faults = vec![FieldError::body("is missing"); count];
            faults[0] = FieldError::at(&long, long.clone());
            let problem = Problem::invalid(faults);
            assert_eq!(
                (characters(&problem.detail), problem.faults.len()),
                (300, count.min(FAULTS))
            );
            let more = if count > 1 {
                format!("… (and {} more)", count - 1)
            } else {
                "…".to_owned()
            };
            assert!(problem.detail.ends_with(&more), "{}", problem.detail);
        }
    }
}
