//! The user's access tokens: created, shown once, listed, revoked.

use std::time::Duration;

use store::{Scope, TokenSecret};

use super::Browser;
use super::pages::check_page;
use crate::support::{Answer, Service};

const CI: &[(&str, &str)] = &[
    ("name", "ci"),
    ("scope", "reviews:write"),
    ("scope", "organizations:read"),
    ("days", "30"),
];

/// The text of an element with an ID.
fn text_of(page: &Answer, id: &str) -> String {
    let (_, rest) = page
        .text()
        .split_once(&format!("<code id=\"{id}\">"))
        .unwrap_or_else(|| panic!("{}", page.text()));
    rest.split('<').next().unwrap().replace("&#39;", "'")
}

#[tokio::test]
async fn a_token_is_created_shown_once_and_works_as_described() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await.to_string();
    let browser = Browser::of(&service, &user).await;
    let form = browser.get("/tokens/new").visit().await;
    check_page(&form);
    assert_eq!(
        form.text().matches("type=\"checkbox\"").count(),
        Scope::ALL.len()
    );
    let fields = [CI, &[("organization", organization.as_str())]].concat();
    let made = browser.post("/tokens", &fields).await;
    let page = browser.follow(&made).await;
    check_page(&page);
    let secret = text_of(&page, "token");
    assert!(TokenSecret::parse(&secret).is_some());
    let curl = format!("curl -H 'Authorization: Bearer {secret}' http://127.0.0.1:8080/v1/me");
    assert_eq!(text_of(&page, "curl"), curl);
    let me = service
        .get("/v1/me")
        .header("authorization", &format!("Bearer {secret}"))
        .send()
        .await
        .ok();
    assert_eq!(
        me["scopes"],
        serde_json::json!(["organizations:read", "reviews:write"])
    );
    assert_eq!(me["organizationId"], organization);
    let again = browser.get(made.header("location")).visit().await;
    check_page(&again);
    assert!(again.text().contains("already shown") && !again.text().contains(&secret));
    let list = browser.get("/tokens").visit().await;
    check_page(&list);
    assert!(
        !list.text().contains(&secret) && list.text().contains("2026-12-20 12:00 UTC"),
        "{}",
        list.text()
    );
    assert!(
        list.text().contains(">Acme</td>"),
        "the organization by its name"
    );
    let kept = service.database.contents();
    assert!(
        !kept
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    );
}

#[tokio::test]
async fn faults_of_the_form_are_reported_and_the_input_is_kept() {
    let service = Service::start().await;
    let user = service.user().await;
    let stranger = service.user().await;
    let foreign = service.organization(&stranger).await.to_string();
    let browser = Browser::of(&service, &user).await;
    for (fields, status, expected) in [
        (
            &[("name", ""), ("scope", "reviews:write")][..],
            400,
            "must not be blank",
        ),
        (
            &[("name", "<b>"), ("days", "7")],
            400,
            "scopes: must be one or more of",
        ),
        (
            &[("name", "x"), ("scope", "everything")],
            400,
            "scopes: must be one or more of",
        ),
        (
            &[("name", "x"), ("scope", "reviews:write"), ("days", "x")],
            400,
            "expiresAt: must be a time",
        ),
        (
            &[
                ("name", "x"),
                ("scope", "reviews:write"),
                ("organization", &foreign),
            ],
            404,
            "no such organization",
        ),
        (
            &[
                ("name", "x"),
                ("scope", "reviews:write"),
                ("organization", "x"),
            ],
            404,
            "no such organization",
        ),
    ] {
        let page = browser.post("/tokens", fields).await;
        assert_eq!(page.status.as_u16(), status, "{fields:?}");
        check_page(&page);
        assert!(
            page.text().contains(expected) && !page.text().contains("<b>"),
            "{expected}: {}",
            page.text()
        );
    }
    let page = browser
        .post(
            "/tokens",
            &[("name", "<b>"), ("scope", "organizations:read")],
        )
        .await;
    assert_eq!(page.status.as_u16(), 303, "a name may look like markup");
    let list = browser.get("/tokens").visit().await;
    check_page(&list);
    assert!(list.text().contains("&#60;b&#62;") && !list.text().contains("<b>"));
}

