//! The access matrix of the console: every route × every kind of caller. The test fails for routes that are not listed
//! here.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use server::CONSOLE_ROUTES;
use store::{OrganizationId, Scope, SessionSecret, Status};

use super::Browser;
use crate::support::{Call, DIFF, Service, World};

/// The users of a route.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Principal {
    /// Any client.
    Anyone,
    /// A user who signed in with a token that has this scope.
    Caller(Scope),
    /// Any signed-in user.
    Session,
    /// As `Caller`, except for tokens that are bound to one organization.
    Unscoped(Scope),
    /// A member of the organization who signed in with a token that has this scope.
    Member(Scope),
    /// The same, for admins and owners.
    Manager(Scope),
}

impl Principal {
    /// The required scope, if any.
    fn scope(self) -> Option<Scope> {
        match self {
            Self::Anyone | Self::Session => None,
            Self::Caller(scope)
            | Self::Unscoped(scope)
            | Self::Member(scope)
            | Self::Manager(scope) => Some(scope),
        }
    }

    /// Whether the page belongs to an organization.
    fn is_in_organization(self) -> bool {
        matches!(self, Self::Member(_) | Self::Manager(_))
    }
}

/// Method, path template, users, and the status for them.
const ROUTES: &[(&str, &str, Principal, u16)] = &[
    ("GET", "/", Principal::Caller(Scope::OrganizationsRead), 200),
    ("GET", "/sign-in", Principal::Anyone, 200),
    // Without a token.
    ("POST", "/sign-in", Principal::Anyone, 401),
    // Without an issuer.
    ("GET", "/sign-in/issuer", Principal::Anyone, 404),
    ("GET", "/sign-in/callback", Principal::Anyone, 404),
    // From an unknown peer.
    ("GET", "/sign-in/link/{code}", Principal::Anyone, 404),
    ("POST", "/sign-in/link", Principal::Anyone, 404),
    ("POST", "/sign-out", Principal::Anyone, 303),
    (
        "GET",
        "/organizations/{organizationId}/review",
        Principal::Member(Scope::ReviewsWrite),
        200,
    ),
    (
        "POST",
        "/organizations/{organizationId}/review",
        Principal::Member(Scope::ReviewsWrite),
        200,
    ),
    (
        "GET",
        "/organizations",
        Principal::Caller(Scope::OrganizationsRead),
        200,
    ),
    (
        "GET",
        "/organizations/new",
        Principal::Unscoped(Scope::OrganizationsWrite),
        200,
    ),
    (
        "POST",
        "/organizations",
        Principal::Unscoped(Scope::OrganizationsWrite),
        303,
    ),
    (
        "GET",
        "/organizations/{organizationId}/members",
        Principal::Member(Scope::OrganizationsRead),
        200,
    ),
    // A member only sees their own, and the path contains another one.
    (
        "GET",
        "/organizations/{organizationId}/members/{userId}",
        Principal::Manager(Scope::OrganizationsRead),
        404,
    ),
    (
        "POST",
        "/organizations/{organizationId}/members/{userId}/role",
        Principal::Manager(Scope::OrganizationsWrite),
        404,
    ),
    (
        "POST",
        "/organizations/{organizationId}/members/{userId}/remove",
        Principal::Member(Scope::OrganizationsWrite),
        404,
    ),
    // For operators only.
    (
        "POST",
        "/organizations/{organizationId}/members/{userId}/entitlement",
        Principal::Member(Scope::OrganizationsWrite),
        403,
    ),
    (
        "POST",
        "/organizations/{organizationId}/members/{userId}/entitlement/revoke",
        Principal::Member(Scope::OrganizationsWrite),
        403,
    ),
    (
        "GET",
        "/organizations/{organizationId}/invitations",
        Principal::Manager(Scope::OrganizationsRead),
        200,
    ),
    (
        "POST",
        "/organizations/{organizationId}/invitations",
        Principal::Manager(Scope::OrganizationsWrite),
        303,
    ),
    (
        "GET",
        "/organizations/{organizationId}/invitations/{invitationId}",
        Principal::Manager(Scope::OrganizationsWrite),
        200,
    ),
    (
        "POST",
        "/organizations/{organizationId}/invitations/{invitationId}/revoke",
        Principal::Manager(Scope::OrganizationsWrite),
        404,
    ),
    (
        "GET",
        "/organizations/{organizationId}/usage",
        Principal::Manager(Scope::OrganizationsRead),
        200,
    ),
    ("GET", "/invitations/{code}", Principal::Session, 404),
    (
        "POST",
        "/invitations/accept",
        Principal::Unscoped(Scope::OrganizationsWrite),
        404,
    ),
    (
        "GET",
        "/tokens",
        Principal::Unscoped(Scope::TokensWrite),
        200,
    ),
    (
        "POST",
        "/tokens",
        Principal::Unscoped(Scope::TokensWrite),
        303,
    ),
    (
        "GET",
        "/tokens/new",
        Principal::Unscoped(Scope::TokensWrite),
        200,
    ),
    (
        "GET",
        "/tokens/{tokenId}",
        Principal::Unscoped(Scope::TokensWrite),
        200,
    ),
    (
        "POST",
        "/tokens/{tokenId}/revoke",
        Principal::Unscoped(Scope::TokensWrite),
        404,
    ),
    ("GET", "/assets/{file}", Principal::Anyone, 404),
];

