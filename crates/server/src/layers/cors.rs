//! Cross-origin access to the API from browsers: refused, unless the operator allows the origin.

use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::State;
use crate::context::REQUEST_ID;

/// How long a browser may cache a preflight response.
const MAX_AGE: Duration = Duration::from_secs(600);
const MCP_PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Response header fields that a page may read.
const EXPOSED: [HeaderName; 5] = [
    REQUEST_ID,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    HeaderName::from_static("ratelimit"),
    HeaderName::from_static("ratelimit-policy"),
];

/// Allows these origins. Pages set the credentials themselves, in a header, so cookies and the like are never
/// requested.
pub(super) fn allow(routes: Router<State>, origins: &[String]) -> Router<State> {
    if origins.is_empty() {
        return routes;
    }
    let origins = origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT,
            IDEMPOTENCY_KEY,
            MCP_PROTOCOL_VERSION,
        ])
        .expose_headers(EXPOSED)
        .max_age(MAX_AGE);
    routes.layer(layer)
}
