//! Tokens: found by digest until revoked or expired, and their secrets are not stored.

use std::{collections::BTreeMap, path::Path};

use memchr::memmem;
use store::{
    Action, Actor, Caps, NewToken, OrganizationId, Revoked, Scope, Store, StoreError, Token,
    TokenId, TokenSecret, TokenState, User, UserId,
};

use crate::harness::{Fresh, NOW, at_once, later};

fn token(user: &User) -> NewToken {
    NewToken {
        user: user.id,
        name: "laptop".to_owned(),
        scopes: vec![Scope::ReviewsWrite],
        organization: None,
        expires_at: None,
    }
}

pub(crate) async fn a_token_is_found_by_its_digest(fresh: &Fresh) {
    let operator = fresh.store.insert_user("Ada", true, NOW).await.unwrap();
    let acme = fresh.organization("Acme", &operator).await;
    let new = NewToken {
        organization: Some(acme.id),
        ..token(&operator)
    };
    let (token, secret) = fresh.store.insert_token(new, NOW).await.unwrap();
    assert_eq!(
        (token.user, token.name.as_str(), token.created_at),
        (operator.id, "laptop", NOW)
    );

    let shown = TokenSecret::parse(secret.expose()).unwrap();
    let found = fresh
        .store
        .find_token(&shown.digest(), later(1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.token_id, found.user_id, found.user_name.as_str()),
        (token.id, operator.id, "Ada")
    );
    assert_eq!((found.operator, found.organization), (true, Some(acme.id)));
    assert_eq!(found.scopes, [Scope::ReviewsWrite]);
    assert_eq!(
        fresh
            .store
            .find_token(&TokenSecret::generate().digest(), NOW)
            .await
            .unwrap(),
        None
    );
}

pub(crate) async fn a_token_ends_with_its_last_millisecond(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let new = NewToken {
        expires_at: Some(later(1_000)),
        ..token(&ada)
    };
    let (_, secret) = fresh.store.insert_token(new, NOW).await.unwrap();
    for (millis, good) in [(0, true), (999, true), (1_000, false), (1_001, false)] {
        let found = fresh
            .store
            .find_token(&secret.digest(), later(millis))
            .await
            .unwrap();
        assert_eq!(found.is_some(), good, "after {millis} ms");
    }
}

pub(crate) async fn a_revoked_token_is_gone(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (one, secret) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
    let (_, other) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
    assert!(
        fresh
            .store
            .revoke_token(one.id, later(1))
            .await
            .unwrap()
            .is_some()
    );
    assert!(
        fresh
            .store
            .revoke_token(one.id, later(2))
            .await
            .unwrap()
            .is_none(),
        "only once"
    );
    assert!(
        fresh
            .store
            .revoke_token(TokenId::new(NOW), NOW)
            .await
            .unwrap()
            .is_none(),
        "only an existing token"
    );
    assert_eq!(
        fresh.store.find_token(&secret.digest(), NOW).await.unwrap(),
        None
    );
    assert!(
        fresh
            .store
            .find_token(&other.digest(), later(2))
            .await
            .unwrap()
            .is_some()
    );
}

pub(crate) async fn tokens_are_listed_and_revoked_by_their_user_only(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let acme = fresh.organization("Acme", &ada).await;
    let mut made = Vec::new();
    for (organization, expires_at) in [(None, None), (Some(acme.id), Some(later(1))), (None, None)]
    {
        let new = NewToken {
            organization,
            expires_at,
            ..token(&ada)
        };
        made.push(fresh.store.insert_token(new, NOW).await.unwrap().0);
    }
    fresh.store.insert_token(token(&ben), NOW).await.unwrap();
    assert_eq!(
        fresh.store.list_tokens(ada.id, None, 10).await.unwrap(),
        made,
        "including expired ones"
    );
    assert_eq!(
        fresh.store.list_tokens(ada.id, None, 2).await.unwrap(),
        made[..2]
    );
    assert_eq!(
        fresh
            .store
            .list_tokens(ada.id, Some(made[0].id), 10)
            .await
            .unwrap(),
        made[1..]
    );

    assert!(
        fresh
            .store
            .revoke_token_of(ben.id, made[0].id, later(1))
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        fresh
            .store
            .list_tokens(ada.id, None, 10)
            .await
            .unwrap()
            .len(),
        3
    );
    let revoked = at_once(8, |_| {
        let (store, id) = (fresh.store.clone(), made[0].id);
        async move {
            store
                .revoke_token_of(ada.id, id, later(1))
                .await
                .unwrap()
                .is_some()
        }
    });
    assert_eq!(
        revoked.await.into_iter().filter(|&revoked| revoked).count(),
        1
    );
    assert_eq!(
        fresh.store.list_tokens(ada.id, None, 10).await.unwrap(),
        made[1..]
    );
}

