//! Bad input is refused with a message that lists every fault and echoes nothing.

use axum::http::Method;
use serde_json::{Value, json};
use server::Settings;

use crate::support::{Act, Answer, DIFF, Service, User};

async fn send(service: &Service, user: &User, path: &str, body: impl Into<Vec<u8>>) -> Answer {
    let request = service
        .call(Method::POST, path)
        .token(user)
        .header("content-type", "application/json");
    request.body(body.into()).send().await
}

#[tokio::test]
async fn invalid_json_is_refused_with_line_and_column() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let deep = "[".repeat(100_000);
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let canary = "CANARY-7b1f";
    for (body, reason) in [
        (String::new(), "line 1 column 0"),
        (" ".to_owned(), "line 1 column 1"),
        ("{".to_owned(), "line 1 column 1"),
        (format!("{{\"diff\": \"{canary}"), "line 1 column"),
        (format!("{{\"diff\": {canary}}}"), "line 1 column 10"),
        ("{\n\"diff\": \"a\"\n} {}".to_owned(), "line 3 column 3"),
        ("{\"diff\": \"a\",}".to_owned(), "line 1 column 14"),
        ("{'diff': 1}".to_owned(), "line 1 column 2"),
        ("{\"diff\": 1e999}".to_owned(), "line 1 column"),
        ("{\"diff\": \"\\ud800\"}".to_owned(), "line 1 column"),
        ("{\"diff\": \"\\udc00 x\"}".to_owned(), "line 1 column"),
        ("{\"diff\": \"a\nb\"}".to_owned(), "line 2 column 0"),
        ("\u{feff}\u{feff}{}".to_owned(), "line 1 column 1"),
        (deep, "line 1 column"),
        (nested.clone(), "must be a JSON object, not a list"),
        ("[1]".to_owned(), "must be a JSON object, not a list"),
        ("\"diff\"".to_owned(), "must be a JSON object, not a string"),
        ("null".to_owned(), "must be a JSON object, not null"),
        ("true".to_owned(), "must be a JSON object, not a boolean"),
        ("-1.5".to_owned(), "must be a JSON object, not a number"),
    ] {
        let answer = send(&service, &user, &path, body.clone()).await;
        answer.expect(400, "INVALID_REQUEST");
        let faults = answer.faults();
        let shown: String = body.chars().take(40).collect();
        assert_eq!((faults.len(), faults[0].0.as_str()), (1, ""), "{shown}");
        assert!(faults[0].1.contains(reason), "{shown}: {}", faults[0].1);
        assert!(!answer.text().contains(canary), "{}", answer.text());
    }
    for place in [
        format!("{{\"diff\": {nested}}}"),
        format!("{{\"x\": {nested}, \"diff\": 1}}"),
    ] {
        send(&service, &user, &path, place)
            .await
            .expect(400, "INVALID_REQUEST");
    }
    for bytes in [
        &b"{\"diff\": \"\xff\xfe\"}"[..],
        b"\xff",
        b"{\"di\xc3\": 1}",
        b"\x00",
        b"{\"diff\": \"\x00\"}",
    ] {
        send(&service, &user, &path, bytes)
            .await
            .expect(400, "INVALID_REQUEST");
    }
}

#[tokio::test]
async fn every_fault_of_a_body_is_listed_with_a_suggestion() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let body = json!({ "dif": DIFF, "targetlanguage": "py", "targetLanguage": "pyhton", "clientReference": 7, "a/b~c": 1, "": 2 });
    let answer = send(&service, &user, &path, body.to_string()).await;
    answer.expect(400, "INVALID_REQUEST");
    let mut faults = answer.faults();
    faults.sort();
    let places: Vec<&str> = faults.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(
        places,
        [
            "/", "/a~1b~0c", "/clientReference", "/dif", "/diff", "/targetLanguage",
            "/targetlanguage"
        ]
    );
    let of = |place: &str| {
        faults
            .iter()
            .find(|(at, _)| at == place)
            .unwrap()
            .1
            .as_str()
    };
    assert!(of("/dif").contains("did you mean `diff`?"));
    assert!(of("/targetlanguage").contains("did you mean `targetLanguage`?"));
    assert_eq!(of("/diff"), "is missing");
    assert_eq!(of("/clientReference"), "must be a string, not a number");
    assert!(
        of("/targetLanguage").contains("Python"),
        "{}",
        of("/targetLanguage")
    );
    assert!(!of("/a~1b~0c").contains("meant"));
}

