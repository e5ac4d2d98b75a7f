//! The provider's retry delay: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
//!
//! A date is compared with the `Date` of the same answer, so a wrong clock on this machine does no harm. Without a `Date`, it is
//! compared with this machine's clock.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

const MILLISECONDS: HeaderName = HeaderName::from_static("retry-after-ms");

/// The time to wait, if a valid one is stated.
pub(crate) fn read(headers: &HeaderMap) -> Option<Duration> {
    let milliseconds = || number(headers, &MILLISECONDS).map(|ms| ms / 1000.0);
    let seconds = milliseconds().or_else(|| number(headers, &RETRY_AFTER));
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .or_else(|| until(headers))
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<f64> {
    text(headers, name)?.parse().ok()
}

fn until(headers: &HeaderMap) -> Option<Duration> {
    let wait =
        date(headers, &RETRY_AFTER)?.duration_since(date(headers, &DATE).unwrap_or_else(now));
    Some(wait.unwrap_or_default())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the answer has no date, and the wait is bounded by the retry policy"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(text(headers, name)?).ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(fields: &[(&'static str, &'static str)]) -> Option<Duration> {
        let field = |(name, value): &(&'static str, &'static str)| {
            (
                HeaderName::from_static(name),
                reqwest::header::HeaderValue::from_static(value),
            )
        };
        read(&fields.iter().map(field).collect())
    }

    const NOW: (&str, &str) = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");

    #[test]
    fn seconds_and_milliseconds_are_read() {
        assert_eq!(
            wait(&[("retry-after", "20")]),
            Some(Duration::from_secs(20))
        );
        assert_eq!(
            wait(&[("retry-after", " 0.5 ")]),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            wait(&[("retry-after-ms", "1500"), ("retry-after", "9")]),
            Some(Duration::from_millis(1500))
        );
    }

    #[test]
    fn http_dates_are_compared_with_the_date_of_the_answer() {
        for date in [
            "Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT",
            "Sun Nov  6 08:50:37 1994",
        ] {
            assert_eq!(
                wait(&[NOW, ("retry-after", date)]),
                Some(Duration::from_secs(60)),
                "{date}"
            );
        }
        assert_eq!(
            wait(&[NOW, ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]),
            Some(Duration::ZERO)
        );
    }

    #[test]
    fn without_a_date_header_dates_are_compared_with_the_clock() {
        assert_eq!(
            wait(&[("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT")]),
            Some(Duration::ZERO)
        );
        assert!(
            wait(&[("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")])
                > Some(Duration::from_secs(3_600))
        );
    }

    #[test]
    fn invalid_times_are_ignored() {
        for value in ["", "soon", "-1", "NaN", "inf", "1e400", "1e30"] {
            assert_eq!(wait(&[NOW, ("retry-after", value)]), None, "{value}");
        }
        assert_eq!(wait(&[]), None);
    }
}
