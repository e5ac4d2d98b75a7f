//! Members are listed, change roles and are removed, and there is always an owner.

use axum::http::Method;
use serde_json::{Value, json};
use store::Role;

use crate::support::{Answer, User, World, review_path};

impl World {
    fn member_path(&self, user: &User) -> String {
        format!(
            "/v1/organizations/{}/members/{}",
            self.organization, user.id
        )
    }

    async fn patch(&self, actor: &User, path: &str, body: &Value) -> Answer {
        let call = self
            .service
            .call(Method::PATCH, path)
            .header("content-type", "application/json");
        call.body(body.to_string()).token(actor).send().await
    }

    async fn set(&self, actor: &User, user: &User, role: &str) -> Answer {
        self.patch(actor, &self.member_path(user), &json!({ "role": role }))
            .await
    }

    async fn remove(&self, actor: &User, user: &User) -> Answer {
        self.service
            .call(Method::DELETE, &self.member_path(user))
            .token(actor)
            .send()
            .await
    }

    /// The members' IDs and roles, page by page.
    async fn members(&self) -> Vec<(String, String)> {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!(
                "/v1/organizations/{}/members?limit=2{cursor}",
                self.organization
            );
            let page = self.service.get(&path).token(&self.owner).send().await.ok();
            let text = |member: &Value, name: &str| member[name].as_str().unwrap().to_owned();
            seen.extend(
                page["members"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| (text(it, "userId"), text(it, "role"))),
            );
            let Some(next) = page["nextCursor"].as_str() else {
                return seen;
            };
            cursor = format!("&cursor={next}");
        }
    }
}

#[tokio::test]
async fn members_see_each_other() {
    let world = World::new().await;
    let path = format!("/v1/organizations/{}/members", world.organization);
    for user in [&world.owner, &world.admin, &world.member] {
        let members = world.service.get(&path).token(user).send().await.ok()["members"].clone();
        assert_eq!(members.as_array().unwrap().len(), 3);
        assert_eq!(
            members[0],
            json!({
                "userId": world.owner.id.to_string(), "displayName": "Someone", "role": "owner",
                "joinedAt": "2026-11-20T12:00:00Z"
            })
        );
    }
    let roles: Vec<_> = world
        .members()
        .await
        .into_iter()
        .map(|(_, role)| role)
        .collect();
    assert_eq!(roles, ["owner", "admin", "member"]);
    for query in ["limit=0", "cursor=org_01kafwz8g0e2hvr6s9q4n7x3cd", "x=1"] {
        world
            .service
            .get(&format!("{path}?{query}"))
            .token(&world.owner)
            .send()
            .await
            .expect(400, "INVALID_REQUEST");
    }
}

#[tokio::test]
async fn changed_roles_take_effect_immediately() {
    let world = World::new().await;
    let World {
        owner,
        admin,
        member,
        ..
    } = &world;
    world
        .set(member, member, "admin")
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    let promoted = world.set(admin, member, "admin").await.ok();
    assert_eq!(
        (&promoted["userId"], &promoted["role"]),
        (&json!(member.id.to_string()), &json!("admin"))
    );
    world.set(member, admin, "member").await.ok();
    world
        .set(admin, member, "member")
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    for (user, role) in [(owner, "member"), (member, "owner")] {
        let refused = world.set(member, user, role).await;
        refused.expect(403, "INSUFFICIENT_ROLE");
        assert!(
            refused.text().contains("Only an `owner`"),
            "{}",
            refused.text()
        );
    }
    world.set(owner, member, "owner").await.ok();
    world.set(member, owner, "member").await.ok();
    let roles: Vec<_> = world
        .members()
        .await
        .into_iter()
        .map(|(_, role)| role)
        .collect();
    assert_eq!(roles, ["member", "member", "owner"]);
}

#[tokio::test]
async fn a_request_to_change_a_member_is_checked() {
    let world = World::new().await;
    let path = world.member_path(&world.member);
    for (body, place, reason) in [
        (json!({}), "/role", "is missing"),
        (
            json!({ "role": null }),
            "/role",
            "must be a string, not null",
        ),
        (
            json!({ "role": "Owner" }),
            "/role",
            "must be `owner`, `admin` or `member`",
        ),
        (
            json!({ "role": "admin", "roles": 1 }),
            "/roles",
            "did you mean `role`?",
        ),
    ] {
        let answer = world.patch(&world.owner, &path, &body).await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(at == place && detail.contains(reason), "{at}: {detail}");
    }
    let stranger = world.service.user().await;
    world
        .set(&world.owner, &stranger, "admin")
        .await
        .expect(404, "NOT_FOUND");
    world
        .remove(&world.owner, &stranger)
        .await
        .expect(404, "NOT_FOUND");
    world
        .set(&stranger, &world.member, "admin")
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
    world
        .remove(&stranger, &stranger)
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
}

#[tokio::test]
async fn members_are_removed_and_may_leave() {
    let world = World::new().await;
    let World {
        service,
        organization,
        owner,
        admin,
        member,
        ..
    } = &world;
    service.entitle(*organization, member, None).await;
    service
        .review(member, &review_path(*organization))
        .send()
        .await
        .ok();
    world
        .remove(member, admin)
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    world
        .remove(admin, owner)
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    world.remove(member, member).await.expect(204, "204");
    service
        .review(member, &review_path(*organization))
        .send()
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
    world.remove(owner, member).await.expect(404, "NOT_FOUND");
    service.join(*organization, member, Role::Member).await;
    service
        .review(member, &review_path(*organization))
        .send()
        .await
        .expect(403, "ENTITLEMENT_REQUIRED");
    world.remove(admin, member).await.expect(204, "204");
    world.remove(owner, admin).await.expect(204, "204");
    assert_eq!(
        world.members().await,
        [(owner.id.to_string(), "owner".to_owned())]
    );
}

#[tokio::test]
async fn there_is_always_an_owner() {
    let world = World::new().await;
    let World {
        service,
        organization,
        owner,
        ..
    } = &world;
    world.remove(owner, owner).await.expect(409, "LAST_OWNER");
    for role in ["admin", "member"] {
        world
            .set(owner, owner, role)
            .await
            .expect(409, "LAST_OWNER");
    }
    world.set(owner, owner, "owner").await.ok();
    let other = service.user().await;
    service.join(*organization, &other, Role::Owner).await;
    world.remove(owner, owner).await.expect(204, "204");
    world.remove(&other, &other).await.expect(409, "LAST_OWNER");
}
