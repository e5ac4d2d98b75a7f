//! A SQLite file in trouble: what is told, and that nothing else happens.

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
        Err(error @ StoreError::Unavailable(_)) => error.source().unwrap().to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_file_that_another_process_locks_is_told_after_the_wait_and_serves_again() {
    let fresh = Fresh::sqlite().await;
    let mut other = SqliteConnection::connect(&fresh.url).await.unwrap();
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    let start = std::time::Instant::now();
    let said = unavailable(fresh.store.insert_user("Ada", false, NOW).await);
    assert!(said.contains("locked"), "{said}");
    assert!((4..9).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    fresh.store.ping().await.unwrap();
    assert!(fresh.store.list_users(None, 100).await.unwrap().is_empty(), "who reads does not wait");
    other.execute("ROLLBACK").await.unwrap();
    fresh.user("Ada").await;
    fresh.discard().await;
}

#[tokio::test]
async fn a_file_that_was_deleted_takes_nothing_any_more() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    std::fs::remove_file(file(&fresh)).unwrap();
    for _ in 0..3 {
        unavailable(fresh.store.ping().await);
        unavailable(fresh.store.insert_user("Bob", false, NOW).await);
    }
    assert!(!file(&fresh).exists(), "no new one is made in its place");
    fresh.discard().await;
}

#[tokio::test]
async fn a_file_that_was_replaced_takes_nothing_until_the_right_one_is_back() {
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
async fn a_file_that_cannot_be_written_is_told_at_the_start() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    fresh.store.close().await;
    let said = unavailable(Store::open(&format!("{}?mode=ro", fresh.url)).await);
    assert!(said.contains("readonly"), "{said}");
    fresh.discard().await;
}

#[tokio::test]
async fn a_file_with_garbage_in_it_is_told_and_not_served() {
    let fresh = Fresh::sqlite().await;
    for at in 0..300 {
        fresh.user(&format!("{at} {}", "x".repeat(200))).await;
    }
    fresh.store.close().await;
    let damage = |from: u64| {
        let mut file = OpenOptions::new().write(true).open(file(&fresh)).unwrap();
        let length = file.metadata().unwrap().len();
        file.seek(SeekFrom::Start(from)).unwrap();
        file.write_all(&vec![0xa5; usize::try_from(length - from).unwrap()]).unwrap();
    };
    // The first page, which has the schema, stays as it is: the service starts, and runs into the rest.
    let running = Store::open(&fresh.url).await.unwrap();
    damage(4_096);
    let said = unavailable(running.list_users(None, 100).await);
    assert!(said.contains("malformed"), "{said}");
    let _ = tokio::time::timeout(Duration::from_secs(10), running.close()).await;
    // Without the first page it does not start.
    damage(0);
    let said = unavailable(Store::open(&fresh.url).await);
    assert!(said.contains("not a database") || said.contains("malformed"), "{said}");
    fresh.discard().await;
}
