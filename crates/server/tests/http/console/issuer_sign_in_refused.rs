//! Refused sign-ins with the OpenID Connect issuer: the page's message, and that they have no effect.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::Browser;
use super::issuer_sign_in::{back, begin, claims, give, service, sign_in};
use crate::support::issuer::{AUDIENCE, CLIENT, Issuer, SigningKey};
use crate::support::{Answer, Logs, Service};

/// Checks that the page offers to sign in again and that there is no session.
fn assert_refused(answer: &Answer, status: u16, words: &str) {
    assert_eq!(
        (answer.status.as_u16(), answer.header("set-cookie")),
        (status, ""),
        "{}",
        answer.text()
    );
    assert!(
        answer.text().contains(words) && answer.text().contains("href=\"/sign-in/issuer"),
        "{}",
        answer.text()
    );
    assert_eq!(answer.header("cache-control"), "no-store");
}

async fn assert_nobody(service: &Service) {
    assert!(
        service
            .store
            .list_users(None, 100)
            .await
            .unwrap()
            .is_empty(),
        "no user was created"
    );
}

const NOT_OPEN: &str =
    "The sign-in took longer than 10 minutes, was already used, or was started in another browser.";

#[tokio::test]
async fn a_response_is_valid_for_one_browser_once_and_in_time() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let (mut browser, mut other) = (Browser::new(&service), Browser::new(&service));
    let (asked, others) = (
        begin(&mut browser, "/sign-in/issuer").await,
        begin(&mut other, "/sign-in/issuer?next=%2Ftokens").await,
    );
    give(&issuer, &key.sign(&claims(&service, &asked)));
    for state in ["", "nonsense", &others["state"], &asked["nonce"]] {
        assert_refused(
            &back(&browser, &[("code", "c"), ("state", state)]).await,
            400,
            NOT_OPEN,
        );
    }
    assert_refused(&back(&browser, &[("code", "c")]).await, 400, NOT_OPEN);
    let own = [("code", "c"), ("state", asked["state"].as_str())];
    assert_refused(&back(&Browser::new(&service), &own).await, 400, NOT_OPEN);
    assert_refused(&back(&other, &own).await, 400, NOT_OPEN);
    // The page to show afterwards is part of the hashed state.
    let page = other.cookie.rsplit_once('.').unwrap().1;
    let changed = format!("{}.{page}", browser.cookie.rsplit_once('.').unwrap().0);
    assert_refused(
        &back(
            &Browser {
                service: &service,
                cookie: changed,
            },
            &own,
        )
        .await,
        400,
        NOT_OPEN,
    );
    assert_nobody(&service).await;
    // None of these attempts used it up.
    assert_eq!(back(&browser, &own).await.status.as_u16(), 303);
    assert_refused(&back(&browser, &own).await, 400, NOT_OPEN);
    service.advance(Duration::from_secs(600));
    assert_refused(
        &back(&other, &[("code", "c"), ("state", &others["state"])]).await,
        400,
        NOT_OPEN,
    );
}

#[tokio::test]
async fn only_one_of_two_concurrent_responses_signs_in() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    let asked = begin(&mut browser, "/sign-in/issuer").await;
    give(&issuer, &key.sign(&claims(&service, &asked)));
    let own = [("code", "c"), ("state", asked["state"].as_str())];
    let (one, two) = tokio::join!(back(&browser, &own), back(&browser, &own));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 400]);
}

/// Invalid ID tokens, and the log message for each.
fn wrong(
    service: &Service,
    key: &SigningKey,
    asked: &BTreeMap<String, String>,
) -> Vec<(String, &'static str)> {
    let now = service.now().0 / 1_000;
    let good = claims(service, asked);
    let changed = |changes: Value| {
        let mut claims = good.clone();
        claims
            .as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        key.sign(&claims)
    };
    vec![
        (
            changed(json!({ "nonce": "other" })),
            "it was not made for this attempt to sign in",
        ),
        (
            changed(json!({ "nonce": null })),
            "it was not made for this attempt to sign in",
        ),
        (
            changed(json!({ "nonce": asked["state"] })),
            "it was not made for this attempt to sign in",
        ),
        (
            changed(json!({ "aud": "other" })),
            "it is for another audience",
        ),
        (
            changed(json!({ "aud": AUDIENCE })),
            "it is for another audience",
        ),
        (
            changed(json!({ "aud": [CLIENT, "other"] })),
            "it is for another audience",
        ),
        (
            changed(json!({ "aud": [CLIENT, "other"], "azp": "other" })),
            "it is for another audience",
        ),
        (
            changed(json!({ "azp": "other" })),
            "it is for another audience",
        ),
        (
            changed(json!({ "iss": "https://evil.example.com" })),
            "it is from another issuer",
        ),
        (changed(json!({ "exp": now - 60 })), "it has expired"),
        (changed(json!({ "sub": "" })), "its claims are not"),
        (
            SigningKey::p256("1").sign(&good),
            "its signature is invalid",
        ),
        (
            key.sign_with(&json!({ "alg": "none" }), &good),
            "its algorithm is not allowed",
        ),
        ("nonsense".to_owned(), "it is not a JWT"),
    ]
}

