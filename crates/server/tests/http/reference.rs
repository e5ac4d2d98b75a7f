//! The API reference: every operation has a page, every link works, and the examples are valid.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::support::rules::Rules;
use crate::support::{Contract, Service, World};

/// Maximum bytes of a page.
const PAGE_BYTES: usize = 200_000;

/// All pages that can be reached from the first one, by path.
async fn pages(service: &Service) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut open = vec!["/docs".to_owned()];
    while let Some(path) = open.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let answer = service.get(&path).send().await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        let text = answer.text().to_owned();
        if answer.header("content-type").starts_with("text/html") {
            open.extend(
                targets(&text)
                    .filter(|target| target.starts_with("/docs"))
                    .map(|target| page_of(target).to_owned()),
            );
        }
        pages.insert(path, text);
    }
    pages
}

fn page_of(target: &str) -> &str {
    target.split_once('#').map_or(target, |(page, _)| page)
}

/// The targets of a page's links and files.
fn targets(html: &str) -> impl Iterator<Item = &str> {
    let after = ["href=\"", "src=\"", "data-index=\""]
        .into_iter()
        .flat_map(|name| html.split(name).skip(1));
    after.filter_map(|rest| rest.split('"').next())
}

async fn service_with_rules() -> Service {
    let settings = server::Settings {
        rules: Rules::shared(),
        ..server::Settings::default()
    };
    World::with(settings).await.service
}

#[tokio::test]
async fn every_link_works_and_every_page_is_small_and_has_a_strict_policy() {
    let service = service_with_rules().await;
    let pages = pages(&service).await;
    assert!(pages.len() > 60, "{}", pages.len());
    for (path, html) in &pages {
        assert!(html.len() < PAGE_BYTES, "{path} has {} bytes", html.len());
        for target in targets(html) {
            let page = if target.starts_with('#') {
                path
            } else {
                page_of(target)
            };
            assert!(
                page.starts_with('/') && !page.starts_with("//"),
                "{path} links to {target}"
            );
            let Some((_, anchor)) = target.split_once('#').filter(|_| page.starts_with("/docs"))
            else {
                continue;
            };
            assert!(
                pages[page].contains(&format!("id=\"{anchor}\"")),
                "{path} links to {target}"
            );
        }
        for inline in ["<style", " style=", "<script>", " onclick="] {
            assert!(!html.contains(inline), "{path}: {inline}");
        }
        let ids: Vec<&str> = html
            .split(" id=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{path} has an anchor twice: {ids:?}"
        );
    }
    let policy = service
        .get("/docs/errors")
        .send()
        .await
        .header("content-security-policy")
        .to_owned();
    assert!(
        policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    for target in targets(&pages["/docs"]).filter(|target| target.starts_with("/assets/")) {
        let request = Request::get(target).body(Body::empty()).unwrap();
        let answer = service.router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{target}");
    }
}

#[tokio::test]
async fn every_operation_has_a_complete_page() {
    let service = service_with_rules().await;
    let overview = service.get("/docs").send().await.text().to_owned();
    for (method, path, operation) in Contract::get().all() {
        let id = operation["operationId"].as_str().unwrap();
        let (_, entry) = overview
            .split_once(&format!("id=\"{}\"", id.to_lowercase()))
            .unwrap_or_else(|| panic!("{id}"));
        let page = targets(entry).next().unwrap();
        let html = service.get(page).send().await.text().to_owned();
        let has = |what: &str| assert!(html.contains(what), "{page} lacks {what}");
        has(&format!(
            "<span class=\"verb {method}\">{method}</span> <code>{path}</code>"
        ));
        has(&format!("href=\"{page}\" aria-current=\"page\""));
        has("aria-label=\"Example request\">curl -sS");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            has(&format!(
                "id=\"{}.{}\"",
                parameter["in"].as_str().unwrap(),
                parameter["name"].as_str().unwrap()
            ));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            if status.starts_with('2') {
                has(&format!("<figcaption>{status} "));
            }
            let problem = &response["content"]["application/problem+json"]["examples"];
            assert!(
                status.starts_with('2')
                    || problem.as_object().is_some_and(|codes| !codes.is_empty()),
                "{id} {status}"
            );
            for code in problem
                .as_object()
                .into_iter()
                .flatten()
                .map(|(code, _)| code)
            {
                has(&format!(
                    "<a href=\"/docs/errors#{code}\"><code>{code}</code></a>"
                ));
            }
        }
        for scope in operation["security"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| one["bearer"].as_array())
            .flatten()
        {
            has(&format!("<code>{}</code>", scope.as_str().unwrap()));
        }
    }
}

