//! Invitations: created, shown once, accepted once.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use server::{GrantOnCreate, Limits, Settings};
use store::{InvitationCode, Status};

use crate::support::{Answer, DAY, Logs, User, World, pages, review_path};

const ACCEPT: &str = "/v1/invitations/accept";

impl World {
    fn invitations_path(&self) -> String {
        format!("/v1/organizations/{}/invitations", self.organization)
    }

    async fn try_invite(&self, actor: &User, body: Value) -> Answer {
        self.service
            .post(&self.invitations_path(), &body)
            .token(actor)
            .send()
            .await
    }

    /// The new invitation, with its code.
    async fn invite(&self, actor: &User, role: &str) -> Value {
        self.try_invite(actor, json!({ "role": role })).await.ok()
    }

    async fn accept(&self, user: &User, code: &str) -> Answer {
        self.service
            .post(ACCEPT, &json!({ "code": code }))
            .token(user)
            .send()
            .await
    }

    async fn revoke(&self, actor: &User, invitation: &Value) -> Answer {
        let id = invitation["invitationId"].as_str().unwrap();
        self.service
            .delete(&format!("{}/{id}", self.invitations_path()))
            .token(actor)
            .send()
            .await
    }
}

fn code(invitation: &Value) -> &str {
    invitation["code"].as_str().unwrap()
}

#[tokio::test]
async fn an_invitation_is_created_listed_and_accepted_once() {
    let world = World::new().await;
    let World {
        service,
        organization,
        owner,
        ..
    } = &world;
    let answer = world.try_invite(owner, json!({ "role": "admin" })).await;
    answer.expect(201, "201");
    let made = answer.json();
    assert!(
        made["invitationId"].as_str().unwrap().starts_with("inv_")
            && code(&made).starts_with("hwi_"),
        "{made}"
    );
    assert_eq!(
        (&made["role"], &made["createdBy"]),
        (&json!("admin"), &json!(owner.id.to_string()))
    );
    assert_eq!(made["createdAt"], "2026-11-20T12:00:00Z");
    assert_eq!(made["expiresAt"], "2026-11-27T12:00:00Z");
    let listed = service
        .get(&world.invitations_path())
        .token(&world.admin)
        .send()
        .await;
    assert!(!listed.text().contains("hwi_"), "no code");
    let mut shown = made.clone();
    for name in ["code", "requestId"] {
        shown.as_object_mut().unwrap().remove(name);
    }
    assert_eq!(listed.ok()["invitations"], json!([shown]));

    let (ben, cleo) = (service.user().await, service.user().await);
    service
        .get(&format!("/v1/organizations/{organization}"))
        .token(&ben)
        .send()
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
    let joined = world.accept(&ben, code(&made)).await.ok();
    let mut seen = service
        .get(&format!("/v1/organizations/{organization}"))
        .token(&ben)
        .send()
        .await
        .ok();
    seen["requestId"] = joined["requestId"].clone();
    assert_eq!((&joined["role"], &joined), (&json!("admin"), &seen));
    for user in [&ben, &cleo] {
        world
            .accept(user, code(&made))
            .await
            .expect(404, "NOT_FOUND");
    }
    assert_eq!(
        service
            .get(&world.invitations_path())
            .token(owner)
            .send()
            .await
            .ok()["invitations"],
        json!([])
    );
    assert!(!Logs::text().contains(code(&made)));
}

#[tokio::test]
async fn only_one_of_concurrent_acceptances_succeeds() {
    let world = World::new().await;
    for _ in 0..4 {
        let made = world.invite(&world.owner, "member").await;
        let (ben, cleo, dora) = (
            world.service.user().await,
            world.service.user().await,
            world.service.user().await,
        );
        let accept = |user| world.accept(user, code(&made));
        let (one, two, three) = tokio::join!(accept(&ben), accept(&cleo), accept(&dora));
        let mut codes = [one.code(), two.code(), three.code()];
        codes.sort();
        assert_eq!(codes, ["200", "NOT_FOUND", "NOT_FOUND"]);
    }
}

