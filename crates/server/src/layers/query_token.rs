//! Tokens in a URL. Histories, proxies and logs store URLs, so a token in one is as good as published: such a request
//! is always refused, so that its author notices immediately.

use axum::extract::Query;
use axum::http::Uri;

/// Parameters in which tokens are commonly sent (RFC 6750 section 2.3 among others).
const NAMES: [&str; 4] = ["access_token", "token", "api_key", "authorization"];
/// The prefixes of the service's own secrets.
const PREFIXES: [&str; 4] = ["hw_", "hwi_", "hws_", "hwl_"];

/// The parameter that contains a token, by a name that may be shown.
pub(super) fn find(uri: &Uri) -> Option<&'static str> {
    let query = uri.query().filter(|query| !query.is_empty())?;
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri)
        .map_or_else(|_| Vec::new(), |Query(pairs)| pairs);
    let named = |name: &str| {
        NAMES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
    };
    if let Some(name) = pairs.iter().find_map(|(name, _)| named(name)) {
        return Some(name);
    }
    let holds = |text: &str| PREFIXES.iter().any(|prefix| text.contains(prefix));
    let held = holds(query)
        || pairs
            .iter()
            .any(|(name, value)| holds(name) || holds(value));
    held.then_some("query")
}
