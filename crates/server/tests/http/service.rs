//! The service's descriptions of itself, and the common parts of every response.

use axum::http::Method;
use serde_json::json;
use server::Settings;
use tower::ServiceExt as _;

use crate::support::rules::Rules;
use crate::support::{Act, Logs, Service};

#[tokio::test]
async fn unknown_paths_are_problems_too() {
    let service = Service::start().await;
    for path in [
        "/nothing", "/v1", "/v1/", "/v1/nothing", "/v1/organizations/", "/docs/",
        "/docs/nothing.js", "/docs/%ff", "//", "/v2/organizations",
    ] {
        service.get(path).send().await.expect(404, "NOT_FOUND");
    }
    for (method, path, allow) in [
        (Method::DELETE, "/v1/organizations", "GET,HEAD,POST"),
        (Method::POST, "/healthz", "GET,HEAD"),
        (
            Method::GET,
            "/v1/organizations/org_x/reviews/diff/sync",
            "POST",
        ),
        (Method::from_bytes(b"BREW").unwrap(), "/docs", "GET,HEAD"),
        (Method::OPTIONS, "/v1/limits", "GET,HEAD"),
    ] {
        let answer = service.call(method, path).send().await;
        answer.expect(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), allow);
    }
}

#[tokio::test]
async fn probes_answer() {
    let service = Service::start().await;
    assert_eq!(service.get("/healthz").send().await.ok()["status"], "ok");
    assert_eq!(service.get("/readyz").send().await.ok()["status"], "ok");
    service.store.close().await;
    service.get("/healthz").send().await.ok();
    service.get("/readyz").send().await.expect(503, "NOT_READY");
    let user = "Bearer hw_000000000000000000000000000000000000";
    service
        .get("/v1/limits")
        .header("authorization", user)
        .send()
        .await
        .expect(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn a_stopping_service_is_live_and_not_ready() {
    let service = Service::start().await;
    service.state.stop();
    service.get("/healthz").send().await.ok();
    let answer = service.get("/readyz").send().await;
    answer.expect(503, "NOT_READY");
    assert_eq!(
        (answer.header("retry-after"), &answer.json()["detail"]),
        ("1", &json!("The service is stopping."))
    );
    let user = service.user().await;
    service.get("/v1/limits").token(&user).send().await.ok();
}

#[tokio::test]
async fn a_token_in_a_url_is_refused_and_not_stored() {
    let service = Service::start().await;
    let user = service.user().await;
    let (token, encoded) = (user.token.clone(), user.token.replace('_', "%5F"));
    for (query, parameter) in [
        (format!("access_token={token}"), "access_token"),
        ("Token=x".to_owned(), "token"),
        (format!("limit=1&cursor={token}"), "query"),
        (format!("limit={encoded}"), "query"),
        (token.clone(), "query"),
        ("code=hwi_0123".to_owned(), "query"),
    ] {
        let answer = service
            .get(&format!("/v1/organizations?{query}"))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        assert_eq!(answer.faults()[0].0, parameter, "{query}");
        assert!(!answer.text().contains(&token) && !answer.text().contains(&encoded));
    }
    // A client without a bearer token is not signed in, whatever the URL contains.
    let answer = service
        .get(&format!("/v1/organizations?access_token={token}"))
        .send()
        .await;
    let expected = (401, "UNAUTHENTICATED", "Bearer", "no-store");
    let got = (
        answer.status.as_u16(),
        &*answer.code(),
        answer.header("www-authenticate"),
        answer.header("cache-control"),
    );
    assert_eq!(got, expected);
    assert!(!answer.text().contains(&token));
    assert!(!Logs::text().contains(&token) && !Logs::text().contains(&encoded));
    service
        .get("/healthz?token=x")
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
    service
        .get("/v1/organizations?limit=2")
        .token(&user)
        .send()
        .await
        .ok();
}

#[tokio::test]
async fn pages_of_other_origins_may_call_only_if_allowed() {
    let ours = "https://console.example.com";
    let preflight = async |service: &Service, origin: &str| {
        let call = service
            .call(Method::OPTIONS, "/v1/organizations")
            .header("origin", origin);
        let call = call.header("access-control-request-method", "POST");
        let call = call.header(
            "access-control-request-headers", "authorization,content-type",
        );
        let response = service
            .router
            .clone()
            .oneshot(call.into_request())
            .await
            .unwrap();
        let allowed = response
            .headers()
            .get("access-control-allow-origin")
            .map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), allowed)
    };
    let closed = Service::start().await;
    assert_eq!(preflight(&closed, ours).await, (405, None));
    assert_eq!(
        closed
            .get("/v1/organizations")
            .header("origin", ours)
            .send()
            .await
            .header("access-control-allow-origin"),
        ""
    );
    let settings = Settings {
        cors_origins: vec![ours.to_owned()],
        ..Settings::default()
    };
    let open = Service::with(settings, Act::Nothing).await;
    assert_eq!(preflight(&open, ours).await, (200, Some(ours.to_owned())));
    for other in [
        "https://evil.example.com", "http://console.example.com", "null",
    ] {
        assert_eq!(preflight(&open, other).await.1, None, "{other}");
    }
    // Pages can read refusals as well, and cookies are never requested.
    let answer = open
        .get("/v1/organizations")
        .header("origin", ours)
        .send()
        .await;
    answer.expect(401, "UNAUTHENTICATED");
    assert_eq!(answer.header("access-control-allow-origin"), ours);
    assert!(
        answer
            .header("access-control-expose-headers")
            .contains("x-request-id")
    );
    assert_eq!(answer.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn a_lost_database_is_reported_without_details() {
    let service = Service::start().await;
    let user = service.user().await;
    service.store.close().await;
    let answer = service.get("/v1/organizations").token(&user).send().await;
    answer.expect(503, "NOT_READY");
    assert!(!answer.text().to_lowercase().contains("sql"));
}

#[tokio::test]
async fn the_document_is_json() {
    let service = Service::start().await;
    let document = service.get("/openapi.json").send().await;
    assert_eq!(
        (document.header("content-type"), &document.json()["openapi"]),
        ("application/json", &json!("3.1.0"))
    );
}

#[tokio::test]
async fn rules_have_pages_if_there_are_any() {
    let settings = Settings {
        rules: Rules::shared(),
        ..Settings::default()
    };
    let service = Service::with(settings, Act::Nothing).await;
    let list = service.get("/docs/rules").send().await;
    assert_eq!(
        (list.status.as_u16(), list.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    assert!(
        list.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    assert!(
        list.text().contains("&lt;b&gt;X&lt;/b&gt;"),
        "tags are text"
    );
    assert!(
        list.text()
            .contains("<a href=\"/docs/rules/test/added-line\">test/added-line</a>"),
        "{}",
        list.text()
    );
    let page = service.get("/docs/rules/test/added-line").send().await;
    assert!(
        page.text()
            .contains("<code class=\"language-diff\">+if a &lt; b {"),
        "{}",
        page.text()
    );
    for path in [
        "/docs/rules/any/y", "/docs/rules/any/%ff", "/docs/rules/test/added-line/y",
    ] {
        service.get(path).send().await.expect(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let service = Service::start().await;
    for path in ["/healthz", "/nothing", "/v1/limits", "/docs"] {
        let answer = service.get(path).send().await;
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(answer.header(name), value, "{path}");
        }
        assert!(!answer.header("content-security-policy").is_empty());
    }
}

#[tokio::test]
async fn the_server_creates_a_new_request_id_each_time() {
    let service = Service::start().await;
    let send = || {
        service
            .get("/healthz")
            .header("x-request-id", "mine")
            .send()
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(first.json()["requestId"], first.header("x-request-id"));
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}

#[tokio::test]
async fn oversized_headers_are_refused() {
    let service = Service::start().await;
    service
        .get(&format!("/healthz?{}", "x".repeat(9_000)))
        .send()
        .await
        .expect(414, "URI_TOO_LONG");
    service
        .get("/healthz")
        .header("x-long", &"x".repeat(40_000))
        .send()
        .await
        .expect(431, "HEADERS_TOO_LARGE");
    let many = (0..120).fold(service.get("/healthz"), |call, _| {
        call.header("x-many", "1")
    });
    many.send().await.expect(431, "HEADERS_TOO_LARGE");
}

#[tokio::test]
async fn a_panic_is_an_internal_error_with_its_request_id() {
    let service = Service::with(server::Settings::default(), Act::Panic).await;
    let (user, path) = service.reviewer().await;
    let answer = service.review(&user, &path).send().await;
    answer.expect(500, "INTERNAL");
    assert!(!answer.text().contains("told to panic"));
    service.get("/v1/limits").token(&user).send().await.ok();
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let service = Service::start().await;
    let answer = service.call(Method::HEAD, "/healthz").send().await;
    assert_eq!(answer.status.as_u16(), 200);
}

#[tokio::test]
async fn a_request_writes_one_log_line() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let organization = path.split('/').nth(3).unwrap();
    let answer = service.review(&user, &path).send().await;
    answer.ok();
    let line = Logs::line_of(answer.header("x-request-id"));
    for (name, value) in [
        ("method", json!("POST")),
        (
            "route",
            json!("/v1/organizations/{organizationId}/reviews/diff/sync"),
        ),
        ("status", json!(200)),
        ("user_id", json!(user.id.to_string())),
        ("organization_id", json!(organization)),
    ] {
        assert_eq!(line[name], value, "{name}");
    }
    assert!(line["duration_ms"].is_u64());
    let unknown = service
        .call(
            Method::from_bytes(b"SECRET").unwrap(),
            "/nothing/secret?secret=1",
        )
        .send()
        .await;
    let line = Logs::line_of(unknown.header("x-request-id"));
    assert_eq!(
        (&line["method"], &line["status"]),
        (&json!("OTHER"), &json!(404))
    );
    assert!(
        !line.to_string().to_lowercase().contains("secret"),
        "{line}"
    );
}
