//! A user's own access tokens: created, listed, revoked.

use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Value, json};
use store::{Scope, Status, UnixMillis};

use crate::support::{Answer, Logs, Service, User};

const PATH: &str = "/v1/tokens";

async fn create(service: &Service, user: &User, body: Value) -> Answer {
    service.post(PATH, &body).token(user).send().await
}

async fn revoke(service: &Service, user: &User, id: &str) -> Answer {
    service
        .call(Method::DELETE, &format!("{PATH}/{id}"))
        .token(user)
        .send()
        .await
}

/// The same user with another secret.
fn with_secret(user: &User, answer: &Value) -> User {
    User {
        token: answer["token"].as_str().unwrap().to_owned(),
        ..user.clone()
    }
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap()
}

#[tokio::test]
async fn a_token_is_created_used_listed_and_revoked() {
    let service = Service::start().await;
    let user = service.user().await;
    let body = json!({ "name": " ci\n", "scopes": ["reviews:write", "organizations:read", "reviews:write"] });
    let answer = create(&service, &user, body).await;
    answer.expect(201, "201");
    let made = answer.json();
    let id = made["tokenId"].as_str().unwrap();
    assert!(
        id.starts_with("tok_") && made["token"].as_str().unwrap().starts_with("hw_"),
        "{made}"
    );
    assert_eq!(
        (&made["name"], &made["createdAt"]),
        (&json!("ci"), &json!("2026-11-20T12:00:00Z"))
    );
    assert_eq!(
        made["scopes"],
        json!(["organizations:read", "reviews:write"])
    );
    assert_eq!(
        (&made["organizationId"], &made["expiresAt"]),
        (&Value::Null, &Value::Null)
    );

    let new = with_secret(&user, &made);
    let me = service.get("/v1/me").token(&new).send().await.ok();
    assert_eq!(
        (&me["userId"], &me["scopes"]),
        (&json!(user.id.to_string()), &made["scopes"])
    );
    service
        .get(PATH)
        .token(&new)
        .send()
        .await
        .expect(403, "INSUFFICIENT_SCOPE");

    let listed = service.get(PATH).token(&user).send().await;
    let tokens = listed.ok()["tokens"].clone();
    let ids: Vec<_> = tokens
        .as_array()
        .unwrap()
        .iter()
        .map(|token| token["tokenId"].clone())
        .collect();
    assert_eq!(
        ids,
        [json!(user.token_id.to_string()), json!(id)],
        "the newest last"
    );
    assert!(!listed.text().contains("hw_"), "no secret");

    revoke(&service, &user, id).await.expect(204, "204");
    revoke(&service, &user, id).await.expect(404, "NOT_FOUND");
    service
        .get("/v1/me")
        .token(&new)
        .send()
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    revoke(&service, &user, &user.token_id.to_string())
        .await
        .expect(204, "204");
    service
        .get("/v1/me")
        .token(&user)
        .send()
        .await
        .expect(401, "INVALID_TOKEN");
    assert!(!Logs::text().contains(&new.token));
}

/// The last use of the user's first token, once it is recorded.
async fn last_use(service: &Service, user: &User, expected: UnixMillis) -> Value {
    let deadline = Instant::now() + Duration::from_secs(20);
    while service.store.list_tokens(user.id, None, 1).await.unwrap()[0].last_used_at
        != Some(expected)
    {
        assert!(Instant::now() < deadline, "it was not recorded in time");
        tokio::task::yield_now().await;
    }
    service.get(PATH).token(user).send().await.ok()["tokens"][0]["lastUsedAt"].clone()
}

