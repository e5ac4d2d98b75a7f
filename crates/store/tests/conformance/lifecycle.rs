//! Opening, migrating, reopening and closing.

use store::{Store, StoreError};

use crate::harness::{Fresh, NOW, at_once};

pub(crate) async fn every_statement_is_prepared(fresh: &Fresh) {
    let prepared = fresh.store.prepare_statements().await;
    assert!(
        prepared.as_ref().is_ok_and(|&count| count >= 25),
        "{prepared:?}"
    );
}

pub(crate) async fn data_survives_a_restart(fresh: &Fresh) {
    let url = fresh.empty(0).await;
    let store = Store::open(&url).await.unwrap();
    let user = store.insert_user("Ada", true, NOW).await.unwrap();
    store.ping().await.unwrap();
    store.close().await;

    Store::migrate(&url).await.unwrap();
    let reopened = Store::open(&url).await.unwrap();
    assert_eq!(reopened.list_users(None, 100).await.unwrap(), [user]);
    reopened.close().await;
}

pub(crate) async fn an_empty_database_is_opened_concurrently(fresh: &Fresh) {
    for round in 0..5 {
        let url = fresh.empty(round).await;
        let opened = at_once(8, |_| {
            let url = url.clone();
            async move { Store::open(&url).await }
        });
        for store in opened.await {
            let store = store.unwrap();
            store.insert_user("Ada", false, NOW).await.unwrap();
            store.close().await;
        }
        let store = Store::open(&url).await.unwrap();
        assert_eq!(store.list_users(None, 100).await.unwrap().len(), 8);
        store.close().await;
    }
}

pub(crate) async fn a_database_of_an_earlier_program_is_brought_up_to_date(fresh: &Fresh) {
    // The inverse of each migration after the first, newest first.
    let made = [
        (14, "DROP TABLE automatic_grants"),
        (
            13,
            "DROP INDEX invitations_by_maker; ALTER TABLE invitations DROP COLUMN made_by; \
            DROP INDEX idempotency_keys_by_maker; ALTER TABLE idempotency_keys DROP COLUMN made_by",
        ),
        (12, "ALTER TABLE users DROP COLUMN status"),
        (
            9,
            "DROP INDEX tokens_by_maker; ALTER TABLE tokens DROP COLUMN made_by",
        ),
        (
            8,
            "DROP TABLE invitations; ALTER TABLE tokens DROP COLUMN last_used_at",
        ),
        (7, "DROP TABLE identities"),
        (6, "DROP TABLE request_buckets; DROP TABLE review_slots"),
        (5, "DROP INDEX organizations_by_status"),
        (4, "DROP TABLE audit_events"),
        (3, "DROP TABLE review_guidelines"),
        (2, "DROP TABLE model_token_months"),
    ];
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await;
    for earlier in 0..made.len() {
        for (version, take_back) in &made[..=earlier] {
            fresh.execute(take_back).await;
            fresh
                .execute(&format!(
                    "DELETE FROM _sqlx_migrations WHERE version = {version}"
                ))
                .await;
        }
        let store = Store::open(&fresh.url).await.unwrap();
        store
            .set_review_guidelines(acme.id, ada.id, "text", NOW)
            .await
            .unwrap();
        let day = format!("2026-11-{:02}", earlier + 1);
        assert_eq!(
            store
                .reserve_model_tokens(acme.id, &day, 1, 99)
                .await
                .unwrap()
                .tokens,
            1
        );
        store
            .find_or_insert_identity("https://id.example.com", "ada", "Ada", NOW)
            .await
            .unwrap();
        assert!(store.list_tokens(ada.id, None, 1).await.unwrap().is_empty());
        assert!(
            store
                .list_invitations(acme.id, None, 1, NOW)
                .await
                .unwrap()
                .is_empty()
        );
        assert_eq!(
            store.list_all_organizations(None, None, 100).await.unwrap(),
            std::slice::from_ref(&acme),
            "existing data is kept"
        );
        store.close().await;
    }
}

pub(crate) async fn a_database_of_a_newer_program_is_refused(fresh: &Fresh) {
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
        VALUES (9999, 'of tomorrow', TRUE, '', 0)";
    fresh.execute(newer).await;
    let error = Store::open(&fresh.url).await.unwrap_err();
    assert!(matches!(error, StoreError::Migration(_)), "{error:?}");
}

pub(crate) async fn a_closed_store_is_unavailable(fresh: &Fresh) {
    fresh.store.close().await;
    let error = fresh.store.ping().await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
}

pub(crate) async fn connections_are_counted(fresh: &Fresh) {
    fresh.store.ping().await.unwrap();
    let open = fresh.store.connections();
    assert!(
        open.used + open.idle >= 1 && open.used + open.idle <= open.max,
        "{open:?}"
    );
}
