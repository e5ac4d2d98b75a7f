//! Faults around a running service: a lost database, a clock that is set back, concurrent creation.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Act, Service};

#[tokio::test]
async fn a_deleted_database_is_reported_and_nothing_is_acknowledged() {
    let mut service = Service::start().await;
    let user = service.user().await;
    service.get("/readyz").send().await.ok();
    service.database.lose().await;
    service.get("/readyz").send().await.expect(503, "NOT_READY");
    let answer = service
        .post("/v1/organizations", &json!({ "name": "Acme" }))
        .token(&user)
        .send()
        .await;
    answer.expect(503, "NOT_READY");
    assert_eq!(answer.header("retry-after"), "5");
    service.get("/healthz").send().await.ok();
}

#[tokio::test]
async fn a_clock_that_is_set_back_locks_out_no_user() {
    let service = Service::with(server::Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    service.review(&user, &path).send().await.ok();
    let made = service
        .post("/v1/organizations", &json!({ "name": "Before" }))
        .token(&user)
        .send()
        .await
        .ok();
    service.set_back(Duration::from_secs(24 * 60 * 60));
    for _ in 0..3 {
        service
            .post("/v1/organizations", &json!({ "name": "After" }))
            .token(&user)
            .send()
            .await
            .ok();
    }
    let listed = service
        .get("/v1/organizations")
        .token(&user)
        .send()
        .await
        .ok();
    let listed = listed["organizations"].as_array().unwrap();
    assert_eq!(listed.len(), 5);
    assert_eq!(
        listed[1]["organizationId"], made["organizationId"],
        "they stay in the order of creation"
    );
}

#[tokio::test]
async fn a_create_repeated_concurrently_is_carried_out_once() {
    let service = Service::start().await;
    let user = service.user().await;
    let create = || {
        let call = service
            .post("/v1/organizations", &json!({ "name": "Acme" }))
            .token(&user);
        call.header("idempotency-key", "once").send()
    };
    let answers = join_all((0..8).map(|_| create())).await;
    let made: BTreeSet<String> = answers
        .iter()
        .map(|answer| answer.ok()["organizationId"].to_string())
        .collect();
    assert_eq!(made.len(), 1);
    let listed = service
        .get("/v1/organizations")
        .token(&user)
        .send()
        .await
        .ok();
    assert_eq!(listed["organizations"].as_array().unwrap().len(), 1);
}
