//! A diff of 20,000 lines. The lines that a browser lays out are counted, not timed.

use std::fmt::Write as _;

use crate::console::review;
use crate::world::World;

const LINES: &str = "document.querySelectorAll('.l').length";
/// The lines that the browser renders.
const RENDERED: &str = "[...document.querySelectorAll('.l')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length";

/// A file that loses this many lines.
fn removed(diff: &mut String, path: &str, lines: usize) {
    write!(diff, "--- a/{path}\n+++ b/{path}\n@@ -1,{lines} +0,0 @@\n").unwrap();
    for line in 0..lines {
        writeln!(diff, "-total = {line}  # counted").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_visible_lines_of_a_large_diff_are_rendered() {
    let world = World::named("Acme").await;
    let Some(mut browser) = world.browser().await else {
        return;
    };
    let mut diff = String::new();
    removed(&mut diff, "large.py", 10_000);
    for file in 0..10 {
        removed(&mut diff, &format!("file{file}.py"), 1_000);
    }
    diff += "--- a/last.py\n+++ b/last.py\n@@ -0,0 +1 @@\n+found = 1\n";
    review(&mut browser, &diff).await;
    assert_eq!(
        browser.eval(LINES).await,
        10_001,
        "a large file without findings is not rendered"
    );
    let scroll = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
    let is_few = format!("{RENDERED} > 0 && {RENDERED} < 1000");
    browser
        .eval("document.querySelector('#file-5').scrollIntoView()")
        .await;
    browser.eval(scroll).await;
    browser.until(&is_few).await;
    // The file with the finding is above all of them.
    browser.press("j").await;
    browser.until("document.activeElement.matches('.finding') && document.activeElement.getBoundingClientRect().top > 0").await;
    browser.until(&is_few).await;
    // No script reads the styles of lines out of view.
    browser
        .eval("window.asked = 0; window.getComputedStyle = () => { window.asked += 1; throw new Error() }; null")
        .await;
    for key in ["j", "k", "j"] {
        browser.press(key).await;
    }
    for _ in 0..2 {
        browser.click("#filters input").await;
        assert_eq!(
            browser
                .eval("document.querySelector('#position').textContent")
                .await,
            "1 of 1"
        );
    }
    assert_eq!(browser.eval("window.asked").await, 0);
    browser.until(&is_few).await;
    // On demand, also side by side.
    browser.click("#split").await;
    browser.click("#file-1 > summary").await;
    browser.until(&format!("{LINES} === 20001")).await;
    browser.until(&is_few).await;
    browser.check();
}
