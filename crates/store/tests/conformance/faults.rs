//! Faults of a SQLite file: the errors, and that nothing else is affected.

use std::{
    error::Error as _,
    fs::OpenOptions,
    io::{Seek, SeekFrom, Write},
    path::PathBuf,
    time::Duration,
};

use sqlx::{Connection, Executor, SqliteConnection};
use store::{Store, StoreError};

use crate::harness::{Fresh, NOW};

fn file(fresh: &Fresh) -> PathBuf {
    fresh.folder().join("store.db")
}

#[track_caller]
fn unavailable<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(error @ (StoreError::Unavailable(_) | StoreError::Unwritable(_))) => {
            error.source().unwrap().to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_locked_file_is_an_error_after_the_timeout_and_recovers() {
    let fresh = Fresh::sqlite().await;
    let mut other = SqliteConnection::connect(&fresh.url).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let message = unavailable(fresh.store.insert_user("Ada", false, NOW).await);
    assert!(message.contains("locked"), "{message}");
    fresh.store.ping().await.unwrap();
    assert!(
        fresh.store.list_users(None, 100).await.unwrap().is_empty(),
        "readers do not wait"
    );
    let message = unavailable(fresh.store.check().await);
    assert!(message.contains("within 2 seconds"), "{message}");
    other.execute("ROLLBACK").await.unwrap();
    fresh.store.check().await.unwrap();
    fresh.user("Ada").await;
    fresh.discard().await;
}

/// SQLite ends a transaction itself when the disk is full, or when a trigger demands it.
#[tokio::test]
async fn after_transactions_that_sqlite_has_ended_new_ones_begin() {
    let fresh = Fresh::sqlite().await;
    let ada = fresh.user("Ada").await;
    let mut other = SqliteConnection::connect(&fresh.url).await.unwrap();
    let trigger = "CREATE TRIGGER ends BEFORE INSERT ON organizations BEGIN SELECT RAISE(ROLLBACK, 'ended'); END";
    other.execute(trigger).await.unwrap();
    for _ in 0..20 {
        let result = fresh
            .store
            .insert_organization("Acme", ada.id, None, NOW)
            .await;
        let error = result.unwrap_err();
        let cause = error.source().unwrap().to_string();
        assert!(cause.contains("ended"), "{cause}");
    }
    other.execute("DROP TRIGGER ends").await.unwrap();
    for _ in 0..20 {
        let made = fresh
            .store
            .insert_organization("Acme", ada.id, None, NOW)
            .await;
        made.unwrap();
    }
    fresh.discard().await;
}

#[tokio::test]
async fn a_deleted_file_is_not_written_to() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    std::fs::remove_file(file(&fresh)).unwrap();
    for _ in 0..3 {
        unavailable(fresh.store.ping().await);
        unavailable(fresh.store.insert_user("Bob", false, NOW).await);
    }
    assert!(
        !file(&fresh).exists(),
        "no new file is created in its place"
    );
    fresh.discard().await;
}

#[tokio::test]
async fn a_replaced_file_is_not_used_until_the_original_is_back() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    let aside = fresh.folder().join("aside.db");
    std::fs::rename(file(&fresh), &aside).unwrap();
    std::fs::write(file(&fresh), "").unwrap();
    unavailable(fresh.store.insert_user("Bob", false, NOW).await);
    std::fs::rename(&aside, file(&fresh)).unwrap();
    assert_eq!(fresh.store.list_users(None, 100).await.unwrap().len(), 1);
    fresh.user("Bob").await;
    fresh.discard().await;
}

#[tokio::test]
async fn a_read_only_file_is_an_error_at_startup() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    fresh.store.close().await;
    let message = unavailable(Store::open(&format!("{}?mode=ro", fresh.url)).await);
    assert!(message.contains("readonly"), "{message}");
    fresh.discard().await;
}

#[tokio::test]
async fn a_corrupt_file_is_an_error() {
    let fresh = Fresh::sqlite().await;
    for at in 0..300 {
        fresh.user(&format!("{at} {}", "x".repeat(200))).await;
    }
    fresh.store.close().await;
    let damage = |from: u64| {
        let mut file = OpenOptions::new().write(true).open(file(&fresh)).unwrap();
        let length = file.metadata().unwrap().len();
        file.seek(SeekFrom::Start(from)).unwrap();
        file.write_all(&vec![0xa5; usize::try_from(length - from).unwrap()])
            .unwrap();
    };
    // The first page, which holds the schema, is intact: the service starts and fails on later pages.
    let running = Store::open(&fresh.url).await.unwrap();
    damage(4_096);
    let message = unavailable(running.list_users(None, 100).await);
    assert!(message.contains("malformed"), "{message}");
    let _ = tokio::time::timeout(Duration::from_secs(10), running.close()).await;
    // Without the first page the service does not start.
    damage(0);
    let message = unavailable(Store::open(&fresh.url).await);
    assert!(
        message.contains("not a database") || message.contains("malformed"),
        "{message}"
    );
    fresh.discard().await;
}
