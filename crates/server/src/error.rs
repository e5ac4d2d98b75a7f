//! Errors: what can go wrong, its representation (RFC 9457), and its documentation.
//!
//! [`Code`] is the one list. A handler returns a [`Problem`]; the outermost layer writes it, because only there the
//! request's ID is known for every response, those of the framework and of panics included.

mod remedy;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse, Response};
use store::StoreError;

/// When a client may try again after the database was gone, in seconds.
const NOT_READY_SECONDS: u64 = 5;
/// When the issuer of access tokens is asked for its keys again, in seconds.
const NO_KEYS_SECONDS: u64 = 10;

/// At most this many faults of a request are listed, in this many bytes of JSON. The last may give the count of the rest.
const FAULTS: usize = 100;
const FAULTS_BYTES: usize = 48 << 10;
/// Longest text of a problem and of a fault, and longest place of a fault.
const TEXT_CHARACTERS: usize = 300;
/// A control character in JSON.
const ESCAPED_BYTES: usize = 6;
/// The names of a fault's properties, in JSON.
const FRAME_BYTES: usize = 40;

const INTERNAL: &str = "The service failed. Give its operator the request ID to find the cause.";

/// Declares the codes and derives everything that depends on the code alone.
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $status:ident $text:literal, $title:literal, $when:literal;)*) => {
        /// A stable error code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Code { $(#[doc = $when] $variant),* }

        impl Code {
            /// Every code, in the order of the status.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The spelling on the wire.
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// Its HTTP status.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),* }
            }

            /// The short text for people that is the same for every case.
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
        "The path exists, the method does not; `Allow` lists those that do.";
    NotAcceptable = NOT_ACCEPTABLE "NOT_ACCEPTABLE", "No acceptable media type",
        "The `Accept` header excludes every media type that the operation can answer with.";
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
        "The body is not `application/json`, or its content coding is none of identity, gzip and br.";
    RateLimited = TOO_MANY_REQUESTS "RATE_LIMITED", "Too many requests",
        "The token, or all tokens of its user together, exceeded the request rate; `Retry-After` says when to retry.";
    TooManyReviews = TOO_MANY_REQUESTS "TOO_MANY_REVIEWS", "Too many reviews at once",
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
        "The service has reached its limit of concurrent reviews or of request bodies in memory, and none ended in time; or a slow body was dropped to make room for others.";
    NotReady = SERVICE_UNAVAILABLE "NOT_READY", "The service is not ready",
        "The service cannot reach its database, or the OpenID Connect issuer whose keys it needs, or it is stopping.";
    AnalysisTimeout = GATEWAY_TIMEOUT "ANALYSIS_TIMEOUT", "The analysis took too long",
        "The analysis did not complete in the time allowed.";
}

/// Where in a request a fault is.
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
    /// What is wrong, in one sentence that never echoes a diff or a token.
    pub(crate) detail: String,
}

impl FieldError {
    /// A fault of a property of the body.
    pub(crate) fn at(property: &str, detail: impl Into<String>) -> Self {
        let escaped = property.replace('~', "~0").replace('/', "~1");
        Self { place: Place::Pointer(format!("/{escaped}")), detail: detail.into() }
    }

    /// A fault of the body as a whole.
    pub(crate) fn body(detail: impl Into<String>) -> Self {
        Self { place: Place::Pointer(String::new()), detail: detail.into() }
    }

    /// The same fault, of an object that `pointer` leads to.
    pub(crate) fn below(mut self, pointer: &str) -> Self {
        if let Place::Pointer(within) = &mut self.place {
            within.insert_str(0, pointer);
        }
        self
    }

    /// A fault of a query parameter.
    pub(crate) fn parameter(name: &str, detail: impl Into<String>) -> Self {
        Self { place: Place::Parameter(name.to_owned()), detail: detail.into() }
    }

    /// A fault of a header field.
    pub(crate) fn header(name: &'static str, detail: impl Into<String>) -> Self {
        Self { place: Place::Header(name), detail: detail.into() }
    }
}

impl FieldError {
    /// Truncates its texts, and returns how many bytes it may take in JSON.
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
        if name.is_empty() { f.write_str(&self.detail) } else { write!(f, "{name}: {}", self.detail) }
    }
}

/// A refusal on its way to the client.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) detail: Cow<'static, str>,
    pub(crate) faults: Vec<FieldError>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Parameters of the challenge of RFC 6750, if the answer has one.
    challenge: Option<String>,
}

