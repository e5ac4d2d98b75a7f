//! Audit events, as seen by owners.

use std::time::Duration;

use serde_json::{Value, json};
use store::Role;

use crate::support::{Service, pages};

#[tokio::test]
async fn owners_see_actor_action_and_object() {
    let service = Service::start().await;
    let (owner, member) = (service.user().await, service.user().await);
    let made = service
        .post("/v1/organizations", &json!({ "name": "Acme" }))
        .token(&owner)
        .send()
        .await
        .ok();
    let organization = made["organizationId"].as_str().unwrap();
    let path = format!("/v1/organizations/{organization}");
    let (owner_id, member_id) = (owner.id.to_string(), member.id.to_string());
    service
        .join(organization.parse().unwrap(), &member, Role::Member)
        .await;
    let member_path = format!("{path}/members/{member_id}");
    service
        .patch(&member_path, &json!({ "role": "admin" }))
        .token(&owner)
        .send()
        .await
        .ok();
    service
        .patch(&path, &json!({ "name": "Bell" }))
        .token(&member)
        .send()
        .await
        .ok();
    let body = json!({ "name": "ci", "scopes": ["reviews:write"], "organizationId": organization });
    let token = service
        .post("/v1/tokens", &body)
        .token(&owner)
        .send()
        .await
        .ok()["tokenId"]
        .clone();
    service
        .delete(&format!("/v1/tokens/{}", token.as_str().unwrap()))
        .token(&owner)
        .send()
        .await
        .expect(204, "204");
    service.advance(Duration::from_secs(1));
    service
        .delete(&member_path)
        .token(&member)
        .send()
        .await
        .expect(204, "204");

    let list = service
        .get(&format!("{path}/audit-events"))
        .token(&owner)
        .send()
        .await
        .ok();
    assert_eq!(list["nextCursor"], Value::Null);
    let user = |id: &str| json!({ "kind": "user", "userId": id });
    let operator = json!({ "kind": "commandLine", "userId": null });
    let expected = [
        (
            "organization.created",
            user(&owner_id),
            json!(owner_id),
            Value::Null,
            Value::Null,
            json!("Acme"),
        ),
        (
            "member.joined",
            operator,
            json!(member_id),
            Value::Null,
            Value::Null,
            json!("member"),
        ),
        (
            "member.role-changed",
            user(&owner_id),
            json!(member_id),
            Value::Null,
            json!("member"),
            json!("admin"),
        ),
        (
            "organization.renamed",
            user(&member_id),
            Value::Null,
            Value::Null,
            json!("Acme"),
            json!("Bell"),
        ),
        (
            "token.created",
            user(&owner_id),
            json!(owner_id),
            token.clone(),
            Value::Null,
            json!("reviews:write"),
        ),
        (
            "token.revoked",
            user(&owner_id),
            json!(owner_id),
            token,
            Value::Null,
            Value::Null,
        ),
        (
            "member.left",
            user(&member_id),
            json!(member_id),
            Value::Null,
            json!("admin"),
            Value::Null,
        ),
    ];
    let events = list["auditEvents"].as_array().unwrap();
    for (event, (action, actor, user, subject, old, new)) in events.iter().zip(&expected) {
        assert!(event["auditEventId"].as_str().unwrap().starts_with("evt_"));
        assert_eq!(event["action"], *action);
        assert_eq!(
            (&event["actor"], &event["userId"], &event["subject"]),
            (actor, user, subject),
            "{action}"
        );
        assert_eq!(
            (&event["oldValue"], &event["newValue"]),
            (old, new),
            "{action}"
        );
    }
    assert_eq!(events.len(), expected.len());
    assert_eq!(
        (&events[0]["createdAt"], &events[6]["createdAt"]),
        (
            &json!("2026-11-20T12:00:00Z"),
            &json!("2026-11-20T12:00:01Z")
        )
    );
}

#[tokio::test]
async fn events_are_paginated_and_for_owners_only() {
    let service = Service::start().await;
    let (owner, admin, member) = (
        service.user().await,
        service.user().await,
        service.user().await,
    );
    let organization = service.organization(&owner).await;
    service.join(organization, &admin, Role::Admin).await;
    service.join(organization, &member, Role::Member).await;
    let path = format!("/v1/organizations/{organization}/audit-events");
    for name in 0..4 {
        let body = json!({ "name": name.to_string() });
        service
            .patch(&format!("/v1/organizations/{organization}"), &body)
            .token(&admin)
            .send()
            .await
            .ok();
    }
    let all = pages(&service, &owner, &path, "auditEvents", 100).await;
    assert_eq!(all.len(), 7);
    for limit in [1, 3, 7] {
        assert_eq!(
            pages(&service, &owner, &path, "auditEvents", limit).await,
            all
        );
    }
    for user in [&admin, &member] {
        let refused = service.get(&path).token(user).send().await;
        refused.expect(403, "INSUFFICIENT_ROLE");
        assert!(refused.text().contains("`owner`"), "{}", refused.text());
    }
    for query in [
        "limit=0", "limit=101", "cursor=inv_01kafwz8g0e2hvr6s9q4n7x3cd", "x=1",
    ] {
        service
            .get(&format!("{path}?{query}"))
            .token(&owner)
            .send()
            .await
            .expect(400, "INVALID_REQUEST");
    }
    // The cursor of another organization's page reveals nothing of it.
    let other = service.organization(&owner).await;
    let cursor = all[0]["auditEventId"].as_str().unwrap();
    let foreign = format!("/v1/organizations/{other}/audit-events?cursor={cursor}");
    let seen = service.get(&foreign).token(&owner).send().await.ok();
    assert_eq!(seen["auditEvents"].as_array().unwrap().len(), 1);
    assert_eq!(seen["auditEvents"][0]["action"], "organization.created");
}

#[tokio::test]
async fn misleading_characters_in_an_old_name_are_shown_as_code_points() {
    let service = Service::start().await;
    let owner = service.user().await;
    let made = service
        .store
        .insert_organization("Ac\u{202e}me\u{200b}", owner.id, None, service.now())
        .await
        .unwrap();
    let path = format!("/v1/organizations/{}", made.id);
    service
        .patch(&path, &json!({ "name": "Acme" }))
        .token(&owner)
        .send()
        .await
        .ok();
    let list = service
        .get(&format!("{path}/audit-events"))
        .token(&owner)
        .send()
        .await
        .ok();
    let escaped = "Ac\\u{202e}me\\u{200b}";
    let (created, renamed) = (&list["auditEvents"][0], &list["auditEvents"][1]);
    assert_eq!(
        (&created["newValue"], &renamed["oldValue"]),
        (&json!(escaped), &json!(escaped))
    );
    assert_eq!(renamed["newValue"], "Acme");
}