pub(crate) async fn the_last_use_is_recorded(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let (one, _) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
    let (other, _) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
    assert_eq!((one.last_used_at, other.last_used_at), (None, None));
    // A slower process reports an earlier time; a deleted token is ignored.
    for (millis, noted) in [(5, 5), (3, 5), (9, 9)] {
        let uses = BTreeMap::from([(one.id, later(millis)), (TokenId::new(NOW), NOW)]);
        fresh.store.record_token_uses(&uses).await.unwrap();
        let listed = fresh.store.list_tokens(ada.id, None, 10).await.unwrap();
        assert_eq!(
            (listed[0].last_used_at, listed[1].last_used_at),
            (Some(later(noted)), None)
        );
    }
    fresh
        .store
        .record_token_uses(&BTreeMap::new())
        .await
        .unwrap();
}

pub(crate) async fn concurrent_records_of_uses_keep_the_latest(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let mut ids = Vec::new();
    for _ in 0..10 {
        ids.push(
            fresh
                .store
                .insert_token(token(&ada), NOW)
                .await
                .unwrap()
                .0
                .id,
        );
    }
    let noted = at_once(16, |index| {
        let (store, time) = (fresh.store.clone(), later(index as u64));
        let uses: BTreeMap<_, _> = ids.iter().map(|id| (*id, time)).collect();
        async move { store.record_token_uses(&uses).await }
    });
    assert!(noted.await.iter().all(Result::is_ok));
    let listed = fresh.store.list_tokens(ada.id, None, 10).await.unwrap();
    assert!(
        listed
            .iter()
            .all(|token| token.last_used_at == Some(later(15))),
        "{listed:?}"
    );
}

pub(crate) async fn scopes_are_kept_once_and_in_order(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let backwards: Vec<Scope> = Scope::ALL.iter().rev().chain(Scope::ALL).copied().collect();
    for (asked, kept) in [(backwards, Scope::ALL), (Vec::new(), &[])] {
        let (token, secret) = fresh
            .store
            .insert_token(
                NewToken {
                    scopes: asked,
                    ..token(&ada)
                },
                NOW,
            )
            .await
            .unwrap();
        assert_eq!(token.scopes, kept);
        assert_eq!(
            fresh
                .store
                .find_token(&secret.digest(), NOW)
                .await
                .unwrap()
                .unwrap()
                .scopes,
            kept
        );
    }
    for scope in Scope::ALL {
        assert_eq!(scope.as_str().parse(), Ok(*scope));
    }
    assert!("reviews".parse::<Scope>().is_err());
}

/// A store with a cap on tokens.
fn with_tokens(fresh: &Fresh, tokens_per_user: u32) -> Store {
    fresh.store.clone().with_caps(Caps {
        tokens_per_user,
        ..Caps::default()
    })
}

pub(crate) async fn the_cap_on_tokens_holds_under_concurrency(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let store = with_tokens(fresh, 5);
    let brief = NewToken {
        expires_at: Some(later(1_000)),
        ..token(&ada)
    };
    let (first, _) = store.insert_token(brief.clone(), NOW).await.unwrap();
    let asked = at_once(16, |index| {
        let (store, new) = (store.clone(), token(&ada));
        async move {
            match index % 2 {
                0 => store.insert_token(new, NOW).await,
                _ => store.insert_token_by(first.id, new, NOW).await,
            }
        }
    });
    let asked = asked.await;
    assert_eq!(
        asked.iter().filter(|it| it.is_ok()).count(),
        4,
        "plus the first"
    );
    let full = |error: &StoreError| {
        matches!(
            error,
            StoreError::Full {
                cap: "tokens_per_user",
                most: 5
            }
        )
    };
    assert!(
        asked.iter().filter_map(|it| it.as_ref().err()).all(full),
        "{asked:?}"
    );
    store.insert_token(token(&ben), NOW).await.unwrap();

    let (issued, _) = store.issue_token(token(&ada), NOW).await.unwrap();
    assert!(
        store.insert_token(token(&ada), NOW).await.is_err(),
        "the operator's token counts too"
    );
    assert!(
        store
            .revoke_token_of(ada.id, issued.id, NOW)
            .await
            .unwrap()
            .is_some()
    );
    assert!(store.insert_token(token(&ada), NOW).await.is_err());
    store.insert_token(token(&ada), later(1_000)).await.unwrap();
}

