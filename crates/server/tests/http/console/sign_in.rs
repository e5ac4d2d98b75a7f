//! Signing in: refusals and their messages.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use store::{InvitationCode, Scope, SessionSecret, TokenSecret};

use super::Browser;
use crate::support::Service;

/// A page without the parts that differ from request to request.
fn shown(answer: &crate::support::Answer) -> (u16, String, Vec<String>) {
    let names = answer
        .headers
        .keys()
        .map(|name| name.as_str().to_owned())
        .collect();
    (answer.status.as_u16(), answer.text().to_owned(), names)
}

#[tokio::test]
async fn invalid_tokens_get_the_same_refusal() {
    let service = Service::start().await;
    let user = service.user().await;
    let expired = service
        .user_with(user.id, Scope::ALL, None, Some(service.now()))
        .await;
    let revoked = service.user_with(user.id, Scope::ALL, None, None).await;
    assert!(
        service
            .store
            .revoke_token(revoked.token_id, service.now())
            .await
            .unwrap()
            .is_some()
    );
    let mut pages = BTreeSet::new();
    for wrong in [
        "",
        "nonsense",
        TokenSecret::generate().expose(),
        InvitationCode::generate().expose(),
        SessionSecret::generate().expose(),
        &expired.token,
        &revoked.token,
        "eyJhbGciOiJub25lIn0.e30.",
    ] {
        let mut browser = Browser::new(&service);
        let answer = browser.sign_in(wrong).await;
        assert_eq!((answer.status.as_u16(), browser.cookie.as_str()), (401, ""));
        assert!(
            wrong.is_empty() || !answer.text().contains(wrong),
            "a token is not shown again"
        );
        pages.insert(shown(&answer));
    }
    let without = Browser::new(&service).form("/sign-in", &[]).visit().await;
    pages.insert(shown(&without));
    assert_eq!(pages.len(), 1, "{pages:?}");
}

#[tokio::test]
async fn white_space_around_a_pasted_token_is_ignored() {
    let service = Service::start().await;
    let user = service.user().await;
    let mut browser = Browser::new(&service);
    browser.sign_in(&format!(" {}\r\n", user.token)).await;
    assert!(browser.is_signed_in().await);
}

#[tokio::test]
async fn signing_in_again_ends_the_previous_session() {
    let service = Service::start().await;
    let (first, second) = (service.user().await, service.user().await);
    let mut browser = Browser::of(&service, &first).await;
    let before = Browser {
        service: &service,
        cookie: browser.cookie.clone(),
    };
    browser.sign_in(&second.token).await;
    assert!(browser.is_signed_in().await && !before.is_signed_in().await);
}

#[tokio::test]
async fn other_sites_cannot_sign_a_browser_in() {
    let service = Service::start().await;
    let user = service.user().await;
    let send = async |headers: &[(&'static str, &str)]| {
        let call = service
            .call(Method::POST, "/sign-in")
            .header("host", "hunkwise.example.com");
        let call = call
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "text/html");
        let call = headers
            .iter()
            .fold(call, |call, (name, value)| call.header(name, value));
        call.body(format!("token={}", user.token)).visit().await
    };
    for headers in [
        &[][..],
        &[("origin", "https://evil.example.com")],
        &[("origin", "null")],
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://hunkwise.example.com"),
        ],
        &[("sec-fetch-site", "same-site")],
    ] {
        let answer = send(headers).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("set-cookie")),
            (403, ""),
            "{headers:?}"
        );
    }
    assert_eq!(
        send(&[("origin", "https://hunkwise.example.com")])
            .await
            .status
            .as_u16(),
        303
    );
}

#[tokio::test]
async fn attempts_are_limited() {
    let service = Service::start().await;
    let user = service.user().await;
    let mut browser = Browser::new(&service);
    for _ in 0..20 {
        assert_eq!(browser.sign_in("nonsense").await.status.as_u16(), 401);
    }
    let answer = browser.sign_in("nonsense").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("retry-after")),
        (429, "3")
    );
    assert_eq!(
        browser.sign_in(&user.token).await.status.as_u16(),
        303,
        "a valid token always signs in"
    );
    service.advance(Duration::from_secs(3));
    assert_eq!(browser.sign_in("nonsense").await.status.as_u16(), 401);
}

#[tokio::test]
async fn valid_tokens_are_not_counted() {
    let service = Service::start().await;
    let user = service.user().await;
    let mut browser = Browser::new(&service);
    for _ in 0..30 {
        assert_eq!(browser.sign_in(&user.token).await.status.as_u16(), 303);
    }
    assert_eq!(browser.sign_in("nonsense").await.status.as_u16(), 401);
}

#[tokio::test]
async fn the_size_and_the_type_of_forms_are_limited() {
    let service = Service::start().await;
    let mut browser = Browser::new(&service);
    assert_eq!(
        browser.sign_in(&"x".repeat(9_000)).await.status.as_u16(),
        413
    );
    let call = browser
        .call(Method::POST, "/sign-in")
        .header("sec-fetch-site", "same-origin");
    let answer = call
        .header("content-type", "application/json")
        .body("{}")
        .visit()
        .await;
    assert_eq!(answer.status.as_u16(), 415);
}

#[tokio::test]
async fn a_link_is_invalid_for_peers_not_known_to_be_local() {
    let service = Service::start().await;
    let user = service.user().await;
    let code = service.state.offer_sign_in(user.token_id);
    let browser = Browser::new(&service);
    assert_eq!(
        browser
            .get(&format!("/sign-in/link/{}", code.expose()))
            .visit()
            .await
            .status
            .as_u16(),
        404
    );
    assert_eq!(
        browser
            .form("/sign-in/link", &[("code", code.expose())])
            .visit()
            .await
            .status
            .as_u16(),
        404
    );
}
