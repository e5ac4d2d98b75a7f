//! The pages of members: roles, removal and entitlements.

use server::{ManagedBy, Settings};
use store::{Role, Scope};

use super::Browser;
use super::pages::check_page;
use crate::support::World;

async fn role(world: &World, user: store::UserId) -> Option<Role> {
    let found = world
        .service
        .store
        .find_member(world.organization, user)
        .await
        .unwrap();
    found.map(|member| member.role)
}

#[tokio::test]
async fn the_list_of_members_is_paginated_and_has_links_for_managers() {
    let world = World::new().await;
    let path = format!("/organizations/{}/members", world.organization);
    for (user, links) in [(&world.owner, 3), (&world.admin, 3), (&world.member, 1)] {
        let page = Browser::of(&world.service, user)
            .await
            .get(&path)
            .visit()
            .await;
        check_page(&page);
        assert_eq!(
            page.text().matches("<tr>").count(),
            4,
            "a head and three members"
        );
        assert_eq!(
            page.text().matches(&format!("href=\"{path}/usr_")).count(),
            links
        );
        assert_eq!(
            page.text()
                .matches("<span class=\"tag\">you</span>")
                .count(),
            1
        );
    }
    let browser = Browser::of(&world.service, &world.owner).await;
    let page = browser.get(&format!("{path}?limit=2")).visit().await;
    let cursor = page
        .text()
        .split(&format!("href=\"{path}?cursor="))
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let page = browser
        .get(&format!("{path}?cursor={cursor}"))
        .visit()
        .await;
    check_page(&page);
    assert_eq!(page.text().matches("<tr>").count(), 2);
}

#[tokio::test]
async fn a_role_is_changed_and_a_member_removed() {
    let world = World::new().await;
    let browser = Browser::of(&world.service, &world.owner).await;
    let path = format!(
        "/organizations/{}/members/{}",
        world.organization, world.member.id
    );
    let page = browser.get(&path).visit().await;
    check_page(&page);
    assert!(
        page.text().contains("<option value=\"member\" selected>"),
        "{}",
        page.text()
    );
    for _ in 0..2 {
        let changed = browser
            .post(&format!("{path}/role"), &[("role", "admin")])
            .await;
        let page = browser.follow(&changed).await;
        assert!(
            page.text().contains("<option value=\"admin\" selected>"),
            "{}",
            page.text()
        );
    }
    assert_eq!(role(&world, world.member.id).await, Some(Role::Admin));
    let removed = browser.post(&format!("{path}/remove"), &[]).await;
    let list = browser.follow(&removed).await;
    assert!(!list.text().contains(&world.member.id.to_string()));
    let again = browser.post(&format!("{path}/remove"), &[]).await;
    assert_eq!(again.status.as_u16(), 404);
    check_page(&again);
    let page = browser.get(&path).visit().await;
    assert_eq!(page.status.as_u16(), 404);
}

#[tokio::test]
async fn the_last_owner_cannot_leave_and_other_members_can() {
    let world = World::new().await;
    let (owner, member) = (
        Browser::of(&world.service, &world.owner).await,
        Browser::of(&world.service, &world.member).await,
    );
    let path =
        |user: store::UserId| format!("/organizations/{}/members/{user}", world.organization);
    for (action, fields) in [("role", &[("role", "member")][..]), ("remove", &[])] {
        let refused = owner
            .post(&format!("{}/{action}", path(world.owner.id)), fields)
            .await;
        assert_eq!(refused.status.as_u16(), 409, "{action}");
        check_page(&refused);
        assert!(refused.text().contains("last owner"), "{}", refused.text());
    }
    assert_eq!(
        owner
            .post(
                &format!("{}/role", path(world.admin.id)),
                &[("role", "king")]
            )
            .await
            .status
            .as_u16(),
        400
    );
    assert_eq!(
        member
            .get(&path(world.owner.id))
            .visit()
            .await
            .status
            .as_u16(),
        403,
        "not the own one"
    );
    let page = member.get(&path(world.member.id)).visit().await;
    check_page(&page);
    assert!(
        page.text().contains(">Leave<") && !page.text().contains("/role\""),
        "{}",
        page.text()
    );
    let left = member
        .post(&format!("{}/remove", path(world.member.id)), &[])
        .await;
    assert_eq!(
        (left.status.as_u16(), left.header("location")),
        (303, "/organizations")
    );
    assert_eq!(role(&world, world.member.id).await, None);
}

