//! Shutdown under full load: the service ends with an exact quota, and leaves nothing behind.
//!
//! How many callers get a response before the service closes their connections depends on the machine's speed. Each
//! review that a caller receives is valid and charged.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::client::{Client, organization, user};
use crate::operations::scrape;
use crate::postgres::{Postgres, children};
use crate::support::{Place, Request};

const TENANTS: usize = 3;
const REVIEWS_OF_EACH: usize = 4;

/// Dense code in many files, a short one first: some of it is reviewed within the grace period, but never all.
fn costly() -> String {
    let mut diff = String::new();
    for file in 0..40 {
        let lines = if file == 0 { 10 } else { 1_000 };
        write!(
            diff,
            "--- /dev/null\n+++ b/f{file}.py\n@@ -0,0 +1,{lines} @@\n"
        )
        .unwrap();
        for line in 0..lines {
            writeln!(
                diff,
                "+if a{line} == None and b[{line}] > c: print(open(a).read() + str(b) % (a, b))"
            )
            .unwrap();
        }
    }
    json!({ "diff": diff }).to_string()
}

/// A member of their own organization.
struct Tenant {
    organization: String,
    token: String,
}

impl Tenant {
    fn new(place: &Place, database: &str, address: SocketAddr) -> Self {
        let (user, token) = user(place, database);
        let organization = organization(&mut Client::new(address), &token);
        let grant = [
            "admin", "--json", "--database", database, "entitlement", "grant", "--organization",
        ];
        place.json(&[&grant[..], &[&organization, "--user", &user]].concat());
        Self {
            organization,
            token,
        }
    }

    fn begin(&self, address: SocketAddr, body: &str) -> Request {
        let path = format!("/v1/organizations/{}/reviews/diff/sync", self.organization);
        let mut request = Request::begin(address, "POST", &path, &self.token, body.len());
        request.write(body);
        request
    }

    fn counted(&self, address: SocketAddr) -> usize {
        let path = format!("/v1/organizations/{}/usage", self.organization);
        let usage = Client::new(address)
            .send("GET", &path, &self.token, "")
            .unwrap();
        usize::try_from(usage.body["total"]["reviews"].as_u64().unwrap()).unwrap()
    }
}

#[test]
fn a_signal_during_costly_reviews_ends_the_service_with_an_exact_quota_and_no_leftovers() {
    let postgres = Postgres::start();
    ends("sqlite://a.db", None);
    if let Some(postgres) = &postgres {
        ends(&postgres.url(), Some(postgres));
    }
}

fn ends(database: &str, postgres: Option<&Postgres>) {
    let place = Place::new().variable("HUNKWISE_METRICS_BIND", "127.0.0.1:0");
    let serving = place.serve(&["--database", database, "--shutdown-grace", "1"]);
    let address = serving.address;
    let tenants = [(); TENANTS].map(|()| Tenant::new(&place, database, address));
    let body = costly();
    let requests: Vec<(usize, Request)> = (0..TENANTS * REVIEWS_OF_EACH)
        .map(|number| {
            (
                number % TENANTS,
                tenants[number % TENANTS].begin(address, &body),
            )
        })
        .collect();
    let (_, metrics) = serving
        .process
        .log
        .split_once("metrics at http://")
        .unwrap();
    let metrics = metrics.split('/').next().unwrap().parse().unwrap();
    while !scrape(metrics).contains(&format!(
        "\nhunkwise_reviews_running {}\n",
        TENANTS * REVIEWS_OF_EACH
    )) {
        std::thread::yield_now();
    }
    let service = i32::try_from(serving.process.id()).unwrap();
    // A running review starts its worker when the system schedules it.
    let mut workers = children(service);
    while workers.is_empty() {
        std::thread::yield_now();
        workers = children(service);
    }

    serving.process.signal(Signal::TERM);
    let (mut answered, mut closed) = ([0; TENANTS], [0; TENANTS]);
    for (tenant, request) in requests {
        let Some((status, answer)) = request.answer_if_any() else {
            closed[tenant] += 1;
            continue;
        };
        assert!(answer["requestId"].is_string(), "{status} {answer}");
        match status {
            200 => {
                answered[tenant] += 1;
                assert_ne!(
                    answer["metadata"]["warnings"],
                    Value::Array(Vec::new()),
                    "a partial review says so"
                );
            }
            503 | 504 => {}
            _ => panic!("{status} {answer}"),
        }
    }
    let ended = serving.process.end();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(
        workers
            .iter()
            .all(|worker| !Path::new(&format!("/proc/{worker}")).exists()),
        "{workers:?}"
    );
    if let Some(postgres) = postgres {
        assert_eq!(postgres.query("SELECT COUNT(*) FROM review_slots"), "0");
    }
    let again = place.serve(&["--database", database]);
    for (tenant, (answered, closed)) in tenants.iter().zip(answered.into_iter().zip(closed)) {
        let counted = tenant.counted(again.address);
        assert!(
            (answered..=answered + closed).contains(&counted),
            "{database}: {counted} reviews are counted, {answered} were received, {closed} connections were closed"
        );
    }
}