#[tokio::test]
async fn every_invalid_code_gets_the_same_404() {
    let world = World::new().await;
    let World { service, owner, .. } = &world;
    let used = world.invite(owner, "member").await;
    world.accept(&service.user().await, code(&used)).await.ok();
    let revoked = world.invite(owner, "member").await;
    world.revoke(owner, &revoked).await.expect(204, "204");
    let expired = world
        .try_invite(
            owner,
            json!({ "role": "member", "expiresAt": "2026-11-20T12:00:01Z" }),
        )
        .await
        .ok();
    service.advance(Duration::from_secs(1));
    let mut codes: Vec<String> = [&used, &revoked, &expired]
        .iter()
        .map(|made| code(made).to_owned())
        .collect();
    for status in [Status::Suspended, Status::Archived] {
        let organization = service.organization(owner).await;
        let path = format!("/v1/organizations/{organization}/invitations");
        let made = service
            .post(&path, &json!({ "role": "member" }))
            .token(owner)
            .send()
            .await
            .ok();
        service.set_status(organization, status).await;
        codes.push(code(&made).to_owned());
    }
    codes.extend([
        InvitationCode::generate().expose().to_owned(),
        owner.token.clone(),
        String::new(),
        "hwi_".to_owned(),
    ]);
    codes.push(code(&used).to_uppercase());
    let ben = service.user().await;
    let mut refusals = BTreeSet::new();
    for code in &codes {
        let answer = world.accept(&ben, code).await;
        answer.expect(404, "NOT_FOUND");
        let mut problem = answer.json();
        problem["requestId"] = json!(null);
        refusals.insert(problem.to_string());
    }
    assert_eq!(
        refusals.len(),
        1,
        "they are indistinguishable: {refusals:?}"
    );
    assert!(codes.iter().filter(|code| !code.is_empty()).all(|code| {
        !refusals
            .iter()
            .any(|refusal_text| refusal_text.contains(code))
    }));
}

#[tokio::test]
async fn a_member_does_not_use_up_a_code() {
    let world = World::new().await;
    let made = world.invite(&world.owner, "owner").await;
    for user in [&world.owner, &world.admin, &world.member] {
        world
            .accept(user, code(&made))
            .await
            .expect(409, "CONFLICT");
    }
    let joined = world
        .accept(&world.service.user().await, code(&made))
        .await
        .ok();
    assert_eq!(joined["role"], "owner");
}

#[tokio::test]
async fn admins_invite_and_revoke_all_but_owners() {
    let world = World::new().await;
    let World {
        service,
        owner,
        admin,
        member,
        ..
    } = &world;
    for (actor, role, expected) in [
        (owner, "owner", "201"),
        (admin, "owner", "INSUFFICIENT_ROLE"),
        (admin, "admin", "201"),
        (admin, "member", "201"),
        (member, "member", "INSUFFICIENT_ROLE"),
    ] {
        let invited = world.try_invite(actor, json!({ "role": role })).await;
        assert_eq!(invited.code(), expected, "{role}");
        if expected == "201" && role == "owner" {
            world
                .revoke(admin, &invited.json())
                .await
                .expect(403, "INSUFFICIENT_ROLE");
            world
                .revoke(member, &invited.json())
                .await
                .expect(403, "INSUFFICIENT_ROLE");
            world
                .revoke(owner, &invited.json())
                .await
                .expect(204, "204");
            world
                .revoke(owner, &invited.json())
                .await
                .expect(404, "NOT_FOUND");
        }
    }
    service
        .get(&world.invitations_path())
        .token(member)
        .send()
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    // An invitation of another organization cannot be addressed.
    let made = world.invite(owner, "member").await;
    let stranger = service.user().await;
    let other = service.organization(&stranger).await;
    let path = format!(
        "/v1/organizations/{other}/invitations/{}",
        made["invitationId"].as_str().unwrap()
    );
    service
        .delete(&path)
        .token(&stranger)
        .send()
        .await
        .expect(404, "NOT_FOUND");
    world.accept(&stranger, code(&made)).await.ok();
}

#[tokio::test]
async fn a_removed_member_cannot_return_through_own_invitations() {
    let world = World::new().await;
    let World {
        service,
        organization,
        owner,
        admin,
        ..
    } = &world;
    let (one, two) = (
        world.invite(admin, "admin").await,
        world.invite(admin, "member").await,
    );
    let kept = world.invite(owner, "member").await;
    let path = format!("/v1/organizations/{organization}/members/{}", admin.id);
    service
        .patch(&path, &json!({ "role": "member" }))
        .token(owner)
        .send()
        .await
        .ok();
    for made in [&one, &two] {
        world
            .accept(&service.user().await, code(made))
            .await
            .expect(404, "NOT_FOUND");
    }
    service
        .delete(&path)
        .token(owner)
        .send()
        .await
        .expect(204, "204");
    world.accept(admin, code(&kept)).await.ok();
}