#[test]
fn every_route_of_the_console_is_in_the_matrix() {
    let listed: BTreeSet<(&str, &str)> = ROUTES
        .iter()
        .map(|(method, path, ..)| (*method, *path))
        .collect();
    assert_eq!(listed, CONSOLE_ROUTES.iter().copied().collect());
}

/// A request that is valid in every other respect.
fn request<'a>(
    browser: &Browser<'a>,
    form_token: &str,
    method: &str,
    template: &str,
    organization: &str,
) -> Call<'a> {
    let path = template
        .replace("{organizationId}", organization)
        .replace("{code}", "x")
        .replace("{file}", "x");
    let path = path
        .replace("{userId}", "usr_1")
        .replace("{invitationId}", "inv_1")
        .replace("{tokenId}", "tok_1");
    match method {
        "GET" => browser.get(&path),
        _ if path.ends_with("/review") => {
            browser.review(&path, &[("form_token", form_token), ("diff", DIFF)])
        }
        _ => browser.form(&path, &[&[("form_token", form_token)], FIELDS].concat()),
    }
}

/// The fields of every form of the console, with valid values.
const FIELDS: &[(&str, &str)] = &[
    ("name", "Acme"),
    ("role", "member"),
    ("status", "active"),
    ("days", "7"),
    ("scope", "tokens:write"),
    ("code", "hwi_x"),
];

#[tokio::test]
async fn pages_that_are_not_public_need_a_valid_session() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await.to_string();
    let expiry = service.now() + Duration::from_secs(1);
    let expiring = service
        .user_with(user.id, Scope::ALL, None, Some(expiry))
        .await;
    let revoked = service.user_with(user.id, Scope::ALL, None, None).await;
    let over = [
        Browser::of(&service, &expiring).await,
        Browser::of(&service, &revoked).await,
    ];
    service
        .store
        .revoke_token(revoked.token_id, service.now())
        .await
        .unwrap();
    service.advance(Duration::from_secs(1));
    let unknown = Browser {
        service: &service,
        cookie: format!("hunkwise={}", SessionSecret::generate().expose()),
    };
    let token = Browser {
        service: &service,
        cookie: format!("hunkwise={}", user.token),
    };
    let signed_out = Browser::new(&service);
    for (method, template, who, _) in ROUTES
        .iter()
        .filter(|(_, _, who, _)| *who != Principal::Anyone)
    {
        for browser in over.iter().chain([&unknown, &token, &signed_out]) {
            let answer = request(browser, "", method, template, &organization)
                .visit()
                .await;
            let refused = if *template == "/" { 303 } else { 401 };
            assert_eq!(answer.status.as_u16(), refused, "{method} {template}");
            assert!(*template != "/" || answer.header("location") == "/sign-in");
        }
        // Bearer tokens are only for the API.
        let answer = request(&signed_out, "", method, template, &organization)
            .token(&user)
            .visit()
            .await;
        assert!(
            matches!(answer.status.as_u16(), 303 | 401) && *who != Principal::Anyone,
            "{method} {template}"
        );
    }
}

#[tokio::test]
async fn a_session_does_not_give_access_to_the_api() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for path in ["/v1/me", "/v1/organizations", "/v1/tokens"] {
        let answer = service
            .get(path)
            .header("cookie", &browser.cookie)
            .header("host", "127.0.0.1:8080");
        answer.send().await.expect(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn a_session_is_limited_to_the_scopes_of_its_token() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, None).await;
    for (method, template, who, success) in ROUTES {
        let Some(scope) = who.scope() else { continue };
        // With a single organization, the first page redirects to it.
        let success = if *template == "/" { 303 } else { *success };
        let others: Vec<Scope> = Scope::ALL
            .iter()
            .copied()
            .filter(|other| *other != scope)
            .collect();
        for (scopes, expected) in [(&others[..], 403), (&[], 403), (&[scope], success)] {
            let token = service.user_with(user.id, scopes, None, None).await;
            let browser = Browser::of(&service, &token).await;
            let form_token = browser.own_form_token();
            let answer = request(
                &browser,
                &form_token,
                method,
                template,
                &organization.to_string(),
            )
            .visit()
            .await;
            assert_eq!(
                answer.status.as_u16(),
                expected,
                "{method} {template} {scopes:?}"
            );
            service.advance(Duration::from_secs(60));
        }
    }
}

