//! Reads from the headers of a response how long to wait.

use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

/// The wait if the host does not specify one, as recommended in GitHub's documentation.
const UNKNOWN: Duration = Duration::from_secs(60);

/// The time to wait before retrying; `None` if the response is not about a limit.
pub(super) fn wait(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let retry_after = text(headers, "retry-after");
    let is_spent = text(headers, "x-ratelimit-remaining") == Some("0");
    let is_limit = status == StatusCode::TOO_MANY_REQUESTS
        || (status == StatusCode::FORBIDDEN && (retry_after.is_some() || is_spent));
    if !is_limit {
        return None;
    }
    let stated = retry_after.and_then(|seconds| seconds.parse().ok());
    Some(stated.map_or_else(
        || until_reset(headers).unwrap_or(UNKNOWN),
        Duration::from_secs,
    ))
}

/// The time until the limit's window ends, by the host's own clock.
fn until_reset(headers: &HeaderMap) -> Option<Duration> {
    let reset: i64 = text(headers, "x-ratelimit-reset")
        .or_else(|| text(headers, "ratelimit-reset"))?
        .parse()
        .ok()?;
    let now = rfc2822::parse(text(headers, "date")?)
        .ok()?
        .timestamp()
        .as_second();
    Some(Duration::from_secs(
        u64::try_from(reset.saturating_sub(now)).unwrap_or(0) + 1,
    ))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(status: u16, fields: &[(&'static str, &str)]) -> Option<u64> {
        let headers = fields
            .iter()
            .map(|(name, value)| ((*name).try_into().unwrap(), value.parse().unwrap()));
        wait(StatusCode::from_u16(status).unwrap(), &headers.collect()).map(|wait| wait.as_secs())
    }

    #[test]
    fn rate_limits_are_distinguished_from_refusals() {
        let reset = [
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "1700000030"),
            ("date", "Tue, 14 Nov 2023 22:13:20 GMT"),
        ];
        assert_eq!(waited(403, &reset), Some(31));
        assert_eq!(waited(403, &reset[..2]), Some(60));
        assert_eq!(waited(429, &[]), Some(60));
        assert_eq!(waited(429, &[("retry-after", "7")]), Some(7));
        assert_eq!(waited(403, &[("retry-after", "7")]), Some(7));
        assert_eq!(waited(403, &[("x-ratelimit-remaining", "12")]), None);
        assert_eq!(waited(200, &[("x-ratelimit-remaining", "0")]), None);
    }
}
