//! The issuer's keys: fetched when they are needed, fetched again when they may have changed, kept while the issuer is gone.

use std::time::{Duration, Instant};

use serde_json::json;
use server::Settings;

use crate::sign_in::{get, service, with};
use crate::support::issuer::{self, Issuer, SigningKey};
use crate::support::{Act, Answer, Service};

const MINUTE: Duration = Duration::from_secs(60);
/// Between two fetches.
const PAUSE: Duration = Duration::from_secs(10);

async fn me(service: &Service, key: &SigningKey) -> Answer {
    get(service, "/v1/me", &key.sign(&issuer::claims(service.now()))).await
}

/// Waits until it is so.
async fn until(so: impl AsyncFn() -> bool) {
    let begin = Instant::now();
    while !so().await {
        assert!(begin.elapsed() < MINUTE, "it never came to be");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_new_key_works_at_once_and_an_old_one_ends() {
    let (old, new) = (SigningKey::p256("old"), SigningKey::ed25519("new"));
    let issuer = Issuer::with(&[&old]);
    let service = service(&issuer).await;
    me(&service, &old).await.ok();
    issuer.publish(&[&old, &new]);
    me(&service, &new).await.ok();
    me(&service, &old).await.ok();
    assert_eq!(issuer.asked(), 2);

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
async fn keys_that_share_a_name_are_all_tried() {
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
    assert_eq!(issuer.asked(), 1);
    me(&service, &SigningKey::p256("1"))
        .await
        .expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn a_new_key_with_the_name_of_an_old_one_works_at_once() {
    let (old, new) = (SigningKey::p256("1"), SigningKey::p256("1"));
    let issuer = Issuer::with(&[&old]);
    let service = service(&issuer).await;
    me(&service, &old).await.ok();
    issuer.publish(&[&new]);
    me(&service, &new).await.ok();
    me(&service, &old).await.expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn forged_signatures_seldom_lead_to_a_fetch() {
    let (key, forger) = (SigningKey::p256("1"), SigningKey::p256("1"));
    let issuer = Issuer::with(&[&key]);
    let service = service(&issuer).await;
    for _ in 0..50 {
        me(&service, &forger).await.expect(401, "INVALID_TOKEN");
        me(&service, &key).await.ok();
    }
    assert_eq!(issuer.asked(), 3);
    service.advance(PAUSE);
    me(&service, &forger).await.expect(401, "INVALID_TOKEN");
    me(&service, &forger).await.expect(401, "INVALID_TOKEN");
    assert_eq!(issuer.asked(), 4);
}

#[tokio::test]
async fn keys_that_are_not_known_are_asked_for_seldom() {
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
    assert_eq!(issuer.asked(), 3);
    me(&service, &key).await.ok();
    service.advance(PAUSE);
    me(&service, &SigningKey::p256("2"))
        .await
        .expect(401, "INVALID_TOKEN");
    me(&service, &SigningKey::p256("3"))
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(issuer.asked(), 4);
    service.store.list_users(None, 100).await.unwrap();
    let typing_error = format!("hw_{}", "0".repeat(36));
    get(&service, "/v1/me", &typing_error)
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(issuer.asked(), 4, "what is no JWT at all never asks");
}

#[tokio::test]
async fn an_issuer_that_is_down_at_the_start_keeps_only_its_own_users_out() {
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
async fn while_the_issuer_is_gone_the_old_keys_stay() {
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
async fn who_goes_away_does_not_keep_the_keys_from_coming() {
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
    assert_eq!(issuer.asked_at_all(), 2, "one at a time asks the issuer");
}

#[tokio::test]
async fn what_is_no_set_of_keys_is_none() {
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
async fn keys_come_from_where_the_issuer_or_the_operator_says() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    issuer.write(
        "/.well-known/openid-configuration",
        json!({ "issuer": "https://evil.example.com", "jwks_uri": "https://id.example.com/keys" })
            .to_string(),
    );
    let discovering = service(&issuer).await;
    me(&discovering, &key).await.expect(503, "NOT_READY");
    assert_eq!(issuer.asked(), 0);
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
async fn a_token_without_a_key_s_name_is_taken_where_there_is_no_choice() {
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
