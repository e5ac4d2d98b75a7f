//! Invitations: a link that is shown once, and its use.

use std::time::Duration;

use axum::http::Method;
use store::{InvitationCode, Role};

use super::Browser;
use super::pages::check_page;
use crate::support::{Answer, DAY, User, World};

/// The path of the link on the page that shows it.
fn link(page: &Answer) -> Option<String> {
    let (_, rest) = page
        .text()
        .split_once("<code id=\"link\">http://127.0.0.1:8080")?;
    Some(rest.split('<').next().unwrap().to_owned())
}

/// Creates an invitation, and returns its link.
async fn invite(world: &World, fields: &[(&str, &str)]) -> String {
    let browser = Browser::of(&world.service, &world.owner).await;
    let made = browser
        .post(
            &format!("/organizations/{}/invitations", world.organization),
            fields,
        )
        .await;
    let page = browser.follow(&made).await;
    check_page(&page);
    link(&page).unwrap_or_else(|| panic!("{}", page.text()))
}

/// Accepts as the page of the link does.
async fn accept(world: &World, user: &User, link: &str) -> Answer {
    let browser = Browser::of(&world.service, user).await;
    let page = browser.get(link).visit().await;
    check_page(&page);
    assert!(
        page.status.is_success() && page.text().contains("action=\"/invitations/accept\""),
        "{}",
        page.text()
    );
    browser
        .post(
            "/invitations/accept",
            &[("code", link.strip_prefix("/invitations/").unwrap())],
        )
        .await
}

#[tokio::test]
async fn the_link_is_shown_once_and_the_page_can_be_loaded_again() {
    let world = World::new().await;
    let browser = Browser::of(&world.service, &world.admin).await;
    let path = format!("/organizations/{}/invitations", world.organization);
    let page = browser.get(&path).visit().await;
    check_page(&page);
    assert!(page.text().contains("No open invitation"));
    let made = browser
        .post(&path, &[("role", "member"), ("days", "1")])
        .await;
    let page = browser.follow(&made).await;
    check_page(&page);
    let code = link(&page)
        .unwrap()
        .strip_prefix("/invitations/")
        .unwrap()
        .to_owned();
    assert!(
        InvitationCode::parse(&code).is_some()
            && page.header("set-cookie").starts_with("hunkwise-once=; ")
    );
    let again = browser.get(made.header("location")).visit().await;
    check_page(&again);
    assert!(
        again.text().contains("already shown") && !again.text().contains(&code),
        "{}",
        again.text()
    );
    let kept = world.service.database.contents();
    assert!(
        !kept
            .windows(code.len())
            .any(|window| window == code.as_bytes())
    );
    assert!(!crate::support::Logs::text().contains(&code));
    let list = browser.get(&path).visit().await;
    check_page(&list);
    assert!(
        list.text().contains("2026-11-21 12:00 UTC") && !list.text().contains(&code),
        "{}",
        list.text()
    );
}

#[tokio::test]
async fn an_invited_person_joins_and_the_link_becomes_invalid() {
    let world = World::new().await;
    let (guest, other) = (world.service.user().await, world.service.user().await);
    let link = invite(&world, &[("role", "admin"), ("days", "7")]).await;
    let joined = accept(&world, &guest, &link).await;
    let review = format!("/organizations/{}/review", world.organization);
    assert_eq!(
        (joined.status.as_u16(), joined.header("location")),
        (303, review.as_str())
    );
    let found = world
        .service
        .store
        .find_member(world.organization, guest.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.role, Role::Admin);
    // Used twice, or by another user.
    for user in [&guest, &other] {
        let refused = accept(&world, user, &link).await;
        assert_eq!(refused.status.as_u16(), 404);
        check_page(&refused);
        assert!(refused.text().contains("not open"), "{}", refused.text());
    }
}

