//! Organizations: create, list, show.

use std::time::Duration;

use serde_json::{Value, json};
use server::{GrantOnCreate, Settings};
use store::{Role, Scope, Status};

use crate::support::{Act, DAY, DIFF, Service, User, review_path};

const PATH: &str = "/v1/organizations";

async fn create(service: &Service, user: &User, name: &str) -> Value {
    service
        .post(PATH, &json!({ "name": name }))
        .token(user)
        .send()
        .await
        .ok()
}

#[tokio::test]
async fn an_organization_is_created_shown_and_listed() {
    let service = Service::start().await;
    let user = service.user().await;
    let created = service
        .post(
            PATH,
            &json!({ "name": " \u{3000}\tAcme  Engineering\u{2028}\n" }),
        )
        .token(&user)
        .send()
        .await;
    created.expect(201, "201");
    let body = created.json();
    let id = body["organizationId"].as_str().unwrap().to_owned();
    assert!(id.starts_with("org_"));
    assert_eq!(created.header("location"), format!("{PATH}/{id}"));
    assert_eq!(
        body["name"], "Acme  Engineering",
        "white space inside stays"
    );
    assert_eq!(
        (&body["role"], &body["status"]),
        (&json!("owner"), &json!("active"))
    );
    assert_eq!(body["createdAt"], "2026-11-20T12:00:00Z");
    let mut shown = service
        .get(&format!("{PATH}/{id}"))
        .token(&user)
        .send()
        .await
        .ok();
    assert_ne!(shown["requestId"], body["requestId"]);
    shown["requestId"] = body["requestId"].clone();
    assert_eq!(shown, body);
    let list = service.get(PATH).token(&user).send().await.ok();
    assert_eq!(list["organizations"].as_array().unwrap().len(), 1);
    assert_eq!(list["organizations"][0]["organizationId"], id);
    assert_eq!(list["nextCursor"], Value::Null);
}

