//! A database is lost and restored from its backup.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Place, Serving};

const DATABASE: &str = "sqlite://a.db";

/// Creates organizations over HTTP until stopped. Each is added to `made` when it is acknowledged.
fn found(serving: &Serving, token: &str, made: &Mutex<Vec<String>>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let (status, body) = serving.send("POST", "/v1/organizations", token, r#"{"name":"Acme"}"#);
        assert_eq!(status, 201, "{body}");
        made.lock().unwrap().push(text(&body["organizationId"]));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn user_with_token(place: &Place) -> String {
    let admin = |words: &[&str]| {
        place.json(&[&["admin", "--json", "--database", DATABASE], words].concat())
    };
    let user = text(&admin(&["user", "create", "--name", "Ada"])["userId"]);
    text(&admin(&["token", "create", "--user", &user])["token"])
}

#[test]
fn a_restored_backup_contains_everything_acknowledged_before_it() {
    let place = Place::new().variable("HUNKWISE_LIMITS__REQUESTS_PER_MINUTE", "1000000");
    let place = place.variable("HUNKWISE_LIMITS__ORGANIZATIONS_PER_USER", "1000000");
    let serving = place.serve(&["--database", DATABASE]);
    let token = user_with_token(&place);
    let (made, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let (before, bytes) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| found(&serving, &token, &made, &stop)))
            .collect();
        while made.lock().unwrap().len() < 20 && writers.iter().all(|writer| !writer.is_finished())
        {
            std::thread::yield_now();
        }
        let before = made.lock().unwrap().clone();
        let answer = place.json(&[
            "admin", "backup", "--json", "--database", DATABASE, "--to", "copy.db",
        ]);
        stop.store(true, Ordering::Relaxed);
        (before, answer["bytes"].as_u64().unwrap())
    });
    assert!(before.len() >= 20 && bytes == place.path("copy.db").metadata().unwrap().len());

    serving.process.signal(Signal::KILL);
    drop(serving);
    for name in ["a.db", "a.db-wal", "a.db-shm"] {
        let _not_there = std::fs::remove_file(place.path(name));
    }
    std::fs::rename(place.path("copy.db"), place.path("a.db")).unwrap();

    let serving = place.serve(&["--database", DATABASE]);
    for id in before {
        let (status, body) = serving.send("GET", &format!("/v1/organizations/{id}"), &token, "");
        assert_eq!(
            (status, &body["role"]),
            (200, &json!("owner")),
            "{id} was acknowledged but is lost: {body}"
        );
    }
    let (status, body) = serving.send("POST", "/v1/organizations", &token, r#"{"name":"New"}"#);
    assert_eq!(status, 201, "{body}");
}

#[test]
fn a_failed_backup_is_reported_and_existing_files_are_kept() {
    let place = Place::new();
    place.run(&["migrate", "--database", DATABASE]);
    place.write("taken.db", "mine");
    let message = place.refused(
        2,
        &[
            "admin", "backup", "--database", DATABASE, "--to", "taken.db",
        ],
    );
    assert!(
        message.contains("taken.db: the target file already exists"),
        "{message}"
    );
    assert_eq!(
        std::fs::read_to_string(place.path("taken.db")).unwrap(),
        "mine"
    );
    let postgres = "postgres://user:hunter2@127.0.0.1:1/x";
    let message = place.refused(
        2,
        &["admin", "backup", "--database", postgres, "--to", "copy.db"],
    );
    assert!(
        message.contains("pg_dump") && !message.contains("hunter2"),
        "{message}"
    );
    let message = place.refused(
        3,
        &[
            "admin", "backup", "--database", DATABASE, "--to", "missing/copy.db",
        ],
    );
    assert!(
        message.contains("the copy could not be written: No such file"),
        "{message}"
    );
}
