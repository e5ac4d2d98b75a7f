//! Points in time, in the only representation that the store uses.

use std::{fmt, ops::Add, time::Duration};

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub i64);

impl Add<Duration> for UnixMillis {
    type Output = Self;

    /// Saturates at the last representable time.
    fn add(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)),
        )
    }
}

impl fmt::Display for UnixMillis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<UnixMillis> for i64 {
    fn from(time: UnixMillis) -> Self {
        time.0
    }
}

impl From<i64> for UnixMillis {
    fn from(millis: i64) -> Self {
        Self(millis)
    }
}

crate::db::stored_as!(UnixMillis: i64, |time| time.0, |millis| Ok(UnixMillis(millis)));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_a_duration_saturates() {
        assert_eq!(UnixMillis(1) + Duration::from_micros(2_999), UnixMillis(3));
        assert_eq!(UnixMillis(1) + Duration::MAX, UnixMillis(i64::MAX));
    }
}