#[tokio::test]
async fn a_session_that_may_only_review_has_a_page_or_an_exit() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let scopes = [Scope::ReviewsWrite];
    let bound = service
        .user_with(user.id, &scopes, Some(organization), None)
        .await;
    let lead = Browser::of(&service, &bound).await.get("/").visit().await;
    assert_eq!(
        lead.header("location"),
        format!("/organizations/{organization}/review")
    );
    let unbound = service.user_with(user.id, &scopes, None, None).await;
    let browser = Browser::of(&service, &unbound).await;
    let page = browser.get("/").visit().await;
    let html = page.text();
    assert_eq!(page.status.as_u16(), 403);
    assert!(
        html.contains("action=\"/sign-out\"")
            && html.contains(&browser.own_form_token())
            && html.contains("<code>organizations:read</code>"),
        "{html}"
    );
}

#[tokio::test]
async fn a_session_of_a_bound_token_sees_only_its_organization() {
    let service = Service::start().await;
    let user = service.user().await;
    let (own, other) = (
        service.organization(&user).await,
        service.organization(&user).await,
    );
    let bound = service
        .user_with(user.id, Scope::ALL, Some(own), None)
        .await;
    let browser = Browser::of(&service, &bound).await;
    let lead = browser.get("/").visit().await;
    assert_eq!(
        lead.header("location"),
        format!("/organizations/{own}/review")
    );
    for (method, template, who, _) in ROUTES {
        if who.is_in_organization() || matches!(who, Principal::Unscoped(_)) {
            let token = browser.own_form_token();
            let answer = request(&browser, &token, method, template, &other.to_string())
                .visit()
                .await;
            let is_explained = answer
                .text()
                .contains("The token is bound to one organization and cannot be used beyond it.");
            assert!(
                answer.status.as_u16() == 403 && is_explained,
                "{method} {template} {}",
                answer.text()
            );
        }
    }
}

#[tokio::test]
async fn the_pages_of_an_organization_are_for_its_members() {
    let World {
        service,
        organization,
        owner,
        admin,
        member,
        ..
    } = World::new().await;
    let stranger = service.user().await;
    for user in [&owner, &admin, &member] {
        service.entitle(organization, user, None).await;
    }
    let (suspended, archived) = (
        service.organization(&owner).await,
        service.organization(&owner).await,
    );
    service.set_status(suspended, Status::Suspended).await;
    service.set_status(archived, Status::Archived).await;
    let missing = OrganizationId::new(service.now()).to_string();
    let (owners, admins) = (
        Browser::of(&service, &owner).await,
        Browser::of(&service, &admin).await,
    );
    let (members, strangers) = (
        Browser::of(&service, &member).await,
        Browser::of(&service, &stranger).await,
    );
    for (method, template, who, success) in ROUTES
        .iter()
        .filter(|(_, _, who, _)| who.is_in_organization())
    {
        for browser in [&owners, &admins, &members] {
            let answer = request(
                browser,
                &browser.own_form_token(),
                method,
                template,
                &organization.to_string(),
            );
            let refused = matches!(who, Principal::Manager(_)) && std::ptr::eq(browser, &members);
            let expected = if refused { 403 } else { *success };
            assert_eq!(
                answer.visit().await.status.as_u16(),
                expected,
                "{method} {template}"
            );
        }
        let mut refusals = BTreeSet::new();
        for (browser, organization) in [
            (&strangers, organization.to_string()),
            (&owners, suspended.to_string()),
            (&owners, archived.to_string()),
            (&owners, missing.clone()),
            (&owners, "nonsense".to_owned()),
        ] {
            let answer = request(
                browser,
                &browser.own_form_token(),
                method,
                template,
                &organization,
            )
            .visit()
            .await;
            assert_eq!(
                answer.status.as_u16(),
                404,
                "{method} {template} {organization}"
            );
            // The page has a form to sign out, which belongs to the session.
            let page = answer.text().replace(answer.header("x-request-id"), "");
            refusals.insert(page.replace(&browser.own_form_token(), ""));
        }
        assert_eq!(refusals.len(), 1, "they are indistinguishable");
    }
}

