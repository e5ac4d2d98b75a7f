//! A create with a key happens once.

use store::{IDEMPOTENCY_KEY_LIFE, IdempotencyKey, Once, Organization, Store, StoreError, UserId};

use crate::harness::{Fresh, NOW, at_once, grant, later};

fn key(user: UserId, name: &str, request: u8) -> IdempotencyKey {
    IdempotencyKey {
        user,
        key: name.to_owned(),
        request_digest: [request; 32],
        made_by: None,
    }
}

async fn make(fresh: &Fresh, key: &IdempotencyKey) -> Once {
    fresh
        .store
        .insert_organization_once(key, "Acme", None, NOW)
        .await
        .unwrap()
}

fn created(once: Once) -> Organization {
    match once {
        Once::Created(organization) => organization,
        other => panic!("{other:?}"),
    }
}

async fn race(fresh: &Fresh, keys: &[IdempotencyKey], now: store::UnixMillis) -> Vec<Once> {
    let results = at_once(keys.len(), |index| {
        let (store, key): (Store, _) = (fresh.store.clone(), keys[index].clone());
        async move {
            store
                .insert_organization_once(&key, "Acme", None, now)
                .await
                .unwrap()
        }
    });
    results.await
}

pub(crate) async fn the_same_request_gets_the_first_answer(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let key = key(ada.id, "k", 1);
    let first = created(make(fresh, &key).await);
    let again = fresh
        .store
        .insert_organization_once(&key, "Acme", None, later(99))
        .await
        .unwrap();
    assert_eq!(again, Once::Replayed(first.clone()));
    assert_eq!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap(),
        [first]
    );
}

pub(crate) async fn another_request_or_user_is_distinguished(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    created(make(fresh, &key(ada.id, "k", 1)).await);
    assert_eq!(make(fresh, &key(ada.id, "k", 2)).await, Once::Conflict);
    created(make(fresh, &key(ada.id, "K", 1)).await);
    created(make(fresh, &key(ben.id, "k", 2)).await);
    assert_eq!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap()
            .len(),
        3
    );
}

pub(crate) async fn a_key_can_be_reused_after_it_expires(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let first = created(make(fresh, &key(ada.id, "k", 1)).await);
    let life = u64::try_from(IDEMPOTENCY_KEY_LIFE.as_millis()).unwrap();
    let last_moment = fresh
        .store
        .insert_organization_once(&key(ada.id, "k", 1), "Acme", None, later(life - 1))
        .await;
    assert_eq!(last_moment.unwrap(), Once::Replayed(first.clone()));
    let over = fresh
        .store
        .insert_organization_once(&key(ada.id, "k", 2), "Bell", None, later(life))
        .await
        .unwrap();
    let second = created(over);
    assert_ne!(second.id, first.id);
    let again = fresh
        .store
        .insert_organization_once(&key(ada.id, "k", 2), "Bell", None, later(life))
        .await
        .unwrap();
    assert_eq!(again, Once::Replayed(second));
}

pub(crate) async fn concurrent_requests_with_one_key_create_one(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let answers = race(fresh, &vec![key(ada.id, "k", 1); 48], NOW).await;
    let all = fresh
        .store
        .list_all_organizations(None, None, 100)
        .await
        .unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(
        answers
            .iter()
            .filter(|answer| matches!(answer, Once::Created(_)))
            .count(),
        1
    );
    let same =
        |answer: &Once| matches!(answer, Once::Created(it) | Once::Replayed(it) if *it == all[0]);
    assert!(answers.iter().all(same), "{answers:?}");
}

pub(crate) async fn concurrent_requests_with_an_expired_key_create_one(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let old = created(make(fresh, &key(ada.id, "k", 1)).await);
    let answers = race(
        fresh,
        &vec![key(ada.id, "k", 1); 24],
        NOW + IDEMPOTENCY_KEY_LIFE,
    )
    .await;
    assert_eq!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap()
            .len(),
        2
    );
    let new =
        |answer: &Once| matches!(answer, Once::Created(it) | Once::Replayed(it) if it.id != old.id);
    assert!(answers.iter().all(new), "{answers:?}");
}

pub(crate) async fn of_different_concurrent_requests_one_wins(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let keys: Vec<_> = (0..24).map(|request| key(ada.id, "k", request)).collect();
    let answers = race(fresh, &keys, NOW).await;
    assert_eq!(
        answers
            .iter()
            .filter(|answer| matches!(answer, Once::Created(_)))
            .count(),
        1
    );
    assert_eq!(
        answers
            .iter()
            .filter(|answer| matches!(answer, Once::Conflict))
            .count(),
        23
    );
    assert_eq!(
        fresh
            .store
            .list_all_organizations(None, None, 100)
            .await
            .unwrap()
            .len(),
        1
    );
}

pub(crate) async fn a_failed_request_leaves_the_key_free(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let key = key(ada.id, "k", 1);
    let wrong = grant(None, Some(-1));
    let error = fresh
        .store
        .insert_organization_once(&key, "Acme", Some(&wrong), NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
    created(make(fresh, &key).await);

    let nobody = IdempotencyKey {
        user: UserId::new(NOW),
        ..key
    };
    let error = fresh
        .store
        .insert_organization_once(&nobody, "Acme", None, NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::NotFound("user")), "{error:?}");
}

pub(crate) async fn expired_keys_are_deleted(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    created(make(fresh, &key(ada.id, "old", 1)).await);
    let newer = fresh
        .store
        .insert_organization_once(&key(ada.id, "new", 1), "Acme", None, later(1))
        .await
        .unwrap();
    let expiry = NOW + IDEMPOTENCY_KEY_LIFE;
    assert_eq!(
        fresh
            .store
            .delete_expired_idempotency_keys(NOW)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        fresh
            .store
            .delete_expired_idempotency_keys(expiry)
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        fresh
            .store
            .delete_expired_idempotency_keys(expiry)
            .await
            .unwrap(),
        0
    );
    let again = fresh
        .store
        .insert_organization_once(&key(ada.id, "new", 1), "Acme", None, expiry)
        .await
        .unwrap();
    assert_eq!(again, Once::Replayed(created(newer)));
}
