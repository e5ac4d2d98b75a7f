//! Memory for reviews: each reserves as much as a diff of its size may need, and waits until that much is free.

use fair::{FairSemaphore, Permits, Short};
use review::review_bytes;
use store::OrganizationId;
use tokio::time::Instant;

use crate::Limits;
use crate::error::{Code, Problem};

/// The memory of all reviews, in bytes.
pub(super) struct ReviewMemory {
    tiers: FairSemaphore<OrganizationId>,
    of_organization: usize,
    total: usize,
}

impl ReviewMemory {
    /// Creates the memory that the limits allow; `None` without a limit. An organization gets at most half of it, or
    /// as much as one review of the largest diff needs.
    pub(super) fn new(limits: &Limits) -> Option<Self> {
        let total = limits.review_memory?;
        let of_organization = (total / 2).max(review_bytes(limits.diff_bytes)).min(total);
        Some(Self {
            tiers: FairSemaphore::new(of_organization, total),
            of_organization,
            total,
        })
    }

    /// Waits for memory.
    ///
    /// # Errors
    /// [`Code::TooManyReviews`] when the organization, [`Code::Overloaded`] when the server has too little in time.
    pub(super) async fn acquire(
        &self,
        organization: OrganizationId,
        bytes: usize,
        until: Instant,
    ) -> Result<Permits<OrganizationId>, Problem> {
        let left = until.saturating_duration_since(Instant::now());
        self.tiers.acquire_within(organization, bytes, left).await.map_err(|short| match short {
            Short::Tenant => {
                let most = self.of_organization;
                let detail = format!(
                    "This review needs {bytes} bytes of memory, and the organization's concurrent reviews have taken too much \
                     of the {most} bytes that one organization may use."
                );
                Problem::new(Code::TooManyReviews, detail)
            }
            Short::Total => {
                let total = self.total;
                let detail = format!(
                    "This review needs {bytes} bytes of memory, and concurrent reviews have taken too much of the limit \
                     `reviewMemory`, {total} bytes."
                );
                Problem::new(Code::Overloaded, detail)
            }
        })
    }
}
