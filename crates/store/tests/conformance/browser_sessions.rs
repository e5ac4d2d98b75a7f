//! Browser sessions: each belongs to a token and ends with it, when it expires, or when it is idle.

use std::time::Duration;

use store::{
    ATTEMPT_LIFE, AttemptSecret, ISSUER_SESSION_LIFE, NewToken, SESSION_IDLE, SESSION_LIFE, Scope,
    SessionSecret, Token, TokenId, UnixMillis,
};

use crate::harness::{Fresh, NOW, later};
use crate::tokens::holds;

const MINUTE: Duration = Duration::from_secs(60);

async fn token(fresh: &Fresh, expires_at: Option<UnixMillis>) -> Token {
    let user = fresh.user("Ada").await.id;
    let scopes = vec![Scope::ReviewsWrite];
    let new = NewToken {
        user,
        name: "laptop".to_owned(),
        scopes,
        organization: None,
        expires_at,
    };
    fresh.store.insert_token(new, NOW).await.unwrap().0
}

async fn begin(fresh: &Fresh, token: &Token, now: UnixMillis) -> SessionSecret {
    fresh
        .store
        .insert_session(token.id, now)
        .await
        .unwrap()
        .expect("the token is valid")
}

async fn is_valid(fresh: &Fresh, session: &SessionSecret, now: UnixMillis) -> bool {
    fresh
        .store
        .find_session(&session.digest(), now)
        .await
        .unwrap()
        .is_some()
}

pub(crate) async fn a_session_belongs_to_its_token(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let session = begin(fresh, &token, NOW).await;
    let found = fresh
        .store
        .find_session(&session.digest(), NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.token_id, found.user_id, found.user_name.as_str()),
        (token.id, token.user, "Ada")
    );
    assert_eq!(
        (found.scopes, found.organization, found.operator),
        (vec![Scope::ReviewsWrite], None, false)
    );
    assert!(!is_valid(fresh, &SessionSecret::generate(), NOW).await);
}

pub(crate) async fn a_session_ends_with_its_token(fresh: &Fresh) {
    let (revoked, expiring) = (token(fresh, None).await, token(fresh, Some(later(5))).await);
    let (first, second) = (
        begin(fresh, &revoked, NOW).await,
        begin(fresh, &expiring, NOW).await,
    );
    assert!(is_valid(fresh, &second, later(4)).await && !is_valid(fresh, &second, later(5)).await);
    assert!(
        fresh
            .store
            .revoke_token(revoked.id, NOW)
            .await
            .unwrap()
            .is_some()
    );
    assert!(!is_valid(fresh, &first, NOW).await, "at once");
    for over in [&revoked, &expiring] {
        assert!(
            fresh
                .store
                .insert_session(over.id, later(5))
                .await
                .unwrap()
                .is_none()
        );
    }
}

pub(crate) async fn a_session_has_an_idle_timeout_and_a_maximum_lifetime(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let (used, idle) = (
        begin(fresh, &token, NOW).await,
        begin(fresh, &token, NOW).await,
    );
    let last = SESSION_IDLE - Duration::from_millis(1);
    assert!(is_valid(fresh, &used, NOW + last).await);
    assert!(
        is_valid(fresh, &used, NOW + last + last).await,
        "its use was recorded"
    );
    assert!(!is_valid(fresh, &idle, NOW + SESSION_IDLE).await);
    let mut now = NOW + last + last;
    while now + last < NOW + SESSION_LIFE {
        now = now + last;
        assert!(is_valid(fresh, &used, now).await);
    }
    assert!(
        is_valid(
            fresh,
            &used,
            NOW + (SESSION_LIFE - Duration::from_millis(1))
        )
        .await
    );
    assert!(!is_valid(fresh, &used, NOW + SESSION_LIFE).await);
}

pub(crate) async fn a_use_is_recorded_once_a_minute(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let session = begin(fresh, &token, NOW).await;
    assert!(is_valid(fresh, &session, NOW + (MINUTE - Duration::from_millis(1))).await);
    assert!(
        !is_valid(fresh, &session, NOW + SESSION_IDLE).await,
        "it was not recorded"
    );
    assert!(is_valid(fresh, &session, NOW + MINUTE).await);
    assert!(
        is_valid(fresh, &session, NOW + SESSION_IDLE).await,
        "it was recorded"
    );
}

pub(crate) async fn signing_out_ends_only_that_session(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let (first, second) = (
        begin(fresh, &token, NOW).await,
        begin(fresh, &token, NOW).await,
    );
    for _ in 0..2 {
        fresh.store.delete_session(&first.digest()).await.unwrap();
        assert!(!is_valid(fresh, &first, NOW).await && is_valid(fresh, &second, NOW).await);
    }
}

