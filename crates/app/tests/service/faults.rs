//! A failing database under a running service: the responses to clients, and the durability of acknowledged writes.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal};
use serde_json::Value;

use crate::client::{Client, organization, user};
use crate::postgres::Postgres;
use crate::support::{Place, Process, Serving};

const SQLITE: &str = "sqlite://a.db";

fn place() -> Place {
    Place::new()
        .variable("HUNKWISE_LIMITS__ORGANIZATIONS_PER_USER", "1000000")
        .variable("HUNKWISE_LIMITS__REQUESTS_PER_MINUTE", "1000000")
        .variable("HUNKWISE_LOG_LEVEL", "error")
        .variable("HUNKWISE_WORKERS__COUNT", "1")
}

/// Sends many concurrent `POST`s and `GET`s. Each must be refused with a time to retry.
fn all_are_refused(serving: &Serving, token: &str) {
    let made = r#"{"name":"Acme"}"#;
    let requests = [
        ("GET", "/readyz", ""),
        ("GET", "/v1/organizations", ""),
        ("POST", "/v1/organizations", made),
    ];
    std::thread::scope(|scope| {
        for at in 0..40 {
            scope.spawn(move || {
                let (method, path, body) = requests[at % requests.len()];
                let answer = Client::new(serving.address)
                    .send(method, path, token, body)
                    .unwrap();
                assert_eq!(
                    (answer.status, &answer.body["code"]),
                    (503, &Value::from("NOT_READY")),
                    "{path} {answer:?}"
                );
                assert!(answer.head.contains("retry-after: "), "{}", answer.head);
            });
        }
    });
}

/// Waits until the service has become ready again on its own.
fn until_ready(serving: &Serving) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Client::new(serving.address)
        .send("GET", "/readyz", "", "")
        .unwrap()
        .status
        != 200
    {
        assert!(Instant::now() < deadline, "it does not become ready again");
    }
}

#[test]
fn a_stopped_postgres_is_reported_and_used_again_after_a_restart() {
    let Some(mut postgres) = Postgres::start() else {
        return;
    };
    let place = place();
    let serving = place.serve(&["--database", &postgres.url()]);
    let (_, token) = user(&place, &postgres.url());
    let mut client = Client::new(serving.address);
    let before = organization(&mut client, &token);
    postgres.stop();
    all_are_refused(&serving, &token);
    assert_eq!(
        client.send("GET", "/healthz", "", "").unwrap().status,
        200,
        "the process itself is healthy"
    );
    postgres.start_again();
    until_ready(&serving);
    let after = organization(&mut client, &token);
    for id in [before, after] {
        assert_eq!(
            client
                .send("GET", &format!("/v1/organizations/{id}"), &token, "")
                .unwrap()
                .status,
            200
        );
    }
}

#[test]
fn an_unresponsive_postgres_does_not_hang_requests() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let place = place();
    let serving = place.serve(&["--database", &postgres.url()]);
    let (_, token) = user(&place, &postgres.url());
    let mut client = Client::new(serving.address);
    let id = organization(&mut client, &token);
    postgres.signal_all(Signal::STOP);
    all_are_refused(&serving, &token);
    postgres.signal_all(Signal::CONT);
    until_ready(&serving);
    assert_eq!(
        client
            .send("GET", &format!("/v1/organizations/{id}"), &token, "")
            .unwrap()
            .status,
        200
    );
}

#[test]
fn tls_to_postgres_is_verified_according_to_the_url() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let place = Place::new();
    let root = |name: &str| postgres.file(name).display().to_string();
    let (right, wrong) = (root("authority.crt"), root("stranger.crt"));
    for (host, parameters, opens) in [
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={right}"),
            true,
        ),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={wrong}"),
            false,
        ),
        (
            "127.0.0.1",
            format!("sslmode=verify-full&sslrootcert={right}"),
            false,
        ),
        (
            "127.0.0.1",
            format!("sslmode=verify-ca&sslrootcert={right}"),
            true,
        ),
        ("localhost", "sslmode=verify-full".to_owned(), false),
        ("localhost", "sslmode=require".to_owned(), true),
    ] {
        let ended = place.run(&[
            "migrate",
            "--database",
            &postgres.tcp_url(host, &parameters),
        ]);
        assert_eq!(
            ended.status,
            if opens { 0 } else { 3 },
            "{host} {parameters}: {ended:?}"
        );
        assert!(opens || ended.stderr.contains("certificate"), "{ended:?}");
    }
}

