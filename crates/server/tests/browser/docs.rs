//! Everything of the document is on the page, and the page stays at home.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::Value;
use server::{Clock, Limits, Settings, State};
use store::{Store, UnixMillis};

use crate::chromium::visit;

#[tokio::test]
async fn the_page_shows_every_operation_and_asks_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite://{}", folder.path().join("store.db").display())).await.unwrap();
    let clock = Clock::new(|| UnixMillis(1_795_176_000_000));
    let router = server::router(State::new(store, Vec::new(), Settings::default(), clock));
    let Some(visit) = visit(router, "/docs").await else { return };

    assert_eq!(visit.complaints, [""; 0]);
    for path in ["/docs", "/docs/docs.css", "/docs/docs.js", "/openapi.json"] {
        assert!(visit.requests.contains(&format!("{}{path}", visit.origin)), "{path}: {:?}", visit.requests);
    }
    let home = format!("{}/", visit.origin);
    assert!(visit.requests.iter().all(|url| url.starts_with(&home)), "{:?}", visit.requests);

    let document = serde_json::to_value(server::openapi(&Limits::default())).unwrap();
    let mut operations = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            is_shown(&visit.dom, path, method, operation);
            operations += 1;
        }
    }
    assert_eq!(visit.dom.matches("<section class=\"operation\"").count(), operations);
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(visit.dom.contains(&format!("<h3>{name}</h3>")), "the schema {name} is missing");
    }
}

/// The section of the operation has its method and path, its parameters, and each answer with its codes.
fn is_shown(dom: &str, path: &str, method: &str, operation: &Value) {
    let name = operation["operationId"].as_str().unwrap();
    let start = format!("<section class=\"operation\" id=\"{}\">", name.to_lowercase());
    let section = dom.split_once(&start).unwrap_or_else(|| panic!("{name} is missing")).1;
    let section = section.split_once("</section>").unwrap().0;
    let has = |what: &str| assert!(section.contains(what), "{name} lacks {what}: {section}");

    has(&format!("{}</span>{path}</div>", method.to_uppercase()));
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        has(&format!("<code>{}</code>", parameter["name"].as_str().unwrap()));
    }
    for (status, response) in operation["responses"].as_object().unwrap() {
        has(&format!(">{status}</span>"));
        let codes = codes(response["description"].as_str().unwrap());
        assert!(status.as_str() < "400" || status == "501" || !codes.is_empty(), "{name} {status} has no code");
        for code in codes {
            has(&format!("<code>{code}</code>: "));
        }
    }
}

/// The error codes that a description of a response explains: each paragraph starts with one.
fn codes(description: &str) -> Vec<&str> {
    let paragraphs = description.split("\n\n");
    paragraphs.filter_map(|paragraph| Some(paragraph.strip_prefix('`')?.split_once("`: ")?.0)).collect()
}

#[tokio::test]
async fn a_page_that_errs_and_asks_abroad_is_noticed() {
    const PAGE: &str = "<!doctype html><title>x</title><link rel=stylesheet href='http://example.com/x.css'>\
        <script>document.title = 'ran'; throw new Error('on purpose')</script>";
    let Some(visit) = visit(Router::new().route("/", get(|| async { Html(PAGE) })), "/").await else { return };
    assert!(visit.dom.contains("<title>ran</title>"), "{}", visit.dom);
    assert!(visit.complaints.iter().any(|line| line.contains("on purpose")), "{:?}", visit.complaints);
    assert!(visit.requests.iter().any(|url| url == "http://example.com/x.css"), "{:?}", visit.requests);
}

#[tokio::test]
async fn a_page_that_breaks_its_policy_is_noticed() {
    const PAGE: &str = "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">\
        <title>x</title><script>document.title = 'ran'</script>";
    let Some(visit) = visit(Router::new().route("/", get(|| async { Html(PAGE) })), "/").await else { return };
    assert!(visit.dom.contains("<title>x</title>"), "{}", visit.dom);
    assert!(visit.complaints.iter().any(|line| line.contains("Content Security Policy")), "{:?}", visit.complaints);
}
