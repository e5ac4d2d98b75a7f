//! Sign-in with access tokens of an OpenID Connect issuer: identity, user and scopes.

use futures_util::future::join_all;
use serde_json::{Value, json};
use server::{Limits, Settings};
use store::Scope;

use crate::support::issuer::{self, AUDIENCE, ISSUER, Issuer, SigningKey};
use crate::support::{Act, Answer, Service};

/// A service that trusts an issuer.
pub(crate) async fn service(issuer: &Issuer) -> Service {
    Service::with(
        Settings {
            sign_in: Some(issuer.sign_in(&[])),
            ..Settings::default()
        },
        Act::Nothing,
    )
    .await
}

/// Calls with a token.
pub(crate) async fn get(service: &Service, path: &str, token: &str) -> Answer {
    service
        .get(path)
        .header("authorization", &format!("Bearer {token}"))
        .send()
        .await
}

/// The claims of a valid token with some changes; `null` removes a claim.
pub(crate) fn with(service: &Service, changes: &Value) -> Value {
    let mut claims = issuer::claims(service.now());
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
            value => claims[name] = value.clone(),
        }
    }
    claims
}

#[tokio::test]
async fn the_same_user_signs_in_with_every_allowed_algorithm() {
    let keys = [
        SigningKey::rsa("r"),
        SigningKey::p256("p256"),
        SigningKey::p384("p384"),
        SigningKey::ed25519("ed"),
    ];
    let issuer = Issuer::with(&keys.each_ref());
    let service = service(&issuer).await;
    let mut users = Vec::new();
    for key in &keys {
        for algorithm in key.algorithms() {
            let header = json!({ "typ": "at+jwt", "alg": algorithm, "kid": key.kid });
            let token = key.sign_with(&header, &issuer::claims(service.now()));
            let me = get(&service, "/v1/me", &token).await.ok();
            assert_eq!(me["displayName"], "Ada Lovelace", "{algorithm}");
            assert_eq!(
                me["scopes"],
                json!(["organizations:read", "organizations:write"])
            );
            assert_eq!(me["organizationId"], Value::Null);
            users.push(me["userId"].clone());
        }
    }
    assert!(users.len() == 10 && users.iter().all(|user| *user == users[0]));
    assert_eq!(service.store.list_users(None, 100).await.unwrap().len(), 1);
    assert_eq!(issuer.key_fetches(), 1, "the keys are cached");
}

#[tokio::test]
async fn a_user_of_the_issuer_is_a_user_like_any_other() {
    let key = SigningKey::p256("1");
    let service = service(&Issuer::with(&[&key])).await;
    let (ada, ben) = (
        with(&service, &json!({})),
        with(&service, &json!({ "sub": "auth0|ben" })),
    );
    let (ada, ben) = (key.sign(&ada), key.sign(&ben));
    let bearer = format!("Bearer {ada}");
    let made = service
        .post("/v1/organizations", &json!({ "name": "Acme" }))
        .header("authorization", &bearer)
        .send();
    let made = made.await.ok();
    let path = format!(
        "/v1/organizations/{}",
        made["organizationId"].as_str().unwrap()
    );
    assert_eq!(get(&service, &path, &ada).await.ok()["role"], "owner");
    get(&service, &path, &ben)
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
    get(&service, "/v1/tokens", &ada)
        .await
        .expect(403, "INSUFFICIENT_SCOPE");
    assert_eq!(
        get(&service, "/v1/me", &ben).await.ok()["displayName"],
        "Ada Lovelace",
        "names are not unique"
    );
    assert_eq!(service.store.list_users(None, 100).await.unwrap().len(), 2);
}

