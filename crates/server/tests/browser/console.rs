//! The console in a browser: from the link to the findings, and with hostile changes.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::driver::Browser;
use crate::world::World;

pub(crate) const DIFF: &str = "\
--- a/src/pay.py
+++ b/src/pay.py
@@ -1,3 +1,4 @@ def settle(order):
 first = 1
-second = 2
+second = 3
+third = 4
 fifth = 5
--- a/src/cart.py
+++ b/src/cart.py
@@ -7,1 +7,2 @@
 seventh = 7
+eighth = 8
";

/// Payloads that would have an effect if they became part of a page.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "\"><script>alert(1)</script>",
    "' onmouseover='alert(1)' x='",
    "</textarea><script>alert(1)</script>",
    "</code></div></section><h1 id=result>",
    "<a href=javascript:alert(1)>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<form action=//evil.example.com><button>",
    "<base href=//evil.example.com/>",
    "<meta http-equiv=refresh content='0;url=//evil.example.com'>",
    "<link rel=stylesheet href=//evil.example.com/x.css>",
    "<input name=querySelector id=problem><img name=getElementById>",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<!--<script>alert(1)//-->",
    "data:text/html,<script>alert(1)</script>",
    "\u{202e}txt.exe\u{2066}\u{200f}",
];

pub(crate) async fn review(browser: &mut Browser, diff: &str) {
    browser.fill("#diff", diff).await;
    browser.click("#review button").await;
    browser
        .until("document.querySelector('#result') && document.querySelector('#progress').hidden")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_are_shown_navigated_filtered_and_saved() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    review(&mut browser, DIFF).await;
    assert_eq!(
        browser
            .eval("document.querySelectorAll('.a + .finding').length")
            .await,
        3,
        "each is below its line"
    );
    assert_eq!(
        browser.eval("document.activeElement.id").await,
        "result-title"
    );
    // Stepping through findings.
    for (key, expected) in [
        ("j", "1 of 3"),
        ("j", "2 of 3"),
        ("k", "1 of 3"),
        ("k", "3 of 3"),
        ("j", "1 of 3"),
    ] {
        browser.press(key).await;
        assert_eq!(
            browser
                .eval("document.querySelector('#position').textContent")
                .await,
            expected,
            "{key}"
        );
        assert_eq!(
            browser
                .eval("document.activeElement.className.startsWith('finding')")
                .await,
            true
        );
    }
    assert_eq!(
        browser
            .eval("document.querySelector('.row[aria-current] .badge').textContent")
            .await,
        "P1",
        "the list shows where one is, and begins with the most serious finding"
    );
    // Filters: a click shows only findings of this priority, and again all.
    let shown =
        "[...document.querySelectorAll('.finding')].filter((one) => one.checkVisibility()).length";
    for (click, expected) in [
        ("#only-P1", 2),
        ("#only-P1", 3),
        ("#only-P3", 1),
        ("#only-P1", 3),
    ] {
        browser.click(click).await;
        assert_eq!(browser.eval(shown).await, expected, "{click}");
    }
    // Side by side.
    browser.click("#split").await;
    assert_eq!(
        browser
            .eval("document.querySelectorAll('.s code').length")
            .await,
        6,
        "unchanged lines are on both sides"
    );
    // Saving a file.
    let folder = browser.folder().join("saved");
    std::fs::create_dir(&folder).unwrap();
    browser.save_to(&folder).await;
    for (name, start) in [
        ("review.json", "{"),
        ("review.sarif", "{"),
        ("review.md", "## Hunkwise: 3 findings"),
    ] {
        browser.click(&format!("[download='{name}']")).await;
        browser.saved().await;
        assert!(
            std::fs::read_to_string(folder.join(name))
                .unwrap()
                .starts_with(start),
            "{name}"
        );
    }
    browser.check();
    // The result exists only in the page.
    browser.go("/").await;
    assert_eq!(
        browser.eval("document.querySelector('#result')").await,
        json!(null)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_most_serious_finding_is_on_the_first_screen() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    // A minified file and a logo come first, and the most serious finding is in the last file.
    let minified = format!("var a={};", "1,".repeat(3_000));
    let mut diff = format!(
        "--- a/app.min.js\n+++ b/app.min.js\n@@ -1 +1 @@\n-{minified}\n+{minified}1\n\
         diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n"
    );
    for file in 0..8 {
        diff += &format!("--- a/f{file}.py\n+++ b/f{file}.py\n@@ -0,0 +1 @@\n+x = {file}\n");
    }
    diff += DIFF;
    for (width, height) in [(1280, 800), (768, 1024), (360, 740)] {
        browser.resize(width, height).await;
        review(&mut browser, &diff).await;
        let top = "document.querySelector('.list .row').getBoundingClientRect().top";
        let top = browser.eval(top).await;
        assert!(
            (0.0..200.0).contains(&top.as_f64().unwrap()),
            "{width}: {top}"
        );
        assert_eq!(
            browser
                .eval("document.querySelector('.list .badge').textContent")
                .await,
            "P1"
        );
        // The diff begins with its file, and ends with those that were not reviewed, folded.
        let files = "[...document.querySelectorAll('.file')].map((file) => [file.querySelector('.path').textContent, file.open])";
        let files = browser.eval(files).await;
        let files = files.as_array().unwrap();
        assert_eq!(files.first(), Some(&json!(["src/pay.py", true])));
        assert_eq!(
            files.get(files.len() - 2..),
            Some(&[json!(["app.min.js", false]), json!(["logo.png", false])][..])
        );
        // Eight findings of a rule with the same priority are one row, which opens.
        assert_eq!(
            browser
                .eval("document.querySelector('.group .count').textContent")
                .await,
            "9"
        );
        let sideways =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(browser.eval(sideways).await, 0, "{width}");
    }
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suggested_change_is_shown_and_copied() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    review(&mut browser, DIFF).await;
    browser
        .eval("navigator.clipboard.writeText = async (text) => { window.copied = text }; null")
        .await;
    let text = |selector: &str| format!("document.querySelector('{selector}').textContent");
    for (selector, expected) in [
        (".change .d code", "eighth = 8"),
        (".change .a code", "eighth = 9"),
        (".change .d .w", "8"),
        (".change .a .w", "9"),
        (".edit > .d .w", "2"),
        (".edit > .a .w", "3"),
        (".edit > .a .hit.P1", "s"),
        (".row .fix", "fix"),
    ] {
        assert_eq!(browser.eval(&text(selector)).await, expected, "{selector}");
    }
    browser.click(".change [data-fix]").await;
    browser.until("window.copied === 'eighth = 9'").await;
    browser.eval("window.copied = ''").await;
    for key in ["j", "j", "c"] {
        browser.press(key).await;
    }
    browser.until("window.copied === 'eighth = 9'").await;
    browser.click("[data-summary]").await;
    browser
        .until("window.copied.startsWith('## Hunkwise: 3 findings')")
        .await;
    browser.press("?").await;
    browser.until("document.querySelector('#keys').open").await;
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stepping_continues_where_the_reader_scrolled_to() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    let mut diff = String::new();
    for file in 0..9 {
        let lines = " same\n".repeat(60);
        diff +=
            &format!("--- a/f{file}.py\n+++ b/f{file}.py\n@@ -1,60 +1,61 @@\n{lines}+x = {file}\n");
    }
    review(&mut browser, &diff).await;
    browser.press("j").await;
    let at = "document.activeElement.closest('.file').id";
    assert_eq!(browser.eval(at).await, "file-1");
    browser
        .eval("document.querySelector('#file-6').scrollIntoView()")
        .await;
    browser.press("j").await;
    assert_eq!(browser.eval(at).await, "file-6");
    browser.press("k").await;
    assert_eq!(browser.eval(at).await, "file-5");
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_that_arrived_stay_if_the_review_does_not_end() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    let findings = json!({ "findings": [{ "priority": "P1", "filePath": "a.py", "lineNumber": 3, "summary": "`x < 1` is <b>wrong</b>." }] });
    let answer = json!(format!("event: findings\ndata: {findings}\n\n"));
    browser
        .eval(&format!(
            "window.fetch = async () => new Response({answer}); null"
        ))
        .await;
    browser.fill("#diff", DIFF).await;
    browser.click("#review button").await;
    browser
        .until("!document.querySelector('#problem').hidden")
        .await;
    let shown = "document.querySelector('#early').checkVisibility() && document.querySelector('#early').innerText";
    assert_eq!(
        browser.eval(shown).await,
        "P1\nx < 1 is <b>wrong</b>.\na.py:3"
    );
    let status = "document.querySelector('#status').textContent";
    assert_eq!(
        browser.eval(status).await,
        "Findings of the rules only, because the review did not end"
    );
    assert_eq!(
        browser
            .eval("document.querySelector('#running').checkVisibility()")
            .await,
        false
    );
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_takes_one_click_and_further_clicks_send_nothing() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    browser
        .eval("for (let i = 0; i < 3; i += 1) document.querySelector('[name=sample]').click()")
        .await;
    browser.until("document.querySelector('#result')").await;
    let sent = browser
        .requests()
        .iter()
        .filter(|url| url.ends_with("/review"))
        .count();
    assert_eq!(
        sent,
        2,
        "the page, and one review: {:?}",
        browser.requests()
    );
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_link_of_the_demo_leads_to_the_sample_with_its_findings() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.guest().await else {
        return;
    };
    let code = world.state.offer_sign_in(world.token_id);
    browser
        .go(&format!("/sign-in/link/{}?sample", code.expose()))
        .await;
    browser
        .until("document.querySelector('#result .finding')")
        .await;
    assert_eq!(
        browser.eval("location.hash").await,
        "",
        "a reload reviews nothing"
    );
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn text_that_is_not_a_diff_is_reported_and_kept() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    browser.fill("#diff", "no diff").await;
    browser.click("#review button").await;
    browser
        .until("!document.querySelector('#problem').hidden")
        .await;
    let message = browser
        .eval("document.querySelector('#problem').textContent")
        .await;
    assert!(message.as_str().unwrap().contains("line 1 "), "{message}");
    assert_eq!(
        browser.eval("document.querySelector('#diff').value").await,
        "no diff"
    );
}

/// Fails unless the element is focused and at the top of the window.
async fn is_in_view(browser: &mut Browser, id: &str) {
    assert_eq!(browser.eval("document.activeElement.id").await, id);
    let top = browser
        .eval(&format!(
            "document.getElementById('{id}').getBoundingClientRect().top"
        ))
        .await;
    assert!(
        (0.0..100.0).contains(&top.as_f64().unwrap()),
        "{id} is at {top}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_and_result_are_in_view_and_focused() {
    for (width, height) in [(1366, 650), (360, 740)] {
        let world = World::named("Demo").await;
        let Some(mut browser) = world.browser().await else {
            return;
        };
        browser.resize(width, height).await;
        browser.fill("#diff", "@@ -1,5 +1,9 @@\n a\n b\n").await;
        browser
            .eval("scrollTo(0, document.body.scrollHeight)")
            .await;
        browser.click("#review button").await;
        browser
            .until("!document.querySelector('#problem').hidden")
            .await;
        is_in_view(&mut browser, "problem").await;
        let lines: String = (1..=400).map(|line| format!("+{line}\n")).collect();
        browser
            .fill(
                "#diff",
                &format!("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,400 @@\n{lines}"),
            )
            .await;
        browser
            .eval("scrollTo(0, document.body.scrollHeight)")
            .await;
        // In one step, because the review may end before the next.
        let send = "(() => { document.querySelector('#review button').click(); \
                    const box = document.querySelector('#progress'); \
                    return box === document.activeElement && Math.abs(box.getBoundingClientRect().top) < 100 })()";
        assert_eq!(browser.eval(send).await, true, "the progress is in view");
        browser
            .until(
                "document.querySelector('#result') && document.querySelector('#progress').hidden",
            )
            .await;
        is_in_view(&mut browser, "result-title").await;
    }
}

/// Chooses a file with this text, as a user does.
async fn choose(browser: &mut Browser, name: &str, text: &str, how: &str) {
    let choose = format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {})); \
         const [area, input] = [document.querySelector('#diff'), document.querySelector('#patch')]; {how} }})()",
        json!(text),
        json!(name)
    );
    browser.eval(&choose).await;
}

