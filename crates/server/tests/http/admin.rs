//! Operators view and change organizations and users.

use axum::http::Method;
use serde_json::{Value, json};
use store::Status;

use crate::support::{Service, User};

/// The IDs on all pages of a list.
async fn ids(service: &Service, operator: &User, path: &str, list: &str, id: &str) -> Vec<String> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service
            .get(&format!("{path}limit=2{cursor}"))
            .token(operator)
            .send()
            .await
            .ok();
        let items = page[list].as_array().unwrap();
        assert!(items.len() <= 2);
        seen.extend(
            items
                .iter()
                .map(|item| item[id].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["nextCursor"].as_str() else {
            return seen;
        };
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test]
async fn operators_see_all_organizations_and_users() {
    let service = Service::start().await;
    let (operator, owner) = (service.operator().await, service.user().await);
    let mut made = Vec::new();
    for status in [
        None,
        Some(Status::Suspended),
        Some(Status::Archived),
        None,
        Some(Status::Suspended),
    ] {
        let id = service.organization(&owner).await;
        if let Some(status) = status {
            service.set_status(id, status).await;
        }
        made.push((id.to_string(), status.unwrap_or(Status::Active)));
    }
    let path = "/v1/admin/organizations?";
    let all = ids(&service, &operator, path, "organizations", "organizationId").await;
    assert_eq!(
        all,
        made.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>()
    );
    for status in Status::ALL {
        let path = format!("{path}status={status}&");
        let listed = ids(
            &service, &operator, &path, "organizations", "organizationId",
        )
        .await;
        let expected = made
            .iter()
            .filter(|(_, of)| of == status)
            .map(|(id, _)| id.clone());
        assert_eq!(listed, expected.collect::<Vec<_>>(), "{status}");
    }
    let users = ids(&service, &operator, "/v1/admin/users?", "users", "userId").await;
    assert_eq!(users, [operator.id.to_string(), owner.id.to_string()]);
    let users = service
        .get("/v1/admin/users")
        .token(&operator)
        .send()
        .await
        .ok()["users"]
        .clone();
    let expected = json!({
        "userId": operator.id.to_string(), "displayName": "Operator", "operator": true,
        "status": "active", "createdAt": "2026-11-20T12:00:00Z"
    });
    assert_eq!(users[0], expected);
    for (query, place) in [
        ("status=open", "status"),
        ("limit=101", "limit"),
        ("cursor=usr_1", "cursor"),
        ("x=1", "x"),
    ] {
        let refused = service
            .get(&format!("{path}{query}"))
            .token(&operator)
            .send()
            .await;
        refused.expect(400, "INVALID_REQUEST");
        assert_eq!(refused.faults()[0].0, place);
    }
}

#[tokio::test]
async fn operators_suspend_activate_and_archive() {
    let service = Service::start().await;
    let (operator, owner) = (service.operator().await, service.user().await);
    let organization = service.organization(&owner).await;
    let path = format!("/v1/admin/organizations/{organization}");
    let patch = async |path: &str, status: Value| {
        service
            .send(&operator, Method::PATCH, path, &json!({ "status": status }))
            .await
    };
    let seen = async || {
        service
            .get(&format!("/v1/organizations/{organization}"))
            .token(&owner)
            .send()
            .await
            .code()
    };
    for (status, code) in [
        ("suspended", "ORGANIZATION_NOT_FOUND"),
        ("active", "200"),
        ("archived", "ORGANIZATION_NOT_FOUND"),
    ] {
        let changed = patch(&path, json!(status)).await.ok();
        assert_eq!(changed["status"], status);
        let shown = service.get(&path).token(&operator).send().await.ok();
        assert_eq!(
            (&shown["status"], &shown["name"]),
            (&json!(status), &json!("Acme"))
        );
        assert_eq!(seen().await, code, "{status}");
    }
    let refused = patch(&path, json!("active")).await;
    refused.expect(409, "CONFLICT");
    assert!(
        refused
            .text()
            .contains("is `archived` and cannot become `active`"),
        "{}",
        refused.text()
    );
    for status in [json!("closed"), json!(null), json!(1)] {
        patch(&path, status).await.expect(400, "INVALID_REQUEST");
    }
    for missing in [
        "/v1/admin/organizations/org_1",
        "/v1/admin/organizations/org_01kafwz8g0e2hvr6s9q4n7x3cd",
    ] {
        patch(missing, json!("active"))
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        service
            .get(missing)
            .token(&operator)
            .send()
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
    }
}
