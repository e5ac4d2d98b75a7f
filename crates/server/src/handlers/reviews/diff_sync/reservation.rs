//! A review that was counted against the quota before it ran.

use jiff::civil::Date;
use store::{OrganizationId, StoreError, UsageDelta, UserId};
use tracing::Instrument;

use crate::State;
use crate::error::Problem;

/// One review of the member's month. Unless it is kept, dropping it gives it back: a review that failed, or whose
/// caller went away before the answer, costs nobody anything.
pub(super) struct Reservation {
    state: State,
    /// Who reviews, and when; `None` once the review is settled.
    open: Option<Of>,
}

#[derive(Clone, Copy)]
struct Of {
    organization: OrganizationId,
    user: UserId,
    day: Date,
}

impl Reservation {
    /// Counts the review; `None` when the month is used up.
    ///
    /// It runs in a task of its own: a caller that goes away in the middle leaves a reservation behind that nobody
    /// takes, and which is therefore given back.
    pub(super) async fn make(
        state: &State,
        organization: OrganizationId,
        user: UserId,
        day: Date,
        limit_month: Option<i64>,
    ) -> Result<Option<Self>, Problem> {
        let state = state.clone();
        let reserve = async move {
            let reserved = state.store().reserve_review(organization, user, &day.to_string(), limit_month).await?;
            Ok::<_, StoreError>(reserved.then(|| Self { state, open: Some(Of { organization, user, day }) }))
        };
        let reserved = tokio::spawn(reserve.in_current_span()).await;
        Ok(reserved.map_err(|_| Problem::panicked())??)
    }

    /// Keeps the review as used, and adds its counts. A review that cannot be counted is still the caller's.
    pub(super) async fn keep(mut self, delta: UsageDelta) {
        let Some(Of { organization, user, day }) = self.open.take() else { return };
        if let Err(error) = self.state.store().record_usage(organization, user, &day.to_string(), delta).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the usage of a review was not recorded");
        }
    }

    /// Gives the review back, and waits until that is done.
    pub(super) async fn give_back(mut self) {
        if let Some(of) = self.open.take() {
            release(&self.state, of).await;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let (Some(of), Ok(runtime)) = (self.open.take(), tokio::runtime::Handle::try_current()) else { return };
        let state = self.state.clone();
        runtime.spawn(async move { release(&state, of).await }.in_current_span());
    }
}

async fn release(state: &State, Of { organization, user, day }: Of) {
    if let Err(error) = state.store().release_review(organization, user, &day.to_string()).await {
        tracing::error!(error = &error as &dyn std::error::Error, "a review that did not come about still counts");
    }
}
