//! Two replicas on one PostgreSQL with mixed operations, one of which is killed in the middle: the limits hold, and all
//! acknowledged writes exist.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::client::{Client, organization, user};
use crate::postgres::Postgres;
use crate::provider::Provider;
use crate::support::{Place, Request, Serving};

const REQUESTS_PER_MINUTE: u32 = 600;
const REVIEWS_AT_ONCE: usize = 4;
const WORKERS: usize = 8;
/// Enough that no worker is delayed by the rate limit of one token.
const TOKENS_PER_WORKER: usize = 12;
const DIFF: &str = "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n import os\n+print(os.name)\n";

/// The counters of the run.
#[derive(Debug, Default)]
struct Tally {
    done: AtomicUsize,
    refused: AtomicUsize,
    /// Requests with an unknown result, because their replica was killed.
    unanswered: AtomicUsize,
    created: AtomicUsize,
    reviewed: AtomicUsize,
    reviews_unanswered: AtomicUsize,
    over_quota: AtomicUsize,
}

/// The state that all clients share.
struct Run {
    postgres: Postgres,
    provider: Provider,
    addresses: [SocketAddr; 2],
    organization: String,
    operations: usize,
    quota: usize,
    /// Notified when half of the operations have started.
    half: mpsc::Sender<()>,
    next: AtomicUsize,
    tally: Tally,
    over: AtomicBool,
}

fn start(place: &Place, postgres: &Postgres) -> Serving {
    place.serve(&["--config", "a.toml", "--database", &postgres.url()])
}

#[test]
fn two_replicas_enforce_shared_limits_and_lose_nothing_when_one_is_killed() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let provider = Provider::start(Duration::from_millis(20));
    let place = Place::new().variable("HUNKWISE_LOG_LEVEL", "error");
    place.write("a.toml", &config(provider.address, REVIEWS_AT_ONCE, 2));
    let (first, second) = (start(&place, &postgres), start(&place, &postgres));
    let (ada, token) = user(&place, &postgres.url());
    let mut client = Client::new(first.address);
    let organization = organization(&mut client, &token);
    let operations = operations();
    // A third of the requested reviews exceed the quota.
    let quota = operations / 5 * 2 / 3;
    let grant = format!(
        "entitlement grant --organization {organization} --user {ada} --monthly-reviews {quota}"
    );
    place.json(
        &[
            &["admin", "--json", "--database", &postgres.url()],
            &grant.split(' ').collect::<Vec<_>>()[..],
        ]
        .concat(),
    );
    let tokens: Vec<Vec<String>> = (0..WORKERS)
        .map(|_| {
            (0..TOKENS_PER_WORKER)
                .map(|_| new_token(&mut client, &token))
                .collect()
        })
        .collect();
    let flooding = new_token(&mut client, &token);
    let head = client.send("GET", "/v1/me", &flooding, "").unwrap().head;
    assert!(
        head.contains("ratelimit-policy: \"token\";q=600;w=60\r\n"),
        "{head}"
    );
    assert!(
        head.contains("ratelimit: \"token\";r=599;t=1\r\n"),
        "{head}"
    );

    let addresses = [first.address, second.address];
    let (next, tally, over) = (
        AtomicUsize::new(0),
        Tally::default(),
        AtomicBool::new(false),
    );
    let (half, is_half) = mpsc::channel();
    let run = Run {
        postgres,
        provider,
        addresses,
        organization,
        operations,
        quota,
        half,
        next,
        tally,
        over,
    };
    let (run, start) = (&run, Instant::now());
    let ((allowed, refused), flooded, held) = std::thread::scope(|scope| {
        let (flooding, tokens) = (&flooding, &tokens);
        let floods = [0, 1].map(|at| scope.spawn(move || flood(run, at, flooding)));
        let workers: Vec<_> = (0..WORKERS)
            .map(|at| scope.spawn(move || work(run, at, &tokens[at])))
            .collect();
        is_half.recv().unwrap();
        first.process.signal(Signal::KILL);
        let held: usize = run
            .postgres
            .query("SELECT COUNT(*) FROM review_slots")
            .parse()
            .unwrap();
        workers
            .into_iter()
            .for_each(|worker| worker.join().unwrap());
        run.over.store(true, Ordering::SeqCst);
        let [one, other]: [(u32, u32); 2] = floods.map(|flood| flood.join().unwrap());
        ((one.0 + other.0, one.1 + other.1), start.elapsed(), held)
    });

    let may = f64::from(REQUESTS_PER_MINUTE) * (1.0 + flooded.as_secs_f64() / 60.0);
    println!(
        "{operations} operations in {flooded:?}, {:?}; {allowed} requests of one token allowed, where {may:.0} may be, and \
         {refused} refused; at most {} reviews at once, where {REVIEWS_AT_ONCE} may be; {} provider calls; slots in use at the kill: {held}",
        run.tally,
        run.provider.max_concurrent(),
        run.provider.questions(),
    );
    assert!(f64::from(allowed) <= may * 1.05, "{allowed} of {may}");
    assert!(
        refused == 0 || allowed >= REQUESTS_PER_MINUTE * 9 / 10,
        "refused after {allowed} requests"
    );
    assert!(
        (2..=REVIEWS_AT_ONCE).contains(&run.provider.max_concurrent()),
        "{}",
        run.provider.max_concurrent()
    );
    quota_is_exact(run, &ada);
    let organizations: usize = run
        .postgres
        .query("SELECT COUNT(*) FROM organizations")
        .parse()
        .unwrap();
    let (created, unanswered) = (count(&run.tally.created) + 1, count(&run.tally.unanswered));
    assert!(
        (created..=created + unanswered).contains(&organizations),
        "{organizations} of {created}"
    );
    slots_of_the_killed_lapse(run);
}

