//! Revoking a token ends everything created with it: tokens, open invitations, browser sessions and idempotency keys.

use std::collections::BTreeMap;
use std::time::Duration;

use store::{
    Acceptance, Action, Actor, Caps, IdempotencyKey, Invitation, InvitationCode, InvitationId,
    Invited, NewToken, Once, OrganizationId, Revoked, Role, SessionSecret, Store, StoreError,
    TokenId, UnixMillis, User,
};

use crate::harness::{Fresh, NOW, at_once, later};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn token(user: &User, expires_at: Option<UnixMillis>) -> NewToken {
    NewToken {
        user: user.id,
        name: "ci".to_owned(),
        scopes: Vec::new(),
        organization: None,
        expires_at,
    }
}

async fn make(fresh: &Fresh, user: &User) -> TokenId {
    fresh
        .store
        .insert_token(token(user, None), NOW)
        .await
        .unwrap()
        .0
        .id
}

async fn make_by(fresh: &Fresh, maker: TokenId, user: &User) -> TokenId {
    fresh
        .store
        .insert_token_by(maker, token(user, None), NOW)
        .await
        .unwrap()
        .0
        .id
}

/// An owner's invitation, created with the token or without one.
async fn invite(
    store: &Store,
    acme: OrganizationId,
    ada: &User,
    maker: Option<TokenId>,
    now: UnixMillis,
) -> Result<(Invitation, InvitationCode), StoreError> {
    let invited = match maker {
        Some(maker) => {
            store
                .insert_invitation_by(maker, acme, ada.id, Role::Owner, now + DAY, now)
                .await?
        }
        None => {
            store
                .insert_invitation(acme, ada.id, Role::Owner, now + DAY, now)
                .await?
        }
    };
    match invited {
        Invited::Done(invitation, code) => Ok((invitation, code)),
        Invited::NotAllowed => panic!("an owner may invite"),
    }
}

async fn open(store: &Store, acme: OrganizationId, now: UnixMillis) -> Vec<InvitationId> {
    let open = store
        .list_invitations(acme, None, 2_000, now)
        .await
        .unwrap();
    open.into_iter().map(|invitation| invitation.id).collect()
}

async fn is_valid(fresh: &Fresh, session: &SessionSecret) -> bool {
    fresh
        .store
        .find_session(&session.digest(), later(1))
        .await
        .unwrap()
        .is_some()
}

fn key(user: &User, name: &str, made_by: Option<TokenId>) -> IdempotencyKey {
    IdempotencyKey {
        user: user.id,
        key: name.to_owned(),
        request_digest: [1; 32],
        made_by,
    }
}

pub(crate) async fn objects_created_with_a_token_end_with_it(fresh: &Fresh) {
    let (store, ada) = (&fresh.store, fresh.user("Ada").await);
    let (acme, bell) = (
        fresh.organization("Acme", &ada).await.id,
        fresh.organization("Bell", &ada).await.id,
    );
    for (round, by_operator) in [false, true].into_iter().enumerate() {
        let stolen = make(fresh, &ada).await;
        let child = make_by(fresh, stolen, &ada).await;
        let mut invitations = Vec::new();
        for (organization, maker) in [(acme, stolen), (bell, stolen), (acme, child)] {
            invitations.push(
                invite(store, organization, &ada, Some(maker), NOW)
                    .await
                    .unwrap(),
            );
        }
        let session = store.insert_session(child, NOW).await.unwrap().unwrap();
        let key = key(&ada, &format!("key {round}"), Some(child));
        let Once::Created(planted) = store
            .insert_organization_once(&key, "Acme", None, NOW)
            .await
            .unwrap()
        else {
            panic!("the key is new")
        };

        let (actor, revoked) = match by_operator {
            true => (
                Actor::CommandLine,
                store.revoke_token(stolen, later(1)).await,
            ),
            false => (
                Actor::User(ada.id),
                store.revoke_token_of(ada.id, stolen, later(1)).await,
            ),
        };
        assert_eq!(
            revoked.unwrap(),
            Some(Revoked {
                tokens: 2,
                invitations: 3,
                sessions: 1
            })
        );
        let ben = fresh.user("Ben").await;
        for (_, code) in &invitations {
            let accepted = store
                .accept_invitation(&code.digest(), ben.id, None, later(1))
                .await
                .unwrap();
            assert_eq!(accepted, Acceptance::NoInvitation);
        }
        assert!(!is_valid(fresh, &session).await);
        let again = IdempotencyKey {
            made_by: None,
            ..key
        };
        let again = store
            .insert_organization_once(&again, "Acme", None, later(1))
            .await
            .unwrap();
        assert!(
            matches!(again, Once::Created(ref new) if new.id != planted.id),
            "{again:?}"
        );

        let mut events = store.list_audit_events(acme, None, 100).await.unwrap();
        events.extend(store.list_audit_events(bell, None, 100).await.unwrap());
        events.retain(|event| event.action == Action::InvitationRevoked && event.actor == actor);
        let mut recorded: Vec<String> = events
            .into_iter()
            .filter_map(|event| event.subject)
            .collect();
        recorded.sort();
        let ids: Vec<String> = invitations
            .iter()
            .map(|(invitation, _)| invitation.id.to_string())
            .collect();
        assert_eq!(recorded, ids);
    }
}

