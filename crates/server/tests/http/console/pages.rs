//! The structure of every page, and its isolation from other sites.

use axum::http::Method;
use server::CONSOLE_ROUTES;

use super::Browser;
use crate::support::{Act, Answer, Service};

#[tokio::test]
async fn a_page_is_shown_whatever_the_browser_says_it_accepts() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for accept in [
        "text/html", "text/html;q=0.9", "application/xhtml+xml", "image/png", "*/*",
    ] {
        for path in ["/organizations", "/tokens", "/tokens/new"] {
            let page = browser.get(path).header("accept", accept).visit().await;
            assert_eq!(page.status.as_u16(), 200, "{path} {accept}");
            check_page(&page);
        }
    }
    let answer = service
        .get("/v1/me")
        .token(&user)
        .header("accept", "text/html");
    answer.send().await.expect(406, "NOT_ACCEPTABLE");
}

/// Checks the common structure of a page.
#[track_caller]
pub(super) fn check_page(answer: &Answer) {
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"),
        "{policy}"
    );
    for directive in [
        "script-src 'self'", "style-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(directive), "{directive}: {policy}");
    }
    for (name, value) in [
        ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let html = answer.text();
    assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"));
    for (part, count) in [
        ("<h1", 1),
        ("<main id=\"content\"", 1),
        ("<title>", 1),
        ("class=\"skip\"", 1),
        ("<script", 1),
    ] {
        assert_eq!(html.matches(part).count(), count, "{part}: {html}");
    }
    for tag in html
        .split('<')
        .skip(1)
        .map(|rest| rest.split('>').next().unwrap())
    {
        for inline in ["style ", " style=", "javascript:", "http://", "https://"] {
            assert!(!tag.contains(inline), "{inline}: {tag}");
        }
        let handler = tag
            .split(' ')
            .find(|attribute| attribute.starts_with("on") && attribute.contains('='));
        assert_eq!(handler, None, "{tag}");
    }
    for form in html
        .split("<form")
        .skip(1)
        .map(|rest| rest.split_once("</form>").unwrap().0)
    {
        let posts = form.contains("method=\"post\"");
        let open = form.contains("action=\"/sign-in");
        assert!(
            !posts || open || form.contains("name=\"form_token\" value=\""),
            "{form}"
        );
    }
    for input in html
        .split("<input ")
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().0)
    {
        let Some(id) = input
            .split("id=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
        else {
            assert!(
                input.contains("type=\"hidden\"") || input.contains("aria-label=\""),
                "{input}"
            );
            continue;
        };
        assert!(
            html.contains(&format!("<label for=\"{id}\"")) || input.contains("aria-label=\""),
            "{input}"
        );
    }
    assert!(answer.body.len() < 60_000, "{}", answer.body.len());
}

#[tokio::test]
async fn every_page_has_the_structure_and_is_isolated() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let (guest, browser) = (Browser::new(&service), Browser::of(&service, &user).await);
    check_page(&guest.get("/sign-in").visit().await);
    check_page(
        &browser
            .get(&format!("/organizations/{organization}/review"))
            .visit()
            .await,
    );
    check_page(&browser.get("/sign-in").visit().await);
    let lead = guest.get("/").visit().await;
    assert_eq!(
        (lead.status.as_u16(), lead.header("location")),
        (303, "/sign-in")
    );
}

#[tokio::test]
async fn the_first_page_lists_the_users_organizations() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    assert!(
        browser
            .get("/")
            .visit()
            .await
            .text()
            .contains("No organization yet")
    );
    let organization = service.organization(&user).await;
    let other = service.organization(&service.user().await).await;
    let lead = browser.get("/").visit().await;
    assert_eq!(
        lead.header("location"),
        format!("/organizations/{organization}/review"),
        "the only one"
    );
    for _ in 0..2 {
        service.organization(&user).await;
    }
    let page = browser.get("/").visit().await;
    check_page(&page);
    assert!(
        page.text().contains(&organization.to_string())
            && !page.text().contains(&other.to_string())
    );
    let page = browser.get("/?limit=1").visit().await;
    let next = page
        .text()
        .split("href=\"/organizations?cursor=")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(next, organization.to_string());
    check_page(
        &browser
            .get(&format!("/organizations?cursor={next}"))
            .visit()
            .await,
    );
}

#[tokio::test]
async fn a_browser_gets_its_errors_as_pages_with_the_request_id() {
    let service = Service::with(server::Settings::default(), Act::Nothing).await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for (call, status) in [
        (browser.get("/nothing"), 404),
        (browser.get("/docs/rules/none"), 404),
        (browser.get("/assets/console.css"), 404),
        (browser.get("/sign-in/link/hwl_nonsense"), 404),
        (
            browser.get("/?cursor=%3Cscript%3Ealert(1)%3C/script%3E"),
            400,
        ),
        (browser.get("/?%3Cimg%20src=x%20onerror=alert(1)%3E=1"), 400),
        (browser.call(Method::PUT, "/sign-in"), 405),
        (browser.form("/sign-out", &[]), 403),
    ] {
        let answer = call.visit().await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
        let id = answer.header("x-request-id");
        assert!(
            !id.is_empty() && answer.text().contains(id),
            "{}",
            answer.text()
        );
        assert!(
            !answer.text().contains("<img src=x") && !answer.text().contains("<script>"),
            "{}",
            answer.text()
        );
        check_page(&answer);
    }
    service.store.close().await;
    let answer = browser.get("/").visit().await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("retry-after")),
        (503, "5")
    );
    check_page(&answer);
    // API clients still get JSON.
    service
        .get("/nothing")
        .send()
        .await
        .expect(404, "NOT_FOUND");
    let program = service
        .get("/v1/nothing")
        .header("accept", "text/html")
        .send()
        .await;
    program.expect(404, "NOT_FOUND");
}

#[tokio::test]
async fn names_are_escaped_on_every_page() {
    let service = Service::start().await;
    let name = "<img src=x onerror=alert(1)>\"'&";
    let id = service
        .store
        .insert_user(name, false, service.now())
        .await
        .unwrap()
        .id;
    let user = service.user_with(id, store::Scope::ALL, None, None).await;
    let organization = service
        .store
        .insert_organization(name, id, None, service.now())
        .await
        .unwrap()
        .id;
    let browser = Browser::of(&service, &user).await;
    let page = browser
        .get(&format!("/organizations/{organization}/review"))
        .visit()
        .await;
    check_page(&page);
    assert!(
        !page.text().contains("<img src=x") && page.text().matches("&#60;img src=x").count() == 2,
        "{}",
        page.text()
    );
}

#[tokio::test]
async fn assets_are_cached_permanently_and_compressed() {
    let service = Service::start().await;
    let page = Browser::new(&service).get("/sign-in").visit().await;
    let loaded: Vec<&str> = page
        .text()
        .split('"')
        .filter(|part| part.starts_with("/assets/"))
        .collect();
    assert!(loaded.len() >= 3, "{loaded:?}");
    let mut bytes = page.body.len();
    for path in loaded {
        let answer = service
            .get(path)
            .header("accept-encoding", "br")
            .visit()
            .await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(
            (answer.header("content-encoding"), answer.header("vary")),
            ("br", "accept-encoding")
        );
        bytes += answer.body.len();
    }
    assert!(bytes < 60_000, "{bytes}");
    assert!(CONSOLE_ROUTES.contains(&("GET", "/assets/{file}")));
}
