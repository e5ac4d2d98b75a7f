//! Review guidelines: one text per organization; the last write wins.

use store::{OrganizationId, ReviewGuidelines, StoreError};

use crate::harness::{Fresh, NOW, at_once, later};

pub(crate) async fn the_last_text_is_kept_until_it_is_deleted(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    assert_eq!(
        fresh.store.find_review_guidelines(acme).await.unwrap(),
        None
    );
    assert!(
        !fresh
            .store
            .delete_review_guidelines(acme, ada.id, NOW)
            .await
            .unwrap()
    );
    let longest = "é".repeat(4_096);
    for (text, millis) in [
        ("Orders may be absent.\n\t- \"so\" '; DROP", 1),
        (longest.as_str(), 2),
        ("", 3),
    ] {
        fresh
            .store
            .set_review_guidelines(acme, ada.id, text, later(millis))
            .await
            .unwrap();
        let expected = ReviewGuidelines {
            guidelines: text.to_owned(),
            updated_at: later(millis),
        };
        assert_eq!(
            fresh.store.find_review_guidelines(acme).await.unwrap(),
            Some(expected)
        );
    }
    assert!(
        fresh
            .store
            .delete_review_guidelines(acme, ada.id, NOW)
            .await
            .unwrap()
    );
    assert_eq!(
        fresh.store.find_review_guidelines(acme).await.unwrap(),
        None
    );
}

pub(crate) async fn guidelines_belong_to_one_organization(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    fresh
        .store
        .set_review_guidelines(acme, ada.id, "acme", NOW)
        .await
        .unwrap();
    assert_eq!(
        fresh.store.find_review_guidelines(bell).await.unwrap(),
        None
    );
    fresh
        .store
        .set_review_guidelines(bell, ada.id, "bell", NOW)
        .await
        .unwrap();
    assert!(
        fresh
            .store
            .delete_review_guidelines(bell, ada.id, NOW)
            .await
            .unwrap()
    );
    assert_eq!(
        fresh
            .store
            .find_review_guidelines(acme)
            .await
            .unwrap()
            .unwrap()
            .guidelines,
        "acme"
    );

    let error = fresh
        .store
        .set_review_guidelines(OrganizationId::new(NOW), ada.id, "x", NOW)
        .await
        .unwrap_err();
    assert!(
        matches!(error, StoreError::NotFound("organization")),
        "{error:?}"
    );
    let error = fresh
        .store
        .set_review_guidelines(acme, ada.id, "a\0b", NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}

pub(crate) async fn concurrent_writes_never_mix_guidelines(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    let set = at_once(16, |index| {
        let store = fresh.store.clone();
        async move {
            store
                .set_review_guidelines(acme, ada.id, &format!("text {index}"), later(index as u64))
                .await
        }
    });
    assert!(set.await.iter().all(Result::is_ok));
    let found = fresh
        .store
        .find_review_guidelines(acme)
        .await
        .unwrap()
        .unwrap();
    let index = found.updated_at.0 - NOW.0;
    assert_eq!(
        found.guidelines,
        format!("text {index}"),
        "text and time belong together"
    );
}
