//! Accessibility: axe-core finds no problems on any page of the console, in the light and dark colour schemes.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::console::{DIFF, review};
use crate::driver::Browser;
use crate::organizations::submit;
use crate::world::World;

/// axe-core's script; `None`, with a notice, if the environment does not contain its path.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment says where axe-core is, and whether a skip is a failure"
)]
fn script() -> Option<String> {
    if let Some(path) = std::env::var_os("AXE_CORE") {
        return Some(std::fs::read_to_string(path).unwrap());
    }
    assert!(
        std::env::var_os("REQUIRE_AXE").is_none_or(|value| value != "1"),
        "REQUIRE_AXE is set, and AXE_CORE is not"
    );
    writeln!(
        std::io::stderr(),
        "SKIPPED: axe-core is not installed (npm install axe-core; AXE_CORE=…/axe.min.js)"
    )
    .unwrap();
    None
}

struct Axe {
    script: String,
    found: Vec<String>,
}

impl Axe {
    /// Checks the open page.
    async fn check(&mut self, browser: &mut Browser, page: &str) {
        browser.eval(&format!("{}; null", self.script)).await;
        for scheme in ["light", "dark"] {
            browser.prefer(scheme).await;
            let run = "axe.run(document).then(({ violations, passes }) => ({ passes: passes.length, \
                found: violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)) }))";
            let result = browser.eval(run).await;
            assert!(result["passes"].as_u64() > Some(10), "{page}: {result}");
            let found = result["found"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| format!("{page}, {scheme}: {one}"));
            self.found.extend(found);
        }
    }

    async fn visit(&mut self, browser: &mut Browser, path: &str) {
        browser.go(path).await;
        self.check(browser, path).await;
    }

    /// The review page: empty, with an error, with a result, and with a side-by-side result.
    async fn check_reviews(&mut self, browser: &mut Browser) {
        self.check(browser, "review").await;
        browser.fill("#diff", "no diff").await;
        browser.click("#review button").await;
        browser
            .until("!document.querySelector('#problem').hidden")
            .await;
        self.check(browser, "review, no diff").await;
        let mut diff = format!("{DIFF}Binary files a/x.png and b/x.png differ\n");
        diff += "--- a/a.rs\n+++ b/a.rs\n@@ -1,3 +1,3 @@\n // `comment`\n-let a = \"b\";\n+let a = \"`c`\" + 1;\n+// comment\n-// no\n";
        review(browser, &diff).await;
        browser
            .eval(
                "document.querySelectorAll('.finding details').forEach((one) => (one.open = true))",
            )
            .await;
        self.check(browser, "review, result").await;
        browser.click("#split").await;
        self.check(browser, "review, side by side").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn axe_finds_no_problems_on_any_page() {
    let Some(script) = script() else { return };
    let mut axe = Axe {
        script,
        found: Vec::new(),
    };
    let world = World::named("Acme").await;
    let Some(mut guest) = world.guest().await else {
        return;
    };
    for path in ["/sign-in", "/sign-in/link/hwl_x", "/nothing"] {
        axe.visit(&mut guest, path).await;
    }
    let Some(mut browser) = world.browser().await else {
        return;
    };
    axe.check_reviews(&mut browser).await;
    let home = format!("/organizations/{}", world.organization);
    let (user, _) = world.user("Grace").await;
    world
        .store
        .add_member(world.organization, user, store::Role::Member, world.time())
        .await
        .unwrap();
    for path in [
        "/organizations", "/organizations/new", "/tokens", "/organizations/none/members",
    ] {
        axe.visit(&mut browser, path).await;
    }
    for page in [
        "members",
        &format!("members/{user}"),
        &format!("members/{}", world.owner),
        "usage",
    ] {
        axe.visit(&mut browser, &format!("{home}/{page}")).await;
    }
    axe.visit(&mut browser, &format!("{home}/invitations"))
        .await;
    submit(
        &mut browser, "main form.line button", "document.querySelector('#link')",
    )
    .await;
    axe.check(&mut browser, "invitation link").await;
    let link = browser
        .eval("document.querySelector('#link').textContent")
        .await;
    let link: Value = json!(link.as_str().unwrap().strip_prefix(&browser.origin));
    axe.visit(&mut browser, link.as_str().unwrap()).await;
    axe.visit(&mut browser, "/tokens/new").await;
    browser.fill("#name", "ci").await;
    submit(
        &mut browser, "main form button", "document.querySelector('#curl')",
    )
    .await;
    axe.check(&mut browser, "token").await;
    assert!(axe.found.is_empty(), "{:#?}", axe.found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn axe_finds_problems() {
    const PAGE: &str = "<!doctype html><html><title>x</title><main><h1>x</h1><p style='color: #ccc'>faint</p><input></main></html>";
    let Some(script) = script() else { return };
    let router = axum::Router::new().route(
        "/",
        axum::routing::get(|| async { axum::response::Html(PAGE) }),
    );
    let Some(mut browser) = Browser::open(router).await else {
        return;
    };
    let mut axe = Axe {
        script,
        found: Vec::new(),
    };
    axe.visit(&mut browser, "/").await;
    for id in ["color-contrast", "label", "html-has-lang"] {
        assert!(
            axe.found.iter().any(|one| one.contains(id)),
            "{id}: {:?}",
            axe.found
        );
    }
}