#[tokio::test]
async fn an_invalid_id_token_does_not_sign_in() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    let asked = begin(&mut browser, "/sign-in/issuer").await;
    let count = wrong(&service, &key, &asked).len();
    for at in 0..count {
        let asked = begin(&mut browser, "/sign-in/issuer").await;
        let (token, reason) = wrong(&service, &key, &asked).swap_remove(at);
        give(&issuer, &token);
        let answer = back(&browser, &[("code", "c"), ("state", &asked["state"])]).await;
        assert_refused(&answer, 401, "id.example.com returned an invalid response.");
        let id = answer.header("x-request-id");
        let logs = Logs::text();
        assert!(
            logs.lines()
                .any(|line| line.contains(id) && line.contains(reason)),
            "{reason}"
        );
        assert!(!logs.contains(&token) && !answer.text().contains(reason));
        service.advance(Duration::from_secs(60));
    }
    assert_nobody(&service).await;
    let good = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    assert_eq!(good.status.as_u16(), 303, "{}", good.text());
}

#[tokio::test]
async fn errors_of_the_issuer_are_reported() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    for (error, status, words) in [
        ("access_denied", 403, "id.example.com did not sign you in"),
        (
            "temporarily_unavailable",
            503,
            "id.example.com is not responding correctly",
        ),
        ("invalid_scope", 400, "id.example.com refused the request"),
        ("<script>", 400, "id.example.com refused the request"),
    ] {
        let mut browser = Browser::new(&service);
        let asked = begin(&mut browser, "/sign-in/issuer?next=%2Ftokens").await;
        let parameters = [
            ("error", error),
            ("error_description", "call 555"),
            ("state", &asked["state"]),
            ("code", "c"),
        ];
        let answer = back(&browser, &parameters).await;
        assert_refused(&answer, status, words);
        assert!(
            !answer.text().contains("555") && !answer.text().contains("<script>"),
            "{}",
            answer.text()
        );
        assert!(
            answer.text().contains("/sign-in/issuer?next=%2Ftokens"),
            "the next attempt also leads there"
        );
        assert_refused(
            &back(&browser, &[("code", "c"), ("state", &asked["state"])]).await,
            400,
            NOT_OPEN,
        );
    }
    assert_nobody(&service).await;
}

#[tokio::test]
async fn a_response_of_another_issuer_is_refused() {
    let key = SigningKey::p256("1");
    for (must_be_named, iss, good) in [
        (false, None, true),
        (false, Some("https://id.example.com"), true),
        (false, Some("https://evil.example.com"), false),
        (true, Some("https://id.example.com"), true),
        (true, None, false),
    ] {
        let issuer = Issuer::with(&[&key]);
        issuer
            .describe(&json!({ "authorization_response_iss_parameter_supported": must_be_named }));
        let service = service(issuer.sign_in_of_browsers(None)).await;
        let mut browser = Browser::new(&service);
        let asked = begin(&mut browser, "/sign-in/issuer").await;
        give(&issuer, &key.sign(&claims(&service, &asked)));
        let mut parameters = vec![("code", "c"), ("state", asked["state"].as_str())];
        parameters.extend(iss.map(|iss| ("iss", iss)));
        let answer = back(&browser, &parameters).await;
        if good {
            assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
        } else {
            assert_refused(
                &answer,
                400,
                "The response did not come from id.example.com.",
            );
            assert_nobody(&service).await;
        }
    }
}

