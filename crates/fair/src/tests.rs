use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use futures_util::poll;
use tokio::sync::mpsc;

use super::{Closed, FairSemaphore, Short};

const LONG: Duration = Duration::from_secs(3_600);

/// Queues `count` requests of a tenant one after the other. Each sends the tenant's name when it is granted, and
/// holds its permit until it is released.
async fn flood(
    semaphore: &std::sync::Arc<FairSemaphore<u32>>,
    tenant: u32,
    count: usize,
    served: &mpsc::UnboundedSender<Served>,
) {
    for _ in 0..count {
        let (semaphore, served) = (std::sync::Arc::clone(semaphore), served.clone());
        tokio::spawn(async move {
            let permits = semaphore.acquire_within(tenant, 1, LONG).await.unwrap();
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
async fn a_late_tenant_is_served_within_one_round_despite_a_flood_from_another() {
    let semaphore = std::sync::Arc::new(FairSemaphore::new(64, 4));
    let (sender, mut served) = mpsc::unbounded_channel();
    flood(&semaphore, 1, 1_000, &sender).await;
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(served.recv().await.unwrap());
    }
    flood(&semaphore, 2, 1, &sender).await;
    let mut order = Vec::new();
    for _ in 0..4 {
        running.remove(0).release.send(()).unwrap();
        let next = served.recv().await.unwrap();
        order.push(next.tenant);
        running.push(next);
    }
    assert!(
        order[..2].contains(&2),
        "at most one request of the flood comes first: {order:?}"
    );
}

#[tokio::test]
async fn waiting_tenants_take_turns() {
    let semaphore = std::sync::Arc::new(FairSemaphore::new(64, 1));
    let (sender, mut served) = mpsc::unbounded_channel();
    for tenant in 1..=3 {
        flood(&semaphore, tenant, 30, &sender).await;
    }
    let mut counts = [0; 4];
    for _ in 0..60 {
        let one = served.recv().await.unwrap();
        counts[one.tenant as usize] += 1;
        one.release.send(()).unwrap();
    }
    assert!(
        counts[1..].iter().all(|count| (19..=21).contains(count)),
        "{counts:?}"
    );
}

#[tokio::test]
async fn a_tenant_at_its_limit_does_not_block_others() {
    let semaphore = FairSemaphore::new(1, 10);
    let held = semaphore.acquire_within(1, 1, LONG).await.unwrap();
    let second = semaphore.acquire_within(1, 1, LONG);
    let mut second = std::pin::pin!(second);
    assert!(poll!(&mut second).is_pending());
    let other = semaphore
        .acquire_within(2, 1, Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(
        semaphore
            .acquire_within(1, 1, Duration::ZERO)
            .await
            .unwrap_err(),
        Short::Tenant
    );
    drop(held);
    drop(second.await.unwrap());
    drop(other);
}

#[tokio::test]
async fn a_request_for_more_than_is_free_does_not_starve() {
    let semaphore = FairSemaphore::new(10, 10);
    let held = semaphore.acquire_within(1, 8, LONG).await.unwrap();
    let mut large = std::pin::pin!(semaphore.acquire_within(2, 5, LONG));
    assert!(poll!(&mut large).is_pending());
    assert_eq!(
        semaphore
            .acquire_within(3, 2, Duration::ZERO)
            .await
            .unwrap_err(),
        Short::Total
    );
    drop(held);
    let large = large.await.unwrap();
    semaphore
        .acquire_within(3, 5, Duration::ZERO)
        .await
        .unwrap();
    drop(large);
}

#[tokio::test]
async fn a_cancelled_request_leaves_no_trace() {
    let semaphore = FairSemaphore::new(4, 4);
    let held = semaphore.acquire_within(1, 4, LONG).await.unwrap();
    {
        let mut large = std::pin::pin!(semaphore.acquire_within(2, 4, LONG));
        let mut small = std::pin::pin!(semaphore.acquire_within(3, 1, LONG));
        assert!(poll!(&mut large).is_pending() && poll!(&mut small).is_pending());
        drop(held);
        // Granted, but never polled.
    }
    let all =
        join_all((0..4).map(|tenant| semaphore.acquire_within(tenant, 1, Duration::ZERO))).await;
    assert!(all.iter().all(Result::is_ok));
    drop(all);
    let table = super::lock(&semaphore.0);
    assert_eq!(
        (table.free, table.tenants.len(), table.turns.len()),
        (4, 0, 0)
    );
}

/// The order in which these requests are granted when they wait for a single permit.
async fn order_of(tenants: &[&'static str]) -> Vec<&'static str> {
    let semaphore = FairSemaphore::new(1, 1);
    let held = semaphore.acquire("first", 1).await.unwrap();
    let order = Mutex::new(Vec::new());
    let wait = async |tenant| {
        let _permit = semaphore.acquire(tenant, 1).await.unwrap();
        order.lock().unwrap().push(tenant);
    };
    let mut all = Box::pin(join_all(tenants.iter().map(|tenant| wait(*tenant))));
    assert!((&mut all).now_or_never().is_none(), "the permit is held");
    drop(held);
    all.await;
    assert_eq!(semaphore.free(), 1);
    order.lock().unwrap().clone()
}

#[tokio::test]
async fn tenants_take_turns_in_order_of_arrival() {
    assert_eq!(
        order_of(&["a", "a", "a", "a", "b"]).await,
        ["a", "b", "a", "a", "a"]
    );
    assert_eq!(
        order_of(&["a", "a", "b", "b", "c"]).await,
        ["a", "b", "c", "a", "b"]
    );
}

#[tokio::test]
async fn permits_returned_by_others_do_not_raise_a_tenants_limit() {
    let semaphore = FairSemaphore::new(2, 3);
    let held = [
        semaphore.acquire("a", 1).await.unwrap(),
        semaphore.acquire("a", 1).await.unwrap(),
    ];
    let mut third = Box::pin(semaphore.acquire("a", 1));
    assert!(
        (&mut third).now_or_never().is_none(),
        "the tenant is at its limit"
    );
    assert_eq!(semaphore.free(), 1);
    drop(semaphore.acquire("b", 1).now_or_never().unwrap().unwrap());
    assert!((&mut third).now_or_never().is_none());
    drop(held);
    drop(third.await.unwrap());
    assert_eq!(semaphore.free(), 3);
}

#[tokio::test]
async fn a_dropped_request_gets_no_turn_and_its_tenant_is_not_active() {
    let semaphore = FairSemaphore::new(1, 1);
    let held = semaphore.acquire("a", 1).await.unwrap();
    assert!(semaphore.acquire("b", 1).now_or_never().is_none());
    let mut waits = Box::pin(semaphore.acquire("c", 1));
    assert!((&mut waits).now_or_never().is_none());
    assert_eq!(
        ["a", "b", "c"].map(|tenant| semaphore.is_active(&tenant)),
        [true, false, true]
    );
    drop(held);
    drop(waits.await.unwrap());
    assert_eq!(semaphore.free(), 1);
}

#[tokio::test]
async fn closing_ends_all_waits_and_keeps_granted_permits() {
    let semaphore = FairSemaphore::new(1, 1);
    let held = semaphore.acquire("a", 1).await.unwrap();
    let mut waits = Box::pin(semaphore.acquire("b", 1));
    assert!((&mut waits).now_or_never().is_none());
    semaphore.close();
    assert!(semaphore.is_closed());
    assert_eq!(waits.await.unwrap_err(), Closed);
    assert_eq!(semaphore.acquire("b", 1).await.unwrap_err(), Closed);
    assert_eq!(
        semaphore.acquire_within("b", 1, LONG).await.unwrap_err(),
        Short::Total
    );
    assert!(semaphore.is_active(&"a"));
    drop(held);
    assert_eq!((semaphore.free(), semaphore.is_active(&"a")), (1, false));
}