/// A page or a form of the console, and the operation of the API that does the same: method, path and body.
const EQUIVALENTS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "GET", "/organizations/O/members", "GET", "/v1/organizations/O/members", "",
    ),
    (
        "GET",
        "/organizations/O/members/U",
        "GET",
        "/v1/organizations/O/members/U/entitlements",
        "",
    ),
    (
        "GET", "/organizations/O/invitations", "GET", "/v1/organizations/O/invitations", "",
    ),
    (
        "POST", "/organizations/O/invitations", "POST", "/v1/organizations/O/invitations",
        r#"{"role":"member"}"#,
    ),
    (
        "POST",
        "/organizations/O/invitations/inv_1/revoke",
        "DELETE",
        "/v1/organizations/O/invitations/inv_1",
        "",
    ),
    (
        "POST", "/organizations/O/members/U/role", "PATCH", "/v1/organizations/O/members/U",
        r#"{"role":"member"}"#,
    ),
    (
        "POST",
        "/organizations/O/members/U/entitlement",
        "PUT",
        "/v1/organizations/O/members/U/entitlements/diff-review",
        r#"{"status":"active"}"#,
    ),
    (
        "POST",
        "/organizations/O/members/U/entitlement/revoke",
        "DELETE",
        "/v1/organizations/O/members/U/entitlements/diff-review",
        "",
    ),
    (
        "POST", "/organizations/O/members/U/remove", "DELETE", "/v1/organizations/O/members/U", "",
    ),
    (
        "GET", "/organizations/O/usage", "GET", "/v1/organizations/O/usage", "",
    ),
    ("GET", "/tokens", "GET", "/v1/tokens", ""),
    (
        "POST",
        "/tokens",
        "POST",
        "/v1/tokens",
        r#"{"name":"Acme","scopes":["tokens:write"]}"#,
    ),
    (
        "POST", "/tokens/tok_1/revoke", "DELETE", "/v1/tokens/tok_1", "",
    ),
    (
        "POST", "/organizations", "POST", "/v1/organizations", r#"{"name":"Acme"}"#,
    ),
    (
        "POST", "/invitations/accept", "POST", "/v1/invitations/accept", r#"{"code":"hwi_x"}"#,
    ),
];

#[tokio::test]
async fn the_console_refuses_whatever_the_api_refuses() {
    let World {
        service,
        organization,
        owner,
        admin,
        member,
        ..
    } = World::new().await;
    let stranger = service.user().await;
    let bound = service
        .user_with(owner.id, Scope::ALL, Some(organization), None)
        .await;
    let reader = service
        .user_with(owner.id, &[Scope::OrganizationsRead], None, None)
        .await;
    for user in [&owner, &admin, &member, &stranger, &bound, &reader] {
        let browser = Browser::of(&service, user).await;
        for (method, page, api_method, operation, body) in EQUIVALENTS {
            let path = |template: &str| {
                // The owner, who is the last one, and whom other members may not change.
                template
                    .replace("/O/", &format!("/{organization}/"))
                    .replace('U', &owner.id.to_string())
            };
            let api = service
                .call(api_method.parse().unwrap(), &path(operation))
                .token(user);
            let api = api
                .header("content-type", "application/json")
                .body(*body)
                .send()
                .await;
            let token = browser.own_form_token();
            let shown = request(&browser, &token, method, &path(page), "")
                .visit()
                .await;
            if api.status.is_success() {
                assert!(
                    shown.status.is_success() || shown.status.is_redirection(),
                    "{page}: {}",
                    shown.text()
                );
            } else {
                assert_eq!(shown.status, api.status, "{page}: {}", shown.text());
                let detail = api.json()["detail"]
                    .as_str()
                    .unwrap()
                    .replace('\'', "&#39;");
                let text = shown.text().replace("<code>", "`").replace("</code>", "`");
                assert!(text.contains(&detail), "{detail}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn a_form_of_another_site_or_session_changes_nothing() {
    let service = Service::start().await;
    let user = service.user().await;
    let (browser, other) = (
        Browser::of(&service, &user).await,
        Browser::of(&service, &user).await,
    );
    let (own, foreign) = (browser.form_token().await, other.form_token().await);
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, None).await;
    let forms: Vec<_> = ROUTES
        .iter()
        .filter(|(method, path, ..)| *method == "POST" && !path.starts_with("/sign-in"))
        .collect();
    assert_eq!(forms.len(), 12);
    for (_, template, ..) in forms {
        let organization = organization.to_string();
        for token in ["", "nonsense", &foreign] {
            let answer = request(&browser, token, "POST", template, &organization)
                .visit()
                .await;
            assert_eq!(answer.status.as_u16(), 403, "{template} {token}");
        }
        let bare = |site: &str| {
            let body = format!("form_token={own}");
            let path = template.replace("{organizationId}", &organization);
            let call = browser
                .call(Method::POST, &path)
                .header("sec-fetch-site", site)
                .body(body);
            call.header("content-type", "application/x-www-form-urlencoded")
        };
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(
                bare(site).visit().await.status.as_u16(),
                403,
                "{template} {site}"
            );
        }
    }
    assert!(browser.is_signed_in().await);
}