#[tokio::test]
async fn owners_change_entitlements_if_allowed_and_members_see_their_own() {
    let world = World::with(Settings {
        managed_by: ManagedBy::Owners,
        ..Settings::default()
    })
    .await;
    let browser = Browser::of(&world.service, &world.owner).await;
    let path = format!(
        "/organizations/{}/members/{}",
        world.organization, world.member.id
    );
    let set =
        async |fields: &[(&str, &str)]| browser.post(&format!("{path}/entitlement"), fields).await;
    let page = browser.get(&path).visit().await;
    check_page(&page);
    assert!(
        page.text().contains("never had an entitlement") && page.text().contains(">Grant<"),
        "{}",
        page.text()
    );
    let page = browser
        .follow(
            &set(&[
                ("status", "active"),
                ("limit", " 12 "),
                ("ends", "2026-12-01"),
            ])
            .await,
        )
        .await;
    for part in [
        "name=\"limit\" inputmode=\"numeric\" autocomplete=\"off\" value=\"12\"",
        "value=\"2026-12-01\"",
        "12; resets on 2026-12-01 (UTC)",
    ] {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    check_page(&page);
    // Only the limit changes; the expiry stays the same, to the second.
    let fields = [
        ("status", "active"),
        ("limit", ""),
        ("ends", "2026-12-01"),
        ("ended", "2026-12-01"),
    ];
    let page = browser.follow(&set(&fields).await).await;
    assert!(
        page.text().contains("no limit</dd>") && page.text().contains("2026-12-01 00:00 UTC"),
        "{}",
        page.text()
    );
    let page = browser
        .follow(
            &set(&[
                ("status", "suspended"),
                ("ends", ""),
                ("ended", "2026-12-01"),
            ])
            .await,
        )
        .await;
    assert!(
        page.text().contains(">suspended</span>") && page.text().contains("no end"),
        "{}",
        page.text()
    );
    for wrong in [
        ("limit", "many"),
        ("limit", "-1"),
        ("ends", "soon"),
        ("ends", "2020-01-01"),
        ("status", "expired"),
    ] {
        let page = set(&[wrong, ("status", "active")]).await;
        assert_eq!(page.status.as_u16(), 400, "{wrong:?}");
        check_page(&page);
    }
    let page = browser
        .follow(
            &browser
                .post(&format!("{path}/entitlement/revoke"), &[])
                .await,
        )
        .await;
    assert!(page.text().contains(">revoked</span>"), "{}", page.text());
    assert_eq!(
        browser
            .post(&format!("{path}/entitlement/revoke"), &[])
            .await
            .status
            .as_u16(),
        409
    );
    let own = Browser::of(&world.service, &world.member).await;
    let page = own.get(&path).visit().await;
    check_page(&page);
    assert!(
        page.text().contains(">revoked</span>") && !page.text().contains("/entitlement\""),
        "{}",
        page.text()
    );
}

#[tokio::test]
async fn operators_who_are_not_members_change_entitlements_and_others_are_refused() {
    let world = World::new().await;
    let path = format!(
        "/organizations/{}/members/{}",
        world.organization, world.member.id
    );
    let operator = Browser::of(&world.service, &world.operator).await;
    let page = operator.get(&path).visit().await;
    check_page(&page);
    assert!(
        page.text().contains(">Grant<") && !page.text().contains("/role\""),
        "{}",
        page.text()
    );
    let answer = operator
        .post(&format!("{path}/entitlement"), &[("status", "active")])
        .await;
    assert!(operator.follow(&answer).await.text().contains("no limit"));
    for user in [&world.owner, &world.admin, &world.member] {
        let browser = Browser::of(&world.service, user).await;
        for action in ["entitlement", "entitlement/revoke"] {
            let page = browser
                .post(&format!("{path}/{action}"), &[("status", "active")])
                .await;
            assert_eq!(page.status.as_u16(), 403);
            check_page(&page);
            assert!(
                page.text()
                    .contains("Only an operator may change entitlements."),
                "{}",
                page.text()
            );
        }
    }
    let reads = world
        .service
        .user_with(world.owner.id, &[Scope::OrganizationsRead], None, None)
        .await;
    let page = Browser::of(&world.service, &reads)
        .await
        .post(&format!("{path}/role"), &[("role", "admin")])
        .await;
    assert_eq!(page.status.as_u16(), 403);
    assert!(page.text().contains("organizations:write"));
}
