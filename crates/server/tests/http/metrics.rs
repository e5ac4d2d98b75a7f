//! Metrics of requests, reviews, the queue and the database. No label has a value that callers can choose.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use server::{Limits, State};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::support::{Act, Service};

/// The samples of a scrape: name and labels with the value.
struct Scrape(BTreeMap<String, f64>);

impl Scrape {
    async fn of(state: &State) -> Self {
        let request = Request::get("/metrics").body(Body::empty()).unwrap();
        let response = server::metrics_router(state.clone())
            .oneshot(request)
            .await
            .unwrap();
        assert_eq!(
            response.headers()["content-type"],
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        );
        let page = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let page = String::from_utf8(page.to_vec()).unwrap();
        assert!(page.ends_with("# EOF\n"), "{page}");
        let samples = page.lines().filter(|line| !line.starts_with('#'));
        let sample = |line: &str| {
            line.rsplit_once(' ')
                .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        };
        Self(samples.map(|line| sample(line).unwrap()).collect())
    }

    #[track_caller]
    fn get(&self, sample: &str) -> f64 {
        *self
            .0
            .get(sample)
            .unwrap_or_else(|| panic!("{sample} is not among {:#?}", self.0.keys()))
    }
}

#[tokio::test]
async fn a_scraper_that_reads_only_the_text_format_gets_it() {
    let service = Service::start().await;
    let page = async |accept: &str| {
        let request = Request::get("/metrics")
            .header("accept", accept)
            .body(Body::empty())
            .unwrap();
        let response = server::metrics_router(service.state.clone())
            .oneshot(request)
            .await
            .unwrap();
        let media_type = response.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        let page = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (media_type, String::from_utf8(page.to_vec()).unwrap())
    };
    let (media_type, text) = page("text/plain; version=0.0.4").await;
    assert_eq!(media_type, "text/plain; version=0.0.4; charset=utf-8");
    assert!(
        text.contains("# TYPE hunkwise_build_info gauge\n") && !text.contains("# EOF"),
        "{text}"
    );
    let (media_type, _) =
        page("application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5")
            .await;
    assert_eq!(
        media_type,
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
}

const REQUESTS: &str = "hunkwise_http_request_duration_seconds_count";
const REVIEWS: &str = "hunkwise_review_duration_seconds_count";

#[tokio::test]
async fn requests_are_counted_by_route_template_only() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    for path in [
        format!("/v1/organizations/{organization}"),
        "/v1/organizations/made-up".to_owned(),
    ] {
        service.get(&path).token(&user).send().await;
    }
    service
        .call(Method::from_bytes(b"CANARY").unwrap(), "/canary?canary=1")
        .send()
        .await;
    let scrape = Scrape::of(&service.state).await;
    let route = "route=\"/v1/organizations/{organizationId}\",method=\"GET\"";
    assert_eq!(
        scrape.get(&format!("{REQUESTS}{{{route},status=\"2xx\"}}")),
        1.0
    );
    assert_eq!(
        scrape.get(&format!("{REQUESTS}{{{route},status=\"4xx\"}}")),
        1.0
    );
    assert_eq!(
        scrape.get(&format!(
            "{REQUESTS}{{route=\"none\",method=\"OTHER\",status=\"4xx\"}}"
        )),
        1.0
    );
    assert_eq!(scrape.get("hunkwise_http_requests_in_flight"), 0.0);
    let made_up = [
        "canary",
        "made-up",
        &organization.to_string(),
        &user.id.to_string(),
    ]
    .map(str::to_lowercase);
    for sample in scrape.0.keys().map(|sample| sample.to_lowercase()) {
        assert!(
            !made_up.iter().any(|word| sample.contains(word)),
            "{sample}"
        );
    }
}

