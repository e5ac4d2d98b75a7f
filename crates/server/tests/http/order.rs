//! The order of the checks: every combination of failing checks is answered for the first of them.

use axum::http::Method;
use serde_json::json;
use server::Limits;
use store::{OrganizationId, Role, Scope};

use crate::support::{Act, DIFF, Service, review_path};

/// The checks of a review in order, with the answer if one fails.
const CHECKS: [(u16, &str); 8] = [
    (401, "INVALID_TOKEN"),
    (403, "INSUFFICIENT_SCOPE"),
    (404, "ORGANIZATION_NOT_FOUND"),
    (406, "NOT_ACCEPTABLE"),
    (400, "INVALID_REQUEST"),
    (413, "PAYLOAD_TOO_LARGE"),
    (403, "ENTITLEMENT_REQUIRED"),
    (429, "RATE_LIMITED"),
];
const TOKEN: usize = 0;
const SCOPE: usize = 1;
const ORGANIZATION: usize = 2;
const ACCEPT: usize = 3;
const SHAPE: usize = 4;
const SIZE: usize = 5;
const ENTITLEMENT: usize = 6;
const PACE: usize = 7;

/// Each combination uses a separate token, all of the same user.
fn many_tokens() -> Limits {
    Limits {
        user_requests_factor: 10_000,
        ..Limits::default()
    }
}

