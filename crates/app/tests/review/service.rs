//! `--server`: the change is sent to a service, and its response or refusal is shown.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use crate::support::{BAD, Folder, Run, added, finish};

/// The request to the service: the request line and headers, and the body.
type Seen = (Vec<String>, Value);

/// A service that sends one response.
fn service(answer: String) -> (String, JoinHandle<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = Vec::new();
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap() > 2 {
            head.push(std::mem::take(&mut line).trim().to_owned());
        }
        let length = head.iter().find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length: ")?
                .parse()
                .ok()
        });
        let mut body = vec![0; length.unwrap()];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (url, seen)
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn review(url: &str, token: Option<&str>, arguments: &[&str]) -> Run {
    let folder = Folder::new();
    folder.write("change.diff", added("a.py", BAD));
    let mut command = folder.command();
    command.args([
        "review", "change.diff", "--server", url, "--organization", "org_1/x", "--format", "json",
    ]);
    command
        .args(arguments)
        .envs(token.map(|token| ("HUNKWISE_TOKEN", token)))
        .env("NO_PROXY", "127.0.0.1");
    finish(&mut command)
}

#[test]
fn the_services_findings_are_shown_like_local_ones() {
    let here = {
        let folder = Folder::new();
        folder.review_text(added("a.py", BAD), &[]).json()
    };
    let (url, seen) = service(answer(
        "200 OK",
        "content-type: application/json\r\n",
        &here.to_string(),
    ));
    let run = review(
        &format!("{url}/base/"),
        Some("hw_secret"),
        &["--language", "py", "--fail-on", "P2"],
    );
    assert_eq!((run.status, run.json()), (1, here), "{run:?}");
    let (head, body) = seen.join().unwrap();
    assert_eq!(
        head.first().unwrap(),
        "POST /base/v1/organizations/org_1%2Fx/reviews/diff/sync HTTP/1.1"
    );
    assert!(
        head.contains(&"authorization: Bearer hw_secret".to_owned()),
        "{head:?}"
    );
    assert!(
        head.contains(&"accept: */*".to_owned()),
        "events are only requested if progress is shown: {head:?}"
    );
    assert_eq!(
        body,
        json!({ "diff": added("a.py", BAD), "targetLanguage": "Python" })
    );
}

