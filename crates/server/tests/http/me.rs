//! The caller's own user.

use serde_json::{Value, json};
use store::Scope;

use crate::support::Service;

#[tokio::test]
async fn a_caller_gets_its_user_and_the_scopes_of_its_token() {
    let service = Service::start().await;
    let id = service
        .store
        .insert_user("Ada Lovelace \u{1f642}", false, service.now())
        .await
        .unwrap()
        .id;
    let all = service.user_with(id, Scope::ALL, None, None).await;
    let organization = service.organization(&all).await;
    let bound = service
        .user_with(id, &[Scope::ReviewsWrite], Some(organization), None)
        .await;
    let nothing = service.user_with(id, &[], None, None).await;
    for (user, scopes, organization) in [
        (
            &all,
            json!([
                "organizations:read", "organizations:write", "reviews:write", "tokens:write"
            ]),
            Value::Null,
        ),
        (
            &bound,
            json!(["reviews:write"]),
            json!(organization.to_string()),
        ),
        (&nothing, json!([]), Value::Null),
    ] {
        let me = service.get("/v1/me").token(user).send().await.ok();
        assert_eq!(
            (&me["userId"], &me["displayName"]),
            (&json!(id.to_string()), &json!("Ada Lovelace \u{1f642}"))
        );
        assert_eq!(
            (&me["scopes"], &me["organizationId"]),
            (&scopes, &organization)
        );
    }
    service
        .get("/v1/me?x=1")
        .token(&all)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
}
