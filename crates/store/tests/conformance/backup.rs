//! Backups of a SQLite database in use.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use store::{Caps, OrganizationId, Store, StoreError, UserId};

use crate::harness::{Fresh, NOW};

/// A database with a user, and writers that create organizations until they are stopped.
struct Busy {
    fresh: Fresh,
    stop: Arc<AtomicBool>,
    writers: Vec<tokio::task::JoinHandle<Vec<OrganizationId>>>,
    owner: UserId,
}

impl Busy {
    async fn new() -> Self {
        let fresh = Fresh::sqlite().await;
        let owner = fresh.user("Ada").await.id;
        let stop = Arc::new(AtomicBool::new(false));
        let write = |_| {
            // High enough for any writing speed.
            let caps = Caps {
                organizations_per_user: u32::MAX,
                ..Caps::default()
            };
            let (store, stop) = (fresh.store.clone().with_caps(caps), stop.clone());
            tokio::spawn(async move {
                let mut made = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    made.push(
                        store
                            .insert_organization("Acme", owner, None, NOW)
                            .await
                            .unwrap()
                            .id,
                    );
                }
                made
            })
        };
        let writers = (0..3).map(write).collect();
        Self {
            fresh,
            stop,
            writers,
            owner,
        }
    }

    /// Every organization acknowledged so far.
    async fn acknowledged(&self) -> Vec<OrganizationId> {
        let memberships = self
            .fresh
            .store
            .list_organizations(self.owner, None, u32::MAX)
            .await
            .unwrap();
        memberships
            .into_iter()
            .map(|membership| membership.organization.id)
            .collect()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.fresh.folder().join(name)
    }
}

fn url(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_under_load_is_consistent_and_has_every_earlier_commit() {
    let busy = Busy::new().await;
    let mut copies = Vec::new();
    for number in 0..5 {
        let least = copies.len() * 20;
        while busy.acknowledged().await.len() <= least {
            tokio::task::yield_now().await;
        }
        let before = busy.acknowledged().await;
        let copy = busy.file(&format!("copy-{number}.db"));
        let bytes = Store::backup(&busy.fresh.url, &copy).await.unwrap();
        let metadata = fs::metadata(&copy).unwrap();
        assert_eq!(
            (metadata.len(), metadata.permissions().mode() & 0o777),
            (bytes, 0o600)
        );
        copies.push((copy, before));
    }
    busy.stop.store(true, Ordering::Relaxed);
    let mut made = 0;
    for writer in busy.writers {
        made += writer.await.unwrap().len();
    }
    for (copy, before) in copies {
        let store = Store::open(&url(&copy)).await.unwrap();
        let all = store
            .list_all_organizations(None, None, 100_000)
            .await
            .unwrap();
        let owned = store
            .list_organizations(busy.owner, None, u32::MAX)
            .await
            .unwrap();
        assert!(
            before
                .iter()
                .all(|id| all.iter().any(|organization| organization.id == *id)),
            "acknowledged and lost"
        );
        assert_eq!(
            all.len(),
            owned.len(),
            "an organization without its owner: a partial transaction"
        );
        assert!(all.len() <= made);
        store
            .insert_organization("new", busy.owner, None, NOW)
            .await
            .unwrap();
        store.close().await;
    }
    assert_eq!(
        busy.fresh
            .store
            .list_all_organizations(None, None, 100_000)
            .await
            .unwrap()
            .len(),
        made,
        "no writer was blocked"
    );
    let left: Vec<_> = fs::read_dir(busy.fresh.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".partial")),
        "{left:?}"
    );
    busy.fresh.discard().await;
}

#[tokio::test]
async fn an_existing_file_is_not_overwritten() {
    let fresh = Fresh::sqlite().await;
    for name in ["taken.db", "cut-off.db.partial"] {
        let file = fresh.folder().join(name);
        fs::write(&file, "mine").unwrap();
        let to = fresh.folder().join(name.trim_end_matches(".partial"));
        let error = Store::backup(&fresh.url, &to).await.unwrap_err();
        assert!(matches!(error, StoreError::Conflict(_)), "{error:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    }
    let dangling = fresh.folder().join("dangling.db");
    std::os::unix::fs::symlink(fresh.folder().join("elsewhere"), &dangling).unwrap();
    assert!(matches!(
        Store::backup(&fresh.url, &dangling).await,
        Err(StoreError::Conflict(_))
    ));
    fresh.discard().await;
}

#[tokio::test]
async fn a_copy_that_cannot_be_written_leaves_nothing_behind() {
    let fresh = Fresh::sqlite().await;
    let error = Store::backup(&fresh.url, &fresh.folder().join("missing/copy.db"))
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Backup(_)), "{error:?}");
    let source = fresh.folder().join("corrupt.db");
    Store::backup(&fresh.url, &source).await.unwrap();
    let mut bytes = fs::read(&source).unwrap();
    bytes[4_096..].fill(0xff);
    fs::write(&source, bytes).unwrap();
    let to = fresh.folder().join("copy.db");
    Store::backup(&url(&source), &to).await.unwrap_err();
    assert!(!to.exists() && !fresh.folder().join("copy.db.partial").exists());
    fresh.discard().await;
}

#[tokio::test]
async fn tables_are_copied_as_they_are() {
    let fresh = Fresh::sqlite().await;
    fresh.execute("DROP TABLE review_guidelines").await;
    fresh
        .execute("DELETE FROM _sqlx_migrations WHERE version = 3")
        .await;
    let copy = fresh.folder().join("copy.db");
    Store::backup(&fresh.url, &copy).await.unwrap();
    for url in [fresh.url.clone(), url(&copy)] {
        // Creating the table fails if it exists, so the copy was not migrated.
        fresh
            .execute_at(
                &url,
                "CREATE TABLE review_guidelines (organization_id TEXT)",
            )
            .await;
    }
    fresh.discard().await;
}

#[tokio::test]
async fn foreign_databases_are_rejected_and_missing_ones_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("copy.db");
    let (missing, foreign) = (
        folder.path().join("missing.db"),
        folder.path().join("foreign.db"),
    );
    fs::write(&foreign, "").unwrap();
    for (url, words) in [
        ("postgres://user:hunter2@localhost/x".to_owned(), "pg_dump"),
        ("sqlite::memory:".to_owned(), "does not belong to Hunkwise"),
        (url(&foreign), "does not belong to Hunkwise"),
        (url(&missing), "there is no database at /"),
        ("mysql://x".to_owned(), "sqlite://PATH"),
    ] {
        let error = Store::backup(&url, &to).await.unwrap_err().to_string();
        assert!(
            error.contains(words) && !error.contains("hunter2"),
            "{url}: {error}"
        );
    }
    assert!(!to.exists() && !missing.exists());
}