#[tokio::test]
async fn the_search_index_has_every_operation_code_and_field() {
    let service = service_with_rules().await;
    let pages = pages(&service).await;
    let index = targets(&pages["/docs"])
        .find(|target| target.starts_with("/docs/search-"))
        .unwrap();
    let answer = service.get(index).send().await;
    assert!(
        answer.header("cache-control").contains("immutable") && answer.body.len() < 100_000,
        "{}",
        answer.body.len()
    );
    let entries: Vec<[String; 4]> = serde_json::from_value(answer.json()).unwrap();
    for [kind, title, _, target] in &entries {
        let page = &pages[page_of(target)];
        let anchor = target
            .split_once('#')
            .map_or("content", |(_, anchor)| anchor);
        assert!(
            page.contains(&format!("id=\"{anchor}\"")),
            "{kind} {title}: {target}"
        );
    }
    let count = |kind: &str| entries.iter().filter(|entry| entry[0] == kind).count();
    assert_eq!(count("operation"), Contract::get().operations().len());
    assert_eq!(count("error"), Contract::get().examples().len());
    assert!(
        entries
            .iter()
            .any(|[kind, title, ..]| kind == "field" && title == "monthlyReviewLimit")
    );
}

#[tokio::test]
async fn unknown_pages_of_the_reference_are_not_found() {
    let service = service_with_rules().await;
    for path in [
        "/docs/api", "/docs/api/none", "/docs/api/reviews/none", "/docs/docs.js",
        "/docs/search.json", "/docs/api/%ff",
    ] {
        service.get(path).send().await.expect(404, "NOT_FOUND");
    }
}

#[test]
fn every_example_matches_its_schema() {
    let contract = Contract::get();
    let mut count = 0;
    for (.., operation) in contract.all() {
        let bodies = operation["responses"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(status, _)| status.starts_with('2'));
        for body in bodies
            .map(|(_, response)| response)
            .chain([&operation["requestBody"]])
        {
            for (media_type, content) in body["content"].as_object().into_iter().flatten() {
                let example = &content["example"];
                assert_eq!(
                    example.is_string(),
                    media_type.starts_with("text/"),
                    "{}: {example}",
                    operation["operationId"]
                );
                contract.check_example(&content["schema"], example);
                count += 1;
            }
        }
        for parameter in operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|one| one["in"] == "path")
        {
            assert!(
                parameter["example"].is_string(),
                "{}: {parameter}",
                operation["operationId"]
            );
        }
    }
    assert!(count > 40, "{count}");
    for (code, example) in contract.examples() {
        let value = &example["value"];
        assert_eq!(value["code"], *code);
        assert_eq!(value["errors"].is_array(), code == "INVALID_REQUEST");
        assert_eq!(
            example["description"]
                .as_str()
                .unwrap()
                .split("\n\n")
                .count(),
            2,
            "occurrence and remedy: {code}"
        );
    }
}

/// The requests in the examples are valid: they may be refused for missing resources, but never for their shape.
#[tokio::test]
async fn every_example_request_is_well_formed() {
    let world = World::new().await;
    for (method, path, operation) in Contract::get().all() {
        let example = &operation["requestBody"]["content"]["application/json"]["example"];
        if example.is_null() {
            continue;
        }
        let organization = world.organization.to_string();
        let path = path
            .replace("{organizationId}", &organization)
            .replace("{userId}", &world.member.id.to_string());
        let caller = if path.contains("/admin/") || path.contains("/entitlements/") {
            &world.operator
        } else {
            &world.owner
        };
        let mut body = example.clone();
        if let Some(named) = body.get_mut("organizationId") {
            *named = Value::String(organization);
        }
        let method: Method = method.to_uppercase().parse().unwrap();
        let answer = world.service.send(caller, method, &path, &body).await;
        let refusals = ["NOT_FOUND", "CONFLICT", "ENTITLEMENT_REQUIRED"];
        assert!(
            answer.status.is_success() || refusals.contains(&answer.code().as_str()),
            "{path}: {}",
            answer.text()
        );
    }
}
