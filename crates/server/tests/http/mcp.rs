//! `/mcp`: the Model Context Protocol over HTTP.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use server::{Limits, Settings};
use store::{OrganizationId, Role, Scope, Status};
use tokio::time::timeout;

use crate::support::issuer::{Issuer, SigningKey};
use crate::support::rules::Rules;
use crate::support::{Act, Answer, Call, DIFF, LOOKED_INTO, Script, Service, User, review_path};

/// Timeout, longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(30);
const BOTH: &str = "application/json, text/event-stream";

fn settings(limits: Limits) -> Settings {
    Settings {
        limits,
        rules: Rules::shared(),
        ..Settings::default()
    }
}

async fn service(act: Act) -> Service {
    Service::with(settings(Limits::default()), act).await
}

fn post<'a>(service: &'a Service, user: &User, message: &Value) -> Call<'a> {
    service
        .post("/mcp", message)
        .token(user)
        .header("accept", BOTH)
}

fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

fn tool(name: &str, arguments: &Value) -> Value {
    request(
        "tools/call",
        &json!({ "name": name, "arguments": arguments }),
    )
}

fn review(organization: OrganizationId) -> Value {
    tool(
        "review_diff",
        &json!({ "diff": DIFF, "organizationId": organization.to_string() }),
    )
}

/// The same, with progress and therefore as a stream.
fn streamed(mut call: Value) -> Value {
    call["params"]["_meta"] = json!({ "progressToken": "p" });
    call
}

/// The messages of a response: one as JSON, or several as events.
fn messages(answer: &Answer) -> Vec<Value> {
    if !answer
        .header("content-type")
        .starts_with("text/event-stream")
    {
        return vec![answer.ok()];
    }
    let events = answer
        .text()
        .split("\n\n")
        .filter(|event| !event.is_empty());
    events
        .map(|event| {
            serde_json::from_str(event.strip_prefix("event: message\ndata: ").unwrap()).unwrap()
        })
        .collect()
}

/// The result in the last message.
fn result(answer: &Answer) -> Value {
    let message = messages(answer).pop().unwrap();
    assert_eq!(
        (&message["jsonrpc"], &message["id"]),
        (&json!("2.0"), &json!(7)),
        "{message}"
    );
    assert!(message["error"].is_null(), "{message}");
    message["result"].clone()
}

/// The code at the start of the tool's text; `200` if the tool succeeded, and the problem's code if there is no
/// JSON-RPC response.
fn code(answer: &Answer) -> String {
    if !answer.status.is_success() {
        return answer.code();
    }
    let result = result(answer);
    if result["isError"] != true {
        return "200".to_owned();
    }
    assert!(result["structuredContent"].is_null());
    result["content"][0]["text"]
        .as_str()
        .unwrap()
        .split(':')
        .next()
        .unwrap()
        .to_owned()
}

async fn reviewer(service: &Service) -> (User, OrganizationId) {
    let user = service.user().await;
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, None).await;
    (user, organization)
}

#[tokio::test]
async fn clients_may_send_requests_in_any_order() {
    let service = service(Act::Nothing).await;
    let user = service.user().await;
    let list = result(
        &post(&service, &user, &request("tools/list", &json!({})))
            .send()
            .await,
    );
    let names: Vec<&str> = list["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["review_diff", "explain_rule", "list_rules"]);
    for tool in list["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
    for (asked, spoken) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let begin = request(
            "initialize",
            &json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": {} }),
        );
        let answer = post(&service, &user, &begin).send().await;
        assert!(answer.headers.get("mcp-session-id").is_none());
        let result = result(&answer);
        assert_eq!(result["protocolVersion"], spoken);
        assert_eq!(
            (&result["serverInfo"]["name"], &result["capabilities"]),
            (&json!("hunkwise"), &json!({ "tools": {} }))
        );
    }
    for (method, empty) in [
        ("resources/list", json!({ "resources": [] })),
        (
            "resources/templates/list",
            json!({ "resourceTemplates": [] }),
        ),
        ("prompts/list", json!({ "prompts": [] })),
    ] {
        assert_eq!(
            result(
                &post(&service, &user, &request(method, &json!({})))
                    .send()
                    .await
            ),
            empty
        );
    }
    let ping = json!({ "jsonrpc": "2.0", "id": "a", "method": "ping" });
    assert_eq!(
        post(&service, &user, &ping).send().await.ok(),
        json!({ "jsonrpc": "2.0", "id": "a", "result": {} })
    );
    for notification in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "no" } }),
    ] {
        let answer = post(&service, &user, &notification).send().await;
        assert_eq!(
            (answer.status.as_u16(), answer.text()),
            (202, ""),
            "{notification}"
        );
    }
    let only_events = service
        .post("/mcp", &ping)
        .token(&user)
        .header("accept", "text/event-stream")
        .send()
        .await;
    assert_eq!(
        messages(&only_events),
        [json!({ "jsonrpc": "2.0", "id": "a", "result": {} })]
    );
}

