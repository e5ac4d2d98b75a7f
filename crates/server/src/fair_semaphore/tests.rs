use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use tokio::sync::mpsc;

use super::{FairSemaphore, Short};

const LONG: Duration = Duration::from_secs(3_600);

/// Queues `count` requests of a tenant one after the other; each sends the tenant's name when it is served,
/// and holds its permit until it is released.
async fn flood(
    tiers: &std::sync::Arc<FairSemaphore<u32>>,
    tenant: u32,
    count: usize,
    served: &mpsc::UnboundedSender<Served>,
) {
    for _ in 0..count {
        let (tiers, served) = (std::sync::Arc::clone(tiers), served.clone());
        tokio::spawn(async move {
            let permits = tiers.acquire(tenant, 1, LONG).await.unwrap();
            let (release, released) = tokio::sync::oneshot::channel();
            served.send(Served { tenant, release }).unwrap();
            let _ = released.await;
            drop(permits);
        });
        tokio::task::yield_now().await;
    }
}

struct Served {
    tenant: u32,
    release: tokio::sync::oneshot::Sender<()>,
}

#[tokio::test]
async fn one_who_comes_late_behind_a_flood_of_another_is_served_within_a_round() {
    let tiers = std::sync::Arc::new(FairSemaphore::new(64, 4));
    let (sender, mut served) = mpsc::unbounded_channel();
    flood(&tiers, 1, 1_000, &sender).await;
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(served.recv().await.unwrap());
    }
    flood(&tiers, 2, 1, &sender).await;
    let mut order = Vec::new();
    for _ in 0..4 {
        running.remove(0).release.send(()).unwrap();
        let next = served.recv().await.unwrap();
        order.push(next.tenant);
        running.push(next);
    }
    assert!(order[..2].contains(&2), "one slot of the flood at most comes first: {order:?}");
}

#[tokio::test]
async fn tenants_that_wait_take_turns() {
    let tiers = std::sync::Arc::new(FairSemaphore::new(64, 1));
    let (sender, mut served) = mpsc::unbounded_channel();
    for tenant in 1..=3 {
        flood(&tiers, tenant, 30, &sender).await;
    }
    let mut counts = [0; 4];
    for _ in 0..60 {
        let one = served.recv().await.unwrap();
        counts[one.tenant as usize] += 1;
        one.release.send(()).unwrap();
    }
    assert!(counts[1..].iter().all(|count| (19..=21).contains(count)), "{counts:?}");
}

#[tokio::test]
async fn a_tenant_at_its_limit_holds_nobody_else_up() {
    let tiers = FairSemaphore::new(1, 10);
    let held = tiers.acquire(1, 1, LONG).await.unwrap();
    let second = tiers.acquire(1, 1, LONG);
    let mut second = std::pin::pin!(second);
    assert!(poll!(&mut second).is_pending());
    let other = tiers.acquire(2, 1, Duration::ZERO).await.unwrap();
    assert_eq!(tiers.acquire(1, 1, Duration::ZERO).await.unwrap_err(), Short::Tenant);
    drop(held);
    drop(second.await.unwrap());
    drop(other);
}

#[tokio::test]
async fn who_wants_more_than_is_free_is_not_passed_by_for_ever() {
    let tiers = FairSemaphore::new(10, 10);
    let held = tiers.acquire(1, 8, LONG).await.unwrap();
    let mut large = std::pin::pin!(tiers.acquire(2, 5, LONG));
    assert!(poll!(&mut large).is_pending());
    assert_eq!(tiers.acquire(3, 2, Duration::ZERO).await.unwrap_err(), Short::Server);
    drop(held);
    let large = large.await.unwrap();
    tiers.acquire(3, 5, Duration::ZERO).await.unwrap();
    drop(large);
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_no_trace() {
    let tiers = FairSemaphore::new(4, 4);
    let held = tiers.acquire(1, 4, LONG).await.unwrap();
    {
        let mut large = std::pin::pin!(tiers.acquire(2, 4, LONG));
        let mut small = std::pin::pin!(tiers.acquire(3, 1, LONG));
        assert!(poll!(&mut large).is_pending() && poll!(&mut small).is_pending());
        drop(held);
        // Granted, and never looked at.
    }
    let all = join_all((0..4).map(|tenant| tiers.acquire(tenant, 1, Duration::ZERO))).await;
    assert!(all.iter().all(Result::is_ok));
    drop(all);
    let table = super::lock(&tiers.0);
    assert_eq!((table.free, table.tenants.len(), table.turns.len()), (4, 0, 0));
}
