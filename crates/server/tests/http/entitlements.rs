//! Entitlements: listed, granted, suspended and revoked, with the required rights.

use axum::http::Method;
use serde_json::{Value, json};
use server::{ManagedBy, Settings};
use store::Status;

use crate::support::{Answer, DAY, User, World, review_path};

async fn granted_by(managed_by: ManagedBy) -> World {
    World::with(Settings {
        managed_by,
        ..Settings::default()
    })
    .await
}

impl World {
    fn entitlements_path(&self, user: &User) -> String {
        format!(
            "/v1/organizations/{}/members/{}/entitlements",
            self.organization, user.id
        )
    }

    async fn list(&self, actor: &User, user: &User) -> Answer {
        self.service
            .get(&self.entitlements_path(user))
            .token(actor)
            .send()
            .await
    }

    async fn put(&self, actor: &User, user: &User, body: &Value) -> Answer {
        let path = format!("{}/diff-review", self.entitlements_path(user));
        self.service.send(actor, Method::PUT, &path, body).await
    }

    async fn delete(&self, actor: &User, user: &User) -> Answer {
        let path = format!("{}/diff-review", self.entitlements_path(user));
        self.service
            .send(actor, Method::DELETE, &path, &Value::Null)
            .await
    }

    async fn review(&self, user: &User) -> Answer {
        self.service
            .review(user, &review_path(self.organization))
            .send()
            .await
    }

    /// The member's only entitlement, as the member sees it.
    async fn entitlement(&self) -> Value {
        self.list(&self.member, &self.member).await.ok()["entitlements"][0].clone()
    }
}

#[tokio::test]
async fn changes_to_an_entitlement_take_effect_immediately() {
    let world = granted_by(ManagedBy::Operators).await;
    let World {
        service,
        operator,
        member,
        ..
    } = &world;
    assert_eq!(
        world.list(member, member).await.ok()["entitlements"],
        json!([])
    );
    world
        .review(member)
        .await
        .expect(403, "ENTITLEMENT_REQUIRED");
    let terms =
        json!({ "status": "active", "expiresAt": "2026-12-20T12:00:00Z", "monthlyReviewLimit": 2 });
    let granted = world.put(operator, member, &terms).await.ok();
    let mut expected = json!({
        "product": "diff-review", "status": "active", "startsAt": "2026-11-20T12:00:00Z",
        "expiresAt": "2026-12-20T12:00:00Z", "monthlyReviewLimit": 2, "monthlyReviewsLeft": 2
    });
    assert_eq!(world.entitlement().await, expected);
    expected["requestId"] = granted["requestId"].clone();
    assert_eq!(granted, expected);

    world.review(member).await.ok();
    assert_eq!(world.entitlement().await["monthlyReviewsLeft"], 1);
    world
        .put(operator, member, &json!({ "status": "suspended" }))
        .await
        .ok();
    world
        .review(member)
        .await
        .expect(403, "ENTITLEMENT_REQUIRED");
    let resumed = world
        .put(operator, member, &json!({ "status": "active" }))
        .await
        .ok();
    assert_eq!(
        (
            &resumed["monthlyReviewLimit"], &resumed["monthlyReviewsLeft"]
        ),
        (&json!(2), &json!(1))
    );
    world.review(member).await.ok();
    world.review(member).await.expect(429, "QUOTA_EXCEEDED");
    world
        .put(
            operator,
            member,
            &json!({ "status": "active", "monthlyReviewLimit": 1 }),
        )
        .await
        .ok();
    assert_eq!(world.entitlement().await["monthlyReviewsLeft"], 0);
    world
        .put(
            operator,
            member,
            &json!({ "status": "active", "monthlyReviewLimit": null }),
        )
        .await
        .ok();
    assert_eq!(world.entitlement().await["monthlyReviewsLeft"], json!(null));
    world.review(member).await.ok();

    world.delete(operator, member).await.expect(204, "204");
    world
        .review(member)
        .await
        .expect(403, "ENTITLEMENT_REQUIRED");
    assert_eq!(world.entitlement().await["status"], "revoked");
    world
        .put(
            operator,
            member,
            &json!({ "status": "active", "monthlyReviewLimit": 9 }),
        )
        .await
        .ok();
    assert_eq!(
        world.entitlement().await["monthlyReviewsLeft"],
        6,
        "a new grant does not restart the month"
    );
    service.advance(11 * DAY);
    assert_eq!(world.entitlement().await["monthlyReviewsLeft"], 9);
}

#[tokio::test]
async fn an_invalid_transition_is_refused_with_both_states() {
    let world = granted_by(ManagedBy::Operators).await;
    let World {
        service,
        operator,
        member,
        ..
    } = &world;
    let suspend = async |from: &str| {
        let refused = world
            .put(operator, member, &json!({ "status": "suspended" }))
            .await;
        refused.expect(409, "CONFLICT");
        let words = format!("The entitlement is `{from}` and cannot become `suspended`.");
        assert!(refused.text().contains(&words), "{}", refused.text());
    };
    let revoke = async |from: &str| {
        let refused = world.delete(operator, member).await;
        refused.expect(409, "CONFLICT");
        assert!(
            refused
                .text()
                .contains(&format!("is `{from}` and cannot become `revoked`")),
            "{}",
            refused.text()
        );
    };
    suspend("none").await;
    world
        .delete(operator, member)
        .await
        .expect(404, "NOT_FOUND");
    let term = json!({ "status": "active", "expiresAt": "2026-11-21T12:00:00Z" });
    world.put(operator, member, &term).await.ok();
    service.advance(DAY);
    assert_eq!(world.entitlement().await["status"], "expired");
    suspend("expired").await;
    revoke("expired").await;
    let again = world
        .put(operator, member, &json!({ "status": "active" }))
        .await
        .ok();
    assert_eq!(
        (&again["startsAt"], &again["expiresAt"]),
        (&json!("2026-11-21T12:00:00Z"), &json!(null))
    );
    world.delete(operator, member).await.expect(204, "204");
    suspend("revoked").await;
    revoke("revoked").await;
}

