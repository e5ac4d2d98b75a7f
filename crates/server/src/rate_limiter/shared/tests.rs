use std::time::Duration;

use store::{GrantedRequests, RequestRate};

use super::{Bucket, SHARE};

const MINUTE: Duration = Duration::from_secs(60);

/// The database's bucket, as maintained by the statement.
struct Database {
    rate: RequestRate,
    full_at: Duration,
    questions: u32,
}

impl Database {
    fn take(&mut self, now: Duration, wanted: u32, back: u32) -> GrantedRequests {
        self.questions += 1;
        let base = self
            .full_at
            .saturating_sub(self.rate.interval() * back)
            .clamp(now, now + self.rate.window());
        let room = (now + self.rate.window() - base).as_nanos() / self.rate.interval().as_nanos();
        let granted = wanted.min(u32::try_from(room).unwrap());
        self.full_at = base + self.rate.interval() * granted;
        GrantedRequests {
            granted,
            until_full: self.full_at - now,
        }
    }
}

/// Simulates a client that sends a request each `pause(n)`, to one replica after the other, for three minutes.
/// Returns the times of allowed requests, the number of requests, and the number of database queries.
fn run(
    requests: u32,
    replicas: usize,
    pause: impl Fn(u32) -> Duration,
) -> (Vec<Duration>, u32, u32) {
    let rate = RequestRate {
        requests,
        per: MINUTE,
    };
    // Starts with a full bucket, and later than time zero, which is not long ago for any bucket.
    let mut now = Duration::from_secs(1_000);
    let mut database = Database {
        rate,
        full_at: now,
        questions: 0,
    };
    let mut buckets: Vec<Bucket> = (0..replicas).map(|_| Bucket::default()).collect();
    let (mut allowed, mut sent) = (Vec::new(), 0);
    while now < Duration::from_secs(1_180) {
        let bucket = &mut buckets[sent as usize % replicas];
        let granted = bucket.spend(now)
            || (now >= bucket.closed_until && {
                let (wanted, back) = bucket.next_question(now, (requests / SHARE).max(1));
                let answer = database.take(now, wanted, back);
                bucket.learn(answer, now, now, rate)
            });
        if granted {
            allowed.push(now);
        }
        sent += 1;
        now += pause(sent);
    }
    (allowed, sent, database.questions)
}

#[test]
fn no_minute_exceeds_a_full_bucket_and_its_refill_by_more_than_a_twentieth() {
    for replicas in [1, 2, 3, 10, 50] {
        for requests in [10, 60, 600, 6_000] {
            // Slow, so that each replica holds some requests, then as fast as possible, then slow again.
            let pause = |sent: u32| Duration::from_millis(if sent % 5_000 < 100 { 150 } else { 1 });
            let (allowed, ..) = run(requests, replicas, pause);
            for (first, from) in allowed.iter().enumerate() {
                let count = allowed[first..].partition_point(|at| *at - *from <= MINUTE);
                let most = f64::from(requests) * (2.0 + 0.05) + 1.0;
                assert!(
                    count as f64 <= most,
                    "{count} of {requests} with {replicas} replicas"
                );
            }
        }
    }
}

#[test]
fn a_client_below_the_limit_is_not_refused() {
    for replicas in [1, 2, 3, 10] {
        for percent in [5, 30, 60, 95] {
            let (allowed, sent, _) =
                run(600, replicas, |_| Duration::from_millis(10_000 / percent));
            assert_eq!(
                allowed.len(),
                sent as usize,
                "{percent} % with {replicas} replicas"
            );
        }
    }
}

#[test]
fn a_busy_token_costs_a_statement_for_many_requests() {
    let (allowed, _, questions) = run(600, 2, |_| Duration::from_millis(105));
    assert!(
        questions as usize * 3 < allowed.len(),
        "{questions} for {}",
        allowed.len()
    );
}

#[test]
fn the_remaining_requests_are_those_of_a_local_bucket() {
    let rate = RequestRate {
        requests: 60,
        per: MINUTE,
    };
    let mut bucket = Bucket::default();
    let start = Duration::from_secs(1_000);
    let answer = GrantedRequests {
        granted: 2,
        until_full: Duration::from_secs(2),
    };
    assert!(bucket.learn(answer, start, start, rate));
    let (left, result) = bucket.report::<store::TokenId>(true, rate, start);
    assert_eq!(
        (left.remaining, left.reset_seconds, result.is_ok()),
        (59, 1, true)
    );
    assert!(bucket.spend(start + Duration::from_millis(10)));
    assert!(
        !bucket.spend(start + Duration::from_millis(10)),
        "only two were taken"
    );
    let (left, _) = bucket.report::<store::TokenId>(true, rate, start + Duration::from_millis(999));
    assert_eq!((left.remaining, left.reset_seconds), (58, 2));
    let none = GrantedRequests {
        granted: 0,
        until_full: Duration::from_millis(59_400),
    };
    assert!(!bucket.learn(none, start, start, rate));
    let (left, result) = bucket.report::<store::TokenId>(false, rate, start);
    assert_eq!(
        (left.remaining, left.reset_seconds, result.is_err()),
        (0, 1, true)
    );
    assert_eq!(bucket.closed_until, start + Duration::from_millis(400));
}