fn count(counter: &AtomicUsize) -> usize {
    counter.load(Ordering::SeqCst)
}

/// The counted reviews are the acknowledged ones, plus possibly those in progress at the killed replica, and never more
/// than the quota.
fn quota_is_exact(run: &Run, user: &str) {
    let counted = run.postgres.query(&format!(
        "SELECT reviews FROM review_months WHERE user_id = '{user}'"
    ));
    let counted: usize = counted.parse().unwrap();
    let (reviewed, unanswered) = (
        count(&run.tally.reviewed),
        count(&run.tally.reviews_unanswered),
    );
    assert!(
        counted <= run.quota && (reviewed..=reviewed + unanswered).contains(&counted),
        "{counted} {:?}",
        run.tally
    );
    assert!(
        count(&run.tally.over_quota) == 0 || counted + WORKERS > run.quota,
        "{counted} of {}",
        run.quota
    );
}

fn slots_of_the_killed_lapse(run: &Run) {
    let live =
        "SELECT COUNT(*) FROM review_slots WHERE held_until > EXTRACT(EPOCH FROM now()) * 1000";
    until(
        "the slots of a replica that was killed lapse within 30 s",
        || run.postgres.query(live) == "0",
    );
}

/// Sends requests to one replica as fast as possible, with a token that both replicas see. Returns how many were
/// allowed and refused.
fn flood(run: &Run, at: usize, token: &str) -> (u32, u32) {
    let (mut client, mut allowed, mut refused) = (Client::new(run.addresses[at]), 0, 0);
    while !run.over.load(Ordering::SeqCst) {
        match client.send("GET", "/v1/me", token, "") {
            Ok(answer) => {
                assert!(matches!(answer.status, 200 | 429 | 503), "{answer:?}");
                assert!(
                    answer.status != 429 || answer.head.contains("ratelimit: \"token\";r=0"),
                    "{answer:?}"
                );
                allowed += u32::from(answer.status == 200);
                refused += u32::from(answer.status == 429);
            }
            Err(_) if at == 0 => client = Client::new(run.addresses[1]),
            Err(error) => panic!("{error}"),
        }
        // Ten times the rate limit.
        std::thread::sleep(Duration::from_millis(10));
    }
    (allowed, refused)
}

/// Carries out operations until none are left. The other replica takes over when its own is killed.
fn work(run: &Run, at: usize, tokens: &[String]) {
    let mut client = Client::new(run.addresses[at % 2]);
    let own = organization(&mut client, &tokens[0]);
    run.tally.created.fetch_add(1, Ordering::SeqCst);
    let (mut acknowledged, mut last) = (Vec::new(), None);
    loop {
        let number = run.next.fetch_add(1, Ordering::SeqCst);
        if number >= run.operations {
            break;
        }
        if number == run.operations / 2 {
            run.half.send(()).unwrap();
        }
        let token = &tokens[number % tokens.len()];
        let body = body(number);
        let (method, path) = match number % 10 {
            0 | 1 => ("POST", "/v1/organizations".to_owned()),
            2 => ("PUT", format!("/v1/organizations/{own}/review-guidelines")),
            3 | 4 => (
                "POST",
                format!("/v1/organizations/{}/reviews/diff/sync", run.organization),
            ),
            _ => ("GET", format!("/v1/organizations/{own}")),
        };
        let Ok(answer) = client.send(method, &path, token, &body) else {
            assert_eq!(at % 2, 0, "only the first replica is killed");
            client = Client::new(run.addresses[1]);
            run.tally.unanswered.fetch_add(1, Ordering::SeqCst);
            run.tally
                .reviews_unanswered
                .fetch_add(usize::from(matches!(number % 10, 3 | 4)), Ordering::SeqCst);
            last = (number % 10 == 2).then_some(number).or(last);
            continue;
        };
        run.tally.done.fetch_add(1, Ordering::SeqCst);
        match (answer.status, number % 10) {
            (201, 0 | 1) => drop(run.tally.created.fetch_add(1, Ordering::SeqCst)),
            (200, 2) => {
                acknowledged = vec![number];
                last = None;
            }
            (200, 3 | 4) => drop(run.tally.reviewed.fetch_add(1, Ordering::SeqCst)),
            (200, 5..) => {}
            (429, _) => {
                run.tally.refused.fetch_add(1, Ordering::SeqCst);
                let over_quota = answer.body["code"] == "QUOTA_EXCEEDED";
                run.tally
                    .over_quota
                    .fetch_add(usize::from(over_quota), Ordering::SeqCst);
            }
            _ => panic!("{method} {path}: {answer:?}"),
        }
    }
    // The last text that was acknowledged, or the one after it without a response.
    acknowledged.extend(last);
    let kept = run.postgres.query(&format!(
        "SELECT guidelines FROM review_guidelines WHERE organization_id = '{own}'"
    ));
    let known: Vec<String> = acknowledged
        .iter()
        .map(|number| format!("text {number}"))
        .collect();
    assert!(
        known.contains(&kept) || known.is_empty(),
        "{kept} is not one of {known:?}"
    );
}