#[tokio::test]
async fn only_permitted_users_see_and_change_entitlements() {
    for managed_by in [ManagedBy::Operators, ManagedBy::Owners] {
        let world = granted_by(managed_by).await;
        let World {
            service,
            owner,
            admin,
            member,
            operator,
            ..
        } = &world;
        for actor in [owner, admin, operator, member] {
            world.list(actor, member).await.ok();
        }
        world
            .list(member, owner)
            .await
            .expect(403, "INSUFFICIENT_ROLE");
        let active = json!({ "status": "active" });
        for (actor, may) in [
            (operator, true),
            (owner, managed_by == ManagedBy::Owners),
            (admin, false),
            (member, false),
        ] {
            for holder in [owner, admin, member] {
                let put = world.put(actor, holder, &active).await;
                let delete = world.delete(actor, holder).await;
                if may {
                    put.ok();
                    delete.expect(204, "204");
                    continue;
                }
                for refused in [
                    put,
                    delete,
                    world.put(actor, holder, &json!({ "x": 1 })).await,
                ] {
                    refused.expect(403, "INSUFFICIENT_ROLE");
                    let words = if managed_by == ManagedBy::Owners {
                        "Only an `owner`"
                    } else {
                        "entitlements.managed_by"
                    };
                    assert!(refused.text().contains(words), "{}", refused.text());
                }
            }
        }
        let stranger = service.user().await;
        for actor in [owner, admin, operator] {
            world.list(actor, &stranger).await.expect(404, "NOT_FOUND");
        }
        world
            .put(operator, &stranger, &active)
            .await
            .expect(404, "NOT_FOUND");
        world
            .list(&stranger, &stranger)
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        world
            .put(&stranger, &stranger, &active)
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");

        service
            .set_status(world.organization, Status::Suspended)
            .await;
        world.put(operator, member, &active).await.ok();
        world.list(operator, member).await.ok();
        world
            .list(owner, member)
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        world
            .put(owner, member, &active)
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_request_to_set_an_entitlement_is_checked() {
    let world = granted_by(ManagedBy::Operators).await;
    for (body, place, reason) in [
        (json!({}), "/status", "is missing"),
        (
            json!({ "status": null }),
            "/status",
            "must be a string, not null",
        ),
        (
            json!({ "status": "revoked" }),
            "/status",
            "must be `active` or `suspended`; DELETE revokes",
        ),
        (
            json!({ "status": "active", "expiresAt": 5 }),
            "/expiresAt",
            "must be a string or null, not a number",
        ),
        (
            json!({ "status": "active", "expiresAt": "tomorrow" }),
            "/expiresAt",
            "must be a time in the future",
        ),
        (
            json!({ "status": "active", "expiresAt": "2026-11-20T12:00:00Z" }),
            "/expiresAt",
            "in the future",
        ),
        (
            json!({ "status": "active", "monthlyReviewLimit": -1 }),
            "/monthlyReviewLimit",
            "from 0 to 1000000000, or null",
        ),
        (
            json!({ "status": "active", "monthlyReviewLimit": 1.5 }),
            "/monthlyReviewLimit",
            "must be a whole number",
        ),
        (
            json!({ "status": "active", "monthlyReviewLimit": "5" }),
            "/monthlyReviewLimit",
            "must be a whole number",
        ),
        (
            json!({ "status": "active", "monthlyReviewLimit": 1_000_000_001 }),
            "/monthlyReviewLimit",
            "must be a whole",
        ),
        (
            json!({ "status": "active", "monthlyReviewLimits": 1 }),
            "/monthlyReviewLimits",
            "mean `monthlyReviewLimit`?",
        ),
    ] {
        let answer = world.put(&world.operator, &world.member, &body).await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(at == place && detail.contains(reason), "{at}: {detail}");
    }
    assert_eq!(
        world.list(&world.member, &world.member).await.ok()["entitlements"],
        json!([])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_reviews_do_not_exceed_the_monthly_quota() {
    let world = granted_by(ManagedBy::Operators).await;
    let terms = json!({ "status": "active", "monthlyReviewLimit": 5 });
    world.put(&world.operator, &world.member, &terms).await.ok();
    let reviews = (0..12).map(|_| {
        let path = review_path(world.organization);
        let request = world.service.review(&world.member, &path).into_request();
        tokio::spawn(tower::ServiceExt::oneshot(
            world.service.router.clone(),
            request,
        ))
    });
    let mut statuses = Vec::new();
    for review in reviews.collect::<Vec<_>>() {
        statuses.push(review.await.unwrap().unwrap().status().as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![200; 5], vec![429; 7]].concat());
    assert_eq!(world.entitlement().await["monthlyReviewsLeft"], 0);
}
