//! The access matrix: every route × every kind of caller. The test fails for routes that are not listed here.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use serde_json::json;
use store::{InvitationCode, OrganizationId, Role, Scope, Status, TokenSecret, UserId};

use crate::support::{self, Call, Contract, DIFF, Service, User};

/// The callers of a route.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Principal {
    /// Any client, without a token.
    Anyone,
    /// A user with a token that has this scope (or any token).
    Caller(Option<Scope>),
    /// The same, except for tokens that are bound to one organization.
    UnscopedToken(Scope),
    /// A member of the organization, with a token that has this scope.
    Member(Scope),
    /// The same, for admins and owners.
    Manager(Scope),
    /// The same, for owners.
    Owner(Scope),
    /// An operator with an unbound token that has this scope. For all others the path does not exist.
    Operator(Scope),
}

impl Principal {
    /// The scope that is required in an organization.
    fn scope_in_organization(self) -> Option<Scope> {
        match self {
            Self::Member(scope) | Self::Manager(scope) | Self::Owner(scope) => Some(scope),
            _ => None,
        }
    }

    /// Whether members of this role are refused.
    fn refuses(self, role: Role) -> bool {
        match self {
            Self::Manager(_) => role == Role::Member,
            Self::Owner(_) => role != Role::Owner,
            _ => false,
        }
    }
}

