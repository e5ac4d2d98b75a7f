//! Limits on concurrent reviews (per organization, per user across all organizations, and per process), and on the
//! memory of all reviews of this process. A review waits for a slot and for memory, up to a limit. Replicas on one
//! PostgreSQL share the organization's limit. The user's limit is per process, like the process limit that it
//! protects.

mod lease;
mod memory;

use std::time::Duration;

use fair::{FairSemaphore, Permits, Short};
use store::{OrganizationId, SharedLimits, UserId};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Limits;
use crate::error::{Code, Problem};
use crate::release_tasks::ReleaseTasks;
use lease::{Lease, Release};
use memory::ReviewMemory;

/// The slots of the server and of all organizations.
pub(crate) struct ConcurrencyLimiter {
    tiers: FairSemaphore<OrganizationId>,
    users: FairSemaphore<UserId>,
    memory: Option<ReviewMemory>,
    shared: Option<SharedLimits>,
    per_organization: usize,
    per_user: usize,
    queue_seconds: u64,
}

/// The right to run one review. Dropping it releases the slot and the memory. Where replicas share the slot, the
/// request is answered only after the release.
pub(crate) struct ConcurrencyPermit {
    _of_organization: OfOrganization,
    _of_user: Permits<UserId>,
    _memory: Option<Permits<OrganizationId>>,
}

enum OfOrganization {
    Local { _permits: Permits<OrganizationId> },
    Shared { _release: Release },
}

impl ConcurrencyLimiter {
    /// Creates the slots that the limits allow.
    pub(crate) fn new(limits: &Limits, shared: Option<SharedLimits>) -> Self {
        let per_user = limits
            .reviews_per_organization
            .saturating_mul(limits.user_reviews_factor)
            .max(1);
        Self {
            users: FairSemaphore::new(per_user, usize::MAX),
            per_user,
            memory: ReviewMemory::new(limits),
            tiers: FairSemaphore::new(limits.reviews_per_organization, limits.reviews_total),
            shared,
            per_organization: limits.reviews_per_organization,
            queue_seconds: limits.queue_seconds,
        }
    }

    /// Waits for slots, first the user's, so that a user who waits for it does not hold the organization's. Then
    /// waits for this many bytes of memory. Dropping the future stops waiting.
    /// # Errors
    /// [`Code::TooManyReviews`] when the user or the organization, [`Code::Overloaded`] when the server has no slot
    /// or memory in time; [`Code::NotReady`] when the database cannot be reached.
    pub(crate) async fn acquire(
        &self,
        organization: OrganizationId,
        user: UserId,
        bytes: usize,
        release_tasks: &ReleaseTasks,
    ) -> Result<ConcurrencyPermit, Problem> {
        let wait = Duration::from_secs(self.queue_seconds);
        let until = Instant::now() + wait;
        let of_user = self
            .users
            .acquire_within(user, 1, wait)
            .await
            .map_err(|_| self.too_many("user", self.per_user))?;
        let of_organization = self
            .of_organization(organization, until, release_tasks)
            .await?;
        // Memory comes last, so that no review holds it while waiting for a slot.
        let memory = match &self.memory {
            Some(memory) => Some(
                memory
                    .acquire(organization, bytes, until)
                    .await
                    .map_err(|problem| problem.retry_after(self.queue_seconds))?,
            ),
            None => None,
        };
        Ok(ConcurrencyPermit {
            _of_organization: of_organization,
            _of_user: of_user,
            _memory: memory,
        })
    }

    /// Waits for a slot of the organization.
    async fn of_organization(
        &self,
        organization: OrganizationId,
        until: Instant,
        release_tasks: &ReleaseTasks,
    ) -> Result<OfOrganization, Problem> {
        let left = until.saturating_duration_since(Instant::now());
        let permits = self
            .tiers
            .acquire_within(organization, 1, left)
            .await
            .map_err(|short| match short {
                Short::Tenant => self.organization_has_too_many(),
                Short::Total => self.overloaded(),
            })?;
        let Some(limits) = self.shared.clone() else {
            return Ok(OfOrganization::Local { _permits: permits });
        };
        let (answer, answered) = oneshot::channel();
        let lease = Lease {
            limits,
            organization,
            most: self.per_organization,
            until,
            permits,
        };
        release_tasks
            .spawn(lease.run(answer))
            .ok_or_else(Problem::panicked)?;
        let release = answered.await.map_err(|_| Problem::panicked())??;
        let release = release.ok_or_else(|| self.organization_has_too_many())?;
        Ok(OfOrganization::Shared { _release: release })
    }

    fn organization_has_too_many(&self) -> Problem {
        self.too_many("organization", self.per_organization)
    }

    fn too_many(&self, holder: &str, most: usize) -> Problem {
        let detail = format!("The {holder} already has {most} concurrent reviews.");
        Problem::new(Code::TooManyReviews, detail).retry_after(self.queue_seconds)
    }

    fn overloaded(&self) -> Problem {
        Problem::new(
            Code::Overloaded,
            "The service has reached its limit of concurrent reviews.",
        )
        .retry_after(self.queue_seconds)
    }
}
