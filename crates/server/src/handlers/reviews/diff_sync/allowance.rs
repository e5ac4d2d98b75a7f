//! What a review may use of its organization's monthly tokens of language models.

use std::sync::Arc;

use jiff::civil::Date;
use store::{OrganizationId, ReservedTokens, StoreError};

use super::meter::Meter;
use crate::State;
use crate::error::Problem;
use crate::release_tasks::ReleaseTasks;

/// Tokens that are set aside for one review. However the review ends, what it did not use is given back.
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
    /// Sets aside what a review may use at most, or what is left of the month, be it nothing. `None`: the month has no
    /// limit, or no engine asks a model.
    ///
    /// It runs in a task of its own: what is set aside for a caller that goes away in the middle is given back.
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

    /// Tokens that the review may use.
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
            "the unused tokens of a review still count"
        );
    }
}