#[tokio::test]
async fn concurrent_first_requests_create_one_user() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(&issuer).await;
    let token = key.sign(&issuer::claims(service.now()));
    let answers = join_all((0..16).map(|_| get(&service, "/v1/me", &token))).await;
    let users: Vec<_> = answers
        .iter()
        .map(|answer| answer.ok()["userId"].clone())
        .collect();
    assert!(users.iter().all(|user| *user == users[0]), "{users:?}");
    assert_eq!(
        (
            service.store.list_users(None, 100).await.unwrap().len(),
            issuer.key_fetches()
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_token_has_its_own_scopes_and_those_of_the_settings() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    for (granted, claims, expected) in [
        (
            &[][..],
            json!({ "scope": "tokens:write openid organizations:read" }),
            json!(["organizations:read", "tokens:write"]),
        ),
        (
            &[],
            json!({ "scope": ["reviews:write"] }),
            json!(["reviews:write"]),
        ),
        (
            &[],
            json!({ "scope": null, "scp": "reviews:write profile" }),
            json!(["reviews:write"]),
        ),
        (
            &[],
            json!({ "scope": null, "scp": ["openid", "reviews:write"] }),
            json!(["reviews:write"]),
        ),
        (
            &[],
            json!({ "scope": "Reviews:Write reviews:write,tokens:write admin" }),
            json!([]),
        ),
        (
            &[],
            json!({ "scope": null, "roles": ["reviews:write"], "permissions": ["reviews:write"] }),
            json!([]),
        ),
        (
            &[Scope::ReviewsWrite],
            json!({ "scope": null }),
            json!(["reviews:write"]),
        ),
        (
            &[Scope::ReviewsWrite],
            json!({ "scope": "organizations:read" }),
            json!(["organizations:read", "reviews:write"]),
        ),
    ] {
        let settings = Settings {
            sign_in: Some(issuer.sign_in(granted)),
            ..Settings::default()
        };
        let service = Service::with(settings, Act::Nothing).await;
        let token = key.sign(&with(&service, &claims));
        assert_eq!(
            get(&service, "/v1/me", &token).await.ok()["scopes"],
            expected,
            "{claims}"
        );
        let answer = get(&service, "/v1/organizations", &token).await;
        let may = expected
            .as_array()
            .unwrap()
            .contains(&json!("organizations:read"));
        assert_eq!(
            answer.code(),
            if may { "200" } else { "INSUFFICIENT_SCOPE" },
            "{claims}"
        );
    }
}

#[tokio::test]
async fn names_are_sanitized_and_truncated() {
    let key = SigningKey::p256("1");
    let service = service(&Issuer::with(&[&key])).await;
    let long = "長".repeat(200);
    for (number, (claims, shown)) in [
        (
            json!({ "name": " Ada\n\u{1b}[31m Lovelace \u{202e}" }),
            "Ada[31m Lovelace",
        ),
        (json!({ "name": long }), &long[..120 * 3]),
        (
            json!({ "name": "\t\u{200f} ", "preferred_username": "ada" }),
            "ada",
        ),
        (
            json!({ "name": 7, "preferred_username": null }),
            "subject 3",
        ),
        (json!({ "name": null }), "subject 4"),
        (
            json!({ "name": "A\u{200b}d\u{61c}a\u{2028} \u{feff}" }),
            "Ada",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let mut claims = with(&service, &claims);
        claims["sub"] = json!(format!("subject {number}"));
        assert_eq!(
            get(&service, "/v1/me", &key.sign(&claims)).await.ok()["displayName"],
            *shown
        );
    }
}

#[tokio::test]
async fn a_token_created_with_an_issuers_token_has_its_own_lifetime() {
    let key = SigningKey::p256("1");
    let service = service(&Issuer::with(&[&key])).await;
    let ada = key.sign(&with(&service, &json!({ "scope": "tokens:write" })));
    let bearer = format!("Bearer {ada}");
    let create = async |scope: &str| {
        let body = json!({ "name": "ci", "scopes": [scope] });
        service
            .post("/v1/tokens", &body)
            .header("authorization", &bearer)
            .send()
            .await
    };
    assert_eq!(create("tokens:write").await.ok()["expiresAt"], Value::Null);
    create("reviews:write")
        .await
        .expect(403, "INSUFFICIENT_SCOPE");
}

#[tokio::test]
async fn the_types_of_common_issuers_access_tokens_are_accepted() {
    let key = SigningKey::rsa("1");
    let service = service(&Issuer::with(&[&key])).await;
    let types = [
        "at+jwt", "AT+JWT", "application/at+jwt", "JWT", "jwt", "application/okta-internal-at+jwt",
    ];
    for typ in types.into_iter().map(Some).chain([None]) {
        let mut header = json!({ "alg": "RS256", "kid": "1" });
        if let Some(typ) = typ {
            header["typ"] = json!(typ);
        }
        let claims = with(
            &service,
            &json!({ "aud": ["account", AUDIENCE], "iss": ISSUER }),
        );
        get(&service, "/v1/me", &key.sign_with(&header, &claims))
            .await
            .ok();
    }
}

#[tokio::test]
async fn the_requests_of_a_user_are_counted_across_all_tokens() {
    let key = SigningKey::p256("1");
    let limits = Limits {
        requests_per_minute: 2,
        ..Limits::default()
    };
    let sign_in = Some(Issuer::with(&[&key]).sign_in(&[]));
    let service = Service::with(
        Settings {
            limits,
            sign_in,
            ..Settings::default()
        },
        Act::Nothing,
    )
    .await;
    let mut codes = Vec::new();
    for (subject, id) in [("ada", "1"), ("ada", "2"), ("ada", "3"), ("ben", "4")] {
        let token = key.sign(&with(&service, &json!({ "sub": subject, "jti": id })));
        codes.push(get(&service, "/v1/me", &token).await.code());
    }
    assert_eq!(codes, ["200", "200", "RATE_LIMITED", "200"]);
}
