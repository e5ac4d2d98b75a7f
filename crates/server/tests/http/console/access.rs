//! The access matrix of the console: every route × every kind of caller. A route that is not listed here fails the test.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use server::CONSOLE_ROUTES;
use store::{OrganizationId, Role, Scope, SessionSecret, Status};

use super::Browser;
use crate::support::{Call, DIFF, Service};

/// Who may use a route.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Anybody.
    Anybody,
    /// A user signed in with a token with this scope.
    Caller(Scope),
    /// A member of the organization, signed in with a token with this scope.
    Member(Scope),
}

/// Method, path template, who may use it, and the status for those who may.
const ROUTES: &[(&str, &str, Who, u16)] = &[
    ("GET", "/", Who::Caller(Scope::OrganizationsRead), 200),
    ("GET", "/sign-in", Who::Anybody, 200),
    // Without a token.
    ("POST", "/sign-in", Who::Anybody, 401),
    // From nobody knows where.
    ("GET", "/sign-in/link/{code}", Who::Anybody, 404),
    ("POST", "/sign-in/link", Who::Anybody, 404),
    ("POST", "/sign-out", Who::Anybody, 303),
    ("GET", "/organizations/{organizationId}/review", Who::Member(Scope::ReviewsWrite), 200),
    ("POST", "/organizations/{organizationId}/review", Who::Member(Scope::ReviewsWrite), 200),
    ("GET", "/assets/{file}", Who::Anybody, 404),
];

#[test]
fn every_route_of_the_console_is_in_the_matrix() {
    let listed: BTreeSet<(&str, &str)> = ROUTES.iter().map(|(method, path, ..)| (*method, *path)).collect();
    assert_eq!(listed, CONSOLE_ROUTES.iter().copied().collect());
}

/// A request that is sound in every other way.
fn request<'a>(browser: &Browser<'a>, form_token: &str, method: &str, template: &str, organization: &str) -> Call<'a> {
    let path = template.replace("{organizationId}", organization).replace("{code}", "x").replace("{file}", "x");
    match method {
        "GET" => browser.get(&path),
        _ if path.ends_with("/review") => browser.review(&path, &[("form_token", form_token), ("diff", DIFF)]),
        _ => browser.form(&path, &[("form_token", form_token)]),
    }
}

#[tokio::test]
async fn only_a_session_in_force_opens_what_is_not_open() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await.to_string();
    let expiry = service.now() + Duration::from_secs(1);
    let expiring = service.user_with(user.id, Scope::ALL, None, Some(expiry)).await;
    let revoked = service.user_with(user.id, Scope::ALL, None, None).await;
    let over = [Browser::of(&service, &expiring).await, Browser::of(&service, &revoked).await];
    service.store.revoke_token(revoked.token_id, service.now()).await.unwrap();
    service.advance(Duration::from_secs(1));
    let unknown = Browser { service: &service, cookie: format!("hunkwise={}", SessionSecret::generate().expose()) };
    let token = Browser { service: &service, cookie: format!("hunkwise={}", user.token) };
    let nobody = Browser::new(&service);
    for (method, template, who, _) in ROUTES.iter().filter(|(_, _, who, _)| *who != Who::Anybody) {
        for browser in over.iter().chain([&unknown, &token, &nobody]) {
            let answer = request(browser, "", method, template, &organization).visit().await;
            let refused = if *template == "/" { 303 } else { 401 };
            assert_eq!(answer.status.as_u16(), refused, "{method} {template}");
            assert!(*template != "/" || answer.header("location") == "/sign-in");
        }
        // A bearer token is for the API.
        let answer = request(&nobody, "", method, template, &organization).token(&user).visit().await;
        assert!(matches!(answer.status.as_u16(), 303 | 401) && *who != Who::Anybody, "{method} {template}");
    }
}