/// Method, path template, callers, and the response for them.
const ROUTES: &[(&str, &str, Principal, &str)] = &[
    (
        "GET",
        "/v1/organizations",
        Principal::Caller(Some(Scope::OrganizationsRead)),
        "200",
    ),
    (
        "POST",
        "/v1/organizations",
        Principal::UnscopedToken(Scope::OrganizationsWrite),
        "201",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}",
        Principal::Member(Scope::OrganizationsRead),
        "200",
    ),
    (
        "PATCH",
        "/v1/organizations/{organizationId}",
        Principal::Manager(Scope::OrganizationsWrite),
        "200",
    ),
    // With an unknown parameter, because the organization must outlive the test.
    (
        "DELETE",
        "/v1/organizations/{organizationId}",
        Principal::Owner(Scope::OrganizationsWrite),
        "INVALID_REQUEST",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/members",
        Principal::Member(Scope::OrganizationsRead),
        "200",
    ),
    (
        "PATCH",
        "/v1/organizations/{organizationId}/members/{userId}",
        Principal::Manager(Scope::OrganizationsWrite),
        "NOT_FOUND",
    ),
    (
        "DELETE",
        "/v1/organizations/{organizationId}/members/{userId}",
        Principal::Member(Scope::OrganizationsWrite),
        "NOT_FOUND",
    ),
    // A member only sees their own, and the path contains another one.
    (
        "GET",
        "/v1/organizations/{organizationId}/members/{userId}/entitlements",
        Principal::Manager(Scope::OrganizationsRead),
        "NOT_FOUND",
    ),
    (
        "PUT",
        "/v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review",
        Principal::Member(Scope::OrganizationsWrite),
        "INSUFFICIENT_ROLE",
    ),
    (
        "DELETE",
        "/v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review",
        Principal::Member(Scope::OrganizationsWrite),
        "INSUFFICIENT_ROLE",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/usage",
        Principal::Manager(Scope::OrganizationsRead),
        "200",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/invitations",
        Principal::Manager(Scope::OrganizationsRead),
        "200",
    ),
    (
        "POST",
        "/v1/organizations/{organizationId}/invitations",
        Principal::Manager(Scope::OrganizationsWrite),
        "201",
    ),
    (
        "DELETE",
        "/v1/organizations/{organizationId}/invitations/{invitationId}",
        Principal::Manager(Scope::OrganizationsWrite),
        "NOT_FOUND",
    ),
    (
        "POST",
        "/v1/invitations/accept",
        Principal::UnscopedToken(Scope::OrganizationsWrite),
        "NOT_FOUND",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/audit-events",
        Principal::Owner(Scope::OrganizationsRead),
        "200",
    ),
    (
        "POST",
        "/v1/organizations/{organizationId}/reviews/diff/sync",
        Principal::Member(Scope::ReviewsWrite),
        "200",
    ),
    // The organization is in the body; the tests of mcp.rs are about it.
    (
        "POST",
        "/mcp",
        Principal::Caller(Some(Scope::ReviewsWrite)),
        "200",
    ),
    // Without an issuer.
    (
        "GET",
        "/.well-known/oauth-protected-resource",
        Principal::Anyone,
        "NOT_FOUND",
    ),
    (
        "GET",
        "/.well-known/oauth-protected-resource/mcp",
        Principal::Anyone,
        "NOT_FOUND",
    ),
    (
        "POST",
        "/v1/organizations/{organizationId}/reviews/pull-requests",
        Principal::Member(Scope::ReviewsWrite),
        "IN_DEVELOPMENT",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/reviews/pull-requests",
        Principal::Member(Scope::ReviewsWrite),
        "IN_DEVELOPMENT",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/reviews/pull-requests/{reviewId}",
        Principal::Member(Scope::ReviewsWrite),
        "IN_DEVELOPMENT",
    ),
    (
        "GET",
        "/v1/organizations/{organizationId}/review-guidelines",
        Principal::Member(Scope::OrganizationsRead),
        "200",
    ),
    (
        "PUT",
        "/v1/organizations/{organizationId}/review-guidelines",
        Principal::Manager(Scope::OrganizationsWrite),
        "200",
    ),
    (
        "DELETE",
        "/v1/organizations/{organizationId}/review-guidelines",
        Principal::Manager(Scope::OrganizationsWrite),
        "200",
    ),
    ("GET", "/v1/me", Principal::Caller(None), "200"),
    (
        "GET",
        "/v1/tokens",
        Principal::UnscopedToken(Scope::TokensWrite),
        "200",
    ),
    (
        "POST",
        "/v1/tokens",
        Principal::UnscopedToken(Scope::TokensWrite),
        "201",
    ),
    (
        "DELETE",
        "/v1/tokens/{tokenId}",
        Principal::UnscopedToken(Scope::TokensWrite),
        "NOT_FOUND",
    ),
    (
        "GET",
        "/v1/admin/organizations",
        Principal::Operator(Scope::OrganizationsRead),
        "200",
    ),
    (
        "GET",
        "/v1/admin/organizations/{organizationId}",
        Principal::Operator(Scope::OrganizationsRead),
        "200",
    ),
    // It is already archived.
    (
        "PATCH",
        "/v1/admin/organizations/{organizationId}",
        Principal::Operator(Scope::OrganizationsWrite),
        "CONFLICT",
    ),
    (
        "GET",
        "/v1/admin/users",
        Principal::Operator(Scope::OrganizationsRead),
        "200",
    ),
    ("GET", "/v1/limits", Principal::Caller(None), "200"),
    ("GET", "/openapi.json", Principal::Anyone, "200"),
    ("GET", "/docs", Principal::Anyone, "200"),
    ("GET", "/docs/{page}", Principal::Anyone, "200"),
    ("GET", "/docs/api/{resource}", Principal::Anyone, "200"),
    (
        "GET",
        "/docs/api/{resource}/{operation}",
        Principal::Anyone,
        "200",
    ),
    ("GET", "/docs/rules", Principal::Anyone, "NOT_FOUND"),
    (
        "GET",
        "/docs/rules/{family}/{name}",
        Principal::Anyone,
        "NOT_FOUND",
    ),
    ("GET", "/healthz", Principal::Anyone, "200"),
    ("GET", "/readyz", Principal::Anyone, "200"),
];

/// An organization with one member of each role, and one without them.
struct World {
    service: Service,
    organization: OrganizationId,
    members: Vec<User>,
    stranger: User,
}

impl World {
    async fn new() -> Self {
        let support::World {
            service,
            organization,
            owner,
            admin,
            member,
            ..
        } = support::World::new().await;
        let members = vec![owner, admin, member];
        for user in &members {
            service.entitle(organization, user, None).await;
        }
        let stranger = service.user().await;
        service.organization(&stranger).await;
        Self {
            service,
            organization,
            members,
            stranger,
        }
    }

    fn owner(&self) -> UserId {
        self.members[0].id
    }