pub(crate) async fn the_newest_expired_and_revoked_tokens_are_kept(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let store = with_tokens(fresh, 3);
    let lasting = store.insert_token(token(&ada), NOW).await.unwrap().0.id;
    let mut over = Vec::new();
    for round in 0..8 {
        let new = NewToken {
            expires_at: Some(later(round + 1)),
            ..token(&ada)
        };
        over.push(store.insert_token(new, later(round)).await.unwrap().0.id);
    }
    store.insert_token(token(&ada), later(9)).await.unwrap();
    let listed = store.list_tokens(ada.id, None, 100).await.unwrap();
    let ids: Vec<TokenId> = listed.iter().map(|token| token.id).collect();
    assert_eq!((ids.len(), ids[0], &ids[1..4]), (5, lasting, &over[5..]));
}

async fn made_by(fresh: &Fresh, maker: &Token, new: NewToken) -> (Token, TokenSecret) {
    fresh
        .store
        .insert_token_by(maker.id, new, NOW)
        .await
        .unwrap()
}

pub(crate) async fn revoking_a_token_revokes_those_created_with_it(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for by_operator in [false, true] {
        let (root, _) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
        let (child, child_secret) = made_by(fresh, &root, token(&ada)).await;
        let bound = NewToken {
            organization: Some(acme),
            ..token(&ada)
        };
        let (grandchild, grandchild_secret) = made_by(fresh, &child, bound).await;
        let (_, sister_secret) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
        let (actor, revoked) = match by_operator {
            true => (
                Actor::CommandLine,
                fresh.store.revoke_token(root.id, later(1)).await,
            ),
            false => (
                Actor::User(ada.id),
                fresh.store.revoke_token_of(ada.id, root.id, later(1)).await,
            ),
        };
        assert_eq!(
            revoked.unwrap(),
            Some(Revoked {
                tokens: 3,
                ..Revoked::default()
            })
        );
        for secret in [child_secret, grandchild_secret] {
            assert_eq!(
                fresh
                    .store
                    .find_token(&secret.digest(), later(1))
                    .await
                    .unwrap(),
                None
            );
        }
        assert!(
            fresh
                .store
                .find_token(&sister_secret.digest(), later(1))
                .await
                .unwrap()
                .is_some()
        );
        let events = fresh
            .store
            .list_audit_events(acme, None, 100)
            .await
            .unwrap();
        let last = events.last().unwrap();
        assert_eq!((last.action, last.actor), (Action::TokenRevoked, actor));
        assert_eq!(last.subject, Some(grandchild.id.to_string()));
        let late = fresh
            .store
            .insert_token_by(root.id, token(&ada), later(1))
            .await
            .unwrap_err();
        assert!(matches!(late, StoreError::NotFound("token")), "{late:?}");
    }
}

pub(crate) async fn no_token_outlives_the_revocation_of_its_maker(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    for _ in 0..5 {
        let (root, _) = fresh.store.insert_token(token(&ada), NOW).await.unwrap();
        at_once(16, |index| {
            let (store, new) = (fresh.store.clone(), token(&ada));
            async move {
                match index {
                    8 => assert!(
                        store
                            .revoke_token_of(ada.id, root.id, NOW)
                            .await
                            .unwrap()
                            .is_some()
                    ),
                    // It is created before the revocation and revoked with it, or it is refused.
                    _ => drop(store.insert_token_by(root.id, new, NOW).await),
                }
            }
        })
        .await;
        assert!(
            fresh
                .store
                .list_tokens(ada.id, None, 100)
                .await
                .unwrap()
                .is_empty()
        );
    }
}

pub(crate) async fn a_token_is_created_with_a_valid_token_of_the_same_user(fresh: &Fresh) {
    let (ada, ben) = (fresh.user("Ada").await, fresh.user("Ben").await);
    let brief = NewToken {
        expires_at: Some(later(5)),
        ..token(&ada)
    };
    let (brief, _) = fresh.store.insert_token(brief, NOW).await.unwrap();
    fresh
        .store
        .insert_token_by(brief.id, token(&ada), later(4))
        .await
        .unwrap();
    for (new, now) in [(token(&ada), later(5)), (token(&ben), NOW)] {
        let error = fresh
            .store
            .insert_token_by(brief.id, new, now)
            .await
            .unwrap_err();
        assert!(matches!(error, StoreError::NotFound("token")), "{error:?}");
    }
}

pub(crate) async fn a_token_needs_its_user_and_organization(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let wrong = [
        NewToken {
            user: UserId::new(NOW),
            ..token(&ada)
        },
        NewToken {
            organization: Some(OrganizationId::new(NOW)),
            ..token(&ada)
        },
    ];
    for new in wrong {
        let error = fresh.store.insert_token(new, NOW).await.unwrap_err();
        assert!(matches!(error, StoreError::NotFound(_)), "{error:?}");
    }
}

