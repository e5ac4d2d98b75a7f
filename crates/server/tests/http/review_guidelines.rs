//! Review guidelines: set, shown, removed, and passed to engines with a model.

use axum::http::Method;
use serde_json::{Value, json};
use server::Settings;
use store::Role;

use crate::support::{Act, Answer, Script, Service, User, review_path};

async fn put(service: &Service, user: &User, path: &str, guidelines: &Value) -> Answer {
    let call = service
        .call(Method::PUT, path)
        .header("content-type", "application/json");
    call.body(json!({ "guidelines": guidelines }).to_string())
        .token(user)
        .send()
        .await
}

/// An owner and the path of the organization's guidelines.
async fn owner(service: &Service) -> (User, String) {
    let user = service.user().await;
    let organization = service.organization(&user).await;
    (
        user,
        format!("/v1/organizations/{organization}/review-guidelines"),
    )
}

#[tokio::test]
async fn guidelines_are_set_shown_and_removed() {
    let service = Service::start().await;
    let (user, path) = owner(&service).await;
    let none = service.get(&path).token(&user).send().await.ok();
    assert_eq!(
        (&none["guidelines"], &none["updatedAt"]),
        (&Value::Null, &Value::Null)
    );
    let text = "Amounts are in cents.\n\t- \u{202f}Größe \u{1f642}";
    let set = put(
        &service,
        &user,
        &path,
        &json!(format!(" \n\u{3000}{text}\t\n")),
    )
    .await;
    let shown = service.get(&path).token(&user).send().await.ok();
    for body in [&set.ok(), &shown] {
        assert_eq!(
            (&body["guidelines"], &body["updatedAt"]),
            (&json!(text), &json!("2026-11-20T12:00:00Z"))
        );
    }
    service.advance(std::time::Duration::from_secs(1));
    let replaced = put(&service, &user, &path, &json!("other")).await.ok();
    assert_eq!(
        (&replaced["guidelines"], &replaced["updatedAt"]),
        (&json!("other"), &json!("2026-11-20T12:00:01Z"))
    );
    for _ in 0..2 {
        let removed = service
            .call(Method::DELETE, &path)
            .token(&user)
            .send()
            .await
            .ok();
        assert_eq!(
            (&removed["guidelines"], &removed["updatedAt"]),
            (&Value::Null, &Value::Null)
        );
    }
    assert_eq!(
        service.get(&path).token(&user).send().await.ok()["guidelines"],
        Value::Null
    );
}

#[tokio::test]
async fn a_text_is_checked_after_trimming() {
    let service = Service::start().await;
    let (user, path) = owner(&service).await;
    let longest = "é".repeat(4_096);
    assert_eq!(
        put(&service, &user, &path, &json!(format!(" {longest}\n")))
            .await
            .ok()["guidelines"],
        longest
    );
    for (text, reason) in [
        (
            json!(format!("{longest}x")),
            "at most 8192 bytes (UTF-8), not 8193",
        ),
        (json!(""), "must not be blank"),
        (json!(" \t\n\u{3000}"), "must not be blank"),
        (json!("a\u{0}b"), "control characters"),
        (json!("a\r\nb"), "control characters"),
        (json!("a\u{1b}[2Jb"), "control characters"),
        (json!("a\u{9b}b"), "control characters"),
        (json!(null), "must be a string, not null"),
        (json!(["x"]), "must be a string, not a list"),
    ] {
        let answer = put(&service, &user, &path, &text).await;
        answer.expect(400, "INVALID_REQUEST");
        let [(place, detail)] = answer.faults().try_into().unwrap();
        assert!(
            place == "/guidelines" && detail.contains(reason),
            "{place}: {detail}"
        );
    }
    assert_eq!(
        service.get(&path).token(&user).send().await.ok()["guidelines"],
        longest,
        "nothing has changed"
    );
}

#[tokio::test]
async fn members_read_and_managers_write() {
    let service = Service::start().await;
    let (owner, path) = owner(&service).await;
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    for (role, writes) in [
        (Role::Owner, true),
        (Role::Admin, true),
        (Role::Member, false),
    ] {
        let user = service.user().await;
        service.join(organization, &user, role).await;
        put(&service, &owner, &path, &json!("kept")).await.ok();
        assert_eq!(
            service.get(&path).token(&user).send().await.ok()["guidelines"],
            "kept"
        );
        let set = put(&service, &user, &path, &json!("changed")).await;
        let removed = service
            .call(Method::DELETE, &path)
            .token(&user)
            .send()
            .await;
        if writes {
            assert_eq!(set.ok()["guidelines"], "changed");
            removed.ok();
        } else {
            for refused in [set, removed] {
                refused.expect(403, "INSUFFICIENT_ROLE");
                assert!(
                    refused.text().contains("`admin` or `owner`"),
                    "{}",
                    refused.text()
                );
            }
            // The role is checked before the body is read.
            put(&service, &user, &path, &json!(7))
                .await
                .expect(403, "INSUFFICIENT_ROLE");
            assert_eq!(
                service.get(&path).token(&user).send().await.ok()["guidelines"],
                "kept"
            );
        }
    }
}

#[tokio::test]
async fn only_engines_with_a_model_get_the_guidelines() {
    let service = Service::with_engine(Settings::default(), Script::with_model(Act::Nothing)).await;
    let (user, path) = owner(&service).await;
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    service.entitle(organization, &user, None).await;
    let review = || async {
        service
            .review(&user, &review_path(organization))
            .send()
            .await
            .ok()
    };
    review().await;
    put(&service, &user, &path, &json!("Amounts are in cents."))
        .await
        .ok();
    review().await;
    service
        .call(Method::DELETE, &path)
        .token(&user)
        .send()
        .await
        .ok();
    review().await;
    let guidelines: Vec<_> = service
        .engine
        .scopes()
        .into_iter()
        .map(|scope| scope.guidelines)
        .collect();
    assert_eq!(
        guidelines,
        [None, Some("Amounts are in cents.".to_owned()), None]
    );

    let rules_only = Service::start().await;
    let (user, path) = rules_only.reviewer().await;
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    let now = rules_only.now();
    rules_only
        .store
        .set_review_guidelines(organization, user.id, "Amounts are in cents.", now)
        .await
        .unwrap();
    rules_only.review(&user, &path).send().await.ok();
    assert_eq!(
        rules_only.engine.scopes()[0].guidelines,
        None,
        "they are not even looked up"
    );
}