#[tokio::test]
async fn reviews_are_counted_however_they_end() {
    let service = Service::with(server::Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    service.review(&user, &path).send().await.ok();
    let scrape = Scrape::of(&service.state).await;
    assert_eq!(
        scrape.get(&format!("{REVIEWS}{{outcome=\"success\"}}")),
        1.0
    );
    let found: f64 = ["P0", "P1", "P2", "P3"]
        .iter()
        .map(|priority| {
            scrape.get(&format!(
                "hunkwise_findings_total{{priority=\"{priority}\"}}"
            ))
        })
        .sum();
    assert_eq!(found, 1.0);
    let chunks = scrape
        .0
        .iter()
        .filter(|(name, _)| name.starts_with("hunkwise_engine_chunk_duration_seconds_count"));
    assert_eq!(chunks.map(|(_, count)| count).sum::<f64>(), 1.0);
    assert_eq!(scrape.get("hunkwise_review_queue_seconds_count"), 1.0);
    let failing = Service::with(server::Settings::default(), Act::Fail).await;
    let (user, path) = failing.reviewer().await;
    failing
        .review(&user, &path)
        .send()
        .await
        .expect(502, "ANALYSIS_FAILED");
    assert_eq!(
        Scrape::of(&failing.state)
            .await
            .get(&format!("{REVIEWS}{{outcome=\"failed\"}}")),
        1.0
    );
}

#[tokio::test]
async fn running_refused_and_cancelled_reviews_are_counted_separately() {
    let permits = Arc::new(Semaphore::new(0));
    let limits = Limits {
        reviews_per_organization: 1,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Wait(Arc::clone(&permits))).await;
    let (user, path) = service.reviewer().await;
    let request = service.review(&user, &path).into_request();
    let running = tokio::spawn(service.router.clone().oneshot(request));
    service.engine.running(1).await;
    service
        .review(&user, &path)
        .send()
        .await
        .expect(429, "TOO_MANY_REVIEWS");
    let scrape = Scrape::of(&service.state).await;
    assert_eq!(scrape.get("hunkwise_reviews_running"), 1.0);
    assert_eq!(scrape.get("hunkwise_reviews_queued"), 0.0);
    assert_eq!(scrape.get("hunkwise_http_requests_in_flight"), 1.0);
    assert_eq!(
        scrape.get("hunkwise_reviews_rejected_total{reason=\"too_many_reviews\"}"),
        1.0
    );
    running.abort();
    service.engine.running(0).await;
    assert!(running.await.unwrap_err().is_cancelled());
    let scrape = Scrape::of(&service.state).await;
    assert_eq!(scrape.get("hunkwise_reviews_running"), 0.0);
    assert_eq!(
        scrape.get(&format!("{REVIEWS}{{outcome=\"cancelled\"}}")),
        1.0
    );
    assert!(
        scrape
            .0
            .keys()
            .any(|name| name.starts_with(REQUESTS) && name.contains("status=\"499\""))
    );
}

#[tokio::test]
async fn a_lost_database_is_reported_by_the_next_scrape() {
    let service = Service::start().await;
    service.user().await;
    let scrape = Scrape::of(&service.state).await;
    assert_eq!(scrape.get("hunkwise_database_up"), 1.0);
    let open = ["used", "idle"].map(|state| {
        scrape.get(&format!(
            "hunkwise_database_connections{{state=\"{state}\"}}"
        ))
    });
    assert!(
        open.iter().sum::<f64>() >= 1.0 && scrape.get("hunkwise_database_connections_max") >= 1.0
    );
    assert!(scrape.get("hunkwise_database_ping_seconds") < 2.0);
    service.store.close().await;
    assert_eq!(
        Scrape::of(&service.state).await.get("hunkwise_database_up"),
        0.0
    );
}

#[tokio::test]
async fn database_waits_are_timed_by_kind_and_outcome() {
    let service = Service::start().await;
    let user = service.user().await;
    service.organization(&user).await;
    let scrape = Scrape::of(&service.state).await;
    let operations = "hunkwise_database_operation_duration_seconds";
    for operation in ["begin", "insert", "commit"] {
        let labels = format!("operation=\"{operation}\",outcome=\"success\"");
        let (count, sum) = (
            format!("{operations}_count{{{labels}}}"),
            format!("{operations}_sum{{{labels}}}"),
        );
        assert!(
            scrape.get(&count) >= 1.0 && scrape.get(&sum) > 0.0,
            "{operation}"
        );
        let beyond_all = format!("{operations}_bucket{{le=\"+Inf\",{labels}}}");
        assert_eq!(scrape.get(&beyond_all), scrape.get(&count));
    }
    let (waits, transactions) = (
        "hunkwise_database_connection_wait_seconds",
        "hunkwise_database_transaction_duration_seconds",
    );
    assert!(scrape.get(&format!("{waits}_count{{outcome=\"success\"}}")) >= 1.0);
    assert!(scrape.get(&format!("{transactions}_count{{outcome=\"committed\"}}")) >= 1.0);
    assert_eq!(
        scrape.get(&format!(
            "{operations}_count{{operation=\"select\",outcome=\"failed\"}}"
        )),
        0.0
    );
}

#[tokio::test]
async fn only_metrics_are_served() {
    let service = Service::start().await;
    for (method, path, status) in [
        (Method::HEAD, "/metrics", 200),
        (Method::POST, "/metrics", 405),
        (Method::GET, "/", 404),
        (Method::GET, "/v1/limits", 404),
        (Method::GET, "/healthz", 404),
    ] {
        let request = Request::builder()
            .method(method.clone())
            .uri(path)
            .body(Body::empty())
            .unwrap();
        let response = server::metrics_router(service.state.clone())
            .oneshot(request)
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), status, "{method} {path}");
    }
    service
        .get("/metrics")
        .send()
        .await
        .expect(404, "NOT_FOUND");
}
