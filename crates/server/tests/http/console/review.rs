//! The review page: a form, and its result with each finding below its line.

use std::time::Duration;

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use server::{Limits, Settings};
use store::OrganizationId;

use super::Browser;
use super::pages::check_page;
use crate::support::{Act, Answer, DIFF, LOOKED_INTO, Script, Service, User};

/// Two files, one of them binary, and two added lines, one of them with misleading characters.
const CHANGE: &str = "\
diff --git a/src/pay.py b/src/pay.py
--- a/src/pay.py
+++ b/src/pay.py
@@ -1,3 +1,4 @@ def settle(order):
 first = 1
-second = '<b>'
+second = '</code><script>alert(1)</script>'
+third = '\u{202e}x'
 fourth = 4
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..1111111
Binary files /dev/null and b/logo.png differ
";

struct World {
    service: Service,
    user: User,
    organization: OrganizationId,
    path: String,
}

impl World {
    async fn with(settings: Settings, act: Act) -> Self {
        Self::with_engine(settings, Script::new(act)).await
    }

    async fn with_engine(settings: Settings, engine: Script) -> Self {
        let service = Service::with_engine(settings, engine).await;
        let user = service.user().await;
        let organization = service.organization(&user).await;
        service.entitle(organization, &user, None).await;
        Self {
            service,
            user,
            organization,
            path: format!("/organizations/{organization}/review"),
        }
    }

    async fn finding() -> Self {
        Self::with(Settings::default(), Act::Find).await
    }

    async fn browser(&self) -> Browser<'_> {
        Browser::of(&self.service, &self.user).await
    }

    /// Submits the form with these fields and its token.
    async fn review(&self, browser: &Browser<'_>, fields: &[(&str, &str)]) -> Answer {
        let token = browser.own_form_token();
        browser
            .review(
                &self.path,
                &[&[("form_token", token.as_str())][..], fields].concat(),
            )
            .visit()
            .await
    }
}

#[tokio::test]
async fn each_finding_is_below_its_line() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let page = world
        .review(&browser, &[("diff", CHANGE), ("language", "python")])
        .await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.text());
    let html = page.text();
    assert!(
        html.contains("<h1 id=\"result-title\" tabindex=\"-1\">2 findings</h1>")
            && html.contains("<p class=\"meta\">1 of 2 files · "),
        "{html}"
    );
    assert_eq!(html.matches("<details class=\"finding P2\"").count(), 2);
    let lines: Vec<&str> = html.split("<div class=\"l ").skip(1).collect();
    assert_eq!(lines.len(), 5);
    let with_finding: Vec<bool> = lines
        .iter()
        .map(|line| line.contains("<details class=\"finding"))
        .collect();
    assert_eq!(with_finding, [false, false, true, true, false]);
    assert!(
        lines[1].starts_with(
            "d\"><i data-n=\"2\"></i><i></i><code>second = <span class=\"string\">&#39;&#60;b&#62;&#39;</span></code>"
        ),
        "{}",
        lines[1]
    );
    assert!(
        lines[3].starts_with("a\"><i></i><i data-n=\"3\"></i><code>third = <span class=\"string\">&#39;<mark class=\"odd\">U+202E</mark>x&#39;</span>"),
        "{}",
        lines[3]
    );
    assert!(
        html.contains("href=\"/docs/rules/test/added-line\""),
        "the rule's page is linked"
    );
    assert!(
        html.contains("id=\"only-P2\"") && !html.contains("only-P0"),
        "{html}"
    );
    assert!(
        html.contains("</span>pay.py</span> <span class=\"count\">2</span>"),
        "{html}"
    );
    assert!(!html.contains("<script>alert"));
    check_page(&page);
}

#[tokio::test]
async fn a_change_without_findings_says_what_was_reviewed() {
    let world = World::with(Settings::default(), Act::Nothing).await;
    let browser = world.browser().await;
    let page = world.review(&browser, &[("diff", CHANGE)]).await;
    let html = page.text();
    for expected in [
        ">No findings</h1>",
        "Reviewed by the rules, without a language model.",
        "<dd>1 of 2 files</dd>",
        "<span class=\"plus\">+2</span> <span class=\"minus\">−1</span>",
        "1 file not reviewed: binary",
        "<summary>Show the diff</summary>",
    ] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    assert!(!html.contains("class=\"list\" aria-label=\"Findings\""));
    check_page(&page);
}

