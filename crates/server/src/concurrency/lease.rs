//! One review's slot among those that replicas share: a task of its own takes, renews and releases it, so that
//! it is released however the review ends, and expires if the process dies.

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use fair::Permits;
use store::{OrganizationId, REVIEW_SLOT_LIFE, ReviewSlot, SharedLimits, StoreError};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

/// A slot is renewed twice before it would lapse, should one time fail.
const RENEW_EVERY: Duration = Duration::from_secs(REVIEW_SLOT_LIFE.as_secs() / 3);
/// Between two questions for a slot, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// What a review gets: `None` when the organization has no slot in time.
pub(super) type Answer = Result<Option<Release>, StoreError>;

/// Dropping it gives the slot back.
pub(crate) struct Release {
    _released: oneshot::Sender<()>,
}

/// Who wants a slot.
pub(super) struct Lease {
    pub(super) limits: SharedLimits,
    pub(super) organization: OrganizationId,
    pub(super) most: usize,
    /// When waiting ends.
    pub(super) until: Instant,
    /// Of this process; the next one here gets them when the slot is back, and not before.
    pub(super) permits: Permits<OrganizationId>,
}

impl Lease {
    /// Takes a slot, answers, and keeps it until the answer is dropped.
    pub(super) async fn run(self, mut answer: oneshot::Sender<Answer>) {
        let slot = match self.take(&mut answer).await {
            Ok(Some(slot)) => slot,
            refused => {
                drop(self.permits);
                return drop(answer.send(refused.map(|_| None)));
            }
        };
        let (release, mut released) = oneshot::channel();
        // If nobody waits for it any more it comes back and is dropped here.
        drop(answer.send(Ok(Some(Release { _released: release }))));
        while timeout(RENEW_EVERY, &mut released).await.is_err() {
            self.renew(&slot).await;
        }
        if let Err(error) = self.limits.release_review_slot(&slot).await {
            let error: &dyn Error = &error;
            tracing::warn!(error, "the slot of a review that ended could not be given back; it lapses by itself");
        }
        drop(self.permits);
    }

    /// Asks again until there is one, the time is over or nobody waits any more.
    async fn take(&self, answer: &mut oneshot::Sender<Answer>) -> Result<Option<ReviewSlot>, StoreError> {
        let mut pause = FIRST_PAUSE;
        loop {
            let slot = self.limits.take_review_slot(self.organization, self.most).await?;
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
            Ok(false) => tracing::warn!("a review goes on whose slot had lapsed: the database was away for too long"),
            Err(error) => tracing::warn!(error = &error as &dyn Error, "the slot of a review could not be renewed"),
        }
    }
}

/// At least half of it, at random, so that those that wait do not all ask at once.
fn jittered(pause: Duration) -> Duration {
    let random = RandomState::new().build_hasher().finish();
    pause / 2 + (pause / 2).mul_f64((random % 1_000) as f64 / 1_000.0)
}
