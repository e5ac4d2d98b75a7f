//! The output of a command: a key alone, or JSON with a key and its expiry, as printed by the cloud providers' tools.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::client::header;
use crate::settings::Key;

const KEYS: [&str; 3] = ["token", "access_token", "accessToken"];
const EXPIRIES: [&str; 4] = ["expiry", "expires_at", "expires_on", "expiration"];
/// Times above this are in milliseconds.
const MILLISECONDS: f64 = 1e11;

/// The key, and how long it is valid from `now`, if stated.
pub(super) fn read(output: &[u8], now: SystemTime) -> Option<(Key, Option<Duration>)> {
    let text = std::str::from_utf8(output).ok()?.trim();
    let (key, life) = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => {
            let key = KEYS.iter().find_map(|name| fields.get(*name)?.as_str())?;
            let left = fields.get("expires_in").and_then(number).and_then(duration);
            let until = || EXPIRIES.iter().find_map(|name| time(fields.get(*name)?));
            (
                key.to_owned(),
                left.or_else(|| Some(until()?.duration_since(now).unwrap_or_default())),
            )
        }
        Ok(Value::String(key)) => (key, None),
        _ => (text.to_owned(), None),
    };
    let is_one_word = !key.is_empty() && !key.contains(char::is_whitespace);
    let key = Key::new(key);
    (is_one_word && header::value(&key).is_some()).then_some((key, life))
}

/// A number, or a string that contains one.
fn number(value: &Value) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| value.as_str()?.trim().parse().ok())
}

fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

/// A time as in RFC 3339, or in seconds or milliseconds since 1970.
fn time(value: &Value) -> Option<SystemTime> {
    if let Some(number) = number(value) {
        let seconds = if number > MILLISECONDS {
            number / 1000.0
        } else {
            number
        };
        return SystemTime::UNIX_EPOCH.checked_add(duration(seconds)?);
    }
    let time = value.as_str()?.parse::<jiff::Timestamp>().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(time.as_second().try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    fn parsed(output: &str) -> Option<(String, Option<Duration>)> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        read(output.as_bytes(), now).map(|(key, life)| (key.expose().to_owned(), life))
    }

    #[test]
    fn a_key_is_read_with_its_expiry() {
        let key = |life| Some(("k.1".to_owned(), life));
        for plain in ["k.1", " k.1\r\n", "\"k.1\""] {
            assert_eq!(parsed(plain), key(None), "{plain}");
        }
        for json in [
            r#"{"token": "k.1", "expires_in": 3600}"#,
            r#"{"access_token": "k.1", "token_type": "Bearer", "expires_in": "3600"}"#,
            r#"{"token": "k.1", "expiry": "2027-01-15T09:00:00Z"}"#,
            r#"{"token": "k.1", "expires_at": "2027-01-15T10:00:00+01:00"}"#,
            r#"{"token": "k.1", "expires_at": 1800003600}"#,
            r#"{"token": "k.1", "expires_at": 1800003600000}"#,
            r#"{"accessToken": "k.1", "expiresOn": "2027-01-15 10:00:00.000000", "expires_on": 1800003600}"#,
        ] {
            assert_eq!(parsed(json), key(Some(HOUR)), "{json}");
        }
        assert_eq!(parsed(r#"{"token": "k.1"}"#), key(None));
        assert_eq!(
            parsed(r#"{"token": "k.1", "expires_at": 5, "expires_in": "soon"}"#),
            key(Some(Duration::ZERO))
        );
    }

    #[test]
    fn output_without_a_valid_key_is_rejected() {
        for output in [
            "", " \n", "two words", "two\nlines", "{}", r#"{"token": ""}"#, r#"{"token": 5}"#,
            "k\u{0}",
        ] {
            assert_eq!(parsed(output), None, "{output}");
        }
        assert!(read(b"\xff\xfe", SystemTime::UNIX_EPOCH).is_none());
    }
}
