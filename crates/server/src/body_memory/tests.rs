use futures_util::FutureExt as _;
use store::{OrganizationId, UnixMillis, UserId};

use super::{BodyMemoryLimiter, BodyMemoryPermit};
use crate::context::Context;
use crate::release_tasks::ReleaseTasks;
use crate::{Clock, Limits};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// A request of a new user for an organization.
fn request(user: UserId, organization: OrganizationId) -> Context {
    let context = Context::new(&Clock::new(|| UnixMillis(0)), ReleaseTasks::default());
    context.set_user(user);
    context.set_organization(organization);
    context
}

fn new_user() -> UserId {
    UserId::new(UnixMillis(0))
}

fn new_organization() -> OrganizationId {
    OrganizationId::new(UnixMillis(0))
}

/// A request of a user with its own organization.
fn stranger() -> Context {
    request(new_user(), new_organization())
}

fn room(body_bytes: usize, reviews_per_organization: usize) -> BodyMemoryLimiter {
    BodyMemoryLimiter::new(&Limits {
        body_bytes,
        reviews_per_organization,
        queue_seconds: 0,
        ..Limits::default()
    })
}

/// A complete body of this size.
async fn whole(
    room: &BodyMemoryLimiter,
    context: &Context,
    bytes: usize,
) -> Option<BodyMemoryPermit> {
    let mut share = partial(room, context, bytes).await?;
    share.complete(bytes);
    Some(share)
}

/// A body of which this many bytes have arrived.
async fn partial(
    room: &BodyMemoryLimiter,
    context: &Context,
    bytes: usize,
) -> Option<BodyMemoryPermit> {
    let mut share = room.enter(context);
    grow(&mut share, bytes).await.then_some(share)
}

async fn grow(share: &mut BodyMemoryPermit, bytes: usize) -> bool {
    share.grow(bytes).await.is_ok()
}

fn is_evicted(share: &BodyMemoryPermit) -> bool {
    share.evicted().now_or_never().is_some()
}

#[tokio::test]
async fn users_and_organizations_have_memory_for_their_reviews_and_leave_some_for_others() {
    let room = room(8 * MIB, 2);
    let (user, organization) = (new_user(), new_organization());
    let mine = request(user, organization);
    let mut bodies = vec![
        whole(&room, &mine, 8 * MIB).await.unwrap(),
        whole(&room, &mine, 8 * MIB).await.unwrap(),
    ];
    assert!(
        whole(&room, &request(user, new_organization()), 1)
            .await
            .is_none(),
        "a user of many organizations"
    );
    assert!(
        whole(&room, &request(new_user(), organization), 1)
            .await
            .is_none(),
        "an organization of many users"
    );
    let _other = whole(&room, &stranger(), 8 * MIB).await.unwrap();
    bodies.pop();
    whole(&room, &mine, 8 * MIB).await.unwrap();
}

#[tokio::test]
async fn an_announced_length_takes_no_memory() {
    let room = room(8 * MIB, 16);
    let mine = stranger();
    let mut begun = Vec::new();
    for _ in 0..80 {
        begun.push(partial(&room, &mine, 10).await.unwrap());
    }
    assert!(whole(&room, &mine, 8 * MIB).await.is_some());
}

#[tokio::test]
async fn a_body_of_the_maximum_size_always_fits_and_the_total_is_bounded() {
    let room = room(1_024 * MIB, 1);
    let mut share = room.enter(&stranger());
    for bytes in [1, 64 * KIB, 64 * KIB + 1, 3 * MIB, 1_024 * MIB] {
        assert!(grow(&mut share, bytes).await);
    }
    share.complete(1_024 * MIB);
    let _other = whole(&room, &stranger(), 1_000 * MIB).await.unwrap();
    assert!(whole(&room, &stranger(), 100 * MIB).await.is_none());
    drop(share);
    assert!(whole(&room, &stranger(), 100 * MIB).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn the_slowest_body_of_the_largest_holder_is_evicted_first() {
    let room = room(128 * MIB, 4);
    let hoarder = stranger();
    let modest = partial(&room, &stranger(), 20 * MIB).await.unwrap();
    let early = partial(&room, &hoarder, 120 * MIB).await.unwrap();
    tokio::time::advance(std::time::Duration::from_secs(9)).await;
    let mut late = Vec::new();
    for _ in 0..2 {
        late.push(partial(&room, &hoarder, 120 * MIB).await.unwrap());
    }
    let mut other = room.enter(&stranger());
    // The memory is free once the evicted body is dropped.
    assert!(!grow(&mut other, 100 * MIB).await);
    assert!(is_evicted(&early), "it was the slowest");
    assert!(!late.iter().any(is_evicted) && !is_evicted(&modest));
    drop((early, other));
    assert!(partial(&room, &stranger(), 100 * MIB).await.is_some());
    assert!(!late.iter().any(is_evicted), "one was enough");
}

#[tokio::test]
async fn within_an_organization_the_largest_sender_is_evicted_for_others() {
    let room = room(8 * MIB, 2);
    let organization = new_organization();
    let hoarder = request(new_user(), organization);
    let held = partial(&room, &hoarder, 8 * MIB).await.unwrap();
    let more = partial(&room, &hoarder, 7 * MIB).await.unwrap();
    let other = request(new_user(), organization);
    assert!(partial(&room, &other, 4 * MIB).await.is_none());
    assert!(is_evicted(&held) || is_evicted(&more));
    // No body is evicted for a holder that would have as much.
    let room = super::BodyMemoryLimiter {
        wait: std::time::Duration::ZERO,
        ..room
    };
    let equal = request(new_user(), new_organization());
    let (first, second) = (
        partial(&room, &equal, 8 * MIB).await,
        partial(&room, &equal, 7 * MIB).await,
    );
    assert!(partial(&room, &equal, 4 * MIB).await.is_none());
    assert!(!is_evicted(&first.unwrap()) && !is_evicted(&second.unwrap()));
}

#[tokio::test]
async fn of_concurrent_bodies_the_oldest_gets_memory_to_its_end() {
    let room = room(8 * MIB, 2);
    let mine = stranger();
    let mut bodies: Vec<BodyMemoryPermit> = (0..4).map(|_| room.enter(&mine)).collect();
    let mut refused = 0;
    for arrived in (64 * KIB..=8 * MIB).step_by(64 * KIB) {
        for body in &mut bodies[1..] {
            refused += usize::from(!grow(body, arrived).await);
        }
    }
    assert!(refused > 0, "there is not enough memory for all");
    assert!(grow(&mut bodies[0], 8 * MIB).await);
}