#[tokio::test]
async fn the_review_tool_returns_the_review_of_the_api() {
    let service = service(Act::Find).await;
    let (user, organization) = reviewer(&service).await;
    let mut api = service
        .review(&user, &review_path(organization))
        .send()
        .await
        .ok();
    let plain = post(&service, &user, &review(organization)).send().await;
    assert_eq!(plain.header("content-type"), "application/json");
    assert_eq!(plain.header("cache-control"), "no-store");
    let stream = post(&service, &user, &streamed(review(organization)))
        .send()
        .await;
    let progress =
        json!({ "progressToken": "p", "progress": 1, "total": 1, "message": "1 finding so far" });
    let notification =
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": progress });
    let [first, _] = messages(&stream).try_into().unwrap();
    assert_eq!(first, notification);
    api["requestId"] = Value::Null;
    for answer in [&plain, &stream] {
        let result = result(answer);
        let mut body = result["structuredContent"].clone();
        assert_eq!(body["requestId"], answer.header("x-request-id"));
        body["requestId"] = Value::Null;
        assert_eq!(body, api);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with("src/pay.py:2\tP2\ttest/added-line\tA line was added.\n"),
            "{text}"
        );
        assert!(result["resultType"].is_null());
    }
    // A client that does not accept streams gets none.
    let json = service
        .post("/mcp", &streamed(review(organization)))
        .token(&user)
        .header("accept", "application/json");
    assert_eq!(json.send().await.header("content-type"), "application/json");
    let days = service
        .store
        .list_usage_of_days(organization, "2000-01-01", "2100-01-01")
        .await
        .unwrap();
    let usage = days[0].usage;
    assert_eq!(
        (usage.reviews, usage.findings, usage.prompt_tokens),
        (4, [0, 0, 4, 0], 40),
        "all are metered in the same way"
    );
}

