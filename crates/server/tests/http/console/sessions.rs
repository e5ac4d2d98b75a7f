//! Sessions: a browser's cookie, and when it becomes invalid.

use std::time::Duration;

use axum::http::Method;
use server::Settings;
use store::{SESSION_IDLE, SESSION_LIFE, Scope, SessionSecret};

use super::Browser;
use crate::support::{Act, Service};

#[tokio::test]
async fn signing_in_with_a_token_opens_a_session_and_signing_out_ends_only_that() {
    let service = Service::start().await;
    let user = service.user().await;
    let (mut browser, other) = (
        Browser::of(&service, &user).await,
        Browser::of(&service, &user).await,
    );
    assert_ne!(browser.cookie, other.cookie);
    assert!(!browser.cookie.contains(&user.token));
    let token = browser.form_token().await;
    let held = browser.cookie.clone();
    let answer = browser
        .form("/sign-out", &[("form_token", &token)])
        .visit()
        .await;
    browser.keep(&answer);
    assert_eq!(
        (answer.header("location"), browser.cookie.as_str()),
        ("/sign-in", "hunkwise=")
    );
    browser.cookie = held;
    assert!(
        !browser.is_signed_in().await,
        "a copy of the cookie is invalid"
    );
    assert!(other.is_signed_in().await);
}

#[tokio::test]
async fn a_session_ends_immediately_with_its_own_token_only() {
    let service = Service::start().await;
    let user = service.user().await;
    let expiry = service.now() + Duration::from_secs(60);
    let expiring = service
        .user_with(user.id, Scope::ALL, None, Some(expiry))
        .await;
    let revoked = service.user_with(user.id, Scope::ALL, None, None).await;
    let kept = Browser::of(&service, &user).await;
    let (first, second) = (
        Browser::of(&service, &revoked).await,
        Browser::of(&service, &expiring).await,
    );
    assert!(
        service
            .store
            .revoke_token(revoked.token_id, service.now())
            .await
            .unwrap()
            .is_some()
    );
    assert!(!first.is_signed_in().await && second.is_signed_in().await);
    service.advance(Duration::from_secs(60));
    assert!(!second.is_signed_in().await && kept.is_signed_in().await);
}

#[tokio::test]
async fn a_session_ends_permanently_when_its_user_is_disabled() {
    let service = Service::start().await;
    let (user, other) = (service.user().await, service.user().await);
    let (browser, kept) = (
        Browser::of(&service, &user).await,
        Browser::of(&service, &other).await,
    );
    service
        .store
        .disable_user(user.id, service.now())
        .await
        .unwrap();
    assert!(!browser.is_signed_in().await && kept.is_signed_in().await);
    service
        .store
        .enable_user(user.id, service.now())
        .await
        .unwrap();
    assert!(
        !browser.is_signed_in().await && Browser::of(&service, &user).await.is_signed_in().await
    );
}

#[tokio::test]
async fn sessions_have_an_idle_timeout_and_a_maximum_age() {
    let service = Service::start().await;
    let user = service.user().await;
    let (used, idle) = (
        Browser::of(&service, &user).await,
        Browser::of(&service, &user).await,
    );
    let mut passed = Duration::ZERO;
    while passed + SESSION_IDLE <= SESSION_LIFE {
        let step = SESSION_IDLE - Duration::from_millis(1);
        service.advance(step);
        passed += step;
        assert!(used.is_signed_in().await, "{passed:?}");
    }
    assert!(!idle.is_signed_in().await);
    service.advance(SESSION_LIFE - passed);
    assert!(!used.is_signed_in().await);
}

#[tokio::test]
async fn sessions_are_shared_by_replicas() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let clock = service.now();
    let other = server::State::new(
        store::Store::open(&service.database.url()).await.unwrap(),
        Vec::new(),
        server::Settings::default(),
        server::Clock::new(move || clock),
    );
    let request = browser.get("/").into_request();
    let answer = tower::ServiceExt::oneshot(server::router(other), request)
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), 200);
}

