//! A review that is counted against the quota before it runs.

use std::sync::Arc;

use jiff::civil::Date;
use store::{Month, OrganizationId, StoreError, UsageDelta, UserId};

use super::meter::Meter;
use crate::State;
use crate::error::Problem;
use crate::release_tasks::ReleaseTasks;

/// One review of the member's month. It is returned on drop unless the review was answered or has used model tokens:
/// those must be paid for, even if the review failed or its caller disconnected.
pub(super) struct Reservation {
    state: State,
    release_tasks: ReleaseTasks,
    meter: Arc<Meter>,
    of: Of,
    /// The review's usage; `None` until it is answered.
    used: Option<UsageDelta>,
}

/// The member and the time of a review.
#[derive(Clone)]
struct Of {
    organization: OrganizationId,
    user: UserId,
    day: Date,
    /// The month to which the review counts.
    month: Month,
}

impl Reservation {
    /// Counts the review; `None` if the month's quota is used up.
    ///
    /// It runs in a separate task: if the caller disconnects meanwhile, the reservation is dropped and thereby
    /// returned.
    pub(super) async fn make(
        state: &State,
        release_tasks: &ReleaseTasks,
        organization: OrganizationId,
        user: UserId,
        day: Date,
        limit_month: Option<i64>,
        meter: Arc<Meter>,
    ) -> Result<Option<Self>, Problem> {
        let (state, of_request) = (state.clone(), release_tasks.clone());
        let reserve = async move {
            let reserved = state
                .store()
                .reserve_review(organization, user, &day.to_string(), limit_month)
                .await?;
            let of = reserved.map(|month| Of {
                organization,
                user,
                day,
                month,
            });
            Ok::<_, StoreError>(of.map(|of| Self {
                state,
                release_tasks: of_request,
                meter,
                of,
                used: None,
            }))
        };
        let reserving = release_tasks.spawn(reserve).ok_or_else(Problem::panicked)?;
        Ok(reserving.await.map_err(|_| Problem::panicked())??)
    }

    /// Marks the review as used, with its counts.
    pub(super) fn keep(&mut self, used: UsageDelta) {
        self.used = Some(used);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let tokens = self.meter.used();
        let (prompt_tokens, completion_tokens) = (tokens.prompt_tokens, tokens.completion_tokens);
        let cut_off = UsageDelta {
            prompt_tokens,
            completion_tokens,
            ..UsageDelta::default()
        };
        let used = self
            .used
            .or_else(|| (tokens.total_tokens > 0).then_some(cut_off));
        let (state, of) = (self.state.clone(), self.of.clone());
        self.release_tasks
            .spawn(async move { record(&state, of, used).await });
    }
}

/// Records the usage. If that fails, the caller still gets the review.
async fn record(
    state: &State,
    Of {
        organization,
        user,
        day,
        month,
    }: Of,
    used: Option<UsageDelta>,
) {
    let (store, day) = (state.store(), day.to_string());
    let (result, message) = match used {
        Some(used) => (
            store.record_usage(organization, user, &day, used).await,
            "could not record the usage of a review",
        ),
        None => (
            store.release_review(organization, user, &day, &month).await,
            "could not release the reservation of a review",
        ),
    };
    if let Err(error) = result {
        tracing::error!(error = &error as &dyn std::error::Error, "{message}");
    }
}
