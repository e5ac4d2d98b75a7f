//! The repository around a change: `contextFiles`, `contextPaths` and `contextSearches`.

use serde_json::{Value, json};
use server::{Limits, Settings};

use crate::support::{Act, DIFF, LOOKED_INTO, Script, Service};

fn request(files: &Value) -> Value {
    json!({ "diff": DIFF, "contextFiles": files })
}

#[tokio::test]
async fn an_engine_can_read_only_the_files_of_its_request() {
    let service = Service::with_engine(Settings::default(), Script::with_model(Act::Find)).await;
    let (user, path) = service.reviewer().await;
    let file = json!([{ "path": LOOKED_INTO, "content": "one\r\ntwo\n" }]);
    for (files, accept) in [
        (&file, "application/json"),
        (&file, "text/event-stream"),
        (&json!([]), "application/json"),
        (&Value::Null, "application/json"),
        (
            &json!([{ "path": ".env", "content": "KEY=1" }]),
            "application/json",
        ),
    ] {
        let answer = service
            .post(&path, &request(files))
            .token(&user)
            .header("accept", accept)
            .send()
            .await;
        assert_eq!(answer.status.as_u16(), 200, "{files}: {}", answer.text());
        assert!(
            !answer.text().contains(LOOKED_INTO),
            "no finding is on their lines: {}",
            answer.text()
        );
    }
    let one = Some("one".to_owned());
    assert_eq!(
        service.engine.looked_up(),
        [one.clone(), one, None, None, None]
    );
}

#[tokio::test]
async fn the_first_invalid_file_is_refused_with_its_pointer() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let file = |path: &str| json!({ "path": path, "content": "x" });
    let large = |path: &str| json!({ "path": path, "content": "x".repeat(3 << 20) });
    for (files, pointer, detail) in [
        (json!("x"), "", "must be a list of objects, not a string"),
        (
            json!([file("a.py"), "x", 1]),
            "/1",
            "must be an object, not a string",
        ),
        (
            json!([file("a.py"), { "path": "b.py" }, {}]),
            "/1/content",
            "is missing",
        ),
        (
            json!([{ "path": 1, "content": "x" }]),
            "/0/path",
            "must be a string, not a number",
        ),
        (
            json!([{ "path": "a.py", "content": "x", "contents": "x" }]),
            "/0/contents",
            "`content`",
        ),
        (
            json!([file("a.py"), file("/etc/passwd"), file("/x")]),
            "/1/path",
            "must be relative",
        ),
        (json!([file("a/../../b")]), "/0/path", "must be relative"),
        (json!([file("")]), "/0/path", "must be relative"),
        (json!([file("C:/x")]), "/0/path", "must be relative"),
        (
            json!([file("a.py"), file("src/pay.py")]),
            "/1/path",
            "is the path of a file of the diff",
        ),
        (
            json!([file("a.py"), file("b.py"), file("a.py")]),
            "/2/path",
            "is the path of an earlier context file",
        ),
        (
            json!([large("a.py"), large("b.py")]),
            "/1/content",
            "exceed 4194304 bytes",
        ),
        (
            json!(
                (0..500)
                    .map(|at| file(&format!("{at}.py")))
                    .collect::<Vec<_>>()
            ),
            "/400",
            "at most 400",
        ),
    ] {
        let answer = service
            .post(&path, &request(&files))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let faults = answer.faults();
        assert_eq!(
            (faults.len(), faults[0].0.as_str()),
            (1, &*format!("/contextFiles{pointer}")),
            "{faults:?}"
        );
        assert!(faults[0].1.contains(detail), "{faults:?}");
    }
    let all = json!(
        (0..400)
            .map(|at| file(&format!("{at}.py")))
            .collect::<Vec<_>>()
    );
    service
        .post(&path, &request(&all))
        .token(&user)
        .send()
        .await
        .ok();
}

#[tokio::test]
async fn other_faults_are_listed_too_and_paths_of_a_broken_diff_are_not_compared() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let files = json!([{ "path": "src/pay.py", "content": "x" }, { "path": "..", "content": "x" }]);
    let body = json!({ "diff": format!("{DIFF}@@ -9,9 +9,9 @@\n"), "contextFiles": files, "targetLanguage": "none" });
    let answer = service.post(&path, &body).token(&user).send().await;
    let pointers: Vec<String> = answer
        .faults()
        .into_iter()
        .map(|(pointer, _)| pointer)
        .collect();
    assert_eq!(
        pointers,
        ["/targetLanguage", "/diff", "/contextFiles/1/path"]
    );
}