#[tokio::test]
async fn a_repeated_property_is_refused() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let answer = send(
        &service,
        &user,
        &path,
        format!("{{\"diff\": {0}, \"diff\": {0}}}", json!(DIFF)),
    )
    .await;
    answer.expect(400, "INVALID_REQUEST");
    assert_eq!(
        answer.faults(),
        [("/diff".to_owned(), "is given twice".to_owned())]
    );
}

#[tokio::test]
async fn many_faults_are_counted_and_long_names_are_cut() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let many: serde_json::Map<String, serde_json::Value> =
        (0..5_000).map(|at| (format!("p{at}"), json!(at))).collect();
    let answer = send(&service, &user, &path, json!(many).to_string()).await;
    answer.expect(400, "INVALID_REQUEST");
    assert_eq!(answer.faults().len(), 100);
    assert_eq!(answer.faults()[99].1, "further faults: 4902");
    assert!(
        answer.json()["detail"]
            .as_str()
            .unwrap()
            .ends_with("(and 5000 more)"),
        "{}",
        answer.text()
    );
    let many: String = (0..10_001).map(|at| format!("\"p{at}\":1,")).collect();
    let answer = send(&service, &user, &path, format!("{{{many}\"diff\":1}}")).await;
    answer.expect(400, "INVALID_REQUEST");
    assert_eq!(
        answer.faults(),
        [(
            String::new(),
            "the body has more than 10000 properties and list items".to_owned()
        )]
    );
    let long = json!({ "n".repeat(100_000): 1, "diff": DIFF });
    let answer = send(&service, &user, &path, long.to_string()).await;
    assert!(answer.expect(400, "INVALID_REQUEST").body.len() < 2_000);
}

#[tokio::test]
async fn text_that_is_not_a_diff_is_refused_with_line_and_reason() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let canary = "CANARY_c0ffee";
    for (diff, line) in [
        (canary.to_owned(), None),
        (format!("hello\n{canary}\n"), None),
        (
            format!("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+{canary}\n"),
            Some("line "),
        ),
        (format!("{DIFF}@@ -9,9 +9,9 @@\n+{canary}\n"), Some("line ")),
        (DIFF.replace("-1,2", "-1,1"), Some("line ")),
        (
            DIFF.replace("@@ -1,2 +1,3 @@", "@@ -1,x +1,3 @@"),
            Some("line 3"),
        ),
    ] {
        let answer = send(&service, &user, &path, json!({ "diff": diff }).to_string()).await;
        assert_eq!(answer.code(), "INVALID_REQUEST", "{diff}");
        let faults = answer.faults();
        assert_eq!((faults.len(), faults[0].0.as_str()), (1, "/diff"), "{diff}");
        assert!(
            line.is_none_or(|line| faults[0].1.contains(line)),
            "{}",
            faults[0].1
        );
        assert!(!answer.text().contains(canary), "{}", answer.text());
    }
    for blank in ["", " \t\r\n\n", "\u{a0}\u{2028}"] {
        let answer = send(&service, &user, &path, json!({ "diff": blank }).to_string()).await;
        answer.expect(400, "INVALID_REQUEST");
        assert_eq!(
            answer.faults(),
            [("/diff".to_owned(), "must not be blank".to_owned())]
        );
    }
}