#[tokio::test]
async fn a_list_shows_when_a_token_was_last_used() {
    let service = Service::start().await;
    let user = service.user().await;
    let made = create(
        &service,
        &user,
        json!({ "name": "ci", "scopes": ["reviews:write"] }),
    )
    .await
    .ok();
    assert_eq!(made["lastUsedAt"], Value::Null);
    assert_eq!(
        last_use(&service, &user, service.now()).await,
        "2026-11-20T12:00:00Z"
    );
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"][1]["lastUsedAt"],
        Value::Null
    );

    service.advance(Duration::from_secs(59));
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"][0]["lastUsedAt"],
        "2026-11-20T12:00:00Z"
    );
    service.advance(Duration::from_secs(1));
    // A refused request also counts as a use.
    service
        .get("/v1/nothing")
        .token(&user)
        .send()
        .await
        .expect(404, "NOT_FOUND");
    service
        .get("/v1/organizations/org_1")
        .token(&user)
        .send()
        .await
        .expect(404, "ORGANIZATION_NOT_FOUND");
    assert_eq!(
        last_use(&service, &user, service.now()).await,
        "2026-11-20T12:01:00Z"
    );
}

#[tokio::test]
async fn creates_with_a_secret_refuse_an_idempotency_key() {
    let service = Service::start().await;
    let user = service.user().await;
    let body = json!({ "name": "ci", "scopes": ["reviews:write"] });
    let answer = service
        .post(PATH, &body)
        .token(&user)
        .header("idempotency-key", "k-1")
        .send()
        .await;
    answer.expect(400, "INVALID_REQUEST");
    let [(at, detail)] = answer.faults().try_into().unwrap();
    assert!(
        at == "Idempotency-Key" && detail.contains("cannot be repeated"),
        "{at}: {detail}"
    );
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_token_ends_at_its_expiry() {
    let service = Service::start().await;
    let user = service.user().await;
    let body = json!({ "name": "ci", "scopes": ["reviews:write"], "expiresAt": "2026-11-20T13:01:00+01:00" });
    let made = create(&service, &user, body).await.ok();
    assert_eq!(made["expiresAt"], "2026-11-20T12:01:00Z");
    let new = with_secret(&user, &made);
    service.advance(Duration::from_secs(59));
    service.get("/v1/me").token(&new).send().await.ok();
    service.advance(Duration::from_secs(1));
    service
        .get("/v1/me")
        .token(&new)
        .send()
        .await
        .expect(401, "INVALID_TOKEN");
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn a_token_can_only_be_bound_to_an_organization_of_its_user() {
    let service = Service::start().await;
    let (user, stranger) = (service.user().await, service.user().await);
    let (own, foreign) = (
        service.organization(&user).await,
        service.organization(&stranger).await,
    );
    let archived = service.organization(&user).await;
    service.set_status(archived, Status::Archived).await;
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    let body = |organization: &str| json!({ "name": "ci", "scopes": scopes, "organizationId": organization });
    for organization in [
        foreign.to_string(),
        archived.to_string(),
        "org_nonsense".to_owned(),
        String::new(),
    ] {
        create(&service, &user, body(&organization))
            .await
            .expect(404, "ORGANIZATION_NOT_FOUND");
    }
    let made = create(&service, &user, body(&own.to_string())).await.ok();
    assert_eq!(made["organizationId"], own.to_string());
    let bound = with_secret(&user, &made);
    service
        .get(&format!("/v1/organizations/{own}"))
        .token(&bound)
        .send()
        .await
        .ok();
    create(&service, &bound, body(&own.to_string()))
        .await
        .expect(403, "INSUFFICIENT_SCOPE");
}

#[tokio::test]
async fn a_token_cannot_grant_a_scope_that_it_lacks() {
    let service = Service::start().await;
    let id = service.user().await.id;
    let user = service
        .user_with(
            id,
            &[Scope::TokensWrite, Scope::OrganizationsRead],
            None,
            None,
        )
        .await;
    let body = json!({ "name": "ci", "scopes": ["organizations:read", "reviews:write"] });
    let answer = create(&service, &user, body).await;
    answer.expect(403, "INSUFFICIENT_SCOPE");
    assert!(answer.text().contains("reviews:write"), "{}", answer.text());
    create(
        &service,
        &user,
        json!({ "name": "ci", "scopes": ["organizations:read"] }),
    )
    .await
    .ok();
}

#[tokio::test]
async fn a_token_expires_no_later_than_its_creator() {
    let service = Service::start().await;
    let id = service.user().await.id;
    let maker = service
        .user_with(
            id,
            Scope::ALL,
            None,
            Some(service.now() + Duration::from_secs(60)),
        )
        .await;
    let body = |expires_at: Value| json!({ "name": "ci", "scopes": ["tokens:write"], "expiresAt": expires_at });
    for later in ["2026-11-20T12:01:00.001Z", "2999-01-01T00:00:00Z"] {
        let refused = create(&service, &maker, body(json!(later))).await;
        refused.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = refused.faults().try_into().unwrap();
        assert!(
            at == "/expiresAt" && detail.contains("2026-11-20T12:01:00Z"),
            "{at}: {detail}"
        );
    }
    for (asked, end) in [
        (json!("2026-11-20T12:00:30Z"), "2026-11-20T12:00:30Z"),
        (json!("2026-11-20T12:01:00Z"), "2026-11-20T12:01:00Z"),
        (Value::Null, "2026-11-20T12:01:00Z"),
    ] {
        assert_eq!(
            create(&service, &maker, body(asked)).await.ok()["expiresAt"],
            end
        );
    }
    let child = create(
        &service,
        &maker,
        json!({ "name": "ci", "scopes": ["tokens:write"] }),
    )
    .await
    .ok();
    assert_eq!(child["expiresAt"], "2026-11-20T12:01:00Z");
    let grandchild = create(&service, &with_secret(&maker, &child), body(Value::Null))
        .await
        .ok();
    assert_eq!(grandchild["expiresAt"], "2026-11-20T12:01:00Z");
}

#[tokio::test]
async fn everything_created_with_a_token_ends_with_it() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let body = json!({ "name": "ci", "scopes": ["tokens:write", "organizations:write"] });
    let stolen = create(&service, &user, body.clone()).await.ok();
    let child = create(&service, &with_secret(&user, &stolen), body.clone())
        .await
        .ok();
    let grandchild = create(&service, &with_secret(&user, &child), body)
        .await
        .ok();
    let path = format!("/v1/organizations/{organization}/invitations");
    let mut codes = Vec::new();
    for token in [
        &user.token,
        text(&stolen, "token"),
        text(&grandchild, "token"),
    ] {
        let invite = service.post(
            &path,
            &json!({ "role": "owner", "expiresAt": "2026-12-19T12:00:00Z" }),
        );
        let invited = invite
            .header("authorization", &format!("Bearer {token}"))
            .send()
            .await
            .ok();
        codes.push(text(&invited, "code").to_owned());
    }
    let new_organization = async |token: &str, key: &'static str| {
        let create = service
            .post("/v1/organizations", &json!({ "name": "Bell" }))
            .header("idempotency-key", key);
        let answer = create
            .header("authorization", &format!("Bearer {token}"))
            .send()
            .await
            .ok();
        text(&answer, "organizationId").to_owned()
    };
    let own = new_organization(&user.token, "own").await;
    let planted = new_organization(text(&child, "token"), "planted").await;

    revoke(&service, &user, text(&stolen, "tokenId"))
        .await
        .expect(204, "204");
    for token in [&stolen, &child, &grandchild] {
        service
            .get("/v1/me")
            .token(&with_secret(&user, token))
            .send()
            .await
            .expect(401, "INVALID_TOKEN");
    }
    let thief = service.user().await;
    let accept = async |code: &String| {
        service
            .post("/v1/invitations/accept", &json!({ "code": code }))
            .token(&thief)
            .send()
            .await
    };
    for code in &codes[1..] {
        accept(code).await.expect(404, "NOT_FOUND");
    }
    accept(&codes[0]).await.expect(200, "200");
    assert_eq!(
        new_organization(&user.token, "own").await,
        own,
        "the answer to a key of another token is stored"
    );
    assert_ne!(new_organization(&user.token, "planted").await, planted);
    service.get("/v1/me").token(&user).send().await.ok();
}