#[tokio::test]
async fn a_session_does_not_open_the_api() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for path in ["/v1/me", "/v1/organizations", "/v1/tokens"] {
        let answer = service.get(path).header("cookie", &browser.cookie).header("host", "127.0.0.1:8080");
        answer.send().await.expect(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn a_session_may_do_what_the_scopes_of_its_token_say() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, None).await;
    for (method, template, who, success) in ROUTES {
        let (Who::Caller(scope) | Who::Member(scope)) = *who else { continue };
        // What a single organization leads to at once.
        let success = if *template == "/" { 303 } else { *success };
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
        for (scopes, expected) in [(&others[..], 403), (&[], 403), (&[scope], success)] {
            let token = service.user_with(user.id, scopes, None, None).await;
            let browser = Browser::of(&service, &token).await;
            let form_token = browser.own_form_token();
            let answer = request(&browser, &form_token, method, template, &organization.to_string()).visit().await;
            assert_eq!(answer.status.as_u16(), expected, "{method} {template} {scopes:?}");
            service.advance(Duration::from_secs(60));
        }
    }
}

#[tokio::test]
async fn a_session_of_a_bound_token_sees_its_organization_alone() {
    let service = Service::start().await;
    let user = service.user().await;
    let (own, other) = (service.organization(&user).await, service.organization(&user).await);
    let bound = service.user_with(user.id, Scope::ALL, Some(own), None).await;
    let browser = Browser::of(&service, &bound).await;
    let lead = browser.get("/").visit().await;
    assert_eq!(lead.header("location"), format!("/organizations/{own}/review"));
    for (method, template, who, _) in ROUTES {
        if matches!(who, Who::Member(_)) {
            let answer = request(&browser, "", method, template, &other.to_string()).visit().await;
            assert_eq!(answer.status.as_u16(), 403, "{method} {template}");
        }
    }
}

#[tokio::test]
async fn the_pages_of_an_organization_are_for_its_members() {
    let service = Service::start().await;
    let (owner, member, stranger) = (service.user().await, service.user().await, service.user().await);
    let organization = service.organization(&owner).await;
    service.join(organization, &member, Role::Member).await;
    for user in [&owner, &member] {
        service.entitle(organization, user, None).await;
    }
    let (suspended, archived) = (service.organization(&owner).await, service.organization(&owner).await);
    service.set_status(suspended, Status::Suspended).await;
    service.set_status(archived, Status::Archived).await;
    let missing = OrganizationId::new(service.now()).to_string();
    let (owners, members) = (Browser::of(&service, &owner).await, Browser::of(&service, &member).await);
    let strangers = Browser::of(&service, &stranger).await;
    for (method, template, ..) in ROUTES.iter().filter(|(_, _, who, _)| matches!(who, Who::Member(_))) {
        for browser in [&owners, &members] {
            let answer = request(browser, &browser.own_form_token(), method, template, &organization.to_string());
            assert_eq!(answer.visit().await.status.as_u16(), 200, "{method} {template}");
        }
        let mut refusals = BTreeSet::new();
        for (browser, organization) in [
            (&strangers, organization.to_string()),
            (&owners, suspended.to_string()),
            (&owners, archived.to_string()),
            (&owners, missing.clone()),
            (&owners, "nonsense".to_owned()),
        ] {
            let answer = request(browser, &browser.own_form_token(), method, template, &organization).visit().await;
            assert_eq!(answer.status.as_u16(), 404, "{method} {template} {organization}");
            refusals.insert(answer.text().replace(answer.header("x-request-id"), ""));
        }
        assert_eq!(refusals.len(), 1, "nobody can tell them apart");
    }
}

#[tokio::test]
async fn a_form_of_another_site_or_session_changes_nothing() {
    let service = Service::start().await;
    let user = service.user().await;
    let (browser, other) = (Browser::of(&service, &user).await, Browser::of(&service, &user).await);
    let (own, foreign) = (browser.form_token().await, other.form_token().await);
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, None).await;
    let forms: Vec<_> =
        ROUTES.iter().filter(|(method, path, ..)| *method == "POST" && !path.starts_with("/sign-in")).collect();
    assert_eq!(forms.len(), 2);
    for (_, template, ..) in forms {
        let organization = organization.to_string();
        for token in ["", "nonsense", &foreign] {
            let answer = request(&browser, token, "POST", template, &organization).visit().await;
            assert_eq!(answer.status.as_u16(), 403, "{template} {token}");
        }
        let bare = |site: &str| {
            let body = format!("form_token={own}");
            let path = template.replace("{organizationId}", &organization);
            let call = browser.call(Method::POST, &path).header("sec-fetch-site", site).body(body);
            call.header("content-type", "application/x-www-form-urlencoded")
        };
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(bare(site).visit().await.status.as_u16(), 403, "{template} {site}");
        }
    }
    assert!(browser.is_signed_in().await);
}
