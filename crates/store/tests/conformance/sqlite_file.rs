//! Properties of one database only: SQLite files and URLs.

use std::{error::Error, os::unix::fs::PermissionsExt};

use store::{Store, StoreError};

use crate::harness::{Fresh, NOW};

#[tokio::test]
async fn the_file_is_readable_by_its_owner_only() {
    let fresh = Fresh::sqlite().await;
    fresh.user("Ada").await;
    let files: Vec<_> = std::fs::read_dir(fresh.folder())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(files.len() > 1, "the write-ahead log is next to the file");
    for file in files {
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.path().display());
    }
    fresh.discard().await;
}

#[tokio::test]
async fn an_existing_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    std::fs::write(&file, "").unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
    Store::migrate(&format!("sqlite://{}", file.display()))
        .await
        .unwrap();
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[tokio::test]
async fn a_path_may_contain_any_character() {
    let folder = tempfile::tempdir().unwrap();
    Store::migrate(&format!(
        "sqlite://{}/a%3Fb%23c d%25é.db",
        folder.path().display()
    ))
    .await
    .unwrap();
    assert!(folder.path().join("a?b#c d%é.db").exists());
}

#[tokio::test]
async fn an_in_memory_database_is_shared_by_all_callers() {
    let store = Store::open("sqlite::memory:").await.unwrap();
    let other = Store::open("sqlite::memory:").await.unwrap();
    let clone = store.clone();
    store.insert_user("Ada", false, NOW).await.unwrap();
    assert_eq!(clone.list_users(None, 100).await.unwrap().len(), 1);
    assert!(other.list_users(None, 100).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_unusable_url_is_refused_without_being_repeated() {
    for url in [
        "", "hunkwise.db", "mysql://root:hunter2@localhost/x", "postgres://u:hunter2@h:port/x",
        "sqlite://x?mode=hunter2",
    ] {
        let error = Store::open(url).await.unwrap_err();
        assert!(matches!(error, StoreError::Url), "{url}: {error:?}");
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}

#[tokio::test]
async fn an_unreachable_database_is_an_error_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("missing");
    let urls = [
        format!("sqlite://{}/store.db", nowhere.display()),
        format!("sqlite://{}", folder.path().display()),
        format!(
            "postgres://user:hunter2@localhost/x?host={}",
            nowhere.display()
        ),
    ];
    for url in urls {
        let error = Store::open(&url).await.unwrap_err();
        assert!(
            matches!(error, StoreError::Unavailable(_)),
            "{url}: {error:?}"
        );
        let cause = error.source().map(ToString::to_string);
        assert!(cause.is_some_and(|cause| !cause.is_empty() && !cause.contains("hunter2")));
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let notes = "not a database ".repeat(1_000);
    std::fs::write(&file, &notes).unwrap();
    let error = Store::open(&format!("sqlite://{}", file.display()))
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), notes);
}
