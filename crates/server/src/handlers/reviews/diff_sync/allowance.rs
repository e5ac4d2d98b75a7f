//! The tokens that a review may use from its organization's monthly limit.

use std::sync::Arc;

use jiff::civil::Date;
use store::{OrganizationId, ReservedTokens, StoreError};

use super::meter::Meter;
use crate::State;
use crate::error::Problem;
use crate::release_tasks::ReleaseTasks;

/// Tokens that are reserved for one review. Unused ones are returned however the review ends.
pub(super) struct Allowance {
    state: State,
    release_tasks: ReleaseTasks,
    meter: Arc<Meter>,
    of: Of,
}

#[derive(Clone)]
struct Of {
    organization: OrganizationId,
    reserved: ReservedTokens,
}

impl Allowance {
    /// Reserves the most that a review may use, or the rest of the month's tokens, which may be zero. `None` if the
    /// month has no limit or no engine uses a model.
    ///
    /// It runs in a separate task, so that the reservation is returned even if the caller disconnects meanwhile.
    pub(super) async fn reserve(
        state: &State,
        release_tasks: &ReleaseTasks,
        organization: OrganizationId,
        day: Date,
        meter: Arc<Meter>,
    ) -> Result<Option<Self>, Problem> {
        let limit = state.settings().organization_monthly_tokens;
        if limit == 0 || !state.asks_models() {
            return Ok(None);
        }
        let (state, of_request) = (state.clone(), release_tasks.clone());
        let reserve = async move {
            let wanted = state.settings().review_tokens;
            let reserved = state
                .store()
                .reserve_model_tokens(organization, &day.to_string(), wanted, limit)
                .await?;
            meter.grant(reserved.tokens);
            let of = Of {
                organization,
                reserved,
            };
            Ok::<_, StoreError>(Self {
                state,
                release_tasks: of_request,
                meter,
                of,
            })
        };
        let reserving = release_tasks.spawn(reserve).ok_or_else(Problem::panicked)?;
        Ok(Some(reserving.await.map_err(|_| Problem::panicked())??))
    }

    /// Maximum tokens of the review.
    pub(super) fn tokens(&self) -> u64 {
        self.of.reserved.tokens
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        let (state, of, used) = (
            self.state.clone(),
            self.of.clone(),
            self.meter.used().total_tokens,
        );
        self.release_tasks
            .spawn(async move { release(&state, of, used).await });
    }
}

async fn release(
    state: &State,
    Of {
        organization,
        reserved,
    }: Of,
    used: u64,
) {
    if let Err(error) = state
        .store()
        .reconcile_model_tokens(organization, &reserved, used)
        .await
    {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "could not release the unused tokens of a review"
        );
    }
}