#[tokio::test]
async fn unusual_but_valid_content_is_reviewed() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let brackets = "(".repeat(100_000);
    let long = "x".repeat(3 << 20);
    for text in [
        "a\u{0}b",
        "\u{202e}x",
        "x\ry",
        brackets.as_str(),
        long.as_str(),
        "",
    ] {
        let diff = format!("--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a\n+{text}\n");
        let answer = send(&service, &user, &path, json!({ "diff": diff }).to_string()).await;
        answer.ok();
    }
}

#[tokio::test]
async fn byte_order_marks_colour_and_mails_are_accepted() {
    let service = Service::with(Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    let plain = json!({ "diff": DIFF }).to_string();
    let coloured: String = DIFF
        .lines()
        .map(|line| format!("\u{1b}[1m{line}\u{1b}[m\n"))
        .collect();
    let mail = format!(
        "From: a\nContent-Transfer-Encoding: quoted-printable\n\n{}",
        DIFF.replace('=', "=3D")
    );
    for body in [
        format!("\u{feff}{plain}"),
        json!({ "diff": format!("\u{feff}{DIFF}") }).to_string(),
        json!({ "diff": coloured }).to_string(),
        json!({ "diff": mail }).to_string(),
    ] {
        let review = send(&service, &user, &path, body.clone()).await.ok();
        let findings = review["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{body}");
        assert_eq!(
            (&findings[0]["filePath"], &findings[0]["lineNumber"]),
            (&json!("src/pay.py"), &json!(2)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_long_line_is_truncated_or_refused_for_its_size() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let diff = |bytes: usize| {
        format!(
            "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a\n+{}\n",
            "x".repeat(bytes)
        )
    };
    let answer = send(
        &service,
        &user,
        &path,
        json!({ "diff": diff(2 << 20) }).to_string(),
    )
    .await;
    let warnings = answer.ok()["metadata"]["warnings"].to_string();
    assert!(warnings.contains("x.py"), "{warnings}");
    send(
        &service,
        &user,
        &path,
        json!({ "diff": diff(5_000_000) }).to_string(),
    )
    .await
    .expect(413, "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn a_client_reference_has_a_limit() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for (length, code) in [(256, "200"), (257, "INVALID_REQUEST")] {
        let body = json!({ "diff": DIFF, "clientReference": "é".repeat(length) });
        assert_eq!(
            send(&service, &user, &path, body.to_string()).await.code(),
            code
        );
    }
}

#[tokio::test]
async fn a_change_description_has_a_limit_and_is_not_echoed() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for (length, code) in [(4_000, "200"), (4_001, "INVALID_REQUEST")] {
        let body = json!({ "diff": DIFF, "changeDescription": "é".repeat(length) });
        let answer = send(&service, &user, &path, body.to_string()).await;
        assert_eq!(answer.code(), code);
        assert!(!answer.text().contains("éé"), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_diff_context_has_one_of_two_values() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for (context, code) in [
        (json!("hunks"), "200"),
        (json!("files"), "200"),
        (Value::Null, "200"),
        (json!("Files"), "INVALID_REQUEST"),
        (json!("repository"), "INVALID_REQUEST"),
        (json!(3), "INVALID_REQUEST"),
    ] {
        let body = json!({ "diff": DIFF, "diffContext": context });
        let answer = send(&service, &user, &path, body.to_string()).await;
        assert_eq!(answer.code(), code, "{context}");
        assert_eq!(
            answer.text().contains("/diffContext"),
            code != "200",
            "{}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn media_types_are_checked() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let body = json!({ "diff": DIFF }).to_string();
    for (media_type, code) in [
        (Some("application/json"), "200"),
        (Some("Application/JSON; charset=UTF-8"), "200"),
        (Some("application/json;charset=\"utf-8\"; x=y"), "200"),
        (
            Some("application/json; charset=latin1"),
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        (Some("text/plain"), "UNSUPPORTED_MEDIA_TYPE"),
        (Some("application/jsonx"), "UNSUPPORTED_MEDIA_TYPE"),
        (Some(""), "UNSUPPORTED_MEDIA_TYPE"),
        (None, "UNSUPPORTED_MEDIA_TYPE"),
    ] {
        let request = service
            .call(Method::POST, &path)
            .token(&user)
            .body(body.clone());
        let request = match media_type {
            Some(media_type) => request.header("content-type", media_type),
            None => request,
        };
        assert_eq!(request.send().await.code(), code, "{media_type:?}");
    }
    for (accept, code) in [
        ("application/json", "200"),
        ("text/html", "NOT_ACCEPTABLE"),
        ("application/json;q=0", "NOT_ACCEPTABLE"),
    ] {
        let answer = service
            .get("/v1/organizations")
            .token(&user)
            .header("accept", accept)
            .send()
            .await;
        assert_eq!(answer.code(), code, "{accept}");
    }
}

#[tokio::test]
async fn refusals_are_small() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let of_names = |name: &dyn Fn(usize) -> String| {
        let many: serde_json::Map<String, serde_json::Value> =
            (0..3_000).map(|at| (name(at), json!(1))).collect();
        json!(many).to_string()
    };
    let deep = format!(
        "{{\"diff\": {}1{}}}",
        "{\"a\":".repeat(50_000),
        "}".repeat(50_000)
    );
    let bodies = [
        of_names(&|at| format!("p{at}")),
        of_names(&|at| format!("{at}{}", "\u{1}".repeat(100))),
        of_names(&|at| format!("{at}{}", "\u{10ffff}".repeat(500))),
        of_names(&|at| format!("{at}{}", "/~".repeat(100))),
        json!({ "n".repeat(4 << 20): 1 }).to_string(),
        json!({ "targetLanguage": "\u{1}".repeat(1 << 20) }).to_string(),
        deep,
    ];
    let mut answers = Vec::new();
    for body in bodies {
        answers.push(send(&service, &user, &path, body).await);
    }
    for pair in ["a&", "%01=&", "%F4%8F%BF%BF&", "limit=x&", "="] {
        let query = pair.repeat(8_000 / pair.len());
        answers.push(
            service
                .get(&format!("/v1/organizations?{query}"))
                .token(&user)
                .send()
                .await,
        );
    }
    for answer in answers {
        answer.expect(400, "INVALID_REQUEST");
        assert!(answer.body.len() <= 64 << 10, "{} bytes", answer.body.len());
    }
}

#[tokio::test]
async fn the_limit_of_a_page_consists_of_digits() {
    let service = Service::start().await;
    let user = service.user().await;
    for (limit, code) in [
        ("5", "200"),
        ("%2B5", "INVALID_REQUEST"),
        ("5.0", "INVALID_REQUEST"),
        ("", "INVALID_REQUEST"),
        ("-1", "INVALID_REQUEST"),
    ] {
        let answer = service
            .get(&format!("/v1/organizations?limit={limit}"))
            .token(&user)
            .send()
            .await;
        assert_eq!(answer.code(), code, "{limit}");
    }
}

#[tokio::test]
async fn a_change_that_is_not_unified_is_refused_with_the_name_of_its_format() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for (body, reason) in [
        (
            "2a3\n> x = 1\n",
            "line 3 is not part of a unified diff: this is a normal diff",
        ),
        (
            "*** x.py\n--- x.py\n***************\n*** 1 ****\n",
            "this is a context diff",
        ),
        ("2a\nx = 1\n.\n", "this is an ed script"),
        ("a2 1\nx = 1\n", "this is an RCS script"),
        ("x = 1 | x = 2\n", "this is not a unified diff"),
    ] {
        let diff = format!("Index: x.py\n=====\n{body}{DIFF}");
        let answer = service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
        let faults = answer.faults();
        assert_eq!((faults.len(), faults[0].0.as_str()), (1, "/diff"), "{body}");
        assert!(faults[0].1.contains(reason), "{body}: {}", faults[0].1);
    }
}