    /// A request that is valid in every other respect.
    fn request(&self, method: &str, template: &str, organization: &str) -> Call<'_> {
        let path = template.replace("{organizationId}", organization);
        let path = path
            .replace("{reviewId}", "rev_1")
            .replace("{tokenId}", "tok_1")
            .replace("{userId}", "usr_1")
            .replace("{invitationId}", "inv_1")
            .replace("{family}/{name}", "python/x")
            .replace("{page}", "errors")
            .replace("{resource}", "reviews")
            .replace("{operation}", "review-diff");
        let path = match (method, template) {
            ("DELETE", "/v1/organizations/{organizationId}") => path + "?x=1",
            _ => path,
        };
        let body = match template.rsplit('/').next() {
            _ if template.starts_with("/v1/admin") => json!({ "status": "archived" }),
            Some("diff-review") => json!({ "status": "active" }),
            Some("mcp") => json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
            Some("sync") => json!({ "diff": DIFF }),
            Some("review-guidelines") => json!({ "guidelines": "Amounts are in cents." }),
            Some("{userId}") => json!({ "role": "member" }),
            Some("invitations") => json!({ "role": "member" }),
            Some("accept") => json!({ "code": InvitationCode::generate().expose() }),
            Some("tokens") => json!({ "name": "ci", "scopes": ["tokens:write"] }),
            _ => json!({ "name": "Acme" }),
        };
        let call = self.service.call(method.parse::<Method>().unwrap(), &path);
        match method {
            "POST" | "PUT" | "PATCH" => call
                .header("content-type", "application/json")
                .body(body.to_string()),
            _ => call,
        }
    }
}

