//! The console's pages of an organization in a browser: a member joins and leaves, and hostile names.

use serde_json::json;
use store::{Role, UsageDelta};

use crate::console::HOSTILE;
use crate::driver::Browser;
use crate::world::World;

/// Submits the form with this button, and waits for the next page.
pub(crate) async fn submit(browser: &mut Browser, button: &str, next: &str) {
    browser.click(button).await;
    browser
        .until(&format!("{next} && document.readyState === 'complete'"))
        .await;
}

/// Creates an invitation, and returns the path of its link, which is shown once.
async fn invite(browser: &mut Browser, world: &World) -> String {
    browser
        .go(&format!(
            "/organizations/{}/invitations",
            world.organization
        ))
        .await;
    submit(
        browser, "main form.line button", "document.querySelector('#link')",
    )
    .await;
    let link = browser
        .eval("document.querySelector('#link').textContent")
        .await;
    link.as_str()
        .unwrap()
        .strip_prefix(&browser.origin)
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invited_person_joins_in_another_profile_and_is_refused_after_removal() {
    for world in World::on_each_database("Acme").await {
        let Some(mut owner) = world.browser().await else {
            return;
        };
        let Some(mut guest) = world.guest().await else {
            return;
        };
        let (user, token) = world.user("Grace").await;
        let link = invite(&mut owner, &world).await;
        owner.click("[data-copy=link]").await;
        owner
            .until("document.querySelector('#copied').textContent !== ''")
            .await;
        owner.check();
        // It is shown once, even after going back and forward.
        for step in ["location.reload()", "history.back()", "history.forward()"] {
            owner.eval(&format!("{step}; null")).await;
            owner
                .until("document.readyState === 'complete' && !document.querySelector('#link')")
                .await;
        }
        // The guest signs in, returns to the invitation, and accepts twice in a row.
        guest.go(&link).await;
        guest.clear_complaints();
        guest.fill("#token", &token).await;
        submit(
            &mut guest,
            "main form button",
            "document.querySelector('form[action=\"/invitations/accept\"]')",
        )
        .await;
        guest
            .eval(
                "for (let i = 0; i < 3; i += 1) document.querySelector('main form button').click()",
            )
            .await;
        guest
            .until("location.pathname.endsWith('/review') && document.readyState === 'complete'")
            .await;
        guest.check();
        let members = format!("/organizations/{}/members", world.organization);
        guest.go(&members).await;
        assert_eq!(
            guest
                .eval("document.querySelectorAll('tbody tr').length")
                .await,
            2
        );
        assert_eq!(
            guest
                .eval("document.querySelector('a[href$=\"/usage\"]')")
                .await,
            json!(null)
        );
        guest.check();
        // A used link, and a revoked one.
        let revoked = invite(&mut owner, &world).await;
        owner
            .go(&format!(
                "/organizations/{}/invitations",
                world.organization
            ))
            .await;
        submit(
            &mut owner, "td form button", "document.querySelector('.empty')",
        )
        .await;
        for closed in [&link, &revoked] {
            guest.go(closed).await;
            submit(
                &mut guest,
                "main form button",
                "document.querySelector('main h1').textContent.includes('not open')",
            )
            .await;
        }
        guest.clear_complaints();
        // The owner removes the member, and the member's next page is refused.
        owner.go(&format!("{members}/{user}")).await;
        submit(
            &mut owner,
            "form[action$=\"/remove\"] button",
            &format!("location.pathname === '{members}'"),
        )
        .await;
        assert_eq!(
            owner
                .eval("document.querySelectorAll('tbody tr').length")
                .await,
            1
        );
        owner.check();
        guest.go(&members).await;
        assert_eq!(
            guest
                .eval("document.querySelector('.eyebrow').textContent")
                .await,
            "404"
        );
        assert_eq!(
            guest
                .eval("document.querySelectorAll('tbody tr').length")
                .await,
            0
        );
        world.store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_created_copied_and_revoked() {
    let world = World::named("Acme").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    browser.go("/tokens/new").await;
    browser.fill("#name", "ci").await;
    browser
        .eval("for (let i = 0; i < 3; i += 1) document.querySelector('main form button').click()")
        .await;
    browser.until("document.querySelector('#curl')").await;
    let shown = "document.querySelector('#curl').textContent.endsWith(`${location.origin}/v1/me`)";
    assert_eq!(browser.eval(shown).await, true);
    let secret = browser
        .eval("document.querySelector('#token').textContent")
        .await;
    let works = "fetch('/v1/me', { headers: { authorization: `Bearer ${document.querySelector('#token').textContent}` } })\
        .then((answer) => answer.status)";
    assert_eq!(browser.eval(works).await, 200);
    browser.go("/tokens").await;
    assert_eq!(
        browser
            .eval("document.querySelectorAll('tbody tr').length")
            .await,
        2,
        "a second click makes no second token"
    );
    assert_eq!(
        browser
            .eval(&format!(
                "document.documentElement.outerHTML.includes({secret})"
            ))
            .await,
        false
    );
    let revoke = "tbody tr:last-child form button";
    submit(
        &mut browser,
        revoke,
        "document.querySelectorAll('tbody tr').length === 1",
    )
    .await;
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_names_are_text_on_the_pages_of_an_organization() {
    let world = World::named("Acme").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    let mut paths = [
        "/organizations", "/organizations/new", "/tokens", "/tokens/new",
    ]
    .map(str::to_owned)
    .to_vec();
    let home = format!("/organizations/{}", world.organization);
    paths.extend(["members", "invitations", "usage"].map(|page| format!("{home}/{page}")));
    for name in HOSTILE {
        let (user, _) = world.user(name).await;
        world
            .store
            .add_member(world.organization, user, Role::Member, world.time())
            .await
            .unwrap();
        let delta = UsageDelta {
            findings: [1, 2, 3, 4],
            ..UsageDelta::default()
        };
        world
            .store
            .record_usage(world.organization, user, "2026-11-20", delta)
            .await
            .unwrap();
        world.token(world.owner, name).await;
        let own = world
            .store
            .insert_organization(name, world.owner, None, world.time())
            .await
            .unwrap()
            .id;
        paths.extend([
            format!("{home}/members/{user}"),
            format!("/organizations/{own}/members"),
        ]);
    }
    for path in &paths {
        browser.go(path).await;
        let foreign = "document.querySelectorAll('main :is(script, img, iframe, base, meta, link, [onload], [onmouseover])').length";
        assert_eq!(browser.eval(foreign).await, 0, "{path}");
        assert_eq!(
            browser.eval("document.querySelectorAll('h1').length").await,
            1,
            "{path}"
        );
        assert_eq!(
            browser
                .eval("document.body.textContent.includes('\u{202e}')")
                .await,
            false,
            "{path}"
        );
    }
    for path in [
        "/organizations",
        "/tokens",
        &format!("{home}/members"),
        &format!("{home}/usage"),
    ] {
        browser.go(path).await;
        for name in HOSTILE.iter().filter(|name| !name.contains('\u{202e}')) {
            let shown = format!(
                "document.querySelector('main').textContent.includes({})",
                json!(name)
            );
            assert_eq!(browser.eval(&shown).await, true, "{name} on {path}");
        }
        assert_eq!(
            browser
                .eval("document.querySelectorAll('main mark.odd').length > 0")
                .await,
            true,
            "{path}"
        );
    }
    browser.check();
}
