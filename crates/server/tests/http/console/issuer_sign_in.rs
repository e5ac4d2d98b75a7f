//! Signing in with the OpenID Connect issuer: the redirect, the callback, and the session.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use server::{CodeFlow, Settings, SignIn};
use sha2::{Digest as _, Sha256};
use store::{ISSUER_SESSION_LIFE, SESSION_IDLE, Scope};

use super::Browser;
use crate::support::issuer::{self, CLIENT, ISSUER, Issuer, REDIRECT_URL, SigningKey};
use crate::support::{Act, Answer, Logs, Service};

/// A service that browsers sign in to through an issuer.
pub(super) async fn service(sign_in: SignIn) -> Service {
    Service::with(
        Settings {
            sign_in: Some(sign_in),
            ..Settings::default()
        },
        Act::Nothing,
    )
    .await
}

/// Starts the sign-in, and returns the parameters for the issuer. The browser keeps the cookie.
pub(super) async fn begin(browser: &mut Browser<'_>, path: &str) -> BTreeMap<String, String> {
    let answer = browser.get(path).visit().await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    browser.keep(&answer);
    let query = answer
        .header("location")
        .strip_prefix(&format!("{ISSUER}/authorize?"))
        .expect("the endpoint");
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

/// Returns from the issuer with these parameters.
pub(super) async fn back(browser: &Browser<'_>, parameters: &[(&str, &str)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    browser
        .get(&format!("/sign-in/callback?{query}"))
        .visit()
        .await
}

/// The claims of the ID token for this attempt.
pub(super) fn claims(service: &Service, asked: &BTreeMap<String, String>) -> Value {
    let now = service.now().0 / 1_000;
    json!({
        "iss": ISSUER, "sub": "auth0|ada", "aud": CLIENT, "exp": now + 300, "iat": now, "name": "Ada Lovelace",
        "nonce": asked["nonce"],
    })
}

/// Makes the token endpoint return this ID token.
pub(super) fn give(issuer: &Issuer, id_token: &str) {
    let answer = json!({ "access_token": "opaque", "token_type": "Bearer", "expires_in": 300, "id_token": id_token });
    issuer.write("/token", answer.to_string());
}

/// Signs in, starting at `path`. The browser keeps its session.
pub(super) async fn sign_in(
    browser: &mut Browser<'_>,
    issuer: &Issuer,
    key: &SigningKey,
    path: &str,
) -> Answer {
    let asked = begin(browser, path).await;
    give(
        issuer,
        &key.sign_with(
            &json!({ "alg": "ES256", "kid": key.kid }),
            &claims(browser.service, &asked),
        ),
    );
    let answer = back(browser, &[("code", "c"), ("state", &asked["state"])]).await;
    browser.keep(&answer);
    answer
}

#[tokio::test]
async fn a_browser_signs_in_as_the_same_user_as_in_the_api() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    let page = browser.get("/sign-in").visit().await;
    assert!(
        page.text().contains(
            "<a class=\"button\" href=\"/sign-in/issuer\">Sign in with id.example.com</a>"
        )
    );
    let answer = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, "/"),
        "{}",
        answer.text()
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(browser.is_signed_in().await);
    // The same subject with an access token of the issuer.
    let token = key.sign(&issuer::claims(service.now()));
    let me = service
        .get("/v1/me")
        .header("authorization", &format!("Bearer {token}"))
        .send()
        .await
        .ok();
    let users = service.store.list_users(None, 100).await.unwrap();
    assert_eq!(users.len(), 1);
    assert_eq!(
        (me["userId"].as_str(), users[0].name.as_str()),
        (Some(users[0].id.to_string().as_str()), "Ada Lovelace")
    );
    // Signing in again creates no other user, and ends the previous session.
    let before = Browser {
        service: &service,
        cookie: browser.cookie.clone(),
    };
    let asked = begin(&mut browser, "/sign-in/issuer").await;
    browser.cookie = format!("{}; {}", browser.cookie, before.cookie);
    give(&issuer, &key.sign(&claims(&service, &asked)));
    let answer = back(&browser, &[("code", "c"), ("state", &asked["state"])]).await;
    browser.keep(&answer);
    assert!(browser.is_signed_in().await && !before.is_signed_in().await);
    assert_eq!(service.store.list_users(None, 100).await.unwrap().len(), 1);
    browser.post("/sign-out", &[]).await;
    assert!(!browser.is_signed_in().await);
}