pub(crate) async fn objects_not_created_with_the_token_stay(fresh: &Fresh) {
    let (store, ada, ben) = (
        &fresh.store,
        fresh.user("Ada").await,
        fresh.user("Ben").await,
    );
    let acme = fresh.organization("Acme", &ada).await.id;
    let (parent, sister) = (make(fresh, &ada).await, make(fresh, &ada).await);
    let stolen = make_by(fresh, parent, &ada).await;
    let mut kept = Vec::new();
    for maker in [None, Some(parent), Some(sister)] {
        kept.push(invite(store, acme, &ada, maker, NOW).await.unwrap().0.id);
    }
    let (_, accepted) = invite(store, acme, &ada, Some(stolen), NOW).await.unwrap();
    let joined = store
        .accept_invitation(&accepted.digest(), ben.id, None, NOW)
        .await
        .unwrap();
    assert!(matches!(joined, Acceptance::Joined(_)), "{joined:?}");
    let session = store.insert_session(sister, NOW).await.unwrap().unwrap();
    let key = key(&ada, "k", Some(sister));
    let Once::Created(own) = store
        .insert_organization_once(&key, "Bell", None, NOW)
        .await
        .unwrap()
    else {
        panic!("the key is new")
    };

    let revoked = store.revoke_token(stolen, later(1)).await.unwrap();
    assert_eq!(
        revoked,
        Some(Revoked {
            tokens: 1,
            ..Revoked::default()
        })
    );
    assert_eq!(open(store, acme, later(1)).await, kept);
    assert!(is_valid(fresh, &session).await);
    let again = store
        .insert_organization_once(&key, "Bell", None, later(1))
        .await
        .unwrap();
    assert_eq!(again, Once::Replayed(own));
    let membership = store.find_membership(ben.id, acme).await.unwrap();
    assert_eq!(
        membership.map(|it| it.role),
        Some(Role::Owner),
        "an accepted invitation stays accepted"
    );
}

pub(crate) async fn revoking_all_tokens_of_a_user_ends_objects_created_with_them(fresh: &Fresh) {
    let (store, ada) = (&fresh.store, fresh.user("Ada").await);
    let acme = fresh.organization("Acme", &ada).await.id;
    let made = [make(fresh, &ada).await, make(fresh, &ada).await];
    for maker in made {
        invite(store, acme, &ada, Some(maker), NOW).await.unwrap();
        store.insert_session(maker, NOW).await.unwrap().unwrap();
    }
    let (kept, _) = invite(store, acme, &ada, None, NOW).await.unwrap();
    let revoked = store.revoke_all_tokens_of(ada.id, later(1)).await.unwrap();
    assert_eq!(
        revoked,
        Revoked {
            tokens: 2,
            invitations: 2,
            sessions: 2
        }
    );
    assert_eq!(open(store, acme, later(1)).await, [kept.id]);
}

