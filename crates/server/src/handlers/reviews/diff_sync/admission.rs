//! Admits a review: it needs a slot, memory, a review of the member's monthly quota, and tokens of the organization's.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{OrganizationId, UnixMillis, UserId};

use super::allowance::Allowance;
use super::meter::Meter;
use super::reservation::Reservation;
use crate::State;
use crate::concurrency::ConcurrencyPermit;
use crate::context::Context;
use crate::error::{Code, Problem};

/// The resources of an admitted review. Each guard releases its resource when it is dropped, however the review ends,
/// and the response waits for the release.
pub(super) struct Admission {
    /// Counts the tokens of the engines' reports.
    pub(super) meter: Arc<Meter>,
    pub(super) reservation: Reservation,
    /// `None` if only the engines' own settings apply.
    pub(super) allowance: Option<Allowance>,
    _slot: ConcurrencyPermit,
}

impl Admission {
    /// Waits for a slot and for this many bytes of memory, and counts the review.
    ///
    /// # Errors
    /// 429 if a limit of the member, the organization or the month is reached, 503 if a limit of the service
    /// is.
    pub(super) async fn of(
        state: &State,
        context: &Context,
        organization: OrganizationId,
        user: UserId,
        bytes: usize,
        limit: Option<i64>,
    ) -> Result<Self, Problem> {
        let release_tasks = context.release_tasks();
        let slot = state
            .concurrency()
            .acquire(organization, user, bytes, &release_tasks);
        let slot = state
            .metrics()
            .reviews()
            .queue(state.before_closing(slot))
            .await?;
        let day = day_of(state.now());
        let meter = Arc::new(Meter::new());
        let reservation = Reservation::make(
            state,
            &release_tasks,
            organization,
            user,
            day,
            limit,
            Arc::clone(&meter),
        )
        .await?;
        let Some(reservation) = reservation else {
            let problem = quota_exceeded(limit, day, state.now());
            state.metrics().reviews().reject(&problem);
            return Err(problem);
        };
        let allowance =
            Allowance::reserve(state, &release_tasks, organization, day, Arc::clone(&meter))
                .await?;
        Ok(Self {
            meter,
            reservation,
            allowance,
            _slot: slot,
        })
    }
}

fn quota_exceeded(limit: Option<i64>, day: Date, now: UnixMillis) -> Problem {
    let (limit, next) = (limit.unwrap_or_default(), next_month(day));
    let detail = format!(
        "The entitlement allows {limit} reviews a month, and they are used up until {next} (UTC)."
    );
    Problem::new(Code::QuotaExceeded, detail).retry_after(seconds_to_next_month(day, now))
}

/// The day in UTC.
pub(crate) fn day_of(now: UnixMillis) -> Date {
    Timestamp::from_millisecond(now.0)
        .unwrap_or_default()
        .to_zoned_datetime(TimeZone::UTC)
        .date()
}

/// The first day of the next month.
pub(crate) fn next_month(day: Date) -> Date {
    day.last_of_month().tomorrow().unwrap_or(Date::MAX)
}

/// Seconds until the quota resets: the first instant of the next month in UTC.
fn seconds_to_next_month(day: Date, now: UnixMillis) -> u64 {
    let next = next_month(day).to_zoned_datetime(TimeZone::UTC);
    let millis = next
        .map(|next| next.timestamp().as_millisecond() - now.0)
        .unwrap_or_default();
    u64::try_from(millis).unwrap_or_default().div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use store::UnixMillis;

    use super::{day_of, seconds_to_next_month};

    #[test]
    fn a_quota_resets_with_the_month() {
        for (time, day, seconds) in [
            ("2026-11-20T12:00:00Z", "2026-11-20", 864_000 + 43_200),
            ("2026-12-31T23:59:59.500Z", "2026-12-31", 1),
            ("2028-02-28T00:00:00Z", "2028-02-28", 2 * 86_400),
        ] {
            let now = UnixMillis(time.parse::<jiff::Timestamp>().unwrap().as_millisecond());
            assert_eq!(day_of(now).to_string(), day);
            assert_eq!(seconds_to_next_month(day_of(now), now), seconds, "{time}");
        }
    }
}
