//! A review that was counted against the quota before it ran.

use jiff::civil::Date;
use store::{OrganizationId, StoreError, UsageDelta, UserId};

use crate::State;
use crate::error::Problem;
use crate::release_tasks::ReleaseTasks;

/// One review of the member's month. Unless it is kept, dropping it gives it back: a review that failed, or whose
/// caller went away before the answer, costs nobody anything.
pub(super) struct Reservation {
    state: State,
    release_tasks: ReleaseTasks,
    of: Of,
    /// What the review used; `None` until it is answered.
    used: Option<UsageDelta>,
}

/// Who reviews, and when.
#[derive(Clone, Copy)]
struct Of {
    organization: OrganizationId,
    user: UserId,
    day: Date,
}

impl Reservation {
    /// Counts the review; `None` when the month is used up.
    ///
    /// It runs in a task of its own: a caller that goes away in the middle leaves a reservation that nobody
    /// takes, and which is therefore given back.
    pub(super) async fn make(
        state: &State,
        release_tasks: &ReleaseTasks,
        organization: OrganizationId,
        user: UserId,
        day: Date,
        limit_month: Option<i64>,
    ) -> Result<Option<Self>, Problem> {
        let (state, of_request) = (state.clone(), release_tasks.clone());
        let reserve = async move {
            let reserved = state.store().reserve_review(organization, user, &day.to_string(), limit_month).await?;
            let of = Of { organization, user, day };
            Ok::<_, StoreError>(reserved.then(|| Self { state, release_tasks: of_request, of, used: None }))
        };
        let reserving = release_tasks.spawn(reserve).ok_or_else(Problem::panicked)?;
        Ok(reserving.await.map_err(|_| Problem::panicked())??)
    }

    /// Keeps the review as used, with its counts.
    pub(super) fn keep(&mut self, used: UsageDelta) {
        self.used = Some(used);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let (state, of, used) = (self.state.clone(), self.of, self.used);
        self.release_tasks.spawn(async move { record(&state, of, used).await });
    }
}

/// A review that cannot be counted is still the caller's.
async fn record(state: &State, Of { organization, user, day }: Of, used: Option<UsageDelta>) {
    let (store, day) = (state.store(), day.to_string());
    let (result, message) = match used {
        Some(used) => {
            (store.record_usage(organization, user, &day, used).await, "the usage of a review was not recorded")
        }
        None => (store.release_review(organization, user, &day).await, "a review that did not come about still counts"),
    };
    if let Err(error) = result {
        tracing::error!(error = &error as &dyn std::error::Error, "{message}");
    }
}
