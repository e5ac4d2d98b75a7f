//! The issuer's keys: fetched when needed, fetched again when they may have changed, and kept while the issuer is down.

use std::time::{Duration, Instant};

use serde_json::json;
use server::Settings;

use crate::sign_in::{get, service, with};
use crate::support::issuer::{self, Issuer, SigningKey};
use crate::support::{Act, Answer, Service};

const MINUTE: Duration = Duration::from_secs(60);
/// Pause between two fetches.
const PAUSE: Duration = Duration::from_secs(10);

async fn me(service: &Service, key: &SigningKey) -> Answer {
    get(service, "/v1/me", &key.sign(&issuer::claims(service.now()))).await
}

/// Waits until the condition is true.
async fn until(condition: impl AsyncFn() -> bool) {
    let begin = Instant::now();
    while !condition().await {
        assert!(begin.elapsed() < MINUTE, "the condition never became true");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_new_key_works_immediately_and_a_removed_one_stops() {
    let (old, new) = (SigningKey::p256("old"), SigningKey::ed25519("new"));
    let issuer = Issuer::with(&[&old]);
    let service = service(&issuer).await;
    me(&service, &old).await.ok();
    issuer.publish(&[&old, &new]);
    me(&service, &new).await.ok();
    me(&service, &old).await.ok();
    assert_eq!(issuer.key_fetches(), 2);

    issuer.publish(&[&new]);
    me(&service, &old).await.ok();
    service.advance(10 * MINUTE);
    until(async || me(&service, &old).await.code() == "INVALID_TOKEN").await;
    issuer.publish(&[]);
    issuer.publish(&[&old]);
    service.advance(60 * MINUTE);
    me(&service, &new).await.expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn all_keys_with_the_same_id_are_tried() {
    let keys = [
        SigningKey::p256("1"),
        SigningKey::rsa("1"),
        SigningKey::p256("1"),
        SigningKey::ed25519("1"),
    ];
    let issuer = Issuer::with(&keys.each_ref());
    let service = service(&issuer).await;
    for key in &keys {
        me(&service, key).await.ok();
    }
    assert_eq!(issuer.key_fetches(), 1);
    me(&service, &SigningKey::p256("1"))
        .await
        .expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn a_new_key_with_the_id_of_an_old_one_works_immediately() {
    let (old, new) = (SigningKey::p256("1"), SigningKey::p256("1"));
    let issuer = Issuer::with(&[&old]);
    let service = service(&issuer).await;
    me(&service, &old).await.ok();
    issuer.publish(&[&new]);
    me(&service, &new).await.ok();
    me(&service, &old).await.expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn forged_signatures_rarely_cause_a_fetch() {
    let (key, forger) = (SigningKey::p256("1"), SigningKey::p256("1"));
    let issuer = Issuer::with(&[&key]);
    let service = service(&issuer).await;
    for _ in 0..50 {
        me(&service, &forger).await.expect(401, "INVALID_TOKEN");
        me(&service, &key).await.ok();
    }
    assert_eq!(issuer.key_fetches(), 3);
    service.advance(PAUSE);
    me(&service, &forger).await.expect(401, "INVALID_TOKEN");
    me(&service, &forger).await.expect(401, "INVALID_TOKEN");
    assert_eq!(issuer.key_fetches(), 4);
}

#[tokio::test]
async fn unknown_keys_are_rarely_fetched() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(&issuer).await;
    for number in 0..50 {
        let header = json!({ "alg": "ES256", "kid": number.to_string() + "x" });
        let token = key.sign_with(&header, &issuer::claims(service.now()));
        get(&service, "/v1/me", &token)
            .await
            .expect(401, "INVALID_TOKEN");
    }
    assert_eq!(issuer.key_fetches(), 3);
    me(&service, &key).await.ok();
    service.advance(PAUSE);
    me(&service, &SigningKey::p256("2"))
        .await
        .expect(401, "INVALID_TOKEN");
    me(&service, &SigningKey::p256("3"))
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(issuer.key_fetches(), 4);
    service.store.list_users(None, 100).await.unwrap();
    let typing_error = format!("hw_{}", "0".repeat(36));
    get(&service, "/v1/me", &typing_error)
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(
        issuer.key_fetches(),
        4,
        "a token that is not a JWT causes no fetch"
    );
}

#[tokio::test]
async fn an_issuer_that_is_down_at_startup_locks_out_only_its_own_users() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    issuer.set_down(true);
    let service = service(&issuer).await;
    let user = service.user().await;
    service.get("/v1/me").token(&user).send().await.ok();
    for _ in 0..5 {
        let answer = me(&service, &key).await;
        assert_eq!(answer.expect(503, "NOT_READY").header("retry-after"), "10");
    }
    service.get("/v1/me").token(&user).send().await.ok();
    issuer.set_down(false);
    service.advance(PAUSE);
    me(&service, &key).await.ok();
}

#[tokio::test]
async fn old_keys_are_kept_while_the_issuer_is_down() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(&issuer).await;
    me(&service, &key).await.ok();
    issuer.set_down(true);
    for _ in 0..20 {
        service.advance(30 * MINUTE);
        me(&service, &key).await.ok();
    }
    me(&service, &SigningKey::p256("2"))
        .await
        .expect(401, "INVALID_TOKEN");
    issuer.set_down(false);
    issuer.publish(&[&SigningKey::p256("2")]);
    service.advance(30 * MINUTE);
    until(async || me(&service, &key).await.code() == "INVALID_TOKEN").await;
}

#[tokio::test]
async fn a_disconnecting_client_does_not_prevent_a_fetch() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let gate = issuer.set_gate();
    let service = service(&issuer).await;
    for _ in 0..8 {
        let request = me(&service, &key);
        assert!(
            tokio::time::timeout(Duration::from_millis(20), request)
                .await
                .is_err(),
            "it waits for the keys"
        );
    }
    gate.add_permits(2);
    me(&service, &key).await.ok();
    assert_eq!(
        issuer.requests(),
        2,
        "only one request at a time fetches the keys"
    );
}

#[tokio::test]
async fn an_invalid_key_set_is_rejected() {
    let key = SigningKey::p256("1");
    let many = |count: usize| {
        vec![json!({ "kty": "oct", "k": "AAAA" }); count - 1]
            .into_iter()
            .chain([key.jwk()])
    };
    let set = |keys: Vec<serde_json::Value>| json!({ "keys": keys }).to_string();
    let odd = json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": 7 });
    let mut encrypts = key.jwk();
    encrypts["key_ops"] = json!(["encrypt"]);
    for (document, good) in [
        (set(many(100).collect()), true),
        (set(many(101).collect()), false),
        (set(vec![odd.clone(), json!(7), key.jwk()]), true),
        (set(vec![odd, json!(7)]), false),
        (set(vec![encrypts]), false),
        (set(vec![]), false),
        (set(vec![key.jwk()]) + &" ".repeat(1 << 20), false),
        ("[]".to_owned(), false),
        ("<html>".to_owned(), false),
        (String::new(), false),
    ] {
        let issuer = Issuer::with(&[]);
        issuer.write("/keys", document.clone());
        let answer = me(&service(&issuer).await, &key).await;
        assert_eq!(
            answer.code(),
            if good { "200" } else { "NOT_READY" },
            "{document:.200}"
        );
    }
}

#[tokio::test]
async fn keys_are_fetched_from_the_discovered_or_configured_url() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    issuer.write(
        "/.well-known/openid-configuration",
        json!({ "issuer": "https://evil.example.com", "jwks_uri": "https://id.example.com/keys" })
            .to_string(),
    );
    let discovering = service(&issuer).await;
    me(&discovering, &key).await.expect(503, "NOT_READY");
    assert_eq!(issuer.key_fetches(), 0);
    let jwks_url = Some("https://id.example.com/keys".to_owned());
    let sign_in = server::SignIn {
        jwks_url,
        ..issuer.sign_in(&[])
    };
    let service = Service::with(
        Settings {
            sign_in: Some(sign_in),
            ..Settings::default()
        },
        Act::Nothing,
    )
    .await;
    me(&service, &key).await.ok();
}

#[tokio::test]
async fn a_token_without_a_key_id_is_accepted_if_only_one_key_matches() {
    let (one, other) = (SigningKey::p256("1"), SigningKey::p256("2"));
    for (keys, good) in [
        (vec![&one], true),
        (vec![&one, &other], false),
        (vec![&one, &other].split_off(1), false),
    ] {
        let service = service(&Issuer::with(&keys)).await;
        let token = one.sign_with(&json!({ "alg": "ES256" }), &with(&service, &json!({})));
        assert_eq!(
            get(&service, "/v1/me", &token).await.status.is_success(),
            good
        );
    }
}