#[tokio::test]
async fn hunks_may_contain_their_whole_files() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n a = 1\n+b = 2\n c = 3\n";
    for (fields, is_whole) in [
        (&[("diff", diff)][..], false),
        (&[("diff", diff), ("whole_files", "yes")], true),
    ] {
        let page = world.review(&browser, fields).await;
        assert_eq!(page.text().contains("as its whole file"), is_whole);
        assert_eq!(world.service.engine.saw_whole_file(), is_whole);
    }
    // The box keeps its state when the form is shown again.
    let again = world
        .review(&browser, &[("diff", "no diff"), ("whole_files", "yes")])
        .await;
    assert!(again.text().contains("value=\"yes\" checked>"));
}

#[tokio::test]
async fn a_member_without_an_entitlement_sees_that_before_pasting() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let notice = "you have no active entitlement in this organization";
    let page = browser.get(&world.path).visit().await;
    assert!(!page.text().contains(notice));
    let colleague = world.service.user().await;
    world
        .service
        .join(world.organization, &colleague, store::Role::Member)
        .await;
    let page = Browser::of(&world.service, &colleague)
        .await
        .get(&world.path)
        .visit()
        .await;
    assert!(page.text().contains(notice), "{}", page.text());
    check_page(&page);
}

#[tokio::test]
async fn a_suppressed_finding_is_below_its_line_with_its_comment() {
    let reason = "it is <fine>";
    let world = World::with(Settings::default(), Act::Suppress(reason)).await;
    let browser = world.browser().await;
    let page = world.review(&browser, &[("diff", CHANGE)]).await;
    let html = page.text();
    assert!(html.contains(">No findings, 2 suppressed</h1>"), "{html}");
    let lines: Vec<&str> = html.split("<div class=\"l ").skip(1).collect();
    for (at, number) in [(2, 2), (3, 3)] {
        let line = lines[at];
        let comment = format!("by the comment on line {number}: it is &#60;fine&#62;");
        assert!(
            line.contains("<details class=\"finding P2 suppressed\"")
                && line.contains("A line was added.")
                && line.contains(&comment),
            "{line}"
        );
    }
    assert!(html.contains("id=\"only-P2\""), "{html}");
    check_page(&page);
}

#[tokio::test]
async fn parts_that_were_not_reviewed_are_shown() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let page = world.review(&browser, &[("diff", CHANGE)]).await;
    let (_, notice) = page
        .text()
        .split_once("<summary>1 file not reviewed: binary</summary>")
        .expect("the notice is shown");
    assert!(
        notice
            .split("</details>")
            .next()
            .unwrap()
            .contains("<code>logo.png</code>"),
        "{notice}"
    );
    let all = world.review(&browser, &[("diff", DIFF)]).await;
    assert!(!all.text().contains("not reviewed"));
}