#[tokio::test]
async fn the_cookie_is_hidden_from_scripts_other_sites_and_plain_http() {
    let service = Service::start().await;
    let user = service.user().await;
    let cookie = async |origin: &str| {
        let call = service
            .call(Method::POST, "/sign-in")
            .header("host", origin.split_once("://").unwrap().1);
        let call = call
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", origin);
        let answer = call.body(format!("token={}", user.token)).visit().await;
        answer.header("set-cookie").to_owned()
    };
    let secure = cookie("https://hunkwise.example.com").await;
    assert!(
        secure.starts_with("__Host-hunkwise=hws_") && secure.ends_with("; Secure"),
        "{secure}"
    );
    let plain = cookie("http://127.0.0.1:8080").await;
    assert!(
        plain.starts_with("hunkwise=hws_") && !plain.contains("Secure"),
        "{plain}"
    );
    for cookie in [&secure, &plain] {
        for attribute in [
            "; Path=/;", "; Max-Age=604800", "; HttpOnly", "; SameSite=Lax",
        ] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        assert!(!cookie.contains("Domain"));
    }
    assert_eq!(
        cookie("http://hunkwise.example.com").await,
        "",
        "the browser would not keep it"
    );
}

/// nginx's default: `Host` is the address of the upstream service.
#[tokio::test]
async fn with_a_public_url_the_cookie_is_secure_whatever_the_host() {
    let public_url = Some("https://hunkwise.example.com".to_owned());
    let service = Service::with(
        Settings {
            public_url,
            ..Settings::default()
        },
        Act::Nothing,
    )
    .await;
    let user = service.user().await;
    let sign_in = async |header: &'static str, value: &str| {
        let call = service
            .call(Method::POST, "/sign-in")
            .header("host", "127.0.0.1:8080")
            .header(header, value);
        let call = call
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "text/html");
        call.body(format!("token={}", user.token)).visit().await
    };
    let origin = "https://hunkwise.example.com";
    for (header, value) in [("origin", origin), ("sec-fetch-site", "same-origin")] {
        let answer = sign_in(header, value).await;
        let cookie = answer.header("set-cookie");
        assert!(
            cookie.starts_with("__Host-hunkwise=hws_") && cookie.ends_with("; Secure"),
            "{header}: {cookie}"
        );
        let mut browser = Browser::new(&service);
        browser.keep(&answer);
        assert!(browser.is_signed_in().await);
        browser.cookie = browser.cookie.replace("__Host-", "");
        assert!(
            !browser.is_signed_in().await,
            "another page of this machine may have set it"
        );
    }
    assert_eq!(
        sign_in("origin", "https://evil.example.com")
            .await
            .status
            .as_u16(),
        403
    );
    let plain = sign_in("origin", "http://127.0.0.1:8080").await;
    assert_eq!(
        (plain.status.as_u16(), plain.header("set-cookie")),
        (400, ""),
        "the browser would not keep it"
    );
}

#[tokio::test]
async fn strict_transport_security_is_sent_if_https_is_known() {
    let public_url = Some("https://hunkwise.example.com".to_owned());
    for (settings, expected) in [
        (
            Settings {
                public_url,
                ..Settings::default()
            },
            "max-age=31536000",
        ),
        (
            Settings {
                tls: true,
                ..Settings::default()
            },
            "max-age=31536000",
        ),
        (Settings::default(), ""),
    ] {
        let service = Service::with(settings, Act::Nothing).await;
        for path in ["/sign-in", "/v1/me", "/nowhere"] {
            let answer = service.get(path).visit().await;
            assert_eq!(
                answer.header("strict-transport-security"),
                expected,
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn no_secret_of_a_browser_is_in_the_database_or_the_logs() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let token = browser.form_token().await;
    let session = browser.cookie.split_once('=').unwrap().1;
    let kept = service.database.contents();
    for secret in [session, &user.token, &token] {
        assert!(
            !kept
                .windows(secret.len())
                .any(|window| window == secret.as_bytes())
        );
        assert!(!crate::support::Logs::text().contains(secret));
    }
    assert!(SessionSecret::parse(session).is_some());
}