#[test]
fn a_refusal_is_shown_with_its_code_its_faults_and_the_request_id() {
    let problem = json!({
        "type": "urn:hunkwise:problem:invalid-request", "title": "The request is not valid", "status": 400,
        "code": "INVALID_REQUEST", "detail": "two things are wrong\u{1b}[2J", "requestId": "0193-id",
        "errors": [{ "pointer": "/diff", "detail": "is blank" }, { "pointer": "/x", "detail": "is unknown" }],
    });
    for (status, exit) in [
        ("400 Bad Request", 2),
        ("403 Forbidden", 2),
        ("429 Too Many Requests", 3),
        ("503 Unavailable", 3),
    ] {
        let headers = "content-type: application/problem+json\r\nretry-after: 7\r\n";
        let (url, _seen) = service(answer(status, headers, &problem.to_string()));
        let run = review(&url, Some("hw_secret"), &[]);
        assert_eq!((run.status, run.stdout.as_str()), (exit, ""), "{run:?}");
        for expected in [
            "INVALID_REQUEST: two things are wrong", "/diff: is blank", "/x: is unknown", "in 7 s",
            "request 0193-id",
        ] {
            assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
        }
        assert!(
            !run.stderr.contains('\u{1b}') && !run.stderr.contains("hw_secret"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn other_servers_are_recognized() {
    for (status, body, exit) in [
        ("200 OK", "<html>", 3),
        ("502 Bad Gateway", "<html>", 3),
        ("404 Not Found", "<html>", 2),
        ("302 Found", "", 3),
    ] {
        let (url, _seen) = service(answer(status, "location: http://127.0.0.1:1/\r\n", body));
        let run = review(&url, Some("hw_secret"), &[]);
        assert_eq!(run.status, exit, "{status}: {run:?}");
        assert!(run.stderr.contains("127.0.0.1"), "{status}: {}", run.stderr);
    }
}

#[test]
fn errors_before_the_request_are_named() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let (plain, _seen) = service(String::new());
    for (url, token, exit, expected) in [
        (closed.as_str(), Some("hw_x"), 3, "cannot connect"),
        (
            &plain.replace("http:", "https:"),
            Some("hw_x"),
            3,
            "cannot connect",
        ),
        (&closed, None, 2, "HUNKWISE_TOKEN"),
        ("ftp://x", Some("hw_x"), 2, "https://"),
        ("nonsense", Some("hw_x"), 2, "--server nonsense"),
    ] {
        let run = review(url, token, &[]);
        assert_eq!(run.status, exit, "{url}: {run:?}");
        assert!(run.stderr.contains(expected), "{url}: {}", run.stderr);
    }
}

#[test]
fn the_repositorys_configuration_applies_to_the_services_findings_but_its_rules_do_not() {
    let here = Folder::new()
        .review_text(
            added("a.py", BAD) + &added("lib/b.js", "if (x == NaN) { y(); }\n"),
            &[],
        )
        .json();
    let review = |config: &str| {
        let (url, _seen) = service(answer(
            "200 OK",
            "content-type: application/json\r\n",
            &here.to_string(),
        ));
        let folder = Folder::repository(&[
            (".hunkwise.toml", config),
            (".hunkwise/rules/raw.yml", crate::custom_rules::RULE),
        ]);
        folder.write(
            "change.diff",
            added("a.py", BAD) + &added("lib/b.js", "if (x == NaN) { y(); }\n"),
        );
        let mut command = folder.command();
        command.args([
            "review", "change.diff", "--server", &url, "--organization", "o", "--format", "json",
        ]);
        finish(
            command
                .env("HUNKWISE_TOKEN", "hw_secret")
                .env("NO_PROXY", "127.0.0.1"),
        )
    };
    let run = review("ignore = [\"lib/\"]\nguidelines = 'x'\n[rules]\n\"python/*\" = \"P0\"\n");
    assert!(
        run.stderr
            .contains("the guidelines of this repository are not used"),
        "{}",
        run.stderr
    );
    assert_eq!(
        (run.status, run.findings()),
        (1, vec!["a.py:1 python/mutable-default-argument".to_owned()]),
        "{run:?}"
    );
    assert_eq!(
        (
            run.json()["findings"][0]["priority"].as_str(),
            run.warnings()
        ),
        (Some("P0"), vec!["FILE_SKIPPED_IGNORED lib/b.js".to_owned()])
    );
    assert!(
        run.stderr
            .contains("1 rule of this repository is not used: the service has its own"),
        "{}",
        run.stderr
    );
    let run = review("[rules]\n\"*\" = \"off\"\n");
    assert_eq!(
        (run.status, run.findings().len(), run.warnings()),
        (0, 0, vec!["FINDINGS_SUPPRESSED -".to_owned()])
    );
}

#[test]
fn rules_in_a_folder_cannot_be_sent() {
    let folder = Folder::new();
    let run = folder.review(&[
        "--server", "http://127.0.0.1:1", "--organization", "o", "--rules", "rules",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

/// Progress is shown only on a terminal, so the program gets one from `script`.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_progress_events_are_requested() {
    let here = Folder::new().review_text(added("a.py", BAD), &[]).json();
    let events = format!("event: progress\ndata: {{}}\n\nevent: review\ndata: {here}\n\n");
    let (url, seen) = service(answer(
        "200 OK", "content-type: text/event-stream\r\n", &events,
    ));
    let folder = Folder::new();
    folder.write("change.diff", added("a.py", BAD));
    let program = env!("CARGO_BIN_EXE_hunkwise");
    let line = format!(
        "'{program}' review change.diff --server {url} --organization o --format json --output out.json"
    );
    let mut command = std::process::Command::new("script");
    command
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(folder.path());
    command
        .env("HUNKWISE_TOKEN", "hw_secret")
        .env("NO_PROXY", "127.0.0.1")
        .env_remove("HUNKWISE_CONFIG");
    let run = finish(command.stdin(std::process::Stdio::null()));
    assert_eq!(run.status, 0, "{run:?}");
    let written = std::fs::read_to_string(folder.path().join("out.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), here);
    let (head, _) = seen.join().unwrap();
    assert!(
        head.contains(&"accept: text/event-stream".to_owned()),
        "{head:?}"
    );
}
