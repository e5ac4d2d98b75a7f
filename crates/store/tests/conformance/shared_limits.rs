//! The limits that replicas on one PostgreSQL share. SQLite serves one process, which keeps them in memory.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::{OrganizationId, RequestRate, SharedLimits, Store, StoreError, TokenId};

use crate::harness::{Fresh, NOW, at_once};

const MINUTE: Duration = Duration::from_secs(60);
/// The refill interval of one request, a second: long enough that no test sees a refill that it does not wait for.
const RATE: RequestRate = RequestRate {
    requests: 60,
    per: MINUTE,
};

async fn limits(fresh: &Fresh) -> SharedLimits {
    fresh.store.shared_limits().unwrap()
}

async fn number(fresh: &Fresh, query: &str) -> i64 {
    let mut connection = PgConnection::connect(&fresh.url).await.unwrap();
    sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

#[tokio::test]
async fn sqlite_has_no_shared_limits() {
    let fresh = Fresh::sqlite().await;
    assert!(fresh.store.shared_limits().is_none());
    fresh.discard().await;
}

#[tokio::test]
async fn a_bucket_grants_what_it_holds_and_takes_unused_requests_back() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let (limits, token) = (limits(&fresh).await, TokenId::new(NOW));
    let first = limits.take_requests(token, RATE, 40, 0).await.unwrap();
    assert_eq!(
        (first.granted, first.until_full),
        (40, Duration::from_secs(40))
    );
    let rest = limits.take_requests(token, RATE, 40, 0).await.unwrap();
    assert!((20..=21).contains(&rest.granted), "{rest:?}");
    assert_eq!(
        limits
            .take_requests(token, RATE, 1, 0)
            .await
            .unwrap()
            .granted,
        0
    );
    assert!(
        (5..=6).contains(
            &limits
                .take_requests(token, RATE, 40, 5)
                .await
                .unwrap()
                .granted
        )
    );
    assert_eq!(
        limits
            .take_requests(TokenId::new(NOW), RATE, 60, 0)
            .await
            .unwrap()
            .granted,
        60,
        "another bucket"
    );
    fresh.discard().await;
}

#[tokio::test]
async fn a_bucket_never_exceeds_its_capacity() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let (limits, token) = (limits(&fresh).await, TokenId::new(NOW));
    assert_eq!(
        limits
            .take_requests(token, RATE, 1, 0)
            .await
            .unwrap()
            .granted,
        1
    );
    assert_eq!(
        limits
            .take_requests(token, RATE, 1_000, 1_000)
            .await
            .unwrap()
            .granted,
        60
    );
    fresh
        .execute("UPDATE request_buckets SET full_at = 0")
        .await;
    assert_eq!(
        limits
            .take_requests(token, RATE, 1_000, 0)
            .await
            .unwrap()
            .granted,
        60
    );
    fresh.discard().await;
}

#[tokio::test]
async fn after_a_clock_is_set_back_a_bucket_is_only_empty() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let (limits, token) = (limits(&fresh).await, TokenId::new(NOW));
    limits.take_requests(token, RATE, 1, 0).await.unwrap();
    // As if the bucket had last been used a year from now.
    fresh
        .execute("UPDATE request_buckets SET full_at = full_at + 31536000000000000")
        .await;
    let answer = limits.take_requests(token, RATE, 1, 0).await.unwrap();
    assert_eq!((answer.granted, answer.until_full), (0, MINUTE));
    let organization = OrganizationId::new(NOW);
    limits
        .take_review_slot(organization, 1)
        .await
        .unwrap()
        .unwrap();
    fresh
        .execute("UPDATE review_slots SET held_until = held_until + 31536000000")
        .await;
    assert!(
        limits
            .take_review_slot(organization, 1)
            .await
            .unwrap()
            .is_some()
    );
    fresh.discard().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_replicas_get_no_more_than_the_bucket_holds() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let replicas = [fresh.store.clone(), Store::open(&fresh.url).await.unwrap()];
    let token = TokenId::new(NOW);
    let start = std::time::Instant::now();
    let granted = at_once(32, |at| {
        let limits = replicas[at % 2].shared_limits().unwrap();
        async move {
            let mut granted = 0;
            for _ in 0..10 {
                granted += limits
                    .take_requests(token, RATE, 3, 0)
                    .await
                    .unwrap()
                    .granted;
            }
            granted
        }
    });
    let granted: u32 = granted.await.into_iter().sum();
    let come_back = u32::try_from(start.elapsed().as_secs()).unwrap() + 1;
    assert!((60..=60 + come_back).contains(&granted), "{granted}");
    replicas[1].close().await;
    fresh.discard().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_slots_of_an_organization_are_limited_across_replicas() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let replicas = [fresh.store.clone(), Store::open(&fresh.url).await.unwrap()];
    let (acme, other) = (OrganizationId::new(NOW), OrganizationId::new(NOW));
    for round in 0..5 {
        let taken = at_once(40, |at| {
            let limits = replicas[at % 2].shared_limits().unwrap();
            async move { limits.take_review_slot(acme, 7).await.unwrap() }
        });
        let taken: Vec<_> = taken.await.into_iter().flatten().collect();
        assert_eq!(taken.len(), 7, "round {round}");
        let limits = replicas[1].shared_limits().unwrap();
        assert!(limits.take_review_slot(other, 7).await.unwrap().is_some());
        for slot in &taken {
            assert!(limits.renew_review_slot(slot).await.unwrap());
            limits.release_review_slot(slot).await.unwrap();
            assert!(
                !limits.renew_review_slot(slot).await.unwrap(),
                "it was released"
            );
        }
    }
    replicas[1].close().await;
    fresh.discard().await;
}