#[tokio::test]
async fn every_fault_of_a_request_is_listed() {
    let world = World::new().await;
    for (body, place, reason) in [
        (json!({}), "/role", "is missing"),
        (
            json!({ "role": "boss" }),
            "/role",
            "must be `owner`, `admin` or `member`",
        ),
        (
            json!({ "role": ["member"] }),
            "/role",
            "must be a string, not a list",
        ),
        (
            json!({ "role": "member", "expiresAt": "soon" }),
            "/expiresAt",
            "at most 30 days from now",
        ),
        (
            json!({ "role": "member", "expiresAt": 7 }),
            "/expiresAt",
            "must be a string, not a number",
        ),
        (
            json!({ "role": "member", "expiresAt": "2026-11-20T12:00:00Z" }),
            "/expiresAt",
            "in the future",
        ),
        (
            json!({ "role": "member", "expiresAt": "2026-12-20T12:00:00.001Z" }),
            "/expiresAt",
            "at most 30 days",
        ),
        (
            json!({ "role": "member", "expires": "x" }),
            "/expires",
            "did you mean `expiresAt`?",
        ),
    ] {
        let answer = world.try_invite(&world.owner, body).await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(at == place && detail.contains(reason), "{at}: {detail}");
    }
    for (body, place) in [
        (json!({}), "/code"),
        (json!({ "code": null }), "/code"),
        (json!({ "code": "", "x": 1 }), "/x"),
    ] {
        let answer = world
            .service
            .post(ACCEPT, &body)
            .token(&world.member)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        assert_eq!(answer.faults()[0].0, place);
    }
    let keyed = world
        .service
        .post(&world.invitations_path(), &json!({ "role": "boss" }))
        .token(&world.owner);
    let places: Vec<String> = keyed
        .header("idempotency-key", "k")
        .send()
        .await
        .faults()
        .into_iter()
        .map(|(place, _)| place)
        .collect();
    assert_eq!(places, ["Idempotency-Key", "/role"]);
    assert_eq!(
        world
            .service
            .get(&world.invitations_path())
            .token(&world.owner)
            .send()
            .await
            .ok()["invitations"],
        json!([])
    );
    let longest = world.try_invite(
        &world.owner,
        json!({ "role": "member", "expiresAt": "2026-12-20T13:00:00+01:00" }),
    );
    assert_eq!(longest.await.ok()["expiresAt"], "2026-12-20T12:00:00Z");
}

#[tokio::test]
async fn the_list_of_open_invitations_is_paginated() {
    let world = World::new().await;
    let World { service, owner, .. } = &world;
    world
        .try_invite(
            owner,
            json!({ "role": "member", "expiresAt": "2026-11-21T12:00:00Z" }),
        )
        .await
        .ok();
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(world.invite(owner, "member").await["invitationId"].clone());
    }
    assert_eq!(
        pages(
            service,
            owner,
            &world.invitations_path(),
            "invitations",
            100
        )
        .await
        .len(),
        6
    );
    service.advance(DAY);
    for limit in [1, 2, 5] {
        let listed = pages(
            service,
            owner,
            &world.invitations_path(),
            "invitations",
            limit,
        )
        .await;
        assert_eq!(
            listed
                .iter()
                .map(|it| it["invitationId"].clone())
                .collect::<Vec<_>>(),
            ids
        );
    }
    for query in [
        "limit=0", "limit=101", "cursor=tok_01kafwz8g0e2hvr6s9q4n7x3cd", "x=1",
    ] {
        let path = format!("{}?{query}", world.invitations_path());
        service
            .get(&path)
            .token(owner)
            .send()
            .await
            .expect(400, "INVALID_REQUEST");
    }
}

#[tokio::test]
async fn the_number_of_open_invitations_is_limited() {
    let limits = Limits {
        invitations_per_organization: 3,
        ..Limits::default()
    };
    let world = World::with(Settings {
        limits,
        ..Settings::default()
    })
    .await;
    let World { service, owner, .. } = &world;
    for _ in 0..3 {
        world.invite(owner, "member").await;
    }
    let refused = world.try_invite(owner, json!({ "role": "member" })).await;
    refused.expect(409, "CONFLICT");
    assert!(
        refused.text().contains("`invitationsPerOrganization` is 3"),
        "{}",
        refused.text()
    );
    service.advance(7 * DAY);
    world.invite(owner, "member").await;
}

#[tokio::test]
async fn new_members_are_entitled_if_the_settings_allow_it() {
    for (grant_on_create, expected) in [
        (GrantOnCreate::Nobody, "ENTITLEMENT_REQUIRED"),
        (GrantOnCreate::Owner, "ENTITLEMENT_REQUIRED"),
        (GrantOnCreate::Members, "200"),
    ] {
        let world = World::with(Settings {
            grant_on_create,
            ..Settings::default()
        })
        .await;
        let made = world.invite(&world.owner, "member").await;
        let ben = world.service.user().await;
        world.accept(&ben, code(&made)).await.ok();
        let answer = world
            .service
            .review(&ben, &review_path(world.organization))
            .send()
            .await;
        assert_eq!(answer.code(), expected, "{grant_on_create:?}");
    }
}