#[tokio::test]
async fn a_name_is_checked_after_trimming() {
    let service = Service::start().await;
    let user = service.user().await;
    let longest = "é".repeat(120);
    assert_eq!(
        create(&service, &user, &format!("  {longest}  ")).await["name"],
        longest
    );
    for (name, reason) in [
        (json!("é".repeat(121)), "at most 120 characters, not 121"),
        (json!(""), "must not be blank"),
        (
            json!(" \t\n\u{a0}\u{2003}\u{3000}\u{1680}\u{85}"),
            "must not be blank",
        ),
        (
            json!("\u{200b}\u{2060}\u{feff}\u{3164}"),
            "must not be blank",
        ),
        (json!("a\u{0}b"), "control characters"),
        (json!("a\nb"), "control characters"),
        (json!("a\u{9b}b"), "control characters"),
        (json!("Ac\u{202e}me"), "U+202E"),
        (json!("\u{2068}Acme"), "U+2068"),
        (json!("Acme\u{61c}"), "U+061C"),
        (json!("Ac\u{200b}me"), "U+200B"),
        (json!("Ac\u{200d}me"), "U+200D"),
        (json!(null), "must be a string, not null"),
        (json!(7), "must be a string, not a number"),
        (json!(["x"]), "must be a string, not a list"),
        (json!({"x": 1}), "must be a string, not an object"),
        (json!(true), "must be a string, not a boolean"),
    ] {
        let answer = service
            .post(PATH, &json!({ "name": name }))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let faults = answer.faults();
        assert_eq!((faults.len(), faults[0].0.as_str()), (1, "/name"));
        assert!(faults[0].1.contains(reason), "{name}: {}", faults[0].1);
    }
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["organizations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn two_organizations_may_share_a_name() {
    let service = Service::start().await;
    let user = service.user().await;
    let (first, second) = (
        create(&service, &user, "Acme").await,
        create(&service, &user, "Acme").await,
    );
    assert_ne!(first["organizationId"], second["organizationId"]);
}

#[tokio::test]
async fn a_list_has_only_the_callers_active_organizations() {
    let service = Service::start().await;
    let (user, other) = (service.user().await, service.user().await);
    let own = service.organization(&user).await;
    let joined = service.organization(&other).await;
    service.join(joined, &user, Role::Admin).await;
    let suspended = service.organization(&user).await;
    service.set_status(suspended, Status::Suspended).await;
    let archived = service.organization(&user).await;
    service.set_status(archived, Status::Archived).await;
    service.organization(&other).await;
    let list = service.get(PATH).token(&user).send().await.ok();
    let seen: Vec<_> = list["organizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| (o["organizationId"].clone(), o["role"].clone()))
        .collect();
    assert_eq!(
        seen,
        [
            (json!(own.to_string()), json!("owner")),
            (json!(joined.to_string()), json!("admin"))
        ]
    );
}

#[tokio::test]
async fn a_list_is_paginated() {
    let service = Service::start().await;
    let user = service.user().await;
    let mut expected = Vec::new();
    for _ in 0..7 {
        service.advance(Duration::from_millis(1));
        expected.push(service.organization(&user).await.to_string());
    }
    for limit in [1, 3, 7, 100] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = service
                .get(&format!("{PATH}?limit={limit}{cursor}"))
                .token(&user)
                .send()
                .await
                .ok();
            let ids = page["organizations"].as_array().unwrap();
            assert!(ids.len() <= limit);
            seen.extend(
                ids.iter()
                    .map(|o| o["organizationId"].as_str().unwrap().to_owned()),
            );
            let Some(next) = page["nextCursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(seen, expected, "limit {limit}");
    }
}

#[tokio::test]
async fn a_query_is_checked() {
    let service = Service::start().await;
    let user = service.user().await;
    for (query, places) in [
        ("limit=0", &["limit"][..]),
        ("limit=101", &["limit"]),
        ("limit=-1", &["limit"]),
        ("limit=ten", &["limit"]),
        ("limit=", &["limit"]),
        ("limit=1&limit=2", &["limit"]),
        ("cursor=nonsense", &["cursor"]),
        ("limits=5", &["limits"]),
        ("limit=0&cursor=x&page=2", &["limit", "cursor", "page"]),
        ("limit=%ff", &["limit"]),
    ] {
        let answer = service
            .get(&format!("{PATH}?{query}"))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let faults: Vec<String> = answer
            .faults()
            .into_iter()
            .map(|(place, _)| place)
            .collect();
        assert_eq!(faults, places, "{query}");
    }
    let near = service
        .get(&format!("{PATH}?limits=5"))
        .token(&user)
        .send()
        .await;
    assert!(
        near.faults()[0].1.contains("did you mean `limit`?"),
        "{:?}",
        near.faults()
    );
    let organization = service.organization(&user).await;
    service
        .get(&format!("{PATH}/{organization}?x=1"))
        .token(&user)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
    service
        .post(&format!("{PATH}?dry=1"), &json!({ "name": "A" }))
        .token(&user)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_repeated_create_gets_the_first_response_for_a_day() {
    let service = Service::start().await;
    let (user, other) = (service.user().await, service.user().await);
    let send = |user: &User, name: &str, key: &str| {
        service
            .post(PATH, &json!({ "name": name }))
            .token(user)
            .header("idempotency-key", key)
            .send()
    };
    let first = send(&user, "Acme", "k-1").await.ok();
    service.advance(DAY - Duration::from_millis(1));
    let again = send(&user, " Acme ", "k-1").await;
    again.expect(201, "201");
    let again = again.json();
    assert_eq!(
        (&again["organizationId"], &again["createdAt"]),
        (&first["organizationId"], &first["createdAt"])
    );
    assert_ne!(again["requestId"], first["requestId"]);
    send(&user, "Other", "k-1")
        .await
        .expect(409, "IDEMPOTENCY_CONFLICT");
    assert_ne!(
        send(&other, "Acme", "k-1").await.ok()["organizationId"],
        first["organizationId"],
        "a key belongs to its user"
    );
    assert_ne!(
        send(&user, "Acme", "k-2").await.ok()["organizationId"],
        first["organizationId"]
    );
    service.advance(Duration::from_millis(1));
    assert_ne!(
        send(&user, "Other", "k-1").await.ok()["organizationId"],
        first["organizationId"],
        "after a day it can be reused"
    );
}

#[tokio::test]
async fn the_format_of_an_idempotency_key_is_checked() {
    let service = Service::start().await;
    let user = service.user().await;
    for key in ["", "a b", &"x".repeat(256), "é"] {
        let answer = service
            .post(PATH, &json!({ "nam": "A" }))
            .token(&user)
            .header("idempotency-key", key)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let places: Vec<String> = answer
            .faults()
            .into_iter()
            .map(|(place, _)| place)
            .collect();
        assert_eq!(
            places,
            ["Idempotency-Key", "/name", "/nam"],
            "every fault is listed"
        );
    }
    let twice = service
        .post(PATH, &json!({ "name": "A" }))
        .token(&user)
        .header("idempotency-key", "a")
        .header("idempotency-key", "b");
    twice.send().await.expect(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn the_settings_determine_who_is_entitled_automatically() {
    for (grant_on_create, expected) in [
        (GrantOnCreate::Nobody, "ENTITLEMENT_REQUIRED"),
        (GrantOnCreate::Owner, "200"),
        (GrantOnCreate::Members, "200"),
    ] {
        let service = Service::with(
            Settings {
                grant_on_create,
                ..Settings::default()
            },
            Act::Nothing,
        )
        .await;
        let user = service.user().await;
        let id = create(&service, &user, "Acme").await["organizationId"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let answer = service
            .post(&review_path(id), &json!({ "diff": DIFF }))
            .token(&user)
            .send()
            .await;
        assert_eq!(answer.code(), expected, "{grant_on_create:?}");
    }
}

#[tokio::test]
async fn admins_and_owners_rename_an_organization() {
    let service = Service::start().await;
    let (owner, admin, member) = (
        service.user().await,
        service.user().await,
        service.user().await,
    );
    let organization = service.organization(&owner).await;
    service.join(organization, &admin, Role::Admin).await;
    service.join(organization, &member, Role::Member).await;
    let path = format!("{PATH}/{organization}");
    let rename = |user: &User, name: Value| {
        service
            .patch(&path, &json!({ "name": name }))
            .token(user)
            .send()
    };
    let before = service.get(&path).token(&owner).send().await.ok();
    for (user, role, name) in [
        (&owner, "owner", "Bell"),
        (&admin, "admin", "\u{3000}Cork \n"),
    ] {
        let renamed = rename(user, json!(name)).await.ok();
        assert_eq!(
            (&renamed["name"], &renamed["role"]),
            (&json!(name.trim()), &json!(role))
        );
        assert_eq!(
            (&renamed["organizationId"], &renamed["createdAt"]),
            (&before["organizationId"], &before["createdAt"])
        );
    }
    rename(&member, json!("Dale"))
        .await
        .expect(403, "INSUFFICIENT_ROLE");
    for (body, place, reason) in [
        (json!({ "name": " \t" }), "/name", "must not be blank"),
        (
            json!({ "name": "é".repeat(121) }),
            "/name",
            "at most 120 characters, not 121",
        ),
        (json!({ "name": "a\u{7}b" }), "/name", "control characters"),
        (json!({ "name": "a\u{200f}b" }), "/name", "U+200F"),
        (
            json!({ "name": null }),
            "/name",
            "must be a string, not null",
        ),
        (json!({}), "/name", "is missing"),
        (
            json!({ "name": "Dale", "status": "archived" }),
            "/status",
            "unknown property",
        ),
    ] {
        let answer = service.patch(&path, &body).token(&owner).send().await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(at == place && detail.contains(reason), "{at}: {detail}");
    }
    assert_eq!(
        service.get(&path).token(&member).send().await.ok()["name"],
        "Cork"
    );
}

#[tokio::test]
async fn an_archived_organization_is_inaccessible_to_all() {
    let service = Service::start().await;
    let (owner, admin, member) = (
        service.user().await,
        service.user().await,
        service.user().await,
    );
    let organization = service.organization(&owner).await;
    service.entitle(organization, &owner, None).await;
    service.join(organization, &admin, Role::Admin).await;
    service.join(organization, &member, Role::Member).await;
    let kept = service.organization(&owner).await;
    let bound = service
        .user_with(owner.id, Scope::ALL, Some(organization), None)
        .await;
    let path = format!("{PATH}/{organization}");
    for user in [&admin, &member] {
        service
            .delete(&path)
            .token(user)
            .send()
            .await
            .expect(403, "INSUFFICIENT_ROLE");
    }
    service
        .review(&bound, &review_path(organization))
        .send()
        .await
        .ok();
    service
        .delete(&path)
        .token(&owner)
        .send()
        .await
        .expect(204, "204");
    for user in [&owner, &admin, &member, &bound] {
        service
            .get(&path)
            .token(user)
            .send()
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        service
            .delete(&path)
            .token(user)
            .send()
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        service
            .patch(&path, &json!({ "name": "Back" }))
            .token(user)
            .send()
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
        service
            .review(user, &review_path(organization))
            .send()
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
    }
    for (user, expected) in [
        (&owner, vec![json!(kept.to_string())]),
        (&member, vec![]),
        (&bound, vec![]),
    ] {
        let list = service.get(PATH).token(user).send().await.ok();
        let ids: Vec<Value> = list["organizations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|o| o["organizationId"].clone())
            .collect();
        assert_eq!(ids, expected);
    }
}

#[tokio::test]
async fn only_one_of_concurrent_archivals_succeeds() {
    let service = Service::start().await;
    let owner = service.user().await;
    let organization = service.organization(&owner).await;
    let path = format!("{PATH}/{organization}");
    let archive = || service.delete(&path).token(&owner).send();
    let (one, two, three) = tokio::join!(archive(), archive(), archive());
    let mut codes = [one.code(), two.code(), three.code()];
    codes.sort();
    assert_eq!(
        codes,
        ["204", "ORGANIZATION_NOT_FOUND", "ORGANIZATION_NOT_FOUND"]
    );
}
