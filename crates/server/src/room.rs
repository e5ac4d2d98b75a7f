//! Memory for request bodies. A body is in memory from its first byte until its request is answered, also while a review
//! waits for its turn. So there is only so much room, for each tenant and in all: who sends many large bodies at once
//! waits, and neither brings the service down nor keeps the others out.

use std::time::Duration;

use store::{OrganizationId, UserId};

use crate::Limits;
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::tiers::{Permits, Tiers};

/// What one permit stands for: coarse, so that a small body costs one step.
const PERMIT_BYTES: usize = 64 << 10;
/// A body of unknown length gets room in steps of so many bytes.
const STEP_BYTES: usize = 1 << 20;
/// Room in all, unless two bodies of the largest size need more.
const SERVER_BYTES: usize = 512 << 20;

/// Who a body is counted for: the organization, or its user where the request is for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tenant {
    Organization(OrganizationId),
    User(UserId),
}

impl Tenant {
    /// Whom the checks have found so far.
    fn of(context: &Context) -> Option<Self> {
        context.organization().map(Self::Organization).or_else(|| context.user().map(Self::User))
    }
}

/// The room of the server and of every tenant.
pub(crate) struct Room {
    tiers: Tiers<Tenant>,
    wait: Duration,
}

/// The room that one body has. Dropping it gives it to the next.
#[derive(Debug, Default)]
pub(crate) struct Share {
    permits: Option<Permits<Tenant>>,
    bytes: usize,
}

impl Room {
    /// A tenant has room for as many of the largest bodies as it may have reviews at once.
    pub(crate) fn new(limits: &Limits) -> Self {
        let server = SERVER_BYTES.max(limits.body_bytes.saturating_mul(2));
        let tenant = limits.body_bytes.saturating_mul(limits.reviews_per_organization.max(2)).min(server);
        let tiers = Tiers::new(permits(tenant), permits(server));
        Self { tiers, wait: Duration::from_secs(limits.queue_seconds) }
    }

    /// Sees to it that `share` has room for a body of so many bytes.
    ///
    /// # Errors
    /// [`Code::Overloaded`] when there is no room in time.
    pub(crate) async fn make(&self, share: &mut Share, bytes: usize, context: &Context) -> Result<(), Problem> {
        // Who is not known yet gets no body read.
        let Some(tenant) = Tenant::of(context).filter(|_| bytes > share.bytes) else { return Ok(()) };
        let wanted = if share.bytes == 0 { bytes } else { bytes.max(share.bytes + STEP_BYTES) };
        let more = permits(wanted) - permits(share.bytes);
        let count = u32::try_from(more).unwrap_or(u32::MAX);
        let more = self.tiers.acquire(tenant, count, self.wait).await.map_err(|_| self.full())?;
        share.bytes = wanted;
        match &mut share.permits {
            Some(permits) => permits.add(more),
            none => *none = Some(more),
        }
        Ok(())
    }

    fn full(&self) -> Problem {
        let detail = "The service has as many request bodies in memory as it can.";
        Problem::new(Code::Overloaded, detail).retry_after(self.wait.as_secs())
    }
}

const fn permits(bytes: usize) -> usize {
    bytes.div_ceil(PERMIT_BYTES)
}

#[cfg(test)]
mod tests {
    use store::{OrganizationId, UnixMillis};

    use super::{Room, Share};
    use crate::context::Context;
    use crate::{Clock, Limits};

    const MIB: usize = 1 << 20;

    /// A request for an organization of its own.
    fn request() -> Context {
        let clock = Clock::new(|| UnixMillis(0));
        let context = Context::new(&clock);
        context.set_organization(OrganizationId::new(clock.now()));
        context
    }

    #[tokio::test]
    async fn a_tenant_has_room_for_its_reviews_and_no_more_and_leaves_room_to_others() {
        let limits = Limits { reviews_per_organization: 2, queue_seconds: 0, ..Limits::default() };
        let (room, mine, other) = (Room::new(&limits), request(), request());
        let mut shares = [Share::default(), Share::default(), Share::default()];
        let [first, second, third] = &mut shares;
        room.make(first, 8 * MIB, &mine).await.unwrap();
        room.make(second, 8 * MIB, &mine).await.unwrap();
        assert!(room.make(third, 1, &mine).await.is_err());
        room.make(third, 8 * MIB, &other).await.unwrap();
        *first = Share::default();
        room.make(&mut Share::default(), 8 * MIB, &mine).await.unwrap();
    }

    #[tokio::test]
    async fn a_share_grows_with_its_body_and_a_body_of_the_largest_size_always_finds_room() {
        let limits =
            Limits { body_bytes: 1_024 * MIB, reviews_per_organization: 1, queue_seconds: 0, ..Limits::default() };
        let (room, context, mut share) = (Room::new(&limits), request(), Share::default());
        for bytes in [1, 64 * 1_024, 64 * 1_024 + 1, 3 * MIB, 1_024 * MIB] {
            room.make(&mut share, bytes, &context).await.unwrap();
        }
        let mut other = Share::default();
        room.make(&mut other, 1_000 * MIB, &context).await.unwrap();
        assert!(room.make(&mut Share::default(), 100 * MIB, &context).await.is_err());
    }

    #[tokio::test]
    async fn the_server_has_room_for_so_much_in_all() {
        let room = Room::new(&Limits { queue_seconds: 0, ..Limits::default() });
        let mut shares = Vec::new();
        for _ in 0..4 {
            let mut share = Share::default();
            room.make(&mut share, 128 * MIB, &request()).await.unwrap();
            shares.push(share);
        }
        assert!(room.make(&mut Share::default(), 1, &request()).await.is_err());
        shares.clear();
        room.make(&mut Share::default(), 1, &request()).await.unwrap();
    }
}