pub(crate) async fn an_issuer_session_has_its_own_scopes_and_ends_sooner(fresh: &Fresh) {
    let (user, other) = (fresh.user("Ada").await.id, fresh.user("Ben").await.id);
    let scopes = vec![Scope::OrganizationsRead, Scope::ReviewsWrite];
    let begin = async |user, scopes: &[Scope], now| {
        fresh
            .store
            .insert_issuer_session(user, scopes.to_vec(), now)
            .await
            .unwrap()
    };
    let (session, idle) = (begin(user, &scopes, NOW).await, begin(user, &[], NOW).await);
    let found = fresh
        .store
        .find_session(&session.digest(), NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.token_id, found.user_id),
        (TokenId::of_issuer_tokens(user), user)
    );
    assert_eq!(
        (found.user_name.as_str(), found.operator, found.scopes),
        ("Ada", false, scopes)
    );
    assert_eq!((found.organization, found.expires_at), (None, None));
    let none = fresh
        .store
        .find_session(&idle.digest(), NOW)
        .await
        .unwrap()
        .unwrap();
    assert!(none.scopes.is_empty());
    let last = SESSION_IDLE - Duration::from_millis(1);
    assert!(
        is_valid(fresh, &session, NOW + last).await
            && !is_valid(fresh, &idle, NOW + SESSION_IDLE).await
    );
    assert!(
        is_valid(
            fresh,
            &session,
            NOW + (ISSUER_SESSION_LIFE - Duration::from_millis(1))
        )
        .await
    );
    assert!(!is_valid(fresh, &session, NOW + ISSUER_SESSION_LIFE).await);
    let neighbour = begin(other, &[], NOW).await;
    for millis in 1..=51 {
        begin(user, &[], later(millis)).await;
    }
    assert!(
        !is_valid(fresh, &session, later(60)).await && is_valid(fresh, &neighbour, later(60)).await
    );
}

pub(crate) async fn an_attempt_is_redeemed_once_and_in_time(fresh: &Fresh) {
    let attempts = [
        AttemptSecret::generate(),
        AttemptSecret::generate(),
        AttemptSecret::generate(),
    ];
    for attempt in &attempts {
        fresh
            .store
            .insert_attempt(&attempt.digest(), NOW)
            .await
            .unwrap();
    }
    let redeem = async |attempt: &AttemptSecret, now| {
        fresh
            .store
            .redeem_attempt(&attempt.digest(), now)
            .await
            .unwrap()
    };
    let [used, late, _] = &attempts;
    assert!(
        redeem(used, NOW + (ATTEMPT_LIFE - Duration::from_millis(1))).await
            && !redeem(used, NOW).await
    );
    assert!(
        !redeem(late, NOW + ATTEMPT_LIFE).await && !redeem(&AttemptSecret::generate(), NOW).await
    );
    assert_eq!(fresh.store.delete_expired_attempts(NOW).await.unwrap(), 0);
    assert_eq!(
        fresh
            .store
            .delete_expired_attempts(NOW + ATTEMPT_LIFE)
            .await
            .unwrap(),
        2
    );
}

pub(crate) async fn the_newest_sessions_of_a_user_are_kept(fresh: &Fresh) {
    let (token, other) = (token(fresh, None).await, token(fresh, None).await);
    let neighbour = begin(fresh, &other, NOW).await;
    let mut sessions = Vec::new();
    for millis in 1..=52 {
        sessions.push(begin(fresh, &token, later(millis)).await);
    }
    for (at, session) in sessions.iter().enumerate() {
        assert_eq!(is_valid(fresh, session, later(60)).await, at >= 2, "{at}");
    }
    assert!(is_valid(fresh, &neighbour, later(60)).await);
}

pub(crate) async fn expired_sessions_are_deleted(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let session = begin(fresh, &token, NOW).await;
    begin(fresh, &token, NOW).await;
    assert!(is_valid(fresh, &session, NOW + MINUTE).await);
    assert_eq!(fresh.store.delete_expired_sessions(NOW).await.unwrap(), 0);
    assert_eq!(
        fresh
            .store
            .delete_expired_sessions(NOW + SESSION_IDLE)
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        fresh
            .store
            .delete_expired_sessions(NOW + SESSION_LIFE)
            .await
            .unwrap(),
        1
    );
}

pub(crate) async fn the_session_secret_is_not_in_the_database(fresh: &Fresh) {
    let token = token(fresh, None).await;
    let session = begin(fresh, &token, NOW).await;
    assert!(is_valid(fresh, &session, NOW).await);
    assert!(
        holds(&fresh.folder(), token.id.to_string().as_bytes()),
        "the search finds stored text"
    );
    assert!(!holds(&fresh.folder(), &session.expose().as_bytes()[4..47]));
}