#[tokio::test]
async fn a_session_cannot_grant_more_than_its_token_has() {
    let service = Service::start().await;
    let user = service.user().await;
    let expiry = service.now() + Duration::from_secs(24 * 60 * 60);
    let scopes = [Scope::TokensWrite, Scope::ReviewsWrite];
    let limited = service
        .user_with(user.id, &scopes, None, Some(expiry))
        .await;
    let browser = Browser::of(&service, &limited).await;
    let form = browser.get("/tokens/new").visit().await;
    check_page(&form);
    assert_eq!(form.text().matches("type=\"checkbox\"").count(), 2);
    assert!(
        form.text().contains("with this session&#39;s token")
            || form.text().contains("with this session's token")
    );
    let page = browser
        .post(
            "/tokens",
            &[("name", "x"), ("scope", "organizations:write")],
        )
        .await;
    assert_eq!(page.status.as_u16(), 403);
    check_page(&page);
    let page = browser
        .post(
            "/tokens",
            &[("name", "x"), ("scope", "reviews:write"), ("days", "7")],
        )
        .await;
    assert!(
        page.status.as_u16() == 400 && page.text().contains("2026-11-21T12:00:00Z"),
        "{}",
        page.text()
    );
    let made = browser
        .post(
            "/tokens",
            &[("name", "x"), ("scope", "reviews:write"), ("days", "")],
        )
        .await;
    let secret = text_of(&browser.follow(&made).await, "token");
    assert!(TokenSecret::parse(&secret).is_some());
}

#[tokio::test]
async fn a_token_is_revoked_and_revoking_the_sessions_own_signs_out() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let made = browser.post("/tokens", CI).await;
    let secret = text_of(&browser.follow(&made).await, "token");
    let revoke = format!("{}/revoke", made.header("location"));
    let revoked = browser.post(&revoke, &[]).await;
    assert_eq!(
        (revoked.status.as_u16(), revoked.header("location")),
        (303, "/tokens")
    );
    service
        .get("/v1/me")
        .header("authorization", &format!("Bearer {secret}"))
        .send()
        .await
        .expect(401, "INVALID_TOKEN");
    let again = browser.post(&revoke, &[]).await;
    assert_eq!(again.status.as_u16(), 404);
    check_page(&again);
    let others = service.user().await;
    let foreign = browser
        .post(&format!("/tokens/{}/revoke", others.token_id), &[])
        .await;
    assert_eq!(foreign.status.as_u16(), 404);
    let list = browser.get("/tokens").visit().await;
    assert_eq!(list.text().matches("this session").count(), 1);
    let own = browser
        .post(&format!("/tokens/{}/revoke", user.token_id), &[])
        .await;
    assert_eq!(own.header("location"), "/sign-in");
    assert!(!browser.is_signed_in().await);
}

#[tokio::test]
async fn the_list_of_tokens_is_paginated() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for _ in 0..2 {
        browser.post("/tokens", CI).await;
    }
    let page = browser.get("/tokens?limit=2").visit().await;
    check_page(&page);
    assert_eq!(page.text().matches("<tr>").count(), 3);
    let cursor = page
        .text()
        .split("href=\"/tokens?cursor=")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let page = browser
        .get(&format!("/tokens?cursor={cursor}"))
        .visit()
        .await;
    check_page(&page);
    assert_eq!(page.text().matches("<tr>").count(), 2);
    service.advance(Duration::from_secs(31 * 24 * 60 * 60));
    let later = Browser::of(&service, &user).await;
    let page = later.get("/tokens").visit().await;
    assert_eq!(
        page.text().matches(">expired</span>").count(),
        2,
        "{}",
        page.text()
    );
}
