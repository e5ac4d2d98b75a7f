//! What a review may use of its organization's monthly tokens of language models.

use std::sync::Arc;

use jiff::civil::Date;
use review::Engine;
use store::{OrganizationId, StoreError};
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::meter::Meter;
use crate::State;
use crate::error::Problem;

/// Tokens that are set aside for one review. However the review ends, what it did not use is given back.
pub(super) struct Allowance {
    state: State,
    meter: Arc<Meter>,
    of: Of,
    settled: bool,
}

#[derive(Clone, Copy)]
struct Of {
    organization: OrganizationId,
    day: Date,
    tokens: u64,
}

impl Allowance {
    /// Sets aside what a review may use at most, or what is left of the month, be it nothing. `None`: the month has no
    /// limit, or no engine asks a model.
    ///
    /// It runs in a task of its own: what is set aside for a caller that goes away in the middle is given back.
    pub(super) async fn reserve(
        state: &State,
        organization: OrganizationId,
        day: Date,
    ) -> Result<Option<Self>, Problem> {
        let limit = state.settings().organization_monthly_tokens;
        if limit == 0 || !state.asks_models() {
            return Ok(None);
        }
        let state = state.clone();
        let reserve = async move {
            let wanted = state.settings().review_tokens;
            let tokens = state.store().reserve_model_tokens(organization, &day.to_string(), wanted, limit).await?;
            let of = Of { organization, day, tokens };
            Ok::<_, StoreError>(Self { state, meter: Arc::default(), of, settled: false })
        };
        let reserved = tokio::spawn(reserve.in_current_span()).await;
        Ok(Some(reserved.map_err(|_| Problem::panicked())??))
    }

    /// Tokens that the review may use.
    pub(super) fn tokens(&self) -> u64 {
        self.of.tokens
    }

    /// The engines, as they are to be used so that their tokens count.
    pub(super) fn watch(&self, engines: &[Arc<dyn Engine>]) -> Vec<Arc<dyn Engine>> {
        self.meter.watch(engines)
    }

    /// Counts what was used, and waits until that is done.
    pub(super) async fn settle(mut self) {
        if let Some(settlement) = self.start_settlement() {
            // It logs its own failure.
            let _ = settlement.await;
        }
    }

    /// In a task of its own, so that it is finished even if nobody waits for it any more.
    fn start_settlement(&mut self) -> Option<JoinHandle<()>> {
        if std::mem::replace(&mut self.settled, true) {
            return None;
        }
        let runtime = tokio::runtime::Handle::try_current().ok()?;
        let (state, of, used) = (self.state.clone(), self.of, self.meter.used(self.of.tokens));
        Some(runtime.spawn(async move { settle(&state, of, used).await }.in_current_span()))
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        self.start_settlement();
    }
}

async fn settle(state: &State, Of { organization, day, tokens }: Of, used: u64) {
    if let Err(error) = state.store().settle_model_tokens(organization, &day.to_string(), tokens, used).await {
        tracing::error!(error = &error as &dyn std::error::Error, "the unused tokens of a review still count");
    }
}