#[tokio::test]
async fn expired_revoked_and_foreign_links_get_the_same_page() {
    let world = World::new().await;
    let guest = world.service.user().await;
    let browser = Browser::of(&world.service, &world.owner).await;
    let path = format!("/organizations/{}/invitations", world.organization);
    let revoked = invite(&world, &[("role", "member"), ("days", "7")]).await;
    let list = browser.get(&path).visit().await;
    let (_, rest) = list
        .text()
        .split_once(&format!("action=\"{path}/inv_"))
        .unwrap();
    let action = format!("{path}/inv_{}", rest.split('"').next().unwrap());
    assert_eq!(browser.post(&action, &[]).await.header("location"), path);
    assert_eq!(
        browser.post(&action, &[]).await.status.as_u16(),
        404,
        "it is already gone"
    );
    let expired = invite(&world, &[("role", "member"), ("days", "1")]).await;
    world.service.advance(DAY);
    let foreign = format!("/invitations/{}", InvitationCode::generate().expose());
    let mut pages = std::collections::BTreeSet::new();
    for link in [&revoked, &expired, &foreign] {
        world.service.advance(Duration::from_secs(60));
        let page = accept(&world, &guest, link).await;
        check_page(&page);
        assert_eq!(page.status.as_u16(), 404, "{link}");
        let text = page.text();
        let (start, rest) = text.split_once("name=\"form_token\" value=\"").unwrap();
        pages.insert(format!("{start}{}", rest.split_once('"').unwrap().1));
    }
    assert_eq!(pages.len(), 1, "the reason is not disclosed");
    let nonsense = Browser::of(&world.service, &guest)
        .await
        .get("/invitations/%3Cscript%3E")
        .visit()
        .await;
    check_page(&nonsense);
    assert!(
        nonsense.status.as_u16() == 404 && nonsense.text().contains("not open"),
        "{}",
        nonsense.text()
    );
}

#[tokio::test]
async fn a_member_does_not_use_up_the_link() {
    let world = World::new().await;
    let link = invite(&world, &[("role", "member"), ("days", "7")]).await;
    let refused = accept(&world, &world.member, &link).await;
    check_page(&refused);
    assert!(
        refused.status.as_u16() == 409 && refused.text().contains("already a member"),
        "{}",
        refused.text()
    );
    let guest = world.service.user().await;
    assert_eq!(accept(&world, &guest, &link).await.status.as_u16(), 303);
}

#[tokio::test]
async fn a_user_who_is_not_signed_in_returns_after_signing_in() {
    let world = World::new().await;
    let guest = world.service.user().await;
    let link = invite(&world, &[("role", "member"), ("days", "7")]).await;
    let code = link.strip_prefix("/invitations/").unwrap();
    let mut browser = Browser::new(&world.service);
    let page = browser.get(&link).visit().await;
    check_page(&page);
    let field = format!("name=\"invitation\" value=\"{code}\"");
    assert!(
        page.status.as_u16() == 401 && page.text().contains(&field),
        "{}",
        page.text()
    );
    let wrong = browser
        .form("/sign-in", &[("invitation", code), ("token", "nonsense")])
        .visit()
        .await;
    assert!(
        wrong.status.as_u16() == 401 && wrong.text().contains(&field),
        "a typing error loses no input"
    );
    let answer = browser
        .form("/sign-in", &[("invitation", code), ("token", &guest.token)])
        .visit()
        .await;
    browser.keep(&answer);
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, link.as_str())
    );
    assert!(
        browser
            .get(&link)
            .visit()
            .await
            .text()
            .contains("You are invited")
    );
    // Other pages are not accepted as targets.
    for elsewhere in ["//evil.example.com", "/tokens", "https://evil.example.com"] {
        let call = browser.form(
            "/sign-in",
            &[("invitation", elsewhere), ("token", &guest.token)],
        );
        assert_eq!(call.visit().await.header("location"), "/");
    }
}

#[tokio::test]
async fn admins_cannot_invite_owners_and_members_cannot_invite() {
    let world = World::new().await;
    let path = format!("/organizations/{}/invitations", world.organization);
    let admin = Browser::of(&world.service, &world.admin).await;
    let refused = admin.post(&path, &[("role", "owner"), ("days", "7")]).await;
    check_page(&refused);
    assert!(
        refused.status.as_u16() == 403 && refused.text().contains("may invite an owner"),
        "{}",
        refused.text()
    );
    for fields in [
        [("role", "king"), ("days", "7")],
        [("role", "member"), ("days", "31")],
        [("role", "member"), ("days", "x")],
    ] {
        let refused = admin.post(&path, &fields).await;
        assert_eq!(refused.status.as_u16(), 400, "{fields:?}");
        check_page(&refused);
    }
    let member = Browser::of(&world.service, &world.member).await;
    for method in [Method::GET, Method::POST] {
        let page = match method {
            Method::GET => member.get(&path).visit().await,
            _ => member.post(&path, &[("role", "member")]).await,
        };
        check_page(&page);
        assert!(
            page.status.as_u16() == 403 && page.text().contains("Ask an owner"),
            "{}",
            page.text()
        );
    }
}
