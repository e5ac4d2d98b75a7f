//! The API reference in a browser: its search, its deep links and its old URLs.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;
use server::{Clock, Settings, State};
use store::{Store, UnixMillis};

use crate::chromium::visit;
use crate::driver::Browser;

async fn router(folder: &std::path::Path) -> Router {
    let store = Store::open(&format!("sqlite://{}", folder.join("store.db").display()))
        .await
        .unwrap();
    let clock = Clock::new(|| UnixMillis(1_795_176_000_000));
    server::router(State::new(store, Vec::new(), Settings::default(), clock))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_search_finds_operations_fields_and_codes() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut browser) = Browser::open(router(folder.path()).await).await else {
        return;
    };
    for (words, kind, page) in [
        ("review diff", "operation", "/docs/api/reviews/review-diff"),
        ("quota_exceeded", "error", "/docs/errors"),
        (
            "monthlyReviewLimit",
            "field",
            "/docs/api/entitlements/list-entitlements",
        ),
        ("idempotency", "guide", "/docs/idempotency"),
    ] {
        browser.go("/docs").await;
        browser.press("/").await;
        assert_eq!(browser.eval("document.activeElement.id").await, "search");
        browser.fill("#search", words).await;
        browser
            .eval("search.dispatchEvent(new Event('input')); null")
            .await;
        browser
            .until("document.querySelector('#found [aria-selected=true]')")
            .await;
        let found = "[...document.querySelectorAll('#found li')].map((one) => one.firstChild.firstChild.textContent)";
        let kinds = browser.eval(found).await;
        assert!(
            kinds.as_array().unwrap().contains(&json!(kind)),
            "{words}: {kinds}"
        );
        browser.click(&format!("#found a[href^='{page}']")).await;
        browser
            .until(&format!(
                "location.pathname === '{page}' && document.readyState === 'complete'"
            ))
            .await;
    }
    browser.go("/docs").await;
    browser.fill("#search", "no such thing").await;
    browser
        .eval("search.dispatchEvent(new Event('input')); null")
        .await;
    browser
        .until("document.querySelector('#found .nothing')")
        .await;
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deep_link_unfolds_its_field_and_an_old_url_leads_to_the_operation() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut browser) = Browser::open(router(folder.path()).await).await else {
        return;
    };
    browser
        .go("/docs/api/reviews/review-diff#response.findings.filePath")
        .await;
    browser
        .until("document.getElementById('response.findings.filePath').checkVisibility()")
        .await;
    browser.go("/docs#createorganization").await;
    browser
        .until("location.pathname === '/docs/api/organizations/create-organization'")
        .await;
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_fit_their_page_at_every_width() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut browser) = Browser::open(router(folder.path()).await).await else {
        return;
    };
    for page in [
        "/docs/errors", "/docs/limits", "/docs/api/reviews/review-diff",
    ] {
        browser.go(page).await;
        browser
            .eval("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            .await;
        assert!(
            browser
                .eval("document.querySelectorAll('.wide td').length")
                .await
                .as_u64()
                > Some(10)
        );
        for width in [360, 600, 640, 768, 1024, 1280, 1440, 1920, 2560] {
            browser.resize(width, 800).await;
            let too_wide = "[...document.querySelectorAll('.wide, .wide td')].filter((one) => one.scrollWidth > one.clientWidth).length";
            assert_eq!(browser.eval(too_wide).await, 0, "{page} at {width} px");
            let fits = "document.documentElement.scrollWidth <= innerWidth";
            assert_eq!(browser.eval(fits).await, true, "{page} at {width} px");
        }
    }
    browser.check();
}

#[tokio::test]
async fn the_first_page_lists_all_operations_without_external_requests() {
    let folder = tempfile::tempdir().unwrap();
    let Some(visit) = visit(router(folder.path()).await, "/docs").await else {
        return;
    };
    assert_eq!(visit.complaints, [""; 0]);
    let home = format!("{}/", visit.origin);
    assert!(
        visit.requests.iter().all(|url| url.starts_with(&home)),
        "{:?}",
        visit.requests
    );
    assert!(visit.dom.matches("<li id=").count() > 40, "{}", visit.dom);
}

#[tokio::test]
async fn script_errors_and_external_requests_are_detected() {
    const PAGE: &str = "<!doctype html><title>x</title><link rel=stylesheet href='http://example.com/x.css'>\
        <script>document.title = 'ran'; throw new Error('on purpose')</script>";
    let Some(visit) = visit(Router::new().route("/", get(|| async { Html(PAGE) })), "/").await
    else {
        return;
    };
    assert!(visit.dom.contains("<title>ran</title>"), "{}", visit.dom);
    assert!(
        visit
            .complaints
            .iter()
            .any(|line| line.contains("on purpose")),
        "{:?}",
        visit.complaints
    );
    assert!(
        visit
            .requests
            .iter()
            .any(|url| url == "http://example.com/x.css"),
        "{:?}",
        visit.requests
    );
}

#[tokio::test]
async fn policy_violations_are_detected() {
    const PAGE: &str = "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">\
        <title>x</title><script>document.title = 'ran'</script>";
    let Some(visit) = visit(Router::new().route("/", get(|| async { Html(PAGE) })), "/").await
    else {
        return;
    };
    assert!(visit.dom.contains("<title>x</title>"), "{}", visit.dom);
    assert!(
        visit
            .complaints
            .iter()
            .any(|line| line.contains("Content Security Policy")),
        "{:?}",
        visit.complaints
    );
}