#[tokio::test]
async fn every_combination_of_failing_checks_of_a_review_is_answered_for_the_first() {
    let limits = Limits {
        requests_per_minute: 1,
        diff_bytes: DIFF.len(),
        ..many_tokens()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let owner = service.user().await;
    let (entitled, plain) = (
        service.organization(&owner).await,
        service.organization(&owner).await,
    );
    service.entitle(entitled, &owner, None).await;
    let missing = OrganizationId::new(service.now());
    for mask in 0..1_u32 << CHECKS.len() {
        let fails = |check: usize| mask & (1 << check) != 0;
        let scopes = if fails(SCOPE) {
            &[Scope::OrganizationsRead][..]
        } else {
            &[Scope::ReviewsWrite, Scope::OrganizationsRead]
        };
        let mut user = service.user_with(owner.id, scopes, None, None).await;
        if fails(PACE) {
            service.get("/v1/limits").token(&user).send().await.ok();
        }
        if fails(TOKEN) {
            user.token.push('x');
        }
        let organization = match (fails(ORGANIZATION), fails(ENTITLEMENT)) {
            (true, _) => missing,
            (false, true) => plain,
            (false, false) => entitled,
        };
        let diff = if fails(SIZE) {
            format!("{DIFF}\n")
        } else {
            DIFF.to_owned()
        };
        let body = if fails(SHAPE) {
            json!({ "diff": diff, "difff": 1 })
        } else {
            json!({ "diff": diff })
        };
        let accept = if fails(ACCEPT) { "text/html" } else { "*/*" };
        let answer = service
            .post(&review_path(organization), &body)
            .token(&user)
            .header("accept", accept)
            .send()
            .await;
        let expected = CHECKS
            .iter()
            .enumerate()
            .find(|(check, _)| fails(*check))
            .map_or((200, "200"), |(_, check)| *check);
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            expected,
            "{mask:08b} {}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn every_combination_of_failing_checks_of_a_create_is_answered_for_the_first() {
    let service = Service::limited(
        Limits {
            requests_per_minute: 1,
            body_bytes: 64,
            ..many_tokens()
        },
        Act::Nothing,
    )
    .await;
    let owner = service.user().await;
    let checks = [
        "INVALID_TOKEN", "INSUFFICIENT_SCOPE", "NOT_ACCEPTABLE", "UNSUPPORTED_MEDIA_TYPE",
        "PAYLOAD_TOO_LARGE", "INVALID_REQUEST", "RATE_LIMITED",
    ];
    for mask in 0..1_u32 << checks.len() {
        let fails = |code: &str| {
            checks
                .iter()
                .position(|check| *check == code)
                .is_some_and(|at| mask & (1 << at) != 0)
        };
        let scopes = if fails("INSUFFICIENT_SCOPE") {
            &[Scope::OrganizationsRead][..]
        } else {
            &[Scope::OrganizationsWrite]
        };
        let mut user = service.user_with(owner.id, scopes, None, None).await;
        if fails("RATE_LIMITED") {
            service.get("/v1/limits").token(&user).send().await.ok();
        }
        if fails("INVALID_TOKEN") {
            user.token.pop();
        }
        let mut body = if fails("INVALID_REQUEST") {
            json!({ "name": "" })
        } else {
            json!({ "name": "Acme" })
        }
        .to_string();
        if fails("PAYLOAD_TOO_LARGE") {
            body.push_str(&" ".repeat(64));
        }
        let media_type = if fails("UNSUPPORTED_MEDIA_TYPE") {
            "text/plain"
        } else {
            "application/json"
        };
        let accept = if fails("NOT_ACCEPTABLE") {
            "text/html"
        } else {
            "application/json"
        };
        let request = service
            .call(Method::POST, "/v1/organizations")
            .token(&user)
            .body(body);
        let answer = request
            .header("content-type", media_type)
            .header("accept", accept)
            .send()
            .await;
        let expected = checks
            .iter()
            .find(|code| fails(code))
            .copied()
            .unwrap_or("201");
        assert_eq!(answer.code(), expected, "{mask:07b} {}", answer.text());
    }
}

#[tokio::test]
async fn every_combination_of_failing_checks_of_an_invitation_is_answered_for_the_first() {
    let limits = Limits {
        requests_per_minute: 1,
        body_bytes: 64,
        ..many_tokens()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (owner, member) = (service.user().await, service.user().await);
    let organization = service.organization(&owner).await;
    service.join(organization, &member, Role::Member).await;
    let missing = OrganizationId::new(service.now());
    let checks = [
        "INVALID_TOKEN", "INSUFFICIENT_SCOPE", "ORGANIZATION_NOT_FOUND", "INSUFFICIENT_ROLE",
        "NOT_ACCEPTABLE", "UNSUPPORTED_MEDIA_TYPE", "PAYLOAD_TOO_LARGE", "INVALID_REQUEST",
        "RATE_LIMITED",
    ];
    for mask in 0..1_u32 << checks.len() {
        let fails = |code: &str| {
            checks
                .iter()
                .position(|check| *check == code)
                .is_some_and(|at| mask & (1 << at) != 0)
        };
        let scopes = if fails("INSUFFICIENT_SCOPE") {
            &[Scope::OrganizationsRead][..]
        } else {
            &[Scope::OrganizationsWrite]
        };
        let who = if fails("INSUFFICIENT_ROLE") {
            member.id
        } else {
            owner.id
        };
        let mut user = service.user_with(who, scopes, None, None).await;
        if fails("RATE_LIMITED") {
            service.get("/v1/limits").token(&user).send().await.ok();
        }
        if fails("INVALID_TOKEN") {
            user.token.pop();
        }
        let role = if fails("INVALID_REQUEST") {
            "boss"
        } else {
            "member"
        };
        let mut body = json!({ "role": role }).to_string();
        if fails("PAYLOAD_TOO_LARGE") {
            body.push_str(&" ".repeat(64));
        }
        let media_type = if fails("UNSUPPORTED_MEDIA_TYPE") {
            "text/plain"
        } else {
            "application/json"
        };
        let accept = if fails("NOT_ACCEPTABLE") {
            "text/html"
        } else {
            "application/json"
        };
        let organization = if fails("ORGANIZATION_NOT_FOUND") {
            missing
        } else {
            organization
        };
        let request = service.call(
            Method::POST,
            &format!("/v1/organizations/{organization}/invitations"),
        );
        let request = request
            .token(&user)
            .body(body)
            .header("content-type", media_type)
            .header("accept", accept);
        let answer = request.send().await;
        let expected = checks
            .iter()
            .find(|code| fails(code))
            .copied()
            .unwrap_or("201");
        assert_eq!(answer.code(), expected, "{mask:09b} {}", answer.text());
    }
}