/// Creates organizations with several clients until the process is killed. All acknowledged ones must exist after a
/// restart.
fn kill_in_the_middle_of_writes(database: &str) {
    const BEFORE_THE_KILL: usize = 200;
    let place = place();
    let serving = place.serve(&["--database", database]);
    let (_, token) = user(&place, database);
    let (address, count) = (serving.address, AtomicUsize::new(0));
    let acknowledged: BTreeSet<String> = std::thread::scope(|scope| {
        let (done, enough) = mpsc::channel();
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let (done, token, count) = (done.clone(), &token, &count);
                scope.spawn(move || {
                    let (mut client, mut made) = (Client::new(address), Vec::new());
                    while let Ok(answer) =
                        client.send("POST", "/v1/organizations", token, r#"{"name":"Acme"}"#)
                    {
                        assert_eq!(answer.status, 201, "{answer:?}");
                        made.push(answer.body["organizationId"].as_str().unwrap().to_owned());
                        if count.fetch_add(1, Ordering::SeqCst) == BEFORE_THE_KILL {
                            done.send(()).unwrap();
                        }
                    }
                    made
                })
            })
            .collect();
        enough.recv().unwrap();
        serving.process.signal(Signal::KILL);
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    drop(serving);
    let serving = place.serve(&["--database", database]);
    let mut client = Client::new(serving.address);
    assert!(acknowledged.len() > BEFORE_THE_KILL);
    let there = organizations(&mut client, &token);
    let lost: Vec<_> = acknowledged.difference(&there).collect();
    assert!(
        lost.is_empty(),
        "{} of {} are lost",
        lost.len(),
        acknowledged.len()
    );
    organization(&mut client, &token);
}

fn organizations(client: &mut Client, token: &str) -> BTreeSet<String> {
    let (mut all, mut query) = (BTreeSet::new(), String::new());
    loop {
        let page = client
            .send(
                "GET",
                &format!("/v1/organizations?limit=100{query}"),
                token,
                "",
            )
            .unwrap();
        assert_eq!(page.status, 200, "{page:?}");
        let listed = page.body["organizations"].as_array().unwrap().iter();
        all.extend(listed.map(|one| one["organizationId"].as_str().unwrap().to_owned()));
        let Some(cursor) = page.body["nextCursor"].as_str() else {
            return all;
        };
        query = format!("&cursor={cursor}");
    }
}

#[test]
fn a_kill_during_writes_loses_no_acknowledged_write_in_sqlite() {
    kill_in_the_middle_of_writes(SQLITE);
}

#[test]
fn a_kill_during_writes_loses_no_acknowledged_write_in_postgres() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    kill_in_the_middle_of_writes(&postgres.url());
}

#[track_caller]
fn assert_not_writable(answer: &crate::client::Answer) {
    assert_eq!(
        (answer.status, &answer.body["code"]),
        (503, &Value::from("NOT_READY")),
        "{answer:?}"
    );
    assert!(answer.head.contains("retry-after: "));
}

#[test]
fn a_full_disk_refuses_writes_until_there_is_space_and_loses_nothing() {
    let place = place();
    // For the database, a file size limit is equivalent to a full disk. The signal that comes with it is ignored.
    let mut limited = Command::new("sh");
    let command = place.command(&["serve", "--bind", "127.0.0.1:0", "--database", SQLITE]);
    limited
        .args(["-c", "trap '' XFSZ; ulimit -S -f 1200; exec \"$0\" \"$@\""])
        .arg(command.get_program());
    limited
        .args(command.get_args())
        .current_dir(place.path(""))
        .env_clear();
    limited.envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let mut process = Process::start(limited);
    let line = process.stderr_until("listening on");
    let address = line
        .split("http://")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let (_, token) = user(&place, SQLITE);
    let mut client = Client::new(address);
    let mut made = BTreeSet::new();
    // More refusals than there are connections, and as the last of them one of `/readyz`.
    let (mut refused, mut ready) = (0, true);
    while refused < 40 || ready {
        let answer = client
            .send("POST", "/v1/organizations", &token, r#"{"name":"Acme"}"#)
            .unwrap();
        if answer.status == 201 {
            made.insert(answer.body["organizationId"].as_str().unwrap().to_owned());
            assert!(made.len() < 10_000, "the disk does not fill");
            continue;
        }
        assert_not_writable(&answer);
        refused += 1;
        let probe = client.send("GET", "/readyz", "", "").unwrap();
        ready = probe.status == 200;
        if !ready {
            assert_not_writable(&probe);
        }
    }
    assert_eq!(
        organizations(&mut client, &token),
        made,
        "existing data can be read"
    );
    let unlimited = Rlimit {
        current: None,
        maximum: None,
    };
    let pid = Pid::from_raw(process.id().cast_signed());
    rustix::process::prlimit(pid, Resource::Fsize, unlimited).unwrap();
    for _ in 0..40 {
        made.insert(organization(&mut client, &token));
    }
    assert_eq!(client.send("GET", "/readyz", "", "").unwrap().status, 200);
    assert_eq!(organizations(&mut client, &token), made);
    process.signal(Signal::KILL);
    drop(process);
    let serving = place.serve(&["--database", SQLITE]);
    let mut client = Client::new(serving.address);
    assert_eq!(organizations(&mut client, &token), made);
    organization(&mut client, &token);
}
