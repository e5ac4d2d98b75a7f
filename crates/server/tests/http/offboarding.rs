//! Disabled and deleted users are refused from the next request on, however they authenticate.

use axum::http::Method;
use serde_json::{Value, json};
use server::Settings;

use crate::support::issuer::{self, Issuer, SigningKey};
use crate::support::{Act, Service};

#[tokio::test]
async fn a_disabled_user_gets_the_answer_for_an_unknown_token() {
    let service = Service::start().await;
    let (user, other) = (service.user().await, service.user().await);
    let organization = service.organization(&user).await;
    let me = async || service.get("/v1/me").token(&user).send().await;
    me().await.ok();
    service
        .store
        .disable_user(user.id, service.now())
        .await
        .unwrap();
    let unknown = service
        .get("/v1/me")
        .header("authorization", "Bearer hw_nonsense")
        .send()
        .await;
    let refused = me().await;
    refused.expect(401, "INVALID_TOKEN");
    assert_eq!(
        refused.header("www-authenticate"),
        unknown.header("www-authenticate")
    );
    assert_eq!(
        refused.json()["detail"],
        unknown.json()["detail"],
        "the reason is not disclosed"
    );
    let path = format!("/v1/organizations/{organization}");
    service
        .send(&user, Method::DELETE, &path, &Value::Null)
        .await
        .expect(401, "INVALID_TOKEN");
    service.get("/v1/me").token(&other).send().await.ok();

    service
        .store
        .enable_user(user.id, service.now())
        .await
        .unwrap();
    assert_eq!(me().await.ok()["userId"], user.id.to_string());
    let owner = service.user().await;
    service.join(organization, &owner, store::Role::Owner).await;
    service
        .store
        .delete_user(user.id, service.now())
        .await
        .unwrap();
    me().await.expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn disabled_and_deleted_users_cannot_return_through_the_issuer() {
    let key = SigningKey::p256("1");
    let issuer = Issuer::with(&[&key]);
    let settings = Settings {
        sign_in: Some(issuer.sign_in(&[])),
        ..Settings::default()
    };
    let service = Service::with(settings, Act::Nothing).await;
    let bearer = format!("Bearer {}", key.sign(&issuer::claims(service.now())));
    let me = async || {
        service
            .get("/v1/me")
            .header("authorization", &bearer)
            .send()
            .await
    };
    let user = me().await.ok()["userId"].as_str().unwrap().parse().unwrap();
    service
        .store
        .disable_user(user, service.now())
        .await
        .unwrap();
    me().await.expect(401, "INVALID_TOKEN");
    service
        .store
        .enable_user(user, service.now())
        .await
        .unwrap();
    assert_eq!(me().await.ok()["userId"], user.to_string());
    service
        .store
        .delete_user(user, service.now())
        .await
        .unwrap();
    me().await.expect(401, "INVALID_TOKEN");
    assert_eq!(
        service.store.list_users(None, 9).await.unwrap().len(),
        1,
        "no user was created"
    );
}

#[tokio::test]
async fn operators_and_owners_see_disabled_users() {
    let service = Service::start().await;
    let (operator, user) = (service.operator().await, service.user().await);
    let organization = service.organization(&user).await;
    let owner = service.user().await;
    service.join(organization, &owner, store::Role::Owner).await;
    service
        .store
        .disable_user(user.id, service.now())
        .await
        .unwrap();
    let users = service
        .get("/v1/admin/users")
        .token(&operator)
        .send()
        .await
        .ok()["users"]
        .clone();
    let statuses: Vec<_> = users
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["status"].clone())
        .collect();
    assert_eq!(statuses, ["active", "disabled", "active"]);
    let path = format!("/v1/organizations/{organization}/audit-events");
    let events = service.get(&path).token(&owner).send().await.ok()["auditEvents"].clone();
    let last = events.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["action"], &last["userId"]),
        (&json!("user.disabled"), &json!(user.id.to_string()))
    );
    assert_eq!(
        last["actor"],
        json!({ "kind": "commandLine", "userId": null })
    );
}
