//! Identities: one user for each subject of an issuer, created on first sight.

use store::StoreError;

use crate::harness::{Fresh, NOW, at_once, later};

const ISSUER: &str = "https://id.example.com";

pub(crate) async fn a_subject_of_an_issuer_is_one_user(fresh: &Fresh) {
    let see = |issuer, subject, name, millis| {
        let store = fresh.store.clone();
        async move {
            store
                .find_or_insert_identity(issuer, subject, name, later(millis))
                .await
                .unwrap()
                .unwrap()
        }
    };
    let ada = see(ISSUER, "ada", "Ada", 0).await;
    assert_eq!(
        (ada.name.as_str(), ada.operator, ada.created_at),
        ("Ada", false, NOW)
    );
    assert_eq!(
        fresh.store.find_user(ada.id).await.unwrap().as_ref(),
        Some(&ada)
    );
    assert_eq!(see(ISSUER, "ada", "Another name", 1).await, ada);
    for (issuer, subject) in [
        (ISSUER, "ADA"),
        (ISSUER, "ada "),
        ("https://id.example.com/", "ada"),
    ] {
        assert_ne!(
            see(issuer, subject, "Ada", 2).await.id,
            ada.id,
            "{issuer} {subject}"
        );
    }
    assert_eq!(fresh.store.list_users(None, 100).await.unwrap().len(), 4);
}

pub(crate) async fn concurrent_first_sign_ins_create_one_user(fresh: &Fresh) {
    for round in 0..5 {
        let subject = format!("auth0|{round}");
        let seen = at_once(8, |_| {
            let (store, subject) = (fresh.store.clone(), subject.clone());
            async move {
                store
                    .find_or_insert_identity(ISSUER, &subject, "Ada", NOW)
                    .await
                    .unwrap()
                    .unwrap()
            }
        });
        let seen = seen.await;
        assert!(seen.iter().all(|user| *user == seen[0]), "{seen:?}");
        assert_eq!(
            fresh.store.list_users(None, 100).await.unwrap().len(),
            round + 1,
            "no extra user was created"
        );
    }
}

pub(crate) async fn an_identity_may_contain_any_character_but_nul(fresh: &Fresh) {
    let odd = "'; DROP TABLE users; -- 長";
    let user = fresh
        .store
        .find_or_insert_identity(ISSUER, odd, odd, NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        fresh
            .store
            .find_or_insert_identity(ISSUER, odd, "", NOW)
            .await
            .unwrap(),
        Some(user)
    );
    for (subject, name) in [("a\0", "Ada"), ("a", "\0")] {
        let error = fresh
            .store
            .find_or_insert_identity(ISSUER, subject, name, NOW)
            .await
            .unwrap_err();
        assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
    }
}