#[tokio::test]
async fn requests_to_the_issuer_follow_the_standard() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(Some("s: +"))).await;
    let mut browser = Browser::new(&service);
    let asked = begin(&mut browser, "/sign-in/issuer").await;
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("redirect_uri", REDIRECT_URL),
        ("scope", "openid profile"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(asked[name], value);
    }
    let all = [&asked["state"], &asked["nonce"], &asked["code_challenge"]];
    assert!(
        all.iter()
            .all(|text| text.len() == 43 && !browser.cookie.contains(text.as_str())),
        "{all:?}"
    );
    give(&issuer, &key.sign(&claims(&service, &asked)));
    let answer = back(&browser, &[("code", "a code&"), ("state", &asked["state"])]).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    let (form, authorization) = issuer.last_form();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    assert_eq!(challenge, asked["code_challenge"]);
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!(
        (
            form["code"].as_str(),
            form["redirect_uri"].as_str(),
            form.len()
        ),
        ("a code&", REDIRECT_URL, 4)
    );
    assert_eq!(
        authorization,
        Some(format!(
            "Basic {}",
            STANDARD.encode(format!("{CLIENT}:s%3A+%2B"))
        ))
    );
    // Neither the browser's cookie nor the code is in the log.
    let logs = Logs::text();
    let (_, secret) = browser.cookie.split_once('=').unwrap();
    assert!(
        !logs.contains(secret)
            && !logs.contains(&form["code_verifier"])
            && !logs.contains("a+code"),
        "{logs}"
    );
}

#[tokio::test]
async fn a_client_authenticates_by_a_method_of_the_issuer() {
    let key = SigningKey::p256("1");
    for (secret, methods, sent) in [
        (None, json!(["client_secret_basic"]), None),
        (Some("s"), json!(["client_secret_post"]), Some("s")),
        (
            Some("s"),
            json!(["private_key_jwt", "client_secret_post"]),
            Some("s"),
        ),
    ] {
        let issuer = Issuer::with(&[&key]);
        issuer.describe(&json!({ "token_endpoint_auth_methods_supported": methods }));
        let service = service(issuer.sign_in_of_browsers(secret)).await;
        let answer = sign_in(
            &mut Browser::new(&service),
            &issuer,
            &key,
            "/sign-in/issuer",
        )
        .await;
        assert_eq!(answer.status.as_u16(), 303);
        let (form, authorization) = issuer.last_form();
        assert_eq!(
            (
                form["client_id"].as_str(),
                form.get("client_secret").map(String::as_str)
            ),
            (CLIENT, sent)
        );
        assert_eq!(authorization, None);
    }
}

#[tokio::test]
async fn cookies_are_limited_to_this_host_and_hidden_from_scripts() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let flags = |answer: &Answer| {
        let (pair, flags) = answer.header("set-cookie").split_once(';').unwrap();
        (pair.split_once('=').unwrap().0.to_owned(), flags.to_owned())
    };
    let plain = " Path=/; Max-Age=600; HttpOnly; SameSite=Lax";
    let near = Browser::new(&service).get("/sign-in/issuer").visit().await;
    assert_eq!(
        flags(&near),
        ("hunkwise-sign-in".to_owned(), plain.to_owned())
    );
    let mut browser = Browser::new(&service);
    let answer = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    let expected = " Path=/; Max-Age=43200; HttpOnly; SameSite=Lax";
    assert_eq!(flags(&answer), ("hunkwise".to_owned(), expected.to_owned()));
    let all: Vec<_> = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|value| value.to_str().unwrap())
        .collect();
    assert_eq!(
        all[1],
        "hunkwise-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    );
}

/// A proxy that terminates TLS may send its internal name of the service as `Host`, and a GET has no `Origin`.
#[tokio::test]
async fn the_redirect_url_or_the_public_url_makes_cookies_secure_behind_a_proxy() {
    let key = SigningKey::p256("1");
    let (https, http) = (
        "https://hunkwise.example.com/sign-in/callback",
        issuer::REDIRECT_URL,
    );
    let public = Some("https://hunkwise.example.com".to_owned());
    for (redirect_url, public_url) in [(https, None), (https, public.clone()), (http, public)] {
        let issuer = Issuer::with(&[&key]);
        let mut browsers = issuer.sign_in_of_browsers(None);
        let flow = browsers.code_flow.take().map(|flow| CodeFlow {
            redirect_url: redirect_url.to_owned(),
            ..flow
        });
        browsers.code_flow = flow;
        let settings = Settings {
            sign_in: Some(browsers),
            public_url,
            ..Settings::default()
        };
        let service = Service::with(settings, Act::Nothing).await;
        let mut browser = Browser::new(&service);
        let begun = browser.get("/sign-in/issuer").visit().await;
        assert!(
            begun
                .header("set-cookie")
                .starts_with("__Host-hunkwise-sign-in="),
            "{begun:?}"
        );
        let answer = sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
        let cookies: Vec<_> = answer
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|it| it.to_str().unwrap())
            .collect();
        assert!(
            cookies[0].starts_with("__Host-hunkwise=hws_")
                && cookies[1].starts_with("__Host-hunkwise-sign-in=;")
        );
        assert!(
            cookies.iter().all(|cookie| cookie.ends_with("; Secure")),
            "{cookies:?}"
        );
        assert!(browser.is_signed_in().await);
    }
}

