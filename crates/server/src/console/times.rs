//! Times of the API as the console shows them, and back.

use std::time::Duration;

use store::UnixMillis;

use crate::handlers::written;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A time to the minute.
pub(super) fn minute(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => time.to_owned(),
    }
}

/// The day of a time.
pub(super) fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// The time in this number of days; `None` if nothing was chosen. Any other value is passed on for the API to refuse.
pub(super) fn in_days(choice: &str, now: UnixMillis) -> Option<String> {
    match choice.parse::<u16>() {
        Ok(days) => Some(written(now + DAY * u32::from(days))),
        Err(_) if choice.is_empty() => None,
        Err(_) => Some(choice.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use store::UnixMillis;

    use super::{day, in_days, minute};

    #[test]
    fn times_are_truncated_and_days_become_times() {
        assert_eq!(minute("2026-11-20T12:34:56.789Z"), "2026-11-20 12:34 UTC");
        assert_eq!(day("2026-11-20T12:34:56Z"), "2026-11-20");
        assert_eq!((minute("é"), day("é")), ("é".to_owned(), "é"));
        let now = UnixMillis(1_795_176_000_000);
        for (choice, time) in [
            ("", None),
            ("7", Some("2026-11-27T12:00:00Z")),
            ("65536", Some("65536")),
            ("<b>", Some("<b>")),
        ] {
            assert_eq!(in_days(choice, now).as_deref(), time, "{choice}");
        }
    }
}