#[tokio::test]
async fn files_count_towards_the_body_and_the_memory_of_the_review() {
    let files = json!([{ "path": "a.py", "content": "x".repeat(1 << 20) }]);
    for (limits, limit) in [
        (
            Limits {
                body_bytes: 1 << 20,
                ..Limits::default()
            },
            "bodyBytes",
        ),
        (
            Limits {
                review_memory: Some(1 << 20),
                ..Limits::default()
            },
            "reviewMemory",
        ),
    ] {
        let service = Service::limited(limits, Act::Nothing).await;
        let (user, path) = service.reviewer().await;
        let answer = service
            .post(&path, &request(&files))
            .token(&user)
            .send()
            .await;
        answer.expect(413, "PAYLOAD_TOO_LARGE");
        assert!(answer.text().contains(limit), "{}", answer.text());
        service
            .post(&path, &json!({ "diff": DIFF }))
            .token(&user)
            .send()
            .await
            .ok();
    }
}

#[tokio::test]
async fn paths_and_searches_are_checked() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let many: Vec<_> = (0..101).map(|_| json!({ "names": ["a"] })).collect();
    for (field, value, pointer, detail) in [
        (
            "contextPaths",
            json!(["a.py"]),
            "",
            "must be a string, not a list",
        ),
        (
            "contextPaths",
            json!("a.py\n/etc/passwd\n.."),
            "",
            "line 2 must be a path relative",
        ),
        ("contextPaths", json!("\"a.py"), "", "line 1 must be"),
        (
            "contextPaths",
            json!("a\n".repeat(50_001)),
            "",
            "at most 50000 lines",
        ),
        (
            "contextPaths",
            json!("a".repeat(4_194_305)),
            "",
            "at most 4194304 bytes, not 4194305",
        ),
        (
            "contextSearches",
            json!([{ "names": ["a"] }, {}]),
            "/1/names",
            "is missing",
        ),
        (
            "contextSearches",
            json!([{ "names": [1] }]),
            "/0/names",
            "item 1 is a number",
        ),
        (
            "contextSearches",
            json!([{ "names": [], "extensions": "py" }]),
            "/0/extensions",
            "must be a list of strings",
        ),
        (
            "contextSearches",
            json!([{ "names": [], "files": [] }]),
            "/0/files",
            "unknown property",
        ),
        ("contextSearches", json!(many), "", "at most 100 items"),
    ] {
        let mut body = json!({ "diff": DIFF, "contextPaths": "a.py" });
        body[field] = value;
        let answer = service.post(&path, &body).token(&user).send().await;
        answer.expect(400, "INVALID_REQUEST");
        let faults = answer.faults();
        assert_eq!(
            (faults.len(), faults[0].0.as_str()),
            (1, &*format!("/{field}{pointer}")),
            "{faults:?}"
        );
        assert!(faults[0].1.contains(detail), "{faults:?}");
    }
    let alone = json!({ "diff": DIFF, "contextSearches": [{ "names": ["a"] }] });
    let answer = service.post(&path, &alone).token(&user).send().await;
    assert_eq!(answer.faults()[0].0, "/contextSearches");
    for (paths, searches) in [
        (
            json!("src/pay.py\nold.py\n.env\n"),
            json!([{ "names": ["a"], "extensions": null }]),
        ),
        (json!(""), json!([])),
        (Value::Null, Value::Null),
    ] {
        let body = json!({ "diff": DIFF, "contextPaths": paths, "contextSearches": searches });
        service.post(&path, &body).token(&user).send().await.ok();
    }
}

#[tokio::test]
async fn a_model_cannot_look_into_files_of_which_only_the_paths_were_sent() {
    let service = Service::with_engine(Settings::default(), Script::with_model(Act::Find)).await;
    let (user, path) = service.reviewer().await;
    let body = json!({ "diff": DIFF, "contextPaths": LOOKED_INTO });
    service.post(&path, &body).token(&user).send().await.ok();
    assert_eq!(service.engine.looked_up(), [None]);
}
