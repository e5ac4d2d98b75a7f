//! One review's slot among those that replicas share. A separate task takes, renews and releases it, so that it is
//! released however the review ends, and expires if the process dies.

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use fair::Permits;
use store::{OrganizationId, REVIEW_SLOT_LIFE, ReviewSlot, SharedLimits, StoreError};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

/// Two renewals per lifetime, so that one may fail.
const RENEW_EVERY: Duration = Duration::from_secs(REVIEW_SLOT_LIFE.as_secs() / 3);
/// Minimum and maximum pause between two attempts to take a slot.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The result for the review: `None` if no slot became free in time.
pub(super) type Answer = Result<Option<Release>, StoreError>;

/// Dropping it releases the slot.
pub(crate) struct Release {
    _released: oneshot::Sender<()>,
}

/// The review that wants a slot.
pub(super) struct Lease {
    pub(super) limits: SharedLimits,
    pub(super) organization: OrganizationId,
    pub(super) most: usize,
    /// The end of the wait.
    pub(super) until: Instant,
    /// Permits of this process. The next review in this process gets them only after the slot was released.
    pub(super) permits: Permits<OrganizationId>,
}

impl Lease {
    /// Takes a slot, sends it to the review, and keeps it until the review drops it.
    pub(super) async fn run(self, mut answer: oneshot::Sender<Answer>) {
        let slot = match self.take(&mut answer).await {
            Ok(Some(slot)) => slot,
            refused => {
                drop(self.permits);
                return drop(answer.send(refused.map(|_| None)));
            }
        };
        let (release, mut released) = oneshot::channel();
        // If the receiver is gone, the slot is returned and dropped here.
        drop(answer.send(Ok(Some(Release { _released: release }))));
        while timeout(RENEW_EVERY, &mut released).await.is_err() {
            self.renew(&slot).await;
        }
        if let Err(error) = self.limits.release_review_slot(&slot).await {
            let error: &dyn Error = &error;
            tracing::warn!(
                error,
                "the slot of a finished review could not be released; it will expire"
            );
        }
        drop(self.permits);
    }

    /// Retries until there is a slot, the time is over, or the review no longer waits.
    async fn take(
        &self,
        answer: &mut oneshot::Sender<Answer>,
    ) -> Result<Option<ReviewSlot>, StoreError> {
        let mut pause = FIRST_PAUSE;
        loop {
            let slot = self
                .limits
                .take_review_slot(self.organization, self.most)
                .await?;
            let now = Instant::now();
            if slot.is_some() || now >= self.until {
                return Ok(slot);
            }
            let next = (now + jittered(pause)).min(self.until);
            pause = (pause * 2).min(LONGEST_PAUSE);
            tokio::select! {
                () = answer.closed() => return Ok(None),
                () = sleep_until(next) => {}
            }
        }
    }

    async fn renew(&self, slot: &ReviewSlot) {
        match self.limits.renew_review_slot(slot).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(
                "a review continues although its slot expired: the database was unavailable for too long"
            ),
            Err(error) => tracing::warn!(
                error = &error as &dyn Error,
                "the slot of a review could not be renewed"
            ),
        }
    }
}

/// A random pause of at least half of it, so that waiting reviews do not retry simultaneously.
fn jittered(pause: Duration) -> Duration {
    let random = RandomState::new().build_hasher().finish();
    pause / 2 + (pause / 2).mul_f64((random % 1_000) as f64 / 1_000.0)
}