#[tokio::test]
async fn the_result_can_be_saved_in_three_formats() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let page = world.review(&browser, &[("diff", CHANGE)]).await;
    let file = |name: &str| {
        let (_, rest) = page
            .text()
            .split_once(&format!("download=\"{name}\" href=\"data:"))
            .unwrap();
        let (_, content) = rest.split_once("base64,").unwrap();
        String::from_utf8(STANDARD.decode(content.split('"').next().unwrap()).unwrap()).unwrap()
    };
    let json: Value = serde_json::from_str(&file("review.json")).unwrap();
    assert_eq!(
        (
            json["findings"].as_array().unwrap().len(),
            &json["requestId"]
        ),
        (2, &page.header("x-request-id").into())
    );
    let sarif: Value = serde_json::from_str(&file("review.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 2);
    assert!(file("review.md").starts_with("## Hunkwise: 2 findings"));
}

#[tokio::test]
async fn a_file_or_a_text_is_reviewed_but_not_both() {
    let world = World::finding().await;
    let browser = world.browser().await;
    for (typed, file) in [(DIFF, "nonsense"), ("nonsense", DIFF), (DIFF, DIFF)] {
        let page = world
            .review(&browser, &[("diff", typed), ("patch", file)])
            .await;
        assert_eq!(page.status.as_u16(), 400, "{}", page.text());
        check_page(&page);
        assert!(page.text().contains("choose one"), "{}", page.text());
        assert!(
            page.text().contains(&format!("\n{}</textarea>", typed)),
            "the input is kept"
        );
    }
    let page = world
        .review(&browser, &[("diff", " \r\n"), ("patch", DIFF)])
        .await;
    assert!(page.text().contains(">1 finding</h1>"), "{}", page.text());
    // Browsers send text with CRLF.
    let page = world
        .review(
            &browser,
            &[("diff", &DIFF.replace('\n', "\r\n")), ("patch", "")],
        )
        .await;
    assert!(page.text().contains(">1 finding</h1>") && !page.text().contains("U+000D"));
}

#[tokio::test]
async fn text_that_is_not_a_diff_is_returned_with_line_and_reason() {
    let world = World::finding().await;
    let browser = world.browser().await;
    for (fields, expected) in [
        (
            &[("diff", "hello <b>world</b>\n"), ("language", "python")][..],
            "line 1 ",
        ),
        (
            &[("diff", "--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n-a\n+b\n")],
            "line 3 ",
        ),
        (&[("diff", "")], "must not be blank"),
        (&[("diff", DIFF), ("language", "pyton")], "near it are"),
        (&[("patch", "\u{0}\u{1}")], "not part of a unified diff"),
    ] {
        let page = world.review(&browser, fields).await;
        assert_eq!(page.status.as_u16(), 400, "{}", page.text());
        check_page(&page);
        let (_, problem) = page
            .text()
            .split_once("role=\"alert\" id=\"problem\" tabindex=\"-1\">")
            .expect("the problem is shown");
        assert!(
            problem.split("</div>").next().unwrap().contains(expected),
            "{expected}: {problem}"
        );
    }
    let page = world
        .review(&browser, &[("diff", "hello <b>\r\n"), ("language", "<x>")])
        .await;
    assert!(
        page.text().contains("\nhello &#60;b&#62;\n</textarea>")
            && page.text().contains("value=\"&#60;x&#62;\"")
    );
}

#[tokio::test]
async fn limits_quota_and_entitlement_apply_as_in_the_api() {
    let limits = Limits {
        diff_bytes: 1_000,
        body_bytes: 20_000,
        ..Limits::default()
    };
    let world = World::with(
        Settings {
            limits,
            ..Settings::default()
        },
        Act::Find,
    )
    .await;
    let browser = world.browser().await;
    let long = format!(
        "{DIFF}--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+{}\n",
        "x".repeat(2_000)
    );
    let page = world.review(&browser, &[("diff", &long)]).await;
    assert!(
        page.status.as_u16() == 413 && page.text().contains("diffBytes"),
        "{}",
        page.text()
    );
    let page = world
        .review(&browser, &[("diff", &"x".repeat(30_000))])
        .await;
    assert!(
        page.status.as_u16() == 413 && page.text().contains("bodyBytes"),
        "{}",
        page.text()
    );
    let member = world.service.user().await;
    world
        .service
        .join(world.organization, &member, store::Role::Member)
        .await;
    let other = Browser::of(&world.service, &member).await;
    let page = world.review(&other, &[("diff", DIFF)]).await;
    assert_eq!(page.status.as_u16(), 403, "no entitlement");
    world
        .service
        .entitle(world.organization, &member, Some(1))
        .await;
    assert_eq!(
        world
            .review(&other, &[("diff", DIFF)])
            .await
            .status
            .as_u16(),
        200
    );
    let page = world.review(&other, &[("diff", DIFF)]).await;
    assert!(
        page.status.as_u16() == 429 && page.text().contains("2026-12-01"),
        "when it resets: {}",
        page.text()
    );
    check_page(&page);
}

#[tokio::test]
async fn a_timeout_shows_the_partial_result_and_a_failure_is_a_page() {
    let limits = Limits {
        analysis_seconds: 0,
        ..Limits::default()
    };
    let world = World::with(
        Settings {
            limits,
            ..Settings::default()
        },
        Act::Hang,
    )
    .await;
    let page = world
        .review(&world.browser().await, &[("diff", DIFF)])
        .await;
    assert_eq!(
        page.status.as_u16(),
        504,
        "nothing was finished: {}",
        page.text()
    );
    check_page(&page);
    let world = World::with(Settings::default(), Act::Fail).await;
    let page = world
        .review(&world.browser().await, &[("diff", DIFF)])
        .await;
    assert_eq!(page.status.as_u16(), 502);
    check_page(&page);
}

#[tokio::test]
async fn a_script_gets_progress_and_then_the_same_result() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let token = browser.own_form_token();
    let send = |diff: &str| {
        let call = browser.review(
            &world.path,
            &[("form_token", token.as_str()), ("diff", diff)],
        );
        let mut request = call.into_request();
        request
            .headers_mut()
            .insert("accept", "text/event-stream".parse().unwrap());
        request
    };
    let answer = tower::ServiceExt::oneshot(world.service.router.clone(), send(DIFF))
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX)
        .await
        .unwrap();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    let data = last
        .strip_prefix("event: review\ndata: ")
        .unwrap_or_else(|| panic!("{text}"));
    let html: String = serde_json::from_str(data).unwrap();
    assert!(html.starts_with("<section class=\"result\"") && html.contains(">1 finding</h1>"));
    assert!(text.starts_with("event: progress\n"), "{text}");
    let mut compressed = send(DIFF);
    compressed.headers_mut().insert(
        "accept-encoding",
        "gzip, deflate, br, zstd".parse().unwrap(),
    );
    let answer = tower::ServiceExt::oneshot(world.service.router.clone(), compressed)
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-encoding"], "br");
    let refused = tower::ServiceExt::oneshot(world.service.router.clone(), send("nonsense"))
        .await
        .unwrap();
    assert_eq!(
        (
            refused.status().as_u16(),
            &refused.headers()["content-type"]
        ),
        (400, &"application/problem+json".parse().unwrap())
    );
}

