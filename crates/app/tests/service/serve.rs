//! `hunkwise serve`, from startup to a graceful shutdown.

use std::net::TcpListener;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Place, Request, Serving};

const DATABASE: &str = "sqlite://a.db";
pub(crate) const CANARY: &str = "canary_of_the_diff";

/// A service, a token, and the path of a review that the token may request.
pub(crate) struct Fixture {
    place: Place,
    pub(crate) serving: Serving,
    pub(crate) token: String,
    pub(crate) path: String,
}

impl Fixture {
    fn new(arguments: &[&str]) -> Self {
        Self::at(Place::new(), arguments)
    }

    pub(crate) fn at(place: Place, arguments: &[&str]) -> Self {
        let serving = place.serve(&[&["--database", DATABASE], arguments].concat());
        let admin = |line: String| {
            place.json(
                &[
                    &["admin", "--json", "--database", DATABASE],
                    &line.split(' ').collect::<Vec<_>>()[..],
                ]
                .concat(),
            )
        };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let user = text(&admin("user create --name Ada".to_owned())["userId"]);
        let token = text(&admin(format!("token create --user {user}"))["token"]);
        let (status, made) =
            serving.send("POST", "/v1/organizations", &token, r#"{"name":"Acme"}"#);
        assert_eq!(status, 201, "{made}");
        let organization = text(&made["organizationId"]);
        admin(format!(
            "entitlement grant --organization {organization} --user {user}"
        ));
        Self {
            place,
            serving,
            token,
            path: format!("/v1/organizations/{organization}/reviews/diff/sync"),
        }
    }

    fn begin(&self, body: &str) -> Request {
        Request::begin(
            self.serving.address,
            "POST",
            &self.path,
            &self.token,
            body.len(),
        )
    }
}

pub(crate) fn body() -> String {
    let diff = format!(
        "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,2 @@\n import os\n+def {CANARY}(x=[]): return x\n"
    );
    json!({ "diff": diff }).to_string()
}

#[test]
fn a_signal_lets_requests_in_flight_finish() {
    let mut fixture = Fixture::new(&[]);
    let body = body();
    let (first, rest) = body.split_at(20);
    let mut request = fixture.begin(&body);
    request.write(first);
    // The response to a second request shows that the server has accepted the first one.
    assert_eq!(fixture.serving.send("GET", "/healthz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    fixture.serving.process.stderr_until("stopping");
    request.write(rest);
    let (status, review) = request.answer();
    assert_eq!(status, 200, "{review}");
    assert_eq!(
        review["findings"][0]["ruleId"],
        "python/mutable-default-argument"
    );
    let ended = fixture.serving.process.end();
    assert_eq!((ended.status, ended.stdout.as_str()), (0, ""), "{ended:?}");
}

#[test]
fn files_in_a_request_are_searched_for_uses_that_the_change_breaks() {
    let fixture = Fixture::new(&[]);
    let diff = "--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n-def total(x):\n+def sum_of(x):\n     return x\n";
    let cart = "from shop import total\n\nprint(total(1))\n";
    let mut body = json!({
        "diff": diff,
        "diffContext": "files",
        "contextFiles": [{ "path": "cart.py", "content": cart }],
    });
    let mut ask = |context: &str| {
        body["diffContext"] = json!(context);
        let (status, review) =
            fixture
                .serving
                .send("POST", &fixture.path, &fixture.token, &body.to_string());
        assert_eq!(status, 200, "{review}");
        review["findings"].clone()
    };
    let found = ask("files");
    assert_eq!(found[0]["ruleId"], "any/removed-name-still-used", "{found}");
    assert_eq!(
        found[0]["references"],
        json!([
            { "filePath": "cart.py", "lineNumber": 1 },
            { "filePath": "cart.py", "lineNumber": 3 },
        ])
    );
    assert_eq!(ask("hunks"), json!([]));
}

#[test]
fn the_list_of_files_shows_what_does_not_exist() {
    let fixture = Fixture::new(&[]);
    let diff = "--- a/shop.py\n+++ b/shop.py\n@@ -1 +1,4 @@\n import tax\n+from lib.rates import rate\n\
        +from lib.made import other\n+from lib.known import name\n--- a/web/cart.ts\n+++ b/web/cart.ts\n@@ -1 +1,2 @@\n\
        \u{20}console.log(t('cart.total'))\n+console.log(t('cart.totel'))\n";
    let paths = ".gitignore\nlib/__init__.py\nlib/known.py\nlocales/en.json\nshop.py\ntax.py\nweb/cart.ts\n";
    let texts = json!([
        { "path": ".gitignore", "content": "made.py\n" },
        { "path": "locales/en.json", "content": "{\"cart\": {\n  \"total\": \"Total\"\n}}\n" },
    ]);
    let searches = json!([{ "names": ["total", "totel", "totel_one", "totel_other"] }]);
    let ask = |paths: Value, texts: &Value, searches: &Value| {
        let body = json!({
            "diff": diff, "diffContext": "files",
            "contextPaths": paths, "contextFiles": texts, "contextSearches": searches,
        });
        let (status, review) =
            fixture
                .serving
                .send("POST", &fixture.path, &fixture.token, &body.to_string());
        assert_eq!(status, 200, "{review}");
        let found = review["findings"].as_array().unwrap().clone();
        let rules = found.iter().map(|finding| {
            format!(
                "{} {}",
                finding["ruleId"].as_str().unwrap(),
                finding["lineNumber"]
            )
        });
        let around = ["any/import-not-found", "any/unknown-key"];
        let mut rules: Vec<String> = rules
            .filter(|found| around.iter().any(|rule| found.starts_with(rule)))
            .collect();
        rules.sort_unstable();
        rules
    };
    let (import, key) = ("any/import-not-found 2", "any/unknown-key 2");
    assert_eq!(ask(json!(paths), &texts, &searches), [import, key]);
    // Files that were not searched may define the key.
    assert_eq!(ask(json!(paths), &texts, &Value::Null), [import]);
    // Without its text, the `.gitignore` file may ignore everything.
    assert_eq!(ask(json!(paths), &json!([]), &Value::Null), [""; 0]);
    assert_eq!(ask(Value::Null, &texts, &Value::Null), [""; 0]);
}

#[test]
fn an_ineffective_suppression_is_a_warning() {
    let fixture = Fixture::new(&[]);
    let comment = "# hunkwise:ignore python/mutable-default-argument";
    let diff = format!(
        "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,3 @@\n import os\n+{comment}\n+def f(x=[]): return x\n"
    );
    let body = json!({ "diff": diff }).to_string();
    let (status, review) = fixture
        .serving
        .send("POST", &fixture.path, &fixture.token, &body);
    let warning = &review["metadata"]["warnings"][0];
    assert_eq!(
        (status, warning["code"].as_str()),
        (200, Some("SUPPRESSION_INEFFECTIVE")),
        "{review}"
    );
    assert_eq!(warning["filePath"], "a.py");
    assert_eq!(
        warning["message"],
        "line 2: this suppression has no reason, so it has no effect: add one after the rule"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_crashing_service_leaves_no_core_dump() {
    let fixture = Fixture::new(&[]);
    let limits =
        std::fs::read_to_string(format!("/proc/{}/limits", fixture.serving.process.id())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
}

#[test]
fn logs_are_json_lines_without_tokens_or_code() {
    let fixture = Fixture::new(&[]);
    let (status, _) = fixture
        .serving
        .send("POST", &fixture.path, &fixture.token, &body());
    assert_eq!(status, 200);
    fixture.serving.process.signal(Signal::INT);
    let ended = fixture.serving.process.end();
    assert_eq!(ended.status, 0);
    for line in ended.stderr.lines() {
        assert!(
            serde_json::from_str::<Value>(line).is_ok_and(|line| line["level"].is_string()),
            "{line}"
        );
    }
    assert!(
        !ended.stderr.contains(CANARY) && !ended.stderr.contains(&fixture.token),
        "{}",
        ended.stderr
    );
    for file in std::fs::read_dir(fixture.place.path("")).unwrap() {
        let kept = std::fs::read(file.unwrap().path()).unwrap();
        for secret in [CANARY, &fixture.token] {
            assert!(
                !kept
                    .windows(secret.len())
                    .any(|bytes| bytes == secret.as_bytes())
            );
        }
    }
}

#[test]
fn a_second_signal_stops_the_service_immediately() {
    let mut fixture = Fixture::new(&[]);
    let body = body();
    let mut request = fixture.begin(&body);
    request.write(&body[..20]);
    assert_eq!(fixture.serving.send("GET", "/healthz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    fixture.serving.process.stderr_until("stopping");
    fixture.serving.process.signal(Signal::INT);
    let ended = fixture.serving.process.end();
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(ended.stderr.contains("stopped immediately"), "{ended:?}");
    // The service does not wait until the response is written, but a partial response must be the right one.
    let answer = request.raw_answer();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 503"),
        "{answer}"
    );
}

#[test]
fn the_grace_period_ends() {
    let fixture = Fixture::new(&["--shutdown-grace", "0s"]);
    let body = body();
    let mut request = fixture.begin(&body);
    request.write(&body[..20]);
    assert_eq!(fixture.serving.send("GET", "/healthz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    assert_eq!(fixture.serving.process.end().status, 0);
    let answer = request.raw_answer();
    assert!(
        answer.starts_with("HTTP/1.1 503") && answer.contains("NOT_READY"),
        "{answer}"
    );
}

#[test]
fn limits_come_from_the_settings() {
    let place = Place::new().variable("HUNKWISE_LIMITS__DIFF_BYTES", "17");
    let document: Value = serde_json::from_str(&place.run(&["openapi"]).stdout).unwrap();
    assert_ne!(
        document,
        serde_json::from_str::<Value>(&Place::new().run(&["openapi"]).stdout).unwrap()
    );
}

#[test]
fn an_address_in_use_is_reported_before_the_database_is_opened() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = place.refused(2, &["serve", "--bind", &address, "--database", DATABASE]);
    assert!(
        message.contains(&format!(
            "cannot listen on {address}: the address is in use"
        )),
        "{message}"
    );
    assert!(!place.path("a.db").exists());
}

#[test]
fn a_database_that_cannot_be_opened_is_a_failure() {
    let place = Place::new();
    place.write(
        "a.db",
        "this is not a database, and too long to be mistaken for an empty one",
    );
    let ended = place.run(&["serve", "--bind", "127.0.0.1:0", "--database", DATABASE]);
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("error: sqlite://a.db: the database cannot be reached: "),
        "{ended:?}"
    );
}