pub(crate) async fn the_secret_is_not_in_the_database(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let name = format!("canary {}", TokenId::new(NOW));
    let (_, secret) = fresh
        .store
        .insert_token(
            NewToken {
                name: name.clone(),
                ..token(&ada)
            },
            NOW,
        )
        .await
        .unwrap();
    fresh
        .store
        .find_token(&secret.digest(), NOW)
        .await
        .unwrap()
        .unwrap();

    let (prefix, random) = (&secret.expose()[..3], &secret.expose()[3..33]);
    assert_eq!(prefix, "hw_");
    assert!(
        holds(&fresh.folder(), name.as_bytes()),
        "the search finds stored text"
    );
    assert!(!holds(&fresh.folder(), random.as_bytes()));
}

/// Whether a file below the folder contains these bytes. Files and folders of another case's database may vanish during
/// the search.
pub(crate) fn holds(folder: &Path, bytes: &[u8]) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some((entry.path(), entry.file_type().ok()?)))
        .any(|(path, kind)| {
            if kind.is_dir() {
                return holds(&path, bytes);
            }
            kind.is_file()
                && std::fs::read(path).is_ok_and(|content| memmem::find(&content, bytes).is_some())
        })
}

pub(crate) async fn a_leaked_token_is_traced_in_any_state(fresh: &Fresh) {
    let (store, ada) = (&fresh.store, fresh.user("Ada").await);
    let new = |expires_at| NewToken {
        user: ada.id,
        name: "ci".to_owned(),
        scopes: vec![Scope::ReviewsWrite],
        organization: None,
        expires_at,
    };
    let (token, secret) = store.insert_token(new(Some(later(9))), NOW).await.unwrap();
    let state = async |now| {
        store
            .trace_token(&secret.digest(), now)
            .await
            .unwrap()
            .unwrap()
            .state
    };
    let traced = store
        .trace_token(&secret.digest(), NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (&traced.token, traced.user_name.as_str(), traced.state),
        (&token, "Ada", TokenState::Active)
    );
    assert_eq!(state(later(9)).await, TokenState::Expired);
    store.disable_user(ada.id, NOW).await.unwrap();
    assert_eq!(state(NOW).await, TokenState::Refused);
    assert!(store.revoke_token(token.id, NOW).await.unwrap().is_some());
    assert_eq!(state(NOW).await, TokenState::Revoked);
    assert_eq!(
        store
            .trace_token(&TokenSecret::generate().digest(), NOW)
            .await
            .unwrap(),
        None
    );
}

pub(crate) async fn all_tokens_of_a_user_are_revoked(fresh: &Fresh) {
    let (store, ada, ben) = (
        &fresh.store,
        fresh.user("Ada").await,
        fresh.user("Ben").await,
    );
    let acme = fresh.organization("Acme", &ada).await.id;
    let make = async |user, organization| {
        let new = NewToken {
            user,
            name: "ci".to_owned(),
            scopes: Vec::new(),
            organization,
            expires_at: None,
        };
        store.insert_token(new, NOW).await.unwrap().1
    };
    let secrets = [
        make(ada.id, None).await,
        make(ada.id, Some(acme)).await,
        make(ben.id, None).await,
    ];
    assert_eq!(store.list_all_tokens(None, 9).await.unwrap().len(), 3);
    assert_eq!(
        store.revoke_all_tokens_of(ada.id, NOW).await.unwrap(),
        Revoked {
            tokens: 2,
            ..Revoked::default()
        }
    );
    let mut valid = Vec::new();
    for secret in &secrets {
        valid.push(
            store
                .find_token(&secret.digest(), NOW)
                .await
                .unwrap()
                .is_some(),
        );
    }
    assert_eq!(valid, [false, false, true]);
    let events = store.list_audit_events(acme, None, 9).await.unwrap();
    let revoked: Vec<_> = events
        .iter()
        .filter(|event| event.action == Action::TokenRevoked)
        .collect();
    assert_eq!(
        (revoked.len(), revoked[0].actor, revoked[0].user),
        (1, Actor::CommandLine, Some(ada.id))
    );
    assert_eq!(
        store.revoke_all_tokens_of(ada.id, NOW).await.unwrap(),
        Revoked::default()
    );
    let nobody = store.revoke_all_tokens_of(UserId::new(NOW), NOW).await;
    assert!(
        matches!(nobody, Err(StoreError::NotFound("user"))),
        "{nobody:?}"
    );
}