#[tokio::test]
async fn the_rule_tools_answer_and_check_their_arguments() {
    let service = service(Act::Nothing).await;
    let user = service.user().await;
    let call = async |name, arguments| {
        result(&post(&service, &user, &tool(name, &arguments)).send().await)
    };
    let explained = call("explain_rule", json!({ "ruleId": "test/added-line" })).await;
    assert_eq!(explained["structuredContent"]["ruleId"], "test/added-line");
    assert_eq!(
        explained["content"][0],
        json!({ "type": "text", "text": "why\n" })
    );
    let listed = call(
        "list_rules",
        json!({ "language": "py", "category": "SECURITY" }),
    )
    .await;
    assert_eq!(
        listed["structuredContent"],
        json!({ "language": "Python", "category": "SECURITY" })
    );
    let all = json!({ "language": null, "category": null });
    for arguments in [
        json!({}),
        json!({ "language": "auto" }),
        json!({ "language": null }),
    ] {
        assert_eq!(
            call("list_rules", arguments).await["structuredContent"],
            all
        );
    }
    for (name, arguments, text) in [
        (
            "explain_rule",
            json!({ "ruleId": "x" }),
            "there is no rule \"x\"",
        ),
        (
            "explain_rule",
            json!({}),
            "INVALID_REQUEST: ruleId: is missing",
        ),
        (
            "explain_rule",
            json!({ "ruleId": 1 }),
            "INVALID_REQUEST: ruleId: must be a string, not a number",
        ),
        (
            "explain_rule",
            json!({ "ruleId": "x".repeat(201) }),
            "INVALID_REQUEST: ruleId: must have at most 200 bytes",
        ),
        (
            "list_rules",
            json!({ "category": "SEC" }),
            "INVALID_REQUEST: category: must be one of ",
        ),
        (
            "list_rules",
            json!({ "language": "pythn" }),
            "INVALID_REQUEST: language: is not a language",
        ),
        (
            "list_rules",
            json!({ "lang": "py" }),
            "INVALID_REQUEST: lang: unknown property; did you mean `language`",
        ),
        (
            "list_rules",
            json!({ "cursor": "x" }),
            "INVALID_REQUEST: cursor: is not a cursor that this tool returned",
        ),
        (
            "list_rules",
            json!({ "limit": 0 }),
            "INVALID_REQUEST: limit: must be a whole number from 1 to 100",
        ),
        (
            "list_rules",
            json!({ "limit": 101 }),
            "INVALID_REQUEST: limit: must be a whole number from 0 to 100",
        ),
        (
            "review_diff",
            json!({ "diff": DIFF }),
            "INVALID_REQUEST: organizationId: is missing; it is optional only",
        ),
        (
            "review_diff",
            json!({ "organizationId": 1 }),
            "INVALID_REQUEST: organizationId: must be a string",
        ),
    ] {
        let refused = call(name, arguments).await;
        assert_eq!(refused["isError"], true);
        let message = refused["content"][0]["text"].as_str().unwrap();
        assert!(message.starts_with(text), "{message}");
    }
    // A service without rules does not have these tools.
    let bare = Service::start().await;
    let user = bare.user().await;
    let answer = post(&bare, &user, &tool("list_rules", &json!({})))
        .send()
        .await
        .ok();
    assert_eq!(answer["error"]["code"], -32602);
    let list = result(
        &post(&bare, &user, &request("tools/list", &json!({})))
            .send()
            .await,
    );
    assert_eq!(list["tools"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn invalid_messages_are_refused_and_unknown_methods_are_answered() {
    let service = service(Act::Nothing).await;
    let user = service.user().await;
    let raw = |body: &str| {
        let call = service
            .call(Method::POST, "/mcp")
            .token(&user)
            .header("accept", BOTH);
        call.header("content-type", "application/json")
            .body(body.to_owned())
    };
    for body in [
        "",
        "{",
        "nonsense",
        "null",
        "[]",
        r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#,
        "{}",
        r#"{"id": 1, "method": "ping"}"#,
        r#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#,
        r#"{"jsonrpc": 2.0, "id": 1, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": 5}"#,
        r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#,
        r#"{"jsonrpc": "2.0", "method": []}"#,
    ] {
        raw(body).send().await.expect(400, "INVALID_REQUEST");
    }
    for (message, error) in [
        (request("server/discover", &json!({})), -32601),
        (request("resources/read", &json!({ "uri": "x" })), -32601),
        (request("review_working_tree", &json!({})), -32601),
        (request("tools/call", &json!({})), -32602),
        (request("tools/call", &json!({ "name": 5 })), -32602),
        (
            request(
                "tools/call",
                &json!({ "name": "review_diff", "arguments": [] }),
            ),
            -32602,
        ),
        (
            request("tools/call", &json!({ "name": "review_diff", "_meta": 5 })),
            -32602,
        ),
        (
            request(
                "tools/call",
                &json!({ "name": "review_diff", "_meta": { "progressToken": [] } }),
            ),
            -32602,
        ),
        (tool("review_working_tree", &json!({})), -32602),
    ] {
        let answer = post(&service, &user, &message).send().await.ok();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(error), &json!(7)),
            "{message}: {answer}"
        );
    }
    for id in [json!("x"), json!(-1), json!(i64::MAX)] {
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        assert_eq!(post(&service, &user, &ping).send().await.ok()["id"], id);
    }
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH] {
        let answer = service
            .call(method, "/mcp")
            .token(&user)
            .header("accept", "text/event-stream")
            .send()
            .await;
        answer.expect(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), "POST");
    }
    let ping = request("ping", &json!({}));
    let ask = || service.post("/mcp", &ping).token(&user);
    ask()
        .header("accept", "text/html")
        .send()
        .await
        .expect(406, "NOT_ACCEPTABLE");
    ask()
        .header("mcp-protocol-version", "2025-06-18")
        .send()
        .await
        .ok();
    let unknown = ask()
        .header("mcp-protocol-version", "2026-07-28")
        .send()
        .await;
    assert_eq!(
        unknown.expect(400, "INVALID_REQUEST").faults()[0].0,
        "MCP-Protocol-Version"
    );
    let text = service
        .call(Method::POST, "/mcp")
        .token(&user)
        .header("content-type", "text/plain")
        .body("{}");
    text.send().await.expect(415, "UNSUPPORTED_MEDIA_TYPE");
    service
        .post("/mcp?x=1", &ping)
        .token(&user)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
    let without = service.post("/mcp?access_token=x", &ping).send().await;
    assert_eq!(
        without
            .expect(401, "UNAUTHENTICATED")
            .header("www-authenticate"),
        "Bearer"
    );
    let small = Service::with(
        settings(Limits {
            body_bytes: 100,
            ..Limits::default()
        }),
        Act::Nothing,
    )
    .await;
    let user = small.user().await;
    post(&small, &user, &review(OrganizationId::new(small.now())))
        .send()
        .await
        .expect(413, "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn only_pages_of_the_service_itself_and_of_allowed_origins_may_call() {
    let cors_origins = vec!["https://console.example.com".to_owned()];
    let public_url = Some("https://hunkwise.example.com".to_owned());
    for public_url in [None, public_url] {
        let settings = Settings {
            cors_origins: cors_origins.clone(),
            public_url,
            ..Settings::default()
        };
        let has_public_url = settings.public_url.is_some();
        let service = Service::with(settings, Act::Nothing).await;
        let user = service.user().await;
        let ping = request("ping", &json!({}));
        let from = async |origin: &str, host: &str| {
            post(&service, &user, &ping)
                .header("origin", origin)
                .header("host", host)
                .send()
                .await
        };
        for (origin, host) in [
            ("https://console.example.com", "hunkwise.example.com"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://localhost:8080", "localhost:8080"),
            ("http://[::1]:8080", "[::1]:8080"),
            ("https://10.1.2.3", "10.1.2.3"),
        ] {
            from(origin, host).await.ok();
        }
        for (origin, host) in [
            ("https://evil.example.com", "hunkwise.example.com"),
            ("http://console.example.com", "hunkwise.example.com"),
            ("http://localhost", "hunkwise.example.com"),
            ("http://localhost:8080", "localhost:8081"),
            // A domain whose owner pointed it to this service.
            ("http://evil.example.com", "evil.example.com"),
            ("http://127.0.0.1.example.com", "127.0.0.1.example.com"),
            ("null", "hunkwise.example.com"),
            ("", "hunkwise.example.com"),
        ] {
            from(origin, host).await.expect(403, "ORIGIN_NOT_ALLOWED");
        }
        let own = from("https://hunkwise.example.com", "internal:8080").await;
        assert_eq!(own.status.is_success(), has_public_url);
        let twice = post(&service, &user, &ping).header("origin", "https://console.example.com");
        twice
            .header("origin", "https://evil.example.com")
            .send()
            .await
            .expect(403, "ORIGIN_NOT_ALLOWED");
        let twice = post(&service, &user, &ping)
            .header("host", "localhost")
            .header("origin", "http://localhost");
        twice
            .header("origin", "https://evil.example.com")
            .send()
            .await
            .expect(403, "ORIGIN_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn a_client_without_a_token_is_referred_to_the_issuer() {
    let issuer = Issuer::with(&[&SigningKey::p256("a")]);
    let with = async |public_url: Option<&str>| {
        let public_url = public_url.map(str::to_owned);
        let settings = settings(Limits::default());
        let settings = Settings {
            sign_in: Some(issuer.sign_in(&[])),
            public_url,
            ..settings
        };
        Service::with(settings, Act::Nothing).await
    };
    for (public_url, host, address) in [
        (
            Some("https://hunkwise.example.com"),
            "internal:8080",
            "https://hunkwise.example.com",
        ),
        (None, "review.example.com", "https://review.example.com"),
        (None, "localhost:8080", "http://localhost:8080"),
    ] {
        let service = with(public_url).await;
        let ping = request("ping", &json!({}));
        let metadata = format!(
            "resource_metadata=\"{address}/.well-known/oauth-protected-resource/mcp\", scope=\"reviews:write\""
        );
        let without = service
            .post("/mcp", &ping)
            .header("host", host)
            .header("origin", "https://evil.example.com");
        assert_eq!(
            without.send().await.header("www-authenticate"),
            format!("Bearer {metadata}")
        );
        let invalid = service
            .post("/mcp", &ping)
            .header("host", host)
            .header("authorization", "Bearer hw_x");
        let challenge = format!("Bearer error=\"invalid_token\", {metadata}");
        assert_eq!(invalid.send().await.header("www-authenticate"), challenge);
        for (path, scopes) in [("", 4), ("/mcp", 1)] {
            let document = service
                .get(&format!("/.well-known/oauth-protected-resource{path}"))
                .header("host", host);
            let document = document.send().await.ok();
            assert_eq!(document["resource"], format!("{address}{path}"));
            assert_eq!(
                document["authorization_servers"],
                json!([issuer.sign_in(&[]).issuer])
            );
            assert_eq!(
                document["scopes_supported"].as_array().unwrap().len(),
                scopes
            );
            assert_eq!(document["bearer_methods_supported"], json!(["header"]));
        }
        // The API is not for OAuth clients.
        let api = service.get("/v1/me").header("host", host).send().await;
        assert_eq!(api.header("www-authenticate"), "Bearer");
    }
    // An invalid host is not repeated.
    let service = with(None).await;
    let odd = service
        .post("/mcp", &request("ping", &json!({})))
        .header("host", "a\"b")
        .send()
        .await;
    assert_eq!(odd.header("www-authenticate"), "Bearer");
}

#[tokio::test]
async fn context_files_are_read_and_checked_as_by_the_api() {
    let settings = settings(Limits::default());
    let service = Service::with_engine(settings, Script::with_model(Act::Find)).await;
    let (user, organization) = reviewer(&service).await;
    let ask = async |files: &Value| {
        let organization = organization.to_string();
        let arguments =
            json!({ "diff": DIFF, "organizationId": organization, "contextFiles": files });
        post(&service, &user, &tool("review_diff", &arguments))
            .send()
            .await
    };
    let file = |path: &str| json!({ "path": path, "content": "one\ntwo\n" });
    for files in [json!([file(LOOKED_INTO)]), json!([]), Value::Null] {
        let answer = ask(&files).await;
        assert_eq!(code(&answer), "200", "{files}: {}", answer.text());
    }
    assert_eq!(
        service.engine.looked_up(),
        [Some("one".to_owned()), None, None]
    );
    for (files, why) in [
        (json!("x"), "contextFiles: must be a list of objects"),
        (
            json!([{ "path": "b.py" }]),
            "contextFiles/0/content: is missing",
        ),
        (
            json!([file("b.py"), file("../c.py")]),
            "contextFiles/1/path: must be relative",
        ),
        (
            json!([file("src/pay.py")]),
            "contextFiles/0/path: is the path of a file of the diff",
        ),
    ] {
        let answer = ask(&files).await;
        assert_eq!(code(&answer), "INVALID_REQUEST", "{}", answer.text());
        let result = result(&answer);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(why), "{why}: {text}");
    }
}

#[tokio::test]
async fn a_large_review_is_paginated() {
    let service = service(Act::Find).await;
    let (user, organization) = reviewer(&service).await;
    let lines: String = (0..300).map(|n| format!("+    line({n})\n")).collect();
    let diff = format!("--- a/src/pay.py\n+++ b/src/pay.py\n@@ -1 +1,301 @@\n def f():\n{lines}");
    let (mut cursor, mut found) = (Value::Null, Vec::new());
    let mut stream = false;
    loop {
        let mut arguments = json!({ "diff": diff, "organizationId": organization.to_string() });
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let call = tool("review_diff", &arguments);
        let answer = post(&service, &user, &if stream { streamed(call) } else { call })
            .send()
            .await;
        let result = result(&answer);
        assert!(
            result.to_string().len() < 60_000,
            "{}",
            result.to_string().len()
        );
        let review = &result["structuredContent"];
        found.extend(
            review["findings"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["lineNumber"].as_u64().unwrap()),
        );
        assert!(
            result["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("sum\t300 findings")
        );
        let left = review["remaining"]["findings"].as_u64().unwrap_or(0);
        assert_eq!(found.len() as u64 + left, 300);
        cursor = review["nextCursor"].clone();
        stream = true;
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(found, (2..302).collect::<Vec<u64>>());
    let refused =
        json!({ "diff": diff, "organizationId": organization.to_string(), "cursor": "next" });
    assert_eq!(
        code(
            &post(&service, &user, &tool("review_diff", &refused))
                .send()
                .await
        ),
        "INVALID_REQUEST"
    );
}

/// The checks of a review in the order of the API, except for the media type, which is checked for the message and not
/// for the review.
#[tokio::test]
async fn every_combination_of_failing_checks_is_answered_as_by_the_api() {
    const CHECKS: [&str; 8] = [
        "INVALID_TOKEN", "INSUFFICIENT_SCOPE", "NOT_ACCEPTABLE", "ORGANIZATION_NOT_FOUND",
        "INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "ENTITLEMENT_REQUIRED", "RATE_LIMITED",
    ];
    let limits = Limits {
        requests_per_minute: 1,
        diff_bytes: DIFF.len(),
        user_requests_factor: 10_000,
        ..Limits::default()
    };
    let service = Service::with(settings(limits), Act::Nothing).await;
    let owner = service.user().await;
    let (entitled, plain) = (
        service.organization(&owner).await,
        service.organization(&owner).await,
    );
    service.entitle(entitled, &owner, None).await;
    let missing = OrganizationId::new(service.now());
    for mask in 0..1_u32 << CHECKS.len() {
        let fails = |code: &str| {
            CHECKS
                .iter()
                .position(|check| *check == code)
                .is_some_and(|at| mask & (1 << at) != 0)
        };
        let scopes: &[Scope] = if fails("INSUFFICIENT_SCOPE") {
            &[Scope::OrganizationsRead]
        } else {
            &[Scope::ReviewsWrite]
        };
        let mut user = service.user_with(owner.id, scopes, None, None).await;
        if fails("RATE_LIMITED") {
            service.get("/v1/limits").token(&user).send().await.ok();
        }
        if fails("INVALID_TOKEN") {
            user.token.push('x');
        }
        let organization = match (
            fails("ORGANIZATION_NOT_FOUND"),
            fails("ENTITLEMENT_REQUIRED"),
        ) {
            (true, _) => missing,
            (false, true) => plain,
            (false, false) => entitled,
        };
        let diff = if fails("PAYLOAD_TOO_LARGE") {
            format!("{DIFF}\n")
        } else {
            DIFF.to_owned()
        };
        let mut arguments = json!({ "diff": diff, "organizationId": organization.to_string() });
        if fails("INVALID_REQUEST") {
            arguments["difff"] = json!(1);
        }
        let call = tool("review_diff", &arguments);
        let call = if mask % 3 == 0 { streamed(call) } else { call };
        let accept = if fails("NOT_ACCEPTABLE") {
            "text/html"
        } else {
            BOTH
        };
        let answer = service
            .post("/mcp", &call)
            .token(&user)
            .header("accept", accept)
            .send()
            .await;
        let expected = CHECKS
            .iter()
            .find(|code| fails(code))
            .copied()
            .unwrap_or("200");
        assert_eq!(code(&answer), expected, "{mask:08b} {}", answer.text());
    }
}

#[tokio::test]
async fn other_organizations_are_not_revealed() {
    let service = service(Act::Find).await;
    let (user, own) = reviewer(&service).await;
    let (stranger, other) = reviewer(&service).await;
    let (suspended, archived) = (
        service.organization(&user).await,
        service.organization(&user).await,
    );
    service.set_status(suspended, Status::Suspended).await;
    service.set_status(archived, Status::Archived).await;
    let missing = OrganizationId::new(service.now()).to_string();
    let ask = async |user: &User, organization: &str| {
        let arguments = json!({ "diff": DIFF, "organizationId": organization });
        post(&service, user, &tool("review_diff", &arguments))
            .send()
            .await
    };
    assert_eq!(code(&ask(&user, &own.to_string()).await), "200");
    assert_eq!(code(&ask(&stranger, &other.to_string()).await), "200");
    let api = service
        .review(&user, &review_path(other))
        .send()
        .await
        .json()["detail"]
        .as_str()
        .unwrap()
        .to_owned();
    for organization in [
        other.to_string(),
        suspended.to_string(),
        archived.to_string(),
        missing.clone(),
        "org_nonsense".to_owned(),
        String::new(),
        user.id.to_string(),
        own.to_string().to_uppercase(),
    ] {
        let refused = result(&ask(&user, &organization).await);
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert_eq!(
            (&refused["isError"], text),
            (
                &json!(true),
                format!("ORGANIZATION_NOT_FOUND: {api}").as_str()
            )
        );
    }
    // A bound token works in its organization, named or not, and reveals nothing about others.
    let bound = service
        .user_with(user.id, Scope::ALL, Some(own), None)
        .await;
    let unnamed = tool("review_diff", &json!({ "diff": DIFF }));
    assert_eq!(code(&post(&service, &bound, &unnamed).send().await), "200");
    assert_eq!(code(&ask(&bound, &own.to_string()).await), "200");
    for organization in [
        other.to_string(),
        suspended.to_string(),
        missing,
        "org_nonsense".to_owned(),
    ] {
        assert_eq!(
            code(&ask(&bound, &organization).await),
            "INSUFFICIENT_SCOPE"
        );
    }
    // Members of either role may review once they are entitled.
    let member = service.user().await;
    service.join(own, &member, Role::Member).await;
    assert_eq!(
        code(&ask(&member, &own.to_string()).await),
        "ENTITLEMENT_REQUIRED"
    );
    service.entitle(own, &member, None).await;
    assert_eq!(code(&ask(&member, &own.to_string()).await), "200");
}

#[tokio::test]
async fn temporary_refusals_state_when_to_retry() {
    let limits = Limits {
        requests_per_minute: 2,
        ..Limits::default()
    };
    let service = Service::with(settings(limits), Act::Find).await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, Some(1)).await;
    let text = async |message: &Value| {
        let result = result(&post(&service, &user, message).send().await);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(
        text(&review(organization))
            .await
            .starts_with("src/pay.py:2")
    );
    let quota = text(&review(organization)).await;
    assert!(
        quota.starts_with("QUOTA_EXCEEDED: ") && quota.ends_with("at 2026-12-01T00:00:00Z."),
        "{quota}"
    );
    let pace = text(&streamed(review(organization))).await;
    assert!(
        pace.starts_with("RATE_LIMITED: ") && pace.contains(" Try again in "),
        "{pace}"
    );
    // Refusals outside of tools are plain problems.
    post(&service, &user, &request("ping", &json!({})))
        .send()
        .await
        .expect(429, "RATE_LIMITED");
}

#[tokio::test]
async fn a_failed_review_is_reported_as_json_and_as_a_stream() {
    for (act, expected) in [(Act::Fail, Some("ANALYSIS_FAILED")), (Act::Panic, None)] {
        let service = service(act).await;
        let (user, organization) = reviewer(&service).await;
        let plain = post(&service, &user, &review(organization)).send().await;
        let stream = post(&service, &user, &streamed(review(organization)))
            .send()
            .await;
        match expected {
            Some(expected) => assert_eq!(
                (code(&plain), code(&stream)),
                (expected.to_owned(), expected.to_owned())
            ),
            None => {
                plain.expect(500, "INTERNAL");
                let last = messages(&stream).pop().unwrap();
                assert_eq!(
                    (&last["error"]["code"], &last["id"]),
                    (&json!(-32603), &json!(7))
                );
            }
        }
        let days = service
            .store
            .list_usage_of_days(organization, "2000-01-01", "2100-01-01")
            .await
            .unwrap();
        assert_eq!(
            days.iter().map(|day| day.usage.reviews).sum::<u64>(),
            0,
            "it costs nothing"
        );
    }
}

#[tokio::test]
async fn a_disconnected_caller_releases_slot_and_quota() {
    let limits = Limits {
        reviews_per_organization: 1,
        user_reviews_factor: 1,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::with_engine(settings(limits), Script::new(Act::Hang)).await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    service.entitle(organization, &user, Some(1)).await;
    let counted = async || {
        let days = service
            .store
            .list_usage_of_days(organization, "2000-01-01", "2100-01-01")
            .await
            .unwrap();
        days.iter().map(|day| day.usage.reviews).sum::<u64>()
    };
    for call in [review(organization), streamed(review(organization))]
        .iter()
        .cycle()
        .take(4)
    {
        let running = service
            .begin(|| post(&service, &user, call).into_request())
            .await;
        assert_eq!(counted().await, 1);
        assert_eq!(
            code(&post(&service, &user, call).send().await),
            "TOO_MANY_REVIEWS"
        );
        // It names a request, but not its client.
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
        assert_eq!(
            post(&service, &user, &cancelled)
                .send()
                .await
                .status
                .as_u16(),
            202
        );
        assert_eq!(counted().await, 1);
        running.abort();
        service.engine.running(0).await;
        let given_back = async {
            while counted().await > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(TIMEOUT, given_back)
            .await
            .expect("the quota is returned");
    }
}
