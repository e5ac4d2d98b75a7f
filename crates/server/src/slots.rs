//! How many reviews run at once, per organization and in all. A review waits a while for its turn.

use std::time::Duration;

use store::OrganizationId;

use crate::Limits;
use crate::error::{Code, Problem};
use crate::tiers::{Permits, Short, Tiers};

/// The slots of the server and of every organization.
pub(crate) struct Slots {
    tiers: Tiers<OrganizationId>,
    per_organization: usize,
    queue_seconds: u64,
}

/// The right to run one review. Dropping it gives the slot to the next.
#[derive(Debug)]
pub(crate) struct Slot {
    _permits: Permits,
}

impl Slots {
    /// As many slots as the limits say.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            tiers: Tiers::new(limits.reviews_per_organization, limits.reviews_total),
            per_organization: limits.reviews_per_organization,
            queue_seconds: limits.queue_seconds,
        }
    }

    /// Waits for a slot. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// [`Code::TooManyReviews`] when the organization, [`Code::Overloaded`] when the server has none in time.
    pub(crate) async fn acquire(&self, organization: OrganizationId) -> Result<Slot, Problem> {
        let wait = Duration::from_secs(self.queue_seconds);
        match self.tiers.acquire(organization, 1, wait).await {
            Ok(permits) => Ok(Slot { _permits: permits }),
            Err(Short::Tenant) => Err(self.too_many()),
            Err(Short::Server) => Err(self.overloaded()),
        }
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
