//! Databases that speak PostgreSQL's protocol with differences, as far as PostgreSQL can imitate them.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::Store;

use crate::{harness::Fresh, idempotency, members, usage};

/// Identifies itself as CockroachDB and has no advisory locks.
const COCKROACHDB: &str = "\
    CREATE FUNCTION public.version() RETURNS text LANGUAGE sql \
        AS 'SELECT ''CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04 17:41:26, go1.23.7)''::text'; \
    CREATE FUNCTION public.pg_advisory_lock(bigint) RETURNS void LANGUAGE plpgsql \
        AS 'BEGIN RAISE EXCEPTION ''unknown function: pg_advisory_lock()''; END'; \
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$";

/// Makes transactions serializable by default, as CockroachDB does.
const STRICT: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$";

async fn number(fresh: &Fresh, query: &str) -> i64 {
    let mut connection = PgConnection::connect(&fresh.url).await.unwrap();
    sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_for_cockroachdb_work_without_deferred_constraints() {
    let Some(fresh) = Fresh::postgres_after(COCKROACHDB).await else {
        return;
    };
    assert_eq!(
        number(
            &fresh,
            "SELECT COUNT(*) FROM pg_constraint WHERE condeferrable"
        )
        .await,
        0
    );
    idempotency::concurrent_requests_with_one_key_create_one(&fresh).await;
    fresh.discard().await;
    let fresh = Fresh::postgres_after(COCKROACHDB).await.unwrap();
    idempotency::concurrent_requests_with_an_expired_key_create_one(&fresh).await;
    fresh.discard().await;
    let fresh = Fresh::postgres_after(COCKROACHDB).await.unwrap();
    idempotency::a_failed_request_leaves_the_key_free(&fresh).await;
    fresh.discard().await;
}

#[tokio::test]
async fn migrations_for_cockroachdb_count_as_the_same() {
    let Some(fresh) = Fresh::postgres_after(COCKROACHDB).await else {
        return;
    };
    Store::migrate(&fresh.url).await.unwrap();
    fresh
        .execute("DROP FUNCTION public.version(); DROP FUNCTION public.pg_advisory_lock(bigint)")
        .await;
    Store::migrate(&fresh.url).await.unwrap();
    fresh.discard().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serializable_by_default_causes_no_serialization_failures() {
    let Some(fresh) = Fresh::postgres_after(STRICT).await else {
        return;
    };
    idempotency::concurrent_requests_with_one_key_create_one(&fresh).await;
    fresh.discard().await;
    let fresh = Fresh::postgres_after(STRICT).await.unwrap();
    members::of_owners_who_remove_each_other_concurrently_one_stays(&fresh).await;
    fresh.discard().await;
    let fresh = Fresh::postgres_after(STRICT).await.unwrap();
    usage::simultaneous_reviews_never_exceed_the_limit(&fresh).await;
    fresh.discard().await;
}