#[tokio::test]
async fn an_issuer_that_is_down_or_sends_invalid_responses_is_distinguished_from_a_refusal() {
    const DOWN: &str = "id.example.com is not responding correctly. Try again in a minute";
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    issuer.set_down(true);
    let service = service(issuer.sign_in_of_browsers(Some("canary"))).await;
    let mut browser = Browser::new(&service);
    for _ in 0..3 {
        let answer = browser.get("/sign-in/issuer").visit().await;
        assert_refused(&answer, 503, DOWN);
        assert!(
            !answer.text().contains("connection refused"),
            "{}",
            answer.text()
        );
    }
    assert_eq!(issuer.requests(), 1, "it is not queried again for a while");
    issuer.set_down(false);
    service.advance(Duration::from_secs(10));
    for nonsense in [
        None,
        Some("{}"),
        Some("<html>"),
        Some("{\"error\":\"invalid_grant\"}"),
    ] {
        let asked = begin(&mut browser, "/sign-in/issuer").await;
        nonsense
            .iter()
            .for_each(|text| issuer.write("/token", (*text).to_owned()));
        issuer.set_down(nonsense.is_none());
        assert_refused(
            &back(&browser, &[("code", "c"), ("state", &asked["state"])]).await,
            503,
            DOWN,
        );
        issuer.set_down(false);
    }
    assert!(!Logs::text().contains("canary"));
    // The cached metadata is used while the issuer is down.
    issuer.set_down(true);
    service.advance(Duration::from_secs(3_600));
    begin(&mut browser, "/sign-in/issuer").await;
    assert_nobody(&service).await;
}

#[tokio::test]
async fn browsers_are_not_sent_to_unsafe_addresses() {
    let key = SigningKey::p256("1");
    for endpoint in [
        json!("http://id.example.com/authorize"),
        json!("javascript:alert(1)"),
        Value::Null,
    ] {
        let issuer = Issuer::with(&[&key]);
        issuer.describe(&json!({ "authorization_endpoint": endpoint }));
        let service = service(issuer.sign_in_of_browsers(None)).await;
        let answer = Browser::new(&service).get("/sign-in/issuer").visit().await;
        assert_refused(&answer, 503, "id.example.com is not responding correctly.");
    }
}

#[tokio::test]
async fn attempts_are_limited() {
    let issuer = Issuer::with(&[]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    for _ in 0..120 {
        begin(&mut browser, "/sign-in/issuer").await;
    }
    assert_eq!(
        browser.get("/sign-in/issuer").visit().await.status.as_u16(),
        429
    );
    for _ in 0..20 {
        assert_eq!(
            back(&browser, &[("code", "c")]).await.status.as_u16(),
            400,
            "redirects to the issuer were not counted"
        );
    }
    assert_eq!(back(&browser, &[("code", "c")]).await.status.as_u16(), 429);
    assert_eq!(
        browser.sign_in("nonsense").await.status.as_u16(),
        429,
        "all failures are counted together"
    );
}

#[tokio::test]
async fn callbacks_from_the_issuer_are_not_limited() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    for _ in 0..21 {
        browser.sign_in("nonsense").await;
    }
    let answer = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
}

#[tokio::test]
async fn an_image_on_another_page_cannot_start_a_sign_in() {
    let issuer = Issuer::with(&[]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    for (destination, status) in [
        ("image", 403),
        ("iframe", 403),
        ("empty", 403),
        ("document", 303),
    ] {
        let call = Browser::new(&service)
            .get("/sign-in/issuer")
            .header("sec-fetch-dest", destination);
        let answer = call.visit().await;
        assert_eq!(answer.status.as_u16(), status, "{destination}");
        assert_eq!(
            answer.header("set-cookie").is_empty(),
            status == 403,
            "{destination}"
        );
    }
}

#[tokio::test]
async fn without_a_client_the_pages_do_not_exist() {
    let issuer = Issuer::with(&[]);
    let service = service(issuer.sign_in(&[])).await;
    let browser = Browser::new(&service);
    assert!(
        !browser
            .get("/sign-in")
            .visit()
            .await
            .text()
            .contains("/sign-in/issuer")
    );
    for path in ["/sign-in/issuer", "/sign-in/callback?code=c&state=s"] {
        assert_eq!(browser.get(path).visit().await.status.as_u16(), 404);
    }
    assert_eq!(issuer.requests(), 0);
}

#[tokio::test]
async fn a_disabled_user_gets_no_session() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    let user = service.store.list_users(None, 9).await.unwrap()[0].id;
    service
        .store
        .disable_user(user, service.now())
        .await
        .unwrap();
    let mut browser = Browser::new(&service);
    let answer = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    assert_eq!(answer.status.as_u16(), 403);
    assert!(
        answer
            .text()
            .contains("Your account on this service was disabled or deleted"),
        "{}",
        answer.text()
    );
    assert!(!browser.is_signed_in().await);
}
