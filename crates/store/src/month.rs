//! Calendar months (UTC) as keys.

use std::{fmt, time::Duration};

use crate::error::StoreError;
use crate::time::UnixMillis;

const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1000;
/// A review that was admitted before an entitlement ended may still run for a while, and the clocks of replicas
/// differ. An entitlement that ends in the last hour of a month is therefore counted in the next month, too.
const ENDING_MARGIN: Duration = Duration::from_secs(60 * 60);

/// A month as `YYYY-MM`, in chronological order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(String);

impl Month {
    /// The month of a point in time.
    pub(crate) fn at(now: UnixMillis) -> Self {
        let (year, month) = year_and_month(now.0.div_euclid(MILLIS_PER_DAY));
        Self::of(year, month)
    }

    /// The last month in which an entitlement that ends now is counted.
    pub(crate) fn of_end(now: UnixMillis) -> Self {
        Self::at(now + ENDING_MARGIN)
    }

    /// The month of a day in the form `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for another form.
    pub fn of_day(day: &str) -> Result<Self, StoreError> {
        month_of(day).map(|month| Self(month.to_owned()))
    }

    /// The month after this one.
    pub(crate) fn next(&self) -> Self {
        let number = |text: Option<&str>| {
            text.and_then(|digits| digits.parse().ok())
                .unwrap_or_default()
        };
        match (number(self.0.get(..4)), number(self.0.get(5..))) {
            (year, 12..) => Self::of(year + 1, 1),
            (year, month) => Self::of(year, month + 1),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn of(year: i64, month: i64) -> Self {
        Self(format!("{year:04}-{month:02}"))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

crate::db::stored_as!(Month: String, |month| month.0.clone(), |stored| Ok(Month(stored)));

/// Year and month of a day since 1970-01-01: `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms", where years begin in March and repeat every 400 years.
const fn year_and_month(days: i64) -> (i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let since_march = (5 * day_of_year + 2) / 153;
    let month = if since_march < 10 {
        since_march + 3
    } else {
        since_march - 9
    };
    (
        era * 400 + year_of_era + if month <= 2 { 1 } else { 0 },
        month,
    )
}

/// The `YYYY-MM` of a `YYYY-MM-DD`. Days are compared as text, so only that form is accepted; whether the date exists is
/// the caller's concern.
pub(crate) fn month_of(day: &str) -> Result<&str, StoreError> {
    let form = |(place, byte): (usize, u8)| {
        if matches!(place, 4 | 7) {
            byte == b'-'
        } else {
            byte.is_ascii_digit()
        }
    };
    let sound = day.len() == 10 && day.bytes().enumerate().all(form);
    day.get(..7)
        .filter(|_| sound)
        .ok_or(StoreError::Invalid("a day must have the form YYYY-MM-DD"))
}

#[cfg(test)]
mod tests {
    use super::{MILLIS_PER_DAY, Month, month_of};
    use crate::time::UnixMillis;

    #[test]
    fn a_day_has_one_form() {
        assert_eq!(month_of("2026-11-20").unwrap(), "2026-11");
        for wrong in [
            "", "2026-11", "2026-11-2", "2026-11-200", "2026/11/20", "20261120", "2026-11-2é",
            "2026-11- 1",
        ] {
            assert!(month_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_time_is_in_one_month() {
        for (days, first, last) in [
            (0, "1970-01", "1970-01"),
            (-1, "1969-12", "1969-12"),
            (11_016, "2000-02", "2000-02"),
            (11_017, "2000-03", "2000-03"),
            (20_787, "2026-11", "2026-12"),
            (20_788, "2026-12", "2026-12"),
        ] {
            let end = UnixMillis((days + 1) * MILLIS_PER_DAY - 1);
            assert_eq!(
                Month::at(UnixMillis(days * MILLIS_PER_DAY)).as_str(),
                first,
                "{days}"
            );
            assert_eq!(Month::at(end).as_str(), first, "{days}");
            if first != last {
                assert_eq!(Month::of_end(end).as_str(), last, "{days}");
            }
        }
    }

    #[test]
    fn december_is_followed_by_january() {
        let next = |day| Month::of_day(day).unwrap().next().to_string();
        assert_eq!(
            (next("2026-11-20"), next("2026-12-31")),
            ("2026-12".to_owned(), "2027-01".to_owned())
        );
    }
}