#[tokio::test]
async fn the_sample_is_offered_if_there_is_one() {
    let world = World::with(
        Settings {
            sample_diff: Some(DIFF),
            ..Settings::default()
        },
        Act::Find,
    )
    .await;
    let browser = world.browser().await;
    let page = browser.get(&world.path).visit().await;
    assert!(page.text().contains("name=\"sample\""));
    let page = world
        .review(&browser, &[("diff", ""), ("sample", "yes")])
        .await;
    assert!(page.text().contains(">1 finding</h1>"), "{}", page.text());
    let world = World::finding().await;
    let browser = world.browser().await;
    assert!(
        !browser
            .get(&world.path)
            .visit()
            .await
            .text()
            .contains("name=\"sample\"")
    );
    assert_eq!(
        world
            .review(&browser, &[("sample", "yes")])
            .await
            .status
            .as_u16(),
        400
    );
}

#[tokio::test]
async fn a_model_gets_the_description() {
    let world = World::with_engine(Settings::default(), Script::with_model(Act::Nothing)).await;
    let browser = world.browser().await;
    assert!(
        browser
            .get(&world.path)
            .visit()
            .await
            .text()
            .contains("name=\"description\"")
    );
    let page = world
        .review(
            &browser,
            &[("diff", DIFF), ("description", " first\r\nsecond ")],
        )
        .await;
    assert_eq!(page.status.as_u16(), 200);
    let given: Vec<_> = world
        .service
        .engine
        .scopes()
        .into_iter()
        .map(|scope| scope.change_description)
        .collect();
    assert_eq!(given, [Some("first\nsecond".to_owned())]);
    let long = "é".repeat(4_001);
    let page = world
        .review(&browser, &[("diff", DIFF), ("description", &long)])
        .await;
    assert_eq!(page.status.as_u16(), 400);
    assert!(
        page.text().contains("at most 4000 characters") && page.text().contains(&long),
        "the input is kept"
    );
    let world = World::finding().await;
    let browser = world.browser().await;
    assert!(
        !browser
            .get(&world.path)
            .visit()
            .await
            .text()
            .contains("name=\"description\""),
        "no model would read it"
    );
}

#[tokio::test]
async fn the_form_names_the_recipients_of_the_diff() {
    let world = World::with_engine(Settings::default(), Script::with_model(Act::Find)).await;
    let browser = world.browser().await;
    let expected = "The diff is sent to the language model <strong>script-1</strong> at <strong>models.example.com</strong>, \
                or if that fails to <strong>spare&#60;1&#62;</strong> at <strong>10.0.0.7:8000</strong>;";
    assert!(
        browser
            .get(&world.path)
            .visit()
            .await
            .text()
            .contains(expected)
    );
    let page = world.review(&browser, &[("diff", DIFF)]).await;
    assert!(
        page.text().contains(" ms, by the rules and script-1."),
        "{}",
        page.text()
    );
    let world = World::finding().await;
    let browser = world.browser().await;
    assert!(
        browser
            .get(&world.path)
            .visit()
            .await
            .text()
            .contains("The diff is not sent to a language model.")
    );
    assert!(
        world
            .review(&browser, &[("diff", DIFF)])
            .await
            .text()
            .contains("<li>1 part in ")
    );
}