#[tokio::test]
async fn every_fault_of_a_request_is_listed() {
    let service = Service::start().await;
    let user = service.user().await;
    let known = "`organizations:read`, `organizations:write`, `reviews:write`, `tokens:write`";
    let many = vec!["reviews:write"; 101];
    for (body, place, reason) in [
        (
            json!({ "scopes": ["reviews:write"] }),
            "/name",
            "is missing",
        ),
        (
            json!({ "name": " ", "scopes": ["reviews:write"] }),
            "/name",
            "must not be blank",
        ),
        (
            json!({ "name": "c\u{2066}i", "scopes": ["reviews:write"] }),
            "/name",
            "U+2066",
        ),
        (json!({ "name": "ci" }), "/scopes", "is missing"),
        (
            json!({ "name": "ci", "scopes": null }),
            "/scopes",
            "must be a list of strings, not null",
        ),
        (
            json!({ "name": "ci", "scopes": "reviews:write" }),
            "/scopes",
            "must be a list of strings, not a string",
        ),
        (json!({ "name": "ci", "scopes": [] }), "/scopes", known),
        (
            json!({ "name": "ci", "scopes": ["reviews:write", "root"] }),
            "/scopes",
            known,
        ),
        (
            json!({ "name": "ci", "scopes": ["reviews:write", 7] }),
            "/scopes",
            "item 2 is a number",
        ),
        (
            json!({ "name": "ci", "scopes": [["reviews:write"]] }),
            "/scopes",
            "item 1 is a list",
        ),
        (
            json!({ "name": "ci", "scopes": many }),
            "/scopes",
            "at most 100 items",
        ),
        (
            json!({ "name": "ci", "scopes": ["reviews:write"], "expiresAt": "tomorrow" }),
            "/expiresAt",
            "in the future",
        ),
        (
            json!({ "name": "ci", "scopes": ["reviews:write"], "expiresAt": "2026-11-20T12:00:00Z" }),
            "/expiresAt",
            "in the future",
        ),
        (
            json!({ "name": "ci", "scopes": ["reviews:write"], "expires": "x" }),
            "/expires",
            "mean `expiresAt`?",
        ),
        (
            json!({ "name": "ci", "scopes": ["reviews:write"], "organizationId": 7 }),
            "/organizationId",
            "must be a string",
        ),
    ] {
        let answer = create(&service, &user, body).await;
        answer.expect(400, "INVALID_REQUEST");
        let [(at, detail)] = answer.faults().try_into().unwrap();
        assert!(at == place && detail.contains(reason), "{at}: {detail}");
    }
    let all = create(
        &service,
        &user,
        json!({ "name": 1, "scopes": 2, "expiresAt": 3, "organizationId": 4 }),
    )
    .await;
    assert_eq!(all.faults().len(), 4);
    // Nested values are skipped, however deep.
    let deep = format!(
        "{{\"name\":\"ci\",\"scopes\":[{}{}]}}",
        "[".repeat(100),
        "]".repeat(100)
    );
    let request = service
        .call(Method::POST, PATH)
        .header("content-type", "application/json")
        .body(deep);
    request
        .token(&user)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_list_is_paginated_and_has_only_the_callers_tokens() {
    let service = Service::start().await;
    let (user, other) = (service.user().await, service.user().await);
    let mut ids = vec![user.token_id.to_string()];
    for _ in 0..4 {
        ids.push(
            service
                .user_with(user.id, Scope::ALL, None, None)
                .await
                .token_id
                .to_string(),
        );
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service
            .get(&format!("{PATH}?limit=2{cursor}"))
            .token(&user)
            .send()
            .await
            .ok();
        seen.extend(
            page["tokens"]
                .as_array()
                .unwrap()
                .iter()
                .map(|token| token["tokenId"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["nextCursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, ids);
    for query in [
        "limit=0", "limit=101", "cursor=org_01kafwz8g0e2hvr6s9q4n7x3cd", "x=1",
    ] {
        service
            .get(&format!("{PATH}?{query}"))
            .token(&user)
            .send()
            .await
            .expect(400, "INVALID_REQUEST");
    }
    for id in [
        &ids[0], "tok_nonsense", "%ff", "tok_01kafwz8g0e2hvr6s9q4n7x3cd",
    ] {
        revoke(&service, &other, id).await.expect(404, "NOT_FOUND");
    }
    assert_eq!(
        service.get(PATH).token(&user).send().await.ok()["tokens"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}