#[test]
fn every_route_is_in_the_matrix() {
    let listed: BTreeSet<(String, String)> = ROUTES
        .iter()
        .map(|(method, path, ..)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    assert_eq!(listed, Contract::get().operations());
}

#[test]
fn the_document_describes_the_callers() {
    for (method, path, operation) in Contract::get().all() {
        let (.., who, _) = ROUTES
            .iter()
            .find(|(verb, route, ..)| verb.eq_ignore_ascii_case(method) && *route == path)
            .unwrap();
        let (scope, roles) = match *who {
            Principal::Anyone => (None, json!(null)),
            Principal::Caller(scope) => (scope, json!(null)),
            Principal::UnscopedToken(scope) | Principal::Member(scope) => {
                (Some(scope), json!(null))
            }
            // Members see their own.
            Principal::Manager(scope) if path.ends_with("/entitlements") => {
                (Some(scope), json!(null))
            }
            Principal::Manager(scope) => (Some(scope), json!(["admin", "owner"])),
            Principal::Owner(scope) => (Some(scope), json!(["owner"])),
            Principal::Operator(scope) => (Some(scope), json!(["operator"])),
        };
        let scopes: Vec<&str> = scope.iter().map(|scope| scope.as_str()).collect();
        let security = if *who == Principal::Anyone {
            json!([{}])
        } else {
            json!([{ "bearer": scopes }])
        };
        assert_eq!(
            (&operation["security"], &operation["x-roles"]),
            (&security, &roles),
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn without_a_valid_token_only_public_routes_are_accessible() {
    let world = World::new().await;
    let owner = world.owner();
    let expiry = world.service.now() + Duration::from_secs(60);
    let expired = world
        .service
        .user_with(owner, Scope::ALL, None, Some(expiry))
        .await;
    let revoked = world.service.user_with(owner, Scope::ALL, None, None).await;
    world.service.advance(Duration::from_secs(60));
    assert!(
        world
            .service
            .store
            .revoke_token(revoked.token_id, world.service.now())
            .await
            .unwrap()
            .is_some()
    );
    let unknown = TokenSecret::generate().expose().to_owned();
    let bearer = |token: &str| Some(format!("Bearer {token}"));
    for (method, template, who, success) in ROUTES {
        for (header, code) in [
            (None, "UNAUTHENTICATED"),
            (Some("Basic dXNlcjpwYXNz".to_owned()), "UNAUTHENTICATED"),
            (Some(unknown.clone()), "UNAUTHENTICATED"),
            (bearer("a b"), "UNAUTHENTICATED"),
            (bearer("nonsense"), "INVALID_TOKEN"),
            (bearer(&unknown), "INVALID_TOKEN"),
            (bearer(&unknown.to_uppercase()), "INVALID_TOKEN"),
            (bearer(&expired.token), "INVALID_TOKEN"),
            (bearer(&revoked.token), "INVALID_TOKEN"),
        ] {
            let mut request = world.request(method, template, &world.organization.to_string());
            if let Some(header) = &header {
                request = request.header("authorization", header);
            }
            let expected = if *who == Principal::Anyone {
                success
            } else {
                code
            };
            assert_eq!(
                request.send().await.code(),
                expected,
                "{method} {template} {header:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_token_is_limited_to_its_scopes() {
    let world = World::new().await;
    for (method, template, who, success) in ROUTES {
        let (Principal::Caller(Some(scope))
        | Principal::UnscopedToken(scope)
        | Principal::Member(scope)
        | Principal::Manager(scope)
        | Principal::Owner(scope)) = *who
        else {
            continue;
        };
        let others: Vec<Scope> = Scope::ALL
            .iter()
            .copied()
            .filter(|other| *other != scope)
            .collect();
        let without = world
            .service
            .user_with(world.owner(), &others, None, None)
            .await;
        let only = world
            .service
            .user_with(world.owner(), &[scope], None, None)
            .await;
        let nothing = world
            .service
            .user_with(world.owner(), &[], None, None)
            .await;
        for (token, expected) in [
            (&without, "INSUFFICIENT_SCOPE"),
            (&nothing, "INSUFFICIENT_SCOPE"),
            (&only, success),
        ] {
            // A missing scope is reported before the organization is looked up, so it reveals nothing about it.
            for organization in [world.organization.to_string(), "org_nonsense".to_owned()] {
                let answer = world
                    .request(method, template, &organization)
                    .token(token)
                    .send()
                    .await;
                let hidden = who.scope_in_organization().is_some()
                    && expected == *success
                    && organization == "org_nonsense";
                let expected = if hidden {
                    "ORGANIZATION_NOT_FOUND"
                } else {
                    expected
                };
                assert_eq!(
                    answer.code(),
                    expected,
                    "{method} {template} {organization}"
                );
                if expected == "INSUFFICIENT_SCOPE" {
                    assert!(
                        answer.text().contains(scope.as_str()),
                        "it names the scope: {}",
                        answer.text()
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn routes_are_accessible_to_members_with_the_required_role_only() {
    let world = World::new().await;
    let service = &world.service;
    let (suspended, archived) = (
        service.organization(&world.members[0]).await,
        service.organization(&world.members[0]).await,
    );
    service.set_status(suspended, Status::Suspended).await;
    service.set_status(archived, Status::Archived).await;
    let missing = OrganizationId::new(service.now());
    for (method, template, who, success) in ROUTES {
        if who.scope_in_organization().is_none() {
            continue;
        }
        for (user, &role) in world.members.iter().zip(Role::ALL) {
            let answer = world
                .request(method, template, &world.organization.to_string())
                .token(user)
                .send()
                .await;
            let expected = if who.refuses(role) {
                "INSUFFICIENT_ROLE"
            } else {
                success
            };
            assert_eq!(answer.code(), expected, "{method} {template} {role}");
        }
        let mut refusals = BTreeSet::new();
        for (user, organization) in [
            (&world.stranger, world.organization.to_string()),
            (&world.members[0], missing.to_string()),
            (&world.members[0], suspended.to_string()),
            (&world.members[0], archived.to_string()),
            (&world.members[0], "org_nonsense".to_owned()),
            (&world.members[0], "%ff%00".to_owned()),
            (&world.members[0], format!("{}x", world.organization)),
            (
                &world.members[0],
                world.organization.to_string().to_uppercase(),
            ),
            (&world.members[0], world.members[0].id.to_string()),
        ] {
            let answer = world
                .request(method, template, &organization)
                .token(user)
                .send()
                .await;
            answer.expect(404, "ORGANIZATION_NOT_FOUND");
            let mut problem = answer.json();
            problem["requestId"] = json!(null);
            let headers: Vec<_> = answer
                .headers
                .keys()
                .map(|name| name.as_str().to_owned())
                .collect();
            refusals.insert(format!("{problem} {headers:?}"));
        }
        assert_eq!(
            refusals.len(),
            1,
            "they are indistinguishable: {refusals:?}"
        );
    }
}

#[tokio::test]
async fn a_bound_token_works_in_its_organization_only() {
    let world = World::new().await;
    let service = &world.service;
    let other = service.organization(&world.members[0]).await;
    service.entitle(other, &world.members[0], None).await;
    let bound = service
        .user_with(world.owner(), Scope::ALL, Some(world.organization), None)
        .await;
    let missing = OrganizationId::new(service.now());
    for (method, template, who, success) in ROUTES {
        let own = world
            .request(method, template, &world.organization.to_string())
            .token(&bound)
            .send()
            .await;
        let expected = match who {
            Principal::UnscopedToken(_) => "INSUFFICIENT_SCOPE",
            Principal::Operator(_) => "NOT_FOUND",
            _ => success,
        };
        assert_eq!(own.code(), expected, "{method} {template}");
        if who.scope_in_organization().is_none() {
            continue;
        }
        // It makes no difference whether the user is a member there, or whether it exists.
        for organization in [
            other.to_string(),
            missing.to_string(),
            "org_nonsense".to_owned(),
        ] {
            let answer = world
                .request(method, template, &organization)
                .token(&bound)
                .send()
                .await;
            answer.expect(403, "INSUFFICIENT_SCOPE");
        }
    }
    let list = service
        .get("/v1/organizations")
        .token(&bound)
        .send()
        .await
        .ok();
    let ids: Vec<_> = list["organizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["organizationId"].clone())
        .collect();
    assert_eq!(ids, [json!(world.organization.to_string())]);
    service
        .set_status(world.organization, Status::Suspended)
        .await;
    let list = service
        .get("/v1/organizations")
        .token(&bound)
        .send()
        .await
        .ok();
    assert_eq!(list["organizations"], json!([]));
}

#[tokio::test]
async fn operator_routes_do_not_exist_for_other_users() {
    let world = World::new().await;
    let service = &world.service;
    let archived = service.organization(&world.members[0]).await;
    service.set_status(archived, Status::Archived).await;
    let operator = service.operator().await;
    let other = service.organization(&operator).await;
    let mut others = vec![
        world.stranger.clone(),
        service.user_with(world.owner(), &[], None, None).await,
        service
            .user_with(world.owner(), Scope::ALL, Some(world.organization), None)
            .await,
    ];
    others.extend(world.members.iter().cloned());
    for (method, template, who, success) in ROUTES {
        let Principal::Operator(scope) = *who else {
            continue;
        };
        let ask = async |user: &User, template| {
            world
                .request(method, template, &archived.to_string())
                .token(user)
                .send()
                .await
        };
        for user in &others {
            let (answer, nothing) = (
                ask(user, template).await,
                ask(user, "/v1/admin/nothing").await,
            );
            answer.expect(404, "NOT_FOUND");
            let shown = |answer: &crate::support::Answer| {
                let mut problem = answer.json();
                problem["requestId"] = json!(null);
                // On the wire every response has a length; here, only those of routes.
                let names = answer.headers.keys().map(|name| name.as_str().to_owned());
                (
                    problem,
                    names
                        .filter(|name| name != "content-length")
                        .collect::<Vec<_>>(),
                )
            };
            assert_eq!(shown(&answer), shown(&nothing), "{method} {template}");
        }
        let lacking: Vec<Scope> = Scope::ALL
            .iter()
            .copied()
            .filter(|other| *other != scope)
            .collect();
        for (token, expected) in [
            (
                service.user_with(operator.id, &[scope], None, None).await,
                *success,
            ),
            (
                service.user_with(operator.id, &lacking, None, None).await,
                "INSUFFICIENT_SCOPE",
            ),
            (
                service
                    .user_with(operator.id, Scope::ALL, Some(other), None)
                    .await,
                "INSUFFICIENT_SCOPE",
            ),
        ] {
            assert_eq!(
                ask(&token, template).await.code(),
                expected,
                "{method} {template}"
            );
        }
    }
}

#[tokio::test]
async fn an_operator_is_not_a_member_except_for_entitlements() {
    let world = World::new().await;
    let service = &world.service;
    let closed = service.organization(&world.members[0]).await;
    service.set_status(closed, Status::Suspended).await;
    let operator = service.operator().await;
    let missing = OrganizationId::new(service.now());
    for (method, template, who, _) in ROUTES {
        if who.scope_in_organization().is_none() {
            continue;
        }
        // The member in the path does not exist.
        let found = if template.contains("/entitlements") {
            "NOT_FOUND"
        } else {
            "ORGANIZATION_NOT_FOUND"
        };
        for (organization, expected) in [
            (world.organization.to_string(), found),
            (closed.to_string(), found),
            (missing.to_string(), "ORGANIZATION_NOT_FOUND"),
            ("org_nonsense".to_owned(), "ORGANIZATION_NOT_FOUND"),
        ] {
            let answer = world
                .request(method, template, &organization)
                .token(&operator)
                .send()
                .await;
            answer.expect(404, expected);
        }
    }
}