#[tokio::test]
async fn a_slot_that_is_not_renewed_expires_and_gets_one_new_holder() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let (limits, acme) = (limits(&fresh).await, OrganizationId::new(NOW));
    let slot = limits.take_review_slot(acme, 1).await.unwrap().unwrap();
    let left = number(
        &fresh,
        "SELECT held_until - CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) FROM review_slots",
    );
    assert!((25_000..=30_000).contains(&left.await));
    fresh
        .execute("UPDATE review_slots SET held_until = held_until - 29000")
        .await;
    assert!(limits.take_review_slot(acme, 1).await.unwrap().is_none());
    assert!(limits.renew_review_slot(&slot).await.unwrap());
    fresh
        .execute("UPDATE review_slots SET held_until = held_until - 30001")
        .await;
    let next = limits.take_review_slot(acme, 1).await.unwrap().unwrap();
    assert!(!limits.renew_review_slot(&slot).await.unwrap());
    limits.release_review_slot(&slot).await.unwrap();
    assert!(
        limits.renew_review_slot(&next).await.unwrap(),
        "a former holder cannot release it"
    );
    fresh.discard().await;
}

#[tokio::test]
async fn only_idle_rows_are_deleted() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let (limits, acme) = (limits(&fresh).await, OrganizationId::new(NOW));
    limits.take_review_slot(acme, 2).await.unwrap().unwrap();
    limits
        .take_requests(TokenId::new(NOW), RATE, 1, 0)
        .await
        .unwrap();
    fresh
        .execute("UPDATE review_slots SET held_until = 0")
        .await;
    fresh
        .execute("UPDATE request_buckets SET full_at = 0")
        .await;
    limits
        .take_review_slot(OrganizationId::new(NOW), 2)
        .await
        .unwrap()
        .unwrap();
    limits
        .take_requests(TokenId::new(NOW), RATE, 1, 0)
        .await
        .unwrap();
    assert_eq!(limits.delete_idle().await.unwrap(), 2);
    assert_eq!(number(&fresh, "SELECT COUNT(*) FROM review_slots").await, 1);
    fresh.discard().await;
}

#[tokio::test]
async fn a_statement_blocked_on_a_lock_times_out() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    let mut other = PgConnection::connect(&fresh.url).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE organizations")
        .execute(&mut other)
        .await
        .unwrap();
    let error = fresh
        .store
        .find_membership(ada.id, acme.id)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    other.close().await.unwrap();
    assert!(
        fresh
            .store
            .find_membership(ada.id, acme.id)
            .await
            .unwrap()
            .is_some()
    );
    fresh.discard().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_connections_is_limited() {
    let Some(fresh) = Fresh::postgres().await else {
        return;
    };
    let url = fresh.empty(0).await;
    let store = Store::open_with(&url, 2).await.unwrap();
    let found = at_once(16, |_| {
        let store = store.clone();
        async move { store.list_users(None, 100).await.unwrap().len() }
    });
    assert_eq!(found.await.iter().sum::<usize>(), 0);
    let mut other = PgConnection::connect(&url).await.unwrap();
    let others = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let count: i64 = sqlx::query_scalar(others)
        .fetch_one(&mut other)
        .await
        .unwrap();
    assert!((1..=2).contains(&count), "{count}");
    other.close().await.unwrap();
    store.close().await;
    fresh.discard().await;
}