impl Problem {
    /// A refusal with a sentence for this case.
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let mut detail = detail.into();
        if detail.len() > TEXT_CHARACTERS {
            shorten(detail.to_mut(), TEXT_CHARACTERS);
        }
        Self { code, detail, faults: Vec::new(), headers: Vec::new(), challenge: None }
    }

    /// A request with these faults; there is at least one.
    pub(crate) fn invalid(mut faults: Vec<FieldError>) -> Self {
        let all = faults.len();
        bound(&mut faults);
        let mut detail = faults.first().map_or_else(|| "The request is not valid.".to_owned(), FieldError::to_string);
        let more = if all > 1 { format!(" (and {} more)", all - 1) } else { String::new() };
        // The count of further ones is shown however long the first one is.
        shorten(&mut detail, TEXT_CHARACTERS - more.len());
        Self { faults, ..Self::new(Code::InvalidRequest, detail + &more) }
    }

    /// A limit that was exceeded: its name, its value and what was sent, for example `more than 8388608 bytes`.
    pub(crate) fn too_large(limit: &str, value: impl fmt::Display, sent: impl fmt::Display) -> Self {
        Self::new(Code::PayloadTooLarge, format!("The limit `{limit}` is {value}; the request has {sent}."))
    }

    /// An invalid token; the reason stays private.
    pub(crate) fn invalid_token() -> Self {
        Self::new(Code::InvalidToken, "The access token is not valid.")
    }

    /// A path at which there is nothing, or nothing for the caller.
    pub(crate) fn no_such_path() -> Self {
        Self::new(Code::NotFound, "There is nothing at this path.")
    }

    /// A transition that the resource's state does not allow.
    pub(crate) fn illegal_step(what: &str, from: &str, to: &str) -> Self {
        Self::new(Code::Conflict, format!("The {what} is `{from}` and cannot become `{to}`."))
    }

    /// A limit is reached. Its name is that of the settings in the store, and that of `GET /v1/limits` for callers.
    fn full(limit: &str, most: u32) -> Self {
        let mut words = limit.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        let name = words.fold(first, |name, word| {
            let (initial, rest) = word.split_at_checked(1).unwrap_or(("", word));
            name + &initial.to_ascii_uppercase() + rest
        });
        Self::new(Code::Conflict, format!("The limit `{name}` is {most}, and that many there are already."))
    }

    /// A defect of this service: logged with its causes, shown to the client without them.
    pub(crate) fn internal(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "internal error");
        Self::new(Code::Internal, INTERNAL)
    }

    /// A panic. Its payload may hold a piece of the request, so it is not logged.
    pub(crate) fn panicked() -> Self {
        tracing::error!("a request made the service panic");
        Self::new(Code::Internal, INTERNAL)
    }

    /// The database cannot be reached: logged here with its causes.
    pub(crate) fn not_ready(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "the database is not available");
        Self::new(Code::NotReady, "The service cannot reach its database.").retry_after(NOT_READY_SECONDS)
    }

    /// The issuer's signing keys cannot be fetched, so no token can be verified.
    pub(crate) fn no_keys() -> Self {
        let detail = "The service cannot have the keys of the OpenID Connect issuer, so it cannot check its tokens.";
        Self::new(Code::NotReady, detail).retry_after(NO_KEYS_SECONDS)
    }

    /// The service ends before the request could be answered.
    pub(crate) fn stopping() -> Self {
        Self::new(Code::NotReady, "The service is stopping. Send the request again.").retry_after(NOT_READY_SECONDS)
    }

    /// Adds a header field.
    pub(crate) fn with_header(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds parameters to the challenge, if the answer has one.
    pub(crate) fn with_challenge(self, challenge: Option<String>) -> Self {
        Self { challenge, ..self }
    }

    /// Says when to come back, in whole seconds, at least one.
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.with_header(header::RETRY_AFTER, seconds.max(1))
    }

    /// When to come back, in seconds.
    pub(crate) fn seconds_to_retry(&self) -> Option<u64> {
        let (_, value) = self.headers.iter().find(|(name, _)| name == header::RETRY_AFTER)?;
        value.to_str().ok()?.parse().ok()
    }

    /// Takes the problem that a response stands for, if it is one that still has to be written.
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
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Lists what a person may want to read of these faults, and says how many more there are.
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
        faults.push(FieldError::body(format!("there are {} more faults", all - listed)));
    }
}

/// Cuts a text to so many characters, of which the last then says that it was cut.
fn shorten(text: &mut String, most: usize) {
    if text.chars().nth(most).is_some()
        && let Some((end, _)) = text.char_indices().nth(most.saturating_sub(1))
    {
        text.truncate(end);
        text.push('…');
    }
}

/// As many as it may take.
fn bytes_in_json(text: &str) -> usize {
    text.chars().map(|character| if character.is_control() { ESCAPED_BYTES } else { character.len_utf8() + 1 }).sum()
}

/// The challenge of RFC 6750 section 3.
fn challenge(code: Code, parameters: Option<&str>) -> HeaderValue {
    let error = (code == Code::InvalidToken).then_some("error=\"invalid_token\"");
    let parameters: Vec<&str> = error.into_iter().chain(parameters).collect();
    let text = format!("Bearer {}", parameters.join(", "));
    HeaderValue::from_str(text.trim_end()).unwrap_or(HeaderValue::from_static("Bearer"))
}

impl From<StoreError> for Problem {
    /// Handlers match the store's errors that they expect; these are the unexpected ones, and those with one answer
    /// everywhere.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::not_ready(&error),
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
    fn a_text_is_cut_where_it_is_too_long_and_not_before() {
        for (sent, shown) in [(299, 299), (300, 300), (301, 300), (5_000, 300)] {
            let text = "é".repeat(sent);
            let problem = Problem::new(Code::Conflict, text.clone());
            assert_eq!((characters(&problem.detail), problem.detail.ends_with('…')), (shown, sent > 300));
            let fault = &Problem::invalid(vec![FieldError::body(text.clone())]).faults[0];
            assert_eq!((characters(&fault.detail), fault.detail.ends_with('…')), (shown, sent > 300));
        }
    }

    #[test]
    fn the_text_of_many_faults_is_that_of_the_first_and_their_number() {
        let long = "n".repeat(TEXT_CHARACTERS);
        for count in [1, 2, FAULTS, FAULTS + 1, 5_000] {
            let mut faults = vec![FieldError::body("is missing"); count];
            faults[0] = FieldError::at(&long, long.clone());
            let problem = Problem::invalid(faults);
            assert_eq!((characters(&problem.detail), problem.faults.len()), (300, count.min(FAULTS)));
            let more = if count > 1 { format!("… (and {} more)", count - 1) } else { "…".to_owned() };
            assert!(problem.detail.ends_with(&more), "{}", problem.detail);
        }
    }
}
