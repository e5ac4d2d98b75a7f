//! Queries return the current state of the database, even after changes by other processes: nothing is cached.

use store::{Actor, NewToken, OrganizationId, Role, Scope, Status, Store, TokenSecret, User};

use crate::harness::{Fresh, NOW, at_once, later};

fn token(user: &User, expires_at: Option<store::UnixMillis>) -> NewToken {
    NewToken {
        user: user.id,
        name: String::new(),
        scopes: Scope::ALL.to_vec(),
        organization: None,
        expires_at,
    }
}

/// Queries twice, because a cached answer would appear only in the second one.
async fn is_good(store: &Store, secret: &TokenSecret) -> bool {
    let first = store.find_token(&secret.digest(), NOW).await.unwrap();
    assert_eq!(
        store.find_token(&secret.digest(), NOW).await.unwrap(),
        first
    );
    first.is_some()
}

async fn role(store: &Store, user: &User, organization: OrganizationId) -> Option<Role> {
    let first = store.find_membership(user.id, organization).await.unwrap();
    assert_eq!(
        store.find_membership(user.id, organization).await.unwrap(),
        first
    );
    first.map(|membership| membership.role)
}

pub(crate) async fn a_token_revoked_by_another_process_is_refused_immediately(fresh: &Fresh) {
    let other = Store::open(&fresh.url).await.unwrap();
    let ada = fresh.user("Ada").await;
    for round in 0..50 {
        let (made, secret) = fresh
            .store
            .insert_token(token(&ada, None), NOW)
            .await
            .unwrap();
        assert!(is_good(&fresh.store, &secret).await && is_good(&other, &secret).await);
        // Also after a write that bypasses the store, and for a second reader.
        match round % 3 {
            0 => assert!(other.revoke_token(made.id, NOW).await.unwrap().is_some()),
            1 => assert!(
                fresh
                    .store
                    .revoke_token(made.id, NOW)
                    .await
                    .unwrap()
                    .is_some()
            ),
            _ => {
                fresh
                    .execute(&format!(
                        "UPDATE tokens SET revoked_at = 1 WHERE id = '{}'",
                        made.id
                    ))
                    .await
            }
        }
        assert!(
            !is_good(&fresh.store, &secret).await && !is_good(&other, &secret).await,
            "round {round}"
        );
    }
    other.close().await;
}

pub(crate) async fn results_are_never_stale(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await.id;
    let store = &fresh.store;
    assert_eq!(role(store, &ben, acme).await, None);
    store
        .add_member(acme, ben.id, Role::Member, NOW)
        .await
        .unwrap();
    assert_eq!(role(store, &ben, acme).await, Some(Role::Member));
    store
        .set_member_role(acme, ada.id, ben.id, Role::Admin, NOW)
        .await
        .unwrap();
    assert_eq!(role(store, &ben, acme).await, Some(Role::Admin));
    store
        .set_organization_status(acme, Status::Suspended, Actor::CommandLine, NOW)
        .await
        .unwrap();
    assert_eq!(role(store, &ben, acme).await, None);
    store
        .set_organization_status(acme, Status::Active, Actor::CommandLine, NOW)
        .await
        .unwrap();
    fresh
        .execute("UPDATE organizations SET name = 'Renamed'")
        .await;
    assert_eq!(
        store
            .find_membership(ben.id, acme)
            .await
            .unwrap()
            .unwrap()
            .organization
            .name,
        "Renamed"
    );
    store
        .remove_member(acme, ada.id, ben.id, NOW)
        .await
        .unwrap();
    assert_eq!(role(store, &ben, acme).await, None);

    let (_, secret) = store.insert_token(token(&ada, None), NOW).await.unwrap();
    assert!(is_good(store, &secret).await);
    fresh
        .execute("UPDATE users SET operator = TRUE, name = 'Eve'")
        .await;
    let found = store
        .find_token(&secret.digest(), NOW)
        .await
        .unwrap()
        .unwrap();
    assert!(found.operator && found.user_name == "Eve");
}

pub(crate) async fn a_token_used_before_expires_on_time(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (_, secret) = fresh
        .store
        .insert_token(token(&ada, Some(later(10))), NOW)
        .await
        .unwrap();
    for (millis, good) in [(0, true), (9, true), (10, false), (0, true), (11, false)] {
        let found = fresh
            .store
            .find_token(&secret.digest(), later(millis))
            .await
            .unwrap();
        assert_eq!(found.is_some(), good, "after {millis} ms");
    }
}

/// Readers query continuously while tokens are created and revoked: no query after a revocation succeeds.
pub(crate) async fn no_query_after_a_revocation_succeeds(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let writer = Store::open(&fresh.url).await.unwrap();
    let rounds = at_once(8, |task| {
        let (store, writer, ada) = (fresh.store.clone(), writer.clone(), ada.clone());
        async move {
            for _ in 0..25 {
                let (made, secret) = writer.insert_token(token(&ada, None), NOW).await.unwrap();
                let digest = secret.digest();
                assert!(
                    store.find_token(&digest, NOW).await.unwrap().is_some(),
                    "task {task}"
                );
                let asking = async {
                    for _ in 0..20 {
                        store.find_token(&digest, NOW).await.unwrap();
                    }
                };
                let ((), revoked) = tokio::join!(asking, writer.revoke_token(made.id, NOW));
                assert!(revoked.unwrap().is_some());
                assert!(
                    store.find_token(&digest, NOW).await.unwrap().is_none(),
                    "task {task}"
                );
            }
        }
    });
    rounds.await;
    writer.close().await;
}