#[tokio::test]
async fn a_session_ends_after_hours_and_has_the_scopes_of_the_settings() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let (mut browser, mut idle) = (Browser::new(&service), Browser::new(&service));
    sign_in(&mut browser, &issuer, &key, "/sign-in/issuer").await;
    sign_in(&mut idle, &issuer, &key, "/sign-in/issuer").await;
    let made = browser.post("/organizations", &[("name", "Acme")]).await;
    assert_eq!(made.status.as_u16(), 303, "{}", made.text());
    let refused = browser.get("/tokens").visit().await;
    assert!(
        refused.status.as_u16() == 403 && refused.text().contains("tokens:write"),
        "{}",
        refused.text()
    );
    let mut passed = Duration::ZERO;
    for step in [
        SESSION_IDLE - Duration::from_millis(1),
        Duration::from_millis(1),
    ] {
        service.advance(step);
        passed += step;
        assert!(browser.is_signed_in().await);
    }
    assert!(!idle.is_signed_in().await);
    service.advance(ISSUER_SESSION_LIFE - passed);
    assert!(!browser.is_signed_in().await);
}

#[tokio::test]
async fn a_user_returns_to_the_previous_page() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let mut browser = Browser::new(&service);
    // A page that needs a session leads to the sign-in page, which leads to the issuer or a form, and both lead back.
    let refused = browser.get("/organizations/new").visit().await;
    let link = "/sign-in?next=%2Forganizations%2Fnew";
    assert!(
        refused.status.as_u16() == 401 && refused.text().contains(&format!("href=\"{link}\"")),
        "{}",
        refused.text()
    );
    let page = browser.get(link).visit().await;
    let link = "/sign-in/issuer?next=%2Forganizations%2Fnew";
    assert!(
        page.text().contains(&format!("href=\"{link}\"")),
        "{}",
        page.text()
    );
    assert!(
        page.text()
            .contains("name=\"next\" value=\"/organizations/new\"")
    );
    let answer = sign_in(&mut browser, &issuer, &key, link).await;
    assert_eq!(answer.header("location"), "/organizations/new");
    // The target of a POST is not returned to.
    let refused = Browser::new(&service)
        .form("/organizations", &[])
        .visit()
        .await;
    assert!(
        refused.text().contains("href=\"/sign-in\""),
        "{}",
        refused.text()
    );
    let user = service
        .user_with(
            service.user().await.id,
            &[Scope::OrganizationsRead],
            None,
            None,
        )
        .await;
    let fields = [
        ("token", user.token.as_str()),
        ("next", "/organizations?after=x"),
    ];
    let answer = Browser::new(&service)
        .form("/sign-in", &fields)
        .visit()
        .await;
    assert_eq!(answer.header("location"), "/organizations?after=x");
}

#[tokio::test]
async fn an_invited_person_returns_to_the_invitation() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    let path = format!(
        "/invitations/{}",
        store::InvitationCode::generate().expose()
    );
    for (referer, next) in [
        (format!("http://127.0.0.1:8080{path}"), path.as_str()),
        (format!("http://evil.example{path}"), "/"),
        (
            "http://127.0.0.1:8080//evil.example/invitations/".to_owned(),
            "/",
        ),
        ("http://127.0.0.1:8080/sign-in".to_owned(), "/"),
    ] {
        let mut browser = Browser::new(&service);
        let page = browser.get(&path).visit().await;
        assert!(
            page.text().contains("href=\"/sign-in/issuer\""),
            "the code is not in a query"
        );
        let begun = browser
            .get("/sign-in/issuer")
            .header("referer", &referer)
            .visit()
            .await;
        browser.keep(&begun);
        let (_, query) = begun.header("location").split_once('?').unwrap();
        let asked = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        give(&issuer, &key.sign(&claims(&service, &asked)));
        let answer = back(&browser, &[("code", "c"), ("state", &asked["state"])]).await;
        assert_eq!(answer.header("location"), next, "{referer}");
        service.advance(Duration::from_secs(60));
    }
}

#[tokio::test]
async fn other_sites_are_not_redirected_to() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let service = service(issuer.sign_in_of_browsers(None)).await;
    for next in [
        "https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example",
        "javascript:alert(1)", "",
    ] {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("next", next)
            .finish();
        let mut browser = Browser::new(&service);
        let page = browser.get(&format!("/sign-in?{query}")).visit().await;
        assert!(
            page.text().contains("href=\"/sign-in/issuer\"") && !page.text().contains("evil"),
            "{}",
            page.text()
        );
        let answer = sign_in(
            &mut browser,
            &issuer,
            &key,
            &format!("/sign-in/issuer?{query}"),
        )
        .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, "/"),
            "{next}"
        );
        let user = service.user().await;
        let fields = [("token", user.token.as_str()), ("next", next)];
        let answer = Browser::new(&service)
            .form("/sign-in", &fields)
            .visit()
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, "/"),
            "{next}"
        );
        service.advance(Duration::from_secs(60));
    }
}