pub(crate) async fn nothing_is_created_with_a_token_that_is_being_revoked(fresh: &Fresh) {
    let ada = fresh.user("Ada").await;
    let acme = fresh.organization("Acme", &ada).await.id;
    for round in 0..5 {
        let stolen = make(fresh, &ada).await;
        at_once(12, |index| {
            let (store, ada) = (fresh.store.clone(), ada.clone());
            async move {
                let refused = match index % 4 {
                    _ if index == 6 => {
                        assert!(store.revoke_token(stolen, NOW).await.unwrap().is_some());
                        None
                    }
                    0 => {
                        let key = key(&ada, &format!("{round} {index}"), Some(stolen));
                        store
                            .insert_organization_once(&key, "Bell", None, NOW)
                            .await
                            .err()
                    }
                    _ => invite(&store, acme, &ada, Some(stolen), NOW).await.err(),
                };
                // It is created before the revocation and ends with it, or it is refused.
                assert!(
                    matches!(refused, None | Some(StoreError::NotFound("token"))),
                    "{refused:?}"
                );
            }
        })
        .await;
        assert!(open(&fresh.store, acme, NOW).await.is_empty());
        for index in [0, 4, 8] {
            let again = key(&ada, &format!("{round} {index}"), None);
            let again = fresh
                .store
                .insert_organization_once(&again, "Bell", None, NOW)
                .await
                .unwrap();
            assert!(matches!(again, Once::Created(_)), "{again:?}");
        }
    }
}

/// A xorshift generator: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// Tokens create tokens and invitations and are revoked, in random order; most expired ones are deleted.
pub(crate) async fn in_any_order_an_invitation_ends_with_each_token_that_led_to_it(fresh: &Fresh) {
    let store = fresh.store.clone().with_caps(Caps {
        tokens_per_user: 4,
        ..Caps::default()
    });
    let (mut ended, mut through_expired) = (0, 0);
    for seed in 1..=4 {
        let (ada, mut numbers) = (fresh.user("Ada").await, Numbers(seed));
        let acme = fresh.organization("Acme", &ada).await.id;
        // Each token with its maker and its expiry.
        let mut tokens: Vec<(TokenId, Option<usize>, UnixMillis)> = Vec::new();
        // The tokens through which each open invitation was created.
        let mut invitations: BTreeMap<InvitationId, Vec<usize>> = BTreeMap::new();
        for step in 0..120 {
            let now = later(step);
            let picked = (!tokens.is_empty()).then(|| numbers.below(tokens.len()));
            match (numbers.below(8), picked) {
                (0..4, maker) => {
                    let latest = maker.map_or(later(1_000), |maker| tokens[maker].2);
                    let end = latest.min(later(step + 1 + numbers.below(12) as u64));
                    let new = token(&ada, Some(end));
                    let made = match maker {
                        Some(maker) => store.insert_token_by(tokens[maker].0, new, now).await,
                        None => store.insert_token(new, now).await,
                    };
                    // Some makers are no longer valid, and some tokens exceed the cap.
                    if let Ok((made, _)) = made {
                        tokens.push((made.id, maker, end));
                    } else if tokens.iter().all(|(_, _, end)| *end <= now) {
                        let made = store
                            .insert_token(token(&ada, Some(later(step + 20))), now)
                            .await
                            .unwrap();
                        tokens.push((made.0.id, None, later(step + 20)));
                    }
                }
                (4..7, Some(maker)) => {
                    if let Ok((made, _)) =
                        invite(&store, acme, &ada, Some(tokens[maker].0), now).await
                    {
                        let chain = std::iter::successors(Some(maker), |&index| tokens[index].1);
                        invitations.insert(made.id, chain.collect());
                    }
                }
                (_, Some(picked)) => {
                    let led_to = invitations
                        .values()
                        .filter(|chain| chain.contains(&picked))
                        .count();
                    if store
                        .revoke_token_of(ada.id, tokens[picked].0, now)
                        .await
                        .unwrap()
                        .is_none()
                    {
                        assert_eq!(led_to, 0, "seed {seed}, step {step}: the token was deleted");
                    }
                    ended += led_to;
                    through_expired += usize::from(led_to > 0 && tokens[picked].2 <= now);
                    invitations.retain(|_, chain| !chain.contains(&picked));
                }
                (_, None) => {}
            }
            let expected: Vec<InvitationId> = invitations.keys().copied().collect();
            assert_eq!(
                open(&store, acme, now).await,
                expected,
                "seed {seed}, step {step}"
            );
        }
    }
    assert!(
        ended > 10 && through_expired > 5,
        "{ended} {through_expired}"
    );
}
