//! The headers of every call to a model.

use reqwest::header::{ACCEPT, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::error::ClientError;
use crate::settings::{Key, ModelSettings};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Providers may answer in either form.
const ANSWER: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
/// Headers that frame the message and cannot be configured.
const FRAMING: [HeaderName; 3] = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];

/// The protocol's headers, followed by the configured ones, which may replace them.
pub(super) fn of(
    settings: &ModelSettings,
    protocol: Vec<(&'static str, Key)>,
) -> Result<HeaderMap, ClientError> {
    let mut headers = HeaderMap::from_iter([(ACCEPT, ANSWER), (CONTENT_TYPE, JSON)]);
    for (name, key) in protocol {
        headers.insert(
            HeaderName::from_static(name),
            value(&key).ok_or(ClientError::ApiKey)?,
        );
    }
    for (name, key) in &settings.headers {
        let (name, value) = field(name, key).ok_or_else(|| ClientError::Header(name.clone()))?;
        headers.insert(name, value);
    }
    Ok(headers)
}

fn field(name: &str, key: &Key) -> Option<(HeaderName, HeaderValue)> {
    let name = name.parse().ok().filter(|name| !FRAMING.contains(name))?;
    Some((name, value(key)?))
}

/// The value, marked as sensitive so that it is not printed.
pub(super) fn value(key: &Key) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(key.expose()).ok()?;
    value.set_sensitive(true);
    Some(value)
}