const BY_INPUT: &str = "input.files = data.files; input.dispatchEvent(new Event('change'));";
const BY_DROP: &str =
    "area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));";
const FILES: &str = "document.querySelector('#patch').files.length";
const TYPE: &str = "document.querySelector('#diff').dispatchEvent(new Event('input'))";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_shown_as_text_and_replaced_by_later_input() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    let other = "--- a/other.py\n+++ b/other.py\n@@ -1 +1,2 @@\n a\n+b\n";
    for how in [BY_INPUT, BY_DROP] {
        browser.fill("#diff", "").await;
        choose(&mut browser, "small.diff", other, how).await;
        browser
            .until(&format!(
                "document.querySelector('#diff').value === {}",
                json!(other)
            ))
            .await;
        assert_eq!(browser.eval(FILES).await, 0);
        // A file that a text box would change, or a large one, is sent unchanged, and its name is shown.
        let large = format!("{other}# {}\n", "x".repeat(1 << 20));
        for (name, text) in [
            ("windows.diff", other.replace('\n', "\r\n")),
            ("large.diff", large),
        ] {
            choose(&mut browser, name, &text, how).await;
            browser
                .until(&format!(
                    "document.querySelector('#chosen').textContent.includes('{name} will be')"
                ))
                .await;
            assert_eq!(
                browser.eval("document.querySelector('#diff').value").await,
                ""
            );
            assert_eq!(browser.eval(FILES).await, 1);
            browser.click("#review button").await;
            browser
                .until("document.querySelector('#result .path')?.textContent === 'other.py'")
                .await;
            browser
                .until("document.querySelector('#progress').hidden")
                .await;
            // Then another diff is pasted.
            browser.fill("#diff", DIFF).await;
            browser.eval(TYPE).await;
            assert_eq!(browser.eval(FILES).await, 0);
            browser.click("#review button").await;
            browser
                .until("document.querySelector('#result .path')?.textContent === 'src/pay.py'")
                .await;
            browser
                .until("document.querySelector('#progress').hidden")
                .await;
        }
        choose(&mut browser, "binary", "a\0b", how).await;
        browser
            .until("document.querySelector('#problem').textContent.includes('binary')")
            .await;
        assert_eq!(browser.eval(FILES).await, 0);
    }
    browser.check();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_who_was_signed_out_is_notified_and_keeps_the_diff() {
    let world = World::named("Demo").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    world.now.fetch_add(8 * 60 * 60 * 1000, Ordering::SeqCst);
    browser.fill("#diff", DIFF).await;
    browser.click("#review button").await;
    browser
        .until("document.querySelector('#problem a[href=\"/sign-in\"]')")
        .await;
    assert_eq!(
        browser
            .eval("document.querySelector('#diff').value.length")
            .await,
        DIFF.len()
    );
    // After signing in again elsewhere, the same form is sent.
    let code = world.state.offer_sign_in(world.token_id);
    let sign_in = format!(
        "fetch('/sign-in/link', {{ method: 'POST', body: new URLSearchParams({{ code: '{}' }}) }}).then(({{ ok }}) => ok)",
        code.expose()
    );
    assert_eq!(browser.eval(&sign_in).await, true);
    review(&mut browser, DIFF).await;
    assert_eq!(
        browser
            .eval("document.querySelector('#problem').hidden")
            .await,
        true
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hostile_change_and_hostile_names_are_text_on_every_page() {
    for name in HOSTILE.iter().take(6) {
        let world = World::named(name).await;
        let Some(mut browser) = world.browser().await else {
            return;
        };
        let mut diff = String::new();
        for (at, payload) in HOSTILE.iter().enumerate() {
            let path = format!("{at}/{payload}").replace(' ', "\u{a0}");
            diff += &format!(
                "--- a/{path}\n+++ b/{path}\n@@ -1 +1,2 @@ {payload}\n-{payload}\n+x {payload}\n+y {payload}\n"
            );
        }
        review(&mut browser, &diff).await;
        assert_eq!(
            browser
                .eval("document.querySelectorAll('.file').length")
                .await,
            HOSTILE.len()
        );
        let foreign = "document.querySelectorAll('.result :is(script, img, svg, iframe, base, meta, link)').length + document.querySelectorAll('h1').length - 1";
        assert_eq!(browser.eval(foreign).await, 0);
        assert_eq!(
            browser
                .eval("document.body.innerText.includes('\u{202e}')")
                .await,
            false
        );
        browser.click("#split").await;
        browser.check();
        // Without the script, as a separate page.
        let send = format!(
            "(() => {{ const form = document.querySelector('#review').cloneNode(true); form.id = ''; \
             form.querySelector('textarea').value = {}; document.body.append(form); form.submit() }})()",
            json!(diff)
        );
        browser.eval(&send).await;
        browser.until("document.readyState === 'complete' && document.querySelectorAll('.file').length > 0 && !document.querySelector('body > form')").await;
        assert_eq!(browser.eval(foreign).await, 0);
        for path in ["/", "/sign-in", "/nothing"] {
            browser.go(path).await;
        }
        let complaints = browser.complaints();
        assert!(
            complaints.iter().all(|one| one.contains("404")),
            "{complaints:?}"
        );
        assert!(
            browser.requests().iter().all(|url| !url.contains("evil")),
            "{:?}",
            browser.requests()
        );
        world.store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_policy_violations_and_dialogs_of_a_page_are_detected() {
    use axum::response::Html;
    use axum::routing::get;
    const PAGE: &str = "<!doctype html><meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">\
        <title>x</title><script>alert(1)</script><img src=http://example.com/x.png>";
    const DIALOG: &str = "<!doctype html><title>x</title><script>alert(1)</script>";
    let router = axum::Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/dialog", get(|| async { Html(DIALOG) }));
    let Some(mut browser) = Browser::open(router).await else {
        return;
    };
    browser.go("/").await;
    assert!(
        browser
            .complaints()
            .iter()
            .any(|one| one.contains("Content Security Policy")),
        "{:?}",
        browser.complaints()
    );
    assert!(
        browser
            .requests()
            .iter()
            .any(|url| url == "http://example.com/x.png")
    );
    browser.clear_complaints();
    browser.go("/dialog").await;
    assert!(
        browser
            .complaints()
            .iter()
            .any(|one| one.contains("javascriptDialogOpening")),
        "{:?}",
        browser.complaints()
    );
}