#[tokio::test]
async fn bodies_that_are_not_the_form_are_refused() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let send = async |media_type: &str, body: &str| {
        let call = browser
            .call(Method::POST, &world.path)
            .header("sec-fetch-site", "same-origin");
        call.header("content-type", media_type)
            .body(body.to_owned())
            .visit()
            .await
            .status
            .as_u16()
    };
    for (media_type, body, status) in [
        ("application/json", "{}", 415),
        ("multipart/form-data", "", 415),
        ("multipart/form-data; boundary=x", "", 400),
        (
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"diff\"\r\n\r\nbroken",
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            &format!("{}--x--\r\n", "--x\r\n\r\na\r\n".repeat(40)),
            400,
        ),
    ] {
        assert_eq!(send(media_type, body).await, status, "{media_type} {body}");
    }
}

#[tokio::test]
async fn a_review_with_an_ended_session_is_refused_and_not_counted() {
    let world = World::finding().await;
    let browser = world.browser().await;
    world.service.advance(Duration::from_secs(8 * 60 * 60));
    let page = world.review(&browser, &[("diff", DIFF)]).await;
    assert!(
        page.status.as_u16() == 401 && page.text().contains("href=\"/sign-in\""),
        "{}",
        page.text()
    );
    check_page(&page);
    let usage = world
        .service
        .get(&format!("/v1/organizations/{}/usage", world.organization))
        .token(&world.user);
    assert_eq!(usage.send().await.ok()["total"]["reviews"], 0);
}

#[tokio::test]
async fn no_content_of_a_review_is_in_the_database_or_the_log() {
    let world = World::finding().await;
    let browser = world.browser().await;
    let canary = format!("canary{}", &world.user.id.to_string()[16..]);
    let diff = DIFF.replace("second", &canary);
    let page = world.review(&browser, &[("diff", &diff)]).await;
    assert!(page.text().contains(&canary));
    let kept = world.service.database.contents();
    assert!(
        !kept
            .windows(canary.len())
            .any(|window| window == canary.as_bytes())
    );
    assert!(!crate::support::Logs::text().contains(&canary));
}

#[tokio::test]
async fn a_model_looks_into_the_files_of_a_chosen_folder() {
    let limits = Limits {
        look_ups: Some(12),
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let world = World::with_engine(settings, Script::with_model(Act::Find)).await;
    let browser = world.browser().await;
    let file = |path: &str| json!({ "path": path, "content": "one\ntwo\n" });
    let context = |files: Value| json!({ "contextFiles": files }).to_string();
    // A folder has the changed files too.
    let folder = context(json!([file("src/pay.py"), file(LOOKED_INTO)]));
    for context in [&*folder, ""] {
        let page = world
            .review(&browser, &[("diff", DIFF), ("context", context)])
            .await;
        assert_eq!(page.status.as_u16(), 200, "{}", page.text());
        check_page(&page);
    }
    let read = Some("one".to_owned());
    assert_eq!(world.service.engine.looked_up(), [read, None]);
    for (context, why) in [
        ("files".to_owned(), "not JSON"),
        (
            json!({ "contextFiles": [], "diff": DIFF }).to_string(),
            "diff: ",
        ),
        (
            context(json!([file("../a.py")])),
            "contextFiles/0/path: must be relative",
        ),
        (
            context(json!([{ "path": "a.py", "content": "x".repeat(5 << 20) }])),
            "contextFiles/0/content: paths and contents of the context files up to this one exceed 4194304 bytes",
        ),
    ] {
        let page = world
            .review(&browser, &[("diff", DIFF), ("context", &context)])
            .await;
        assert_eq!(page.status.as_u16(), 400, "{}", page.text());
        assert!(page.text().contains(why), "{why}: {}", page.text());
    }
}

#[tokio::test]
async fn a_folder_can_only_be_chosen_if_a_model_looks_into_it() {
    for (look_ups, engine, is_shown) in [
        (Some(12), Script::with_model(Act::Nothing), true),
        (None, Script::with_model(Act::Nothing), false),
        (None, Script::new(Act::Nothing), false),
    ] {
        let limits = Limits {
            look_ups,
            ..Limits::default()
        };
        let settings = Settings {
            limits,
            ..Settings::default()
        };
        let world = World::with_engine(settings, engine).await;
        let page = world.browser().await.get(&world.path).visit().await;
        check_page(&page);
        assert_eq!(page.text().contains("id=\"folder\""), is_shown);
        assert_eq!(
            page.text()
                .contains("data-files=\"400\" data-bytes=\"4194304\" hidden"),
            is_shown,
            "it needs the script"
        );
    }
}