fn body(number: usize) -> String {
    match number % 10 {
        0 | 1 => json!({ "name": format!("Number {number}") }),
        2 => json!({ "guidelines": format!("text {number}") }),
        3 | 4 => json!({ "diff": DIFF }),
        _ => return String::new(),
    }
    .to_string()
}

fn new_token(client: &mut Client, token: &str) -> String {
    let all = [
        "organizations:read", "organizations:write", "reviews:write", "tokens:write",
    ];
    let made = client
        .send(
            "POST",
            "/v1/tokens",
            token,
            &json!({ "name": "run", "scopes": all }).to_string(),
        )
        .unwrap();
    assert_eq!(made.status, 201, "{made:?}");
    made.body["token"].as_str().unwrap().to_owned()
}

/// A slow model makes reviews overlap. The cache is off, because it would answer instead.
fn config(provider: SocketAddr, at_once: usize, queue_seconds: u64) -> String {
    format!(
        "[limits]\nuser_requests_factor = 10000\norganizations_per_user = 100000\nrequests_per_minute = {REQUESTS_PER_MINUTE}\nreviews_per_organization = {at_once}\n\
         queue_seconds = {queue_seconds}\n[workers]\ncount = 1\n[llm]\ncache = false\nconcurrency = 1\n\
         [[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = 'http://{provider}'\n\
         context_window = 32000\nmax_output_tokens = 2000\n"
    )
}

#[test]
fn a_slot_is_shared_by_replicas_renewed_during_its_review_and_released_when_the_caller_disconnects()
{
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let provider = Provider::start(Duration::from_secs(100));
    let place = Place::new().variable("HUNKWISE_LOG_LEVEL", "error");
    place.write("a.toml", &config(provider.address, 1, 0));
    let (first, second) = (start(&place, &postgres), start(&place, &postgres));
    let (ada, token) = user(&place, &postgres.url());
    let mut client = Client::new(second.address);
    let organization = organization(&mut client, &token);
    let grant = format!("entitlement grant --organization {organization} --user {ada}");
    place.json(
        &[
            &["admin", "--json", "--database", &postgres.url()],
            &grant.split(' ').collect::<Vec<_>>()[..],
        ]
        .concat(),
    );

    let (path, body) = (
        format!("/v1/organizations/{organization}/reviews/diff/sync"),
        body(3),
    );
    let mut running = Request::begin(first.address, "POST", &path, &token, body.len());
    running.write(&body);
    until("the review begins", || provider.questions() > 0);
    let refused = client.send("POST", &path, &token, &body).unwrap();
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (429, &json!("TOO_MANY_REVIEWS")),
        "{refused:?}"
    );
    assert!(
        refused.head.contains("retry-after: 1\r\n"),
        "{}",
        refused.head
    );
    let left = || {
        let left = "SELECT held_until - CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) FROM review_slots";
        postgres.query(left).parse::<i64>().unwrap()
    };
    until("a third of the lease is nearly over", || left() < 21_500);
    until("it is renewed", || left() > 25_000);
    drop(running);
    let given_back = Instant::now();
    until("the slot is released", || {
        postgres.query("SELECT COUNT(*) FROM review_slots") == "0"
    });
    assert!(
        given_back.elapsed() < Duration::from_secs(20),
        "long before it would lapse"
    );
}

/// Waits until a condition is true.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(35);
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::yield_now();
    }
}

/// Some thousands by default; HUNKWISE_TEST_OPERATIONS=50000 for the full measurement.
#[expect(
    clippy::disallowed_methods,
    reason = "the size of this test, which has no settings"
)]
fn operations() -> usize {
    std::env::var("HUNKWISE_TEST_OPERATIONS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3_000)
}
