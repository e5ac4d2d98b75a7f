//! How many reviews run at once: of an organization, and of this process, whose machine that guards. A review waits a while
//! for its turn. Replicas on one PostgreSQL keep the organization's number together.

mod lease;

use std::time::Duration;

use store::{OrganizationId, SharedLimits};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::Instrument;

use crate::Limits;
use crate::error::{Code, Problem};
use crate::tiers::{Permits, Short, Tiers};
use lease::{Lease, Release};

/// The slots of the server and of every organization.
pub(crate) struct Slots {
    tiers: Tiers<OrganizationId>,
    shared: Option<SharedLimits>,
    per_organization: usize,
    queue_seconds: u64,
}

/// The right to run one review. Dropping it gives the slot to the next.
pub(crate) enum Slot {
    Local { _permits: Permits<OrganizationId> },
    Shared { release: Release, lease: JoinHandle<()> },
}

impl Slot {
    /// Gives the slot to the next, and waits until that is done: who has an answer finds the slot free.
    pub(crate) async fn give_back(self) {
        if let Self::Shared { release, lease } = self {
            drop(release);
            // One that panicked has no slot any more, or one that lapses by itself.
            let _ = lease.await;
        }
    }
}

impl Slots {
    /// As many slots as the limits say.
    pub(crate) fn new(limits: &Limits, shared: Option<SharedLimits>) -> Self {
        Self {
            tiers: Tiers::new(limits.reviews_per_organization, limits.reviews_total),
            shared,
            per_organization: limits.reviews_per_organization,
            queue_seconds: limits.queue_seconds,
        }
    }

    /// Waits for a slot. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// [`Code::TooManyReviews`] when the organization, [`Code::Overloaded`] when the server has none in time;
    /// [`Code::NotReady`] when the database cannot be asked.
    pub(crate) async fn acquire(&self, organization: OrganizationId) -> Result<Slot, Problem> {
        let wait = Duration::from_secs(self.queue_seconds);
        let until = Instant::now() + wait;
        let permits = self.tiers.acquire(organization, 1, wait).await.map_err(|short| match short {
            Short::Tenant => self.too_many(),
            Short::Server => self.overloaded(),
        })?;
        let Some(limits) = self.shared.clone() else { return Ok(Slot::Local { _permits: permits }) };
        let (answer, answered) = oneshot::channel();
        let lease = Lease { limits, organization, most: self.per_organization, until, permits };
        let lease = tokio::spawn(lease.run(answer).in_current_span());
        let release = answered.await.map_err(|_| Problem::panicked())??;
        Ok(Slot::Shared { release: release.ok_or_else(|| self.too_many())?, lease })
    }

    fn too_many(&self) -> Problem {
        let detail = format!("The organization already has {} reviews under way.", self.per_organization);
        Problem::new(Code::TooManyReviews, detail).retry_after(self.queue_seconds)
    }

    fn overloaded(&self) -> Problem {
        Problem::new(Code::Overloaded, "The service has as many reviews under way as it can.")
            .retry_after(self.queue_seconds)
    }
}
