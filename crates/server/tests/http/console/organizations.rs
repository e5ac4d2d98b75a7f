//! The list of the user's organizations, and the form that creates one.

use store::{Role, Scope};

use super::Browser;
use super::pages::check_page;
use crate::support::{Answer, Service};

/// The value of the field that identifies the form.
fn name_of_form(page: &Answer) -> String {
    page.text()
        .split("name=\"form\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_user_without_an_organization_creates_one_and_owns_it() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let page = browser.get("/organizations").visit().await;
    check_page(&page);
    assert!(
        page.text().contains("No organization yet")
            && page.text().contains("href=\"/organizations/new\"")
    );
    let form = browser.get("/organizations/new").visit().await;
    check_page(&form);
    let made = browser
        .post(
            "/organizations",
            &[("form", &name_of_form(&form)), ("name", " Acme ")],
        )
        .await;
    let page = browser.follow(&made).await;
    check_page(&page);
    assert!(
        page.text().contains(">Acme</a>")
            && page.text().contains("<span class=\"tag\">owner</span>")
    );
    let list = browser.get("/organizations").visit().await;
    check_page(&list);
    assert_eq!(
        list.text().matches("<li>").count(),
        1,
        "a single one is listed as well"
    );
}

#[tokio::test]
async fn a_form_submitted_twice_creates_one_organization_unless_the_name_differs() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let form = name_of_form(&browser.get("/organizations/new").visit().await);
    let mut made = Vec::new();
    for name in ["Acme", "Acme", "Bell"] {
        let answer = browser
            .post("/organizations", &[("form", &form), ("name", name)])
            .await;
        assert_eq!(answer.status.as_u16(), 303);
        made.push(answer.header("location").to_owned());
    }
    assert!(made[0] == made[1] && made[1] != made[2], "{made:?}");
    assert_eq!(
        service
            .store
            .list_organizations(user.id, None, 10)
            .await
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn an_invalid_name_is_reported_and_kept() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    let long = "\u{1f980}".repeat(121);
    for (name, expected) in [
        ("", "must not be blank"),
        (long.as_str(), "at most 120 characters, not 121"),
        ("<b>\u{202e}x", "U+202E"),
        ("a\tb", "control characters"),
    ] {
        let page = browser.post("/organizations", &[("name", name)]).await;
        assert_eq!(page.status.as_u16(), 400, "{name}");
        check_page(&page);
        assert!(
            page.text().contains(expected) && page.text().contains("aria-invalid"),
            "{}",
            page.text()
        );
        assert!(!page.text().contains("<b>"));
    }
    let longest = "\u{1f980}".repeat(120);
    let page = browser
        .follow(&browser.post("/organizations", &[("name", &longest)]).await)
        .await;
    check_page(&page);
    assert!(page.text().contains(&longest));
}

#[tokio::test]
async fn lists_are_paginated_to_their_end() {
    let service = Service::start().await;
    let user = service.user().await;
    let browser = Browser::of(&service, &user).await;
    for _ in 0..3 {
        service.organization(&user).await;
    }
    let mut seen = 0;
    let mut path = "/organizations?limit=2".to_owned();
    loop {
        let page = browser.get(&path).visit().await;
        check_page(&page);
        seen += page.text().matches("<li>").count();
        let Some((_, rest)) = page.text().split_once("href=\"/organizations?cursor=") else {
            break;
        };
        path = format!("/organizations?cursor={}", rest.split('"').next().unwrap());
    }
    assert_eq!(seen, 3);
}

#[tokio::test]
async fn links_that_a_role_may_not_use_are_hidden() {
    let service = Service::start().await;
    let (owner, member) = (service.user().await, service.user().await);
    let organization = service.organization(&owner).await;
    service.join(organization, &member, Role::Member).await;
    for (user, shown) in [(&owner, true), (&member, false)] {
        let page = Browser::of(&service, user)
            .await
            .get(&format!("/organizations/{organization}/members"));
        let page = page.visit().await;
        check_page(&page);
        for link in ["/usage\"", "/invitations\""] {
            let path = format!("href=\"/organizations/{organization}{link}");
            assert_eq!(page.text().contains(&path), shown, "{path}");
        }
    }
    let limited = service
        .user_with(owner.id, &[Scope::OrganizationsRead], None, None)
        .await;
    let refused = Browser::of(&service, &limited)
        .await
        .get("/organizations/new")
        .visit()
        .await;
    check_page(&refused);
    assert!(
        refused.status.as_u16() == 403 && refused.text().contains("organizations:write"),
        "{}",
        refused.text()
    );
}
