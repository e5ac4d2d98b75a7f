//! A run: the threads of the three tenants, and the final checks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::memory::Memory;
use crate::postgres::Postgres;
use crate::report::Latencies;
use crate::support::Place;
use crate::tenant::{Served, Tenant};
use crate::{attacks, diffs, memory};

/// The interval between kills of a worker or of the database connections.
const KILL_EVERY: Duration = Duration::from_secs(7);

/// Attempts at a review when the database connection is killed.
const TRIES: usize = 5;

/// The state that all threads of a run share.
pub(crate) struct Run<'a> {
    length: Duration,
    pub(crate) until: Instant,
    /// The good tenants continue until the attacks are over, so that they are measured during the attacks.
    over: AtomicBool,
    service: i32,
    postgres: Option<&'a Postgres>,
}

impl Run<'_> {
    fn goes_on(&self) -> bool {
        !self.over.load(Ordering::SeqCst)
    }

    /// The time for one attack, such that a run has room for each.
    pub(crate) fn slice(&self) -> Duration {
        self.length / 20
    }
}

#[test]
fn good_tenants_are_served_while_a_hostile_one_does_its_worst() {
    let postgres = Postgres::start();
    soak(None);
    if let Some(postgres) = &postgres {
        soak(Some(postgres));
    }
}

fn soak(postgres: Option<&Postgres>) {
    let place = Place::new().variable("HUNKWISE_LOG_LEVEL", "error");
    let database = postgres.map_or_else(|| "sqlite://soak.db".to_owned(), Postgres::url);
    let serving = place.serve(&["--database", &database]);
    let [hostile, real, brief] = [(); 3].map(|()| Tenant::new(&place, &database, serving.address));
    let run = Run {
        length: length(),
        until: Instant::now() + length(),
        over: AtomicBool::new(false),
        service: i32::try_from(serving.process.id()).unwrap(),
        postgres,
    };
    let mut latencies = [Latencies::new("real diffs"), Latencies::new("one line")];
    let [of_real, of_brief] = &mut latencies;
    let memory = std::thread::scope(|scope| {
        let run = &run;
        let memory = scope.spawn(|| Memory::watch(run.service, || run.goes_on()));
        let real_diffs = diffs::real();
        let good = [
            scope.spawn({
                let real = &real;
                move || review_in_turn(run, real, &real_diffs, Duration::from_millis(300), of_real)
            }),
            scope.spawn({
                let brief = &brief;
                move || {
                    review_in_turn(
                        run,
                        brief,
                        &[diffs::one_line()],
                        Duration::from_millis(150),
                        of_brief,
                    )
                }
            }),
        ];
        scope.spawn(|| kill_in_turn(run));
        attacks::in_turn(run, &hostile);
        run.over.store(true, Ordering::SeqCst);
        good.into_iter().for_each(|thread| thread.join().unwrap());
        memory.join().unwrap()
    });
    let name = if postgres.is_some() {
        "PostgreSQL"
    } else {
        "SQLite"
    };
    println!(
        "{name}, {:?}: {}; {}; {memory}",
        length(),
        latencies[0],
        latencies[1]
    );
    latencies.iter().for_each(Latencies::check);
    memory.check();
    for tenant in [&real, &brief] {
        assert_eq!(
            tenant.reviews_counted(),
            tenant.reviewed(),
            "the quota of a tenant whose reviews were all answered"
        );
    }
    hostile.assert_all_slots_are_free();
    let (least, most) = hostile.possible_reviews();
    let counted = hostile.reviews_counted();
    assert!(
        (least..=most).contains(&counted),
        "the quota of the hostile tenant: {counted} of {least} to {most}"
    );
}

/// Reviews one diff after another, with pauses, until the attacks are over.
fn review_in_turn(
    run: &Run<'_>,
    tenant: &Tenant,
    diffs: &[String],
    pause: Duration,
    latencies: &mut Latencies,
) {
    for diff in diffs.iter().cycle() {
        let start = Instant::now();
        match with_retries(run, tenant, diff) {
            Served::Answered => latencies.add(start.elapsed()),
            Served::Refused(answer) => latencies.fail(format!("{answer:?}")),
            Served::Nothing => latencies.fail("no answer".to_owned()),
        }
        if !run.goes_on() {
            return;
        }
        std::thread::sleep(pause);
    }
}

/// Acts as a client that honours `Retry-After`, because requests may fail while database connections are killed.
fn with_retries(run: &Run<'_>, tenant: &Tenant, diff: &str) -> Served {
    for _ in 0..TRIES {
        match tenant.review(diff) {
            Served::Refused(answer)
                if run.postgres.is_some() && answer.body["code"] == "NOT_READY" =>
            {
                std::thread::sleep(Duration::from_millis(200));
            }
            served => return served,
        }
    }
    tenant.review(diff)
}

/// Alternately kills a worker and the database connections.
fn kill_in_turn(run: &Run<'_>) {
    let mut next = Instant::now();
    while run.goes_on() {
        if next <= Instant::now() {
            next += KILL_EVERY;
            memory::kill_a_worker(run.service);
            if let Some(postgres) = run.postgres {
                let others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
                postgres.query(&format!(
                    "SELECT count(pg_terminate_backend(pid)) {others} AND state = 'idle'"
                ));
            }
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the length of this test is set with a variable"
)]
fn length() -> Duration {
    let seconds = std::env::var("SOAK_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}
