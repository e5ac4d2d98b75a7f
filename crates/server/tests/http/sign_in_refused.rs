//! Tokens of another issuer, for another service or for another time. The failed check is only visible in the log, and
//! the tokens have no effect.

use std::collections::BTreeSet;
use std::time::Duration;

use ring::hmac;
use serde_json::{Value, json};

use crate::sign_in::{get, service, with};
use crate::support::issuer::{self, AUDIENCE, Issuer, SigningKey, encode};
use crate::support::{Logs, Service};

/// Invalid tokens, and the log message for each.
fn wrong(service: &Service, own: &SigningKey, rsa: &SigningKey) -> Vec<(String, &'static str)> {
    let (thief, good) = (SigningKey::p256("ec"), with(service, &json!({})));
    let now = service.now().0 / 1_000;
    let claims = |changes: Value| own.sign(&with(service, &changes));
    let header = |header: Value| own.sign_with(&header, &good);
    let unsigned = |header: Value| {
        format!(
            "{}.{}.",
            encode(header.to_string().as_bytes()),
            encode(good.to_string().as_bytes())
        )
    };
    let raw = |payload: &str| {
        // Signed with HMAC, whatever its content.
        let message = format!(
            "{}.{}",
            encode(br#"{"alg":"ES256","kid":"ec"}"#),
            encode(payload.as_bytes())
        );
        format!(
            "{message}.{}",
            encode(&own.signature("ES256", message.as_bytes()))
        )
    };
    let mut tampered: Vec<String> = own.sign(&good).split('.').map(str::to_owned).collect();
    tampered[1] = encode(
        with(service, &json!({ "sub": "root" }))
            .to_string()
            .as_bytes(),
    );
    let hmac = |secret: &[u8]| {
        let message = format!(
            "{}.{}",
            encode(br#"{"alg":"HS256","kid":"rsa"}"#),
            encode(good.to_string().as_bytes())
        );
        let tag = hmac::sign(
            &hmac::Key::new(hmac::HMAC_SHA256, secret),
            message.as_bytes(),
        );
        format!("{message}.{}", encode(tag.as_ref()))
    };
    let wrong_signature = "its signature is invalid";
    let no_access_token = "its claims are not those of an access token";
    vec![
        (claims(json!({ "aud": "other" })), "it is for another audience"),
        (claims(json!({ "aud": [] })), "it is for another audience"),
        (claims(json!({ "aud": format!("{AUDIENCE}/") })), "it is for another audience"),
        (claims(json!({ "aud": null })), no_access_token),
        (claims(json!({ "iss": "https://id.example.com/" })), "it is from another issuer"),
        (claims(json!({ "iss": "https://evil.example.com" })), "it is from another issuer"),
        (claims(json!({ "iss": null })), no_access_token),
        (claims(json!({ "exp": now - 60 })), "it has expired"),
        (claims(json!({ "exp": -1e300 })), "it has expired"),
        (claims(json!({ "exp": null })), no_access_token),
        (claims(json!({ "exp": (now + 300).to_string() })), no_access_token),
        (claims(json!({ "nbf": now + 61 })), "it is not valid yet"),
        (claims(json!({ "sub": "" })), no_access_token),
        (claims(json!({ "sub": "a".repeat(256) })), no_access_token),
        (claims(json!({ "sub": "a\u{0}b" })), no_access_token),
        (claims(json!({ "sub": null })), no_access_token),
        (raw("[]"), no_access_token),
        (raw("not JSON"), no_access_token),
        (raw(&"[".repeat(5_000)), no_access_token),
        (raw(&good.to_string().replacen('{', "{\"sub\":\"root\",", 1)), no_access_token),
        (unsigned(json!({ "alg": "none" })), "its algorithm is not allowed"),
        (unsigned(json!({ "alg": "none", "kid": "ec" })), "its algorithm is not allowed"),
        (unsigned(json!({ "alg": "NonE", "kid": "ec" })), "its algorithm is not allowed"),
        (unsigned(json!({ "alg": "", "kid": "ec" })), "its algorithm is not allowed"),
        (unsigned(json!({ "alg": "ES256", "kid": "ec" })), wrong_signature),
        (unsigned(json!({ "kid": "ec" })), "its header is not a JWT header"),
        (hmac(rsa.jwk().to_string().as_bytes()), "its algorithm is not allowed"),
        (hmac(rsa.jwk()["n"].as_str().unwrap().as_bytes()), "its algorithm is not allowed"),
        (header(json!({ "alg": "ES256", "kid": "rsa" })), "the issuer has no matching key"),
        (header(json!({ "alg": "RS256", "kid": "ec" })), "the issuer has no matching key"),
        (header(json!({ "alg": "RS256", "kid": "rsa" })), wrong_signature),
        (header(json!({ "alg": "ES384", "kid": "ec" })), "the issuer has no matching key"),
        (rsa.sign_with(&json!({ "alg": "PS256", "kid": "rsa-for-rs256" }), &good), "the issuer has no matching key"),
        (rsa.sign_with(&json!({ "alg": "RS256", "kid": "rsa-encrypts" }), &good), "the issuer has no matching key"),
        (rsa.sign_with(&json!({ "alg": "RS256" }), &good), "the issuer has no matching key"),
        (thief.sign(&good), wrong_signature),
        (thief.sign_with(&json!({ "alg": "ES256", "kid": "ec", "jwk": thief.jwk() }), &good), wrong_signature),
        (thief.sign_with(&json!({ "alg": "ES256", "jwk": thief.jwk() }), &good), wrong_signature),
        (thief.sign_with(&json!({ "alg": "ES256", "kid": "t", "jku": "https://evil.example.com/keys", "x5u": "https://evil.example.com" }), &good), "the issuer has no matching key"),
        (header(json!({ "alg": "ES256", "kid": "ec", "crit": ["exp"], "exp": 1 })), "it has unsupported critical extensions"),
        (header(json!({ "alg": "ES256", "kid": "ec", "typ": "logout+jwt" })), "its type is not that of an access token"),
        (header(json!({ "alg": "ES256", "kid": "ec", "typ": "dpop+jwt" })), "its type is not that of an access token"),
        (header(json!({ "alg": ["ES256"], "kid": "ec" })), "its header is not a JWT header"),
        (tampered.join("."), wrong_signature),
        (format!("{}A", own.sign(&good)), wrong_signature),
        (format!("{}.x", own.sign(&good)), "it is not a JWT"),
        (claims(json!({ "padding": "x".repeat(13_000) })), "it is too long"),
        ("a.b.c".to_owned(), "it is not a JWT"),
        ("..".to_owned(), "its header is not a JWT header"),
        (".".to_owned(), "it is not a JWT"),
        ("x".to_owned(), "it is not a JWT"),
        ("hw_".to_owned() + &"x".repeat(36), "it is not a JWT"),
        ("A".repeat(16_384), "it is not a JWT"),
        ("A".repeat(16_385), "it is too long"),
    ]
}

#[tokio::test]
async fn invalid_tokens_get_the_same_refusal() {
    let (own, rsa) = (SigningKey::p256("ec"), SigningKey::rsa("rsa"));
    let issuer = Issuer::with(&[]);
    let changed = |kid: &str, name: &str, value: &str| {
        let mut jwk = rsa.jwk();
        (jwk["kid"], jwk[name]) = (json!(kid), json!(value));
        jwk
    };
    let keys = [
        own.jwk(),
        rsa.jwk(),
        changed("rsa-for-rs256", "alg", "RS256"),
        changed("rsa-encrypts", "use", "enc"),
    ];
    issuer.write("/keys", json!({ "keys": keys }).to_string());
    let service = service(&issuer).await;
    let mut answers = BTreeSet::new();
    for (token, reason) in wrong(&service, &own, &rsa) {
        let answer = get(&service, "/v1/organizations", &token).await;
        let shown = format!("{reason}: {token:.200}");
        assert_eq!(answer.code(), "INVALID_TOKEN", "{shown}");
        let mut problem = answer.json();
        let id = problem["requestId"].take();
        answers.insert(format!("{problem} {:?}", answer.header("www-authenticate")));
        let logs = Logs::text();
        let line = logs.lines().find(|line| {
            line.contains(id.as_str().unwrap()) && line.contains("a token was refused")
        });
        assert!(
            line.is_some_and(|line| line.contains(reason)),
            "{shown}: {line:?}"
        );
        assert!(token.len() < 8 || !logs.contains(&token), "{shown}");
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(
        service
            .store
            .list_users(None, 100)
            .await
            .unwrap()
            .is_empty(),
        "no user was created"
    );
    get(
        &service,
        "/v1/me",
        &own.sign(&issuer::claims(service.now())),
    )
    .await
    .ok();
}

#[tokio::test]
async fn a_clock_difference_of_a_minute_is_tolerated() {
    let key = SigningKey::p256("1");
    let service = service(&Issuer::with(&[&key])).await;
    service.advance(Duration::from_millis(999));
    let now = service.now().0 as f64 / 1_000.0;
    for (claims, good) in [
        (json!({ "exp": now - 59.999 }), true),
        (json!({ "exp": now - 60.0 }), false),
        (json!({ "nbf": now + 60.0 }), true),
        (json!({ "nbf": now + 60.001 }), false),
        (json!({ "exp": 1e300, "iat": now + 1e9 }), true),
    ] {
        let answer = get(&service, "/v1/me", &key.sign(&with(&service, &claims))).await;
        assert_eq!(answer.status.is_success(), good, "{claims}");
    }
}

#[tokio::test]
async fn without_an_issuer_every_jwt_is_refused() {
    let service = Service::start().await;
    let token = SigningKey::p256("1").sign(&issuer::claims(service.now()));
    get(&service, "/v1/me", &token)
        .await
        .expect(401, "INVALID_TOKEN");
}
