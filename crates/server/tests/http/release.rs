//! A review's slot and its place in the quota, for every way in which a review can end. A client that has the answer
//! finds both released, and a client that disconnects keeps neither.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Request;
use futures_util::stream;
use server::{Limits, Settings};
use store::OrganizationId;
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::support::{Act, Script, Service, User, review_path};

const ACCEPTED: [&str; 2] = ["application/json", "text/event-stream"];
/// Timeout, longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// One slot, and no queue.
fn one_at_a_time() -> Limits {
    Limits {
        reviews_per_organization: 1,
        user_reviews_factor: 1,
        queue_seconds: 0,
        ..Limits::default()
    }
}

/// A service, and a member who may run this many reviews.
struct Case {
    service: Service,
    organization: OrganizationId,
    user: User,
    path: String,
}

impl Case {
    async fn new(limits: Limits, engine: Script, quota: Option<i64>) -> Self {
        let service = Service::with_engine(
            Settings {
                limits,
                ..Settings::default()
            },
            engine,
        )
        .await;
        let user = service.user().await;
        let organization = service.organization(&user).await;
        service.entitle(organization, &user, quota).await;
        Self {
            service,
            organization,
            user,
            path: review_path(organization),
        }
    }

    fn request(&self, accept: &str) -> Request<Body> {
        self.service
            .review(&self.user, &self.path)
            .header("accept", accept)
            .into_request()
    }

    /// The result of a review: the code of its problem, or of the last event of its stream, or `200`.
    async fn review(&self, accept: &str) -> String {
        let answer = self
            .service
            .review(&self.user, &self.path)
            .header("accept", accept)
            .send()
            .await;
        let last = answer.text().rsplit("data:").next().unwrap();
        let last: serde_json::Value = serde_json::from_str(last.trim()).unwrap();
        last["code"].as_str().unwrap_or("200").to_owned()
    }

    async fn counted(&self) -> u64 {
        let days = self
            .service
            .store
            .list_usage_of_days(self.organization, "2000-01-01", "2100-01-01")
            .await
            .unwrap();
        days.iter().map(|day| day.usage.reviews).sum()
    }

    /// Whether the only slot is free. Shared slots are read from the database; otherwise the next review shows it.
    async fn is_free(&self) -> bool {
        let Some(limits) = self.service.store.shared_limits() else {
            return true;
        };
        let slot = limits.take_review_slot(self.organization, 1).await.unwrap();
        if let Some(slot) = &slot {
            limits.release_review_slot(slot).await.unwrap();
        }
        slot.is_some()
    }
}

#[tokio::test]
async fn an_answered_review_releases_its_slot_and_its_quota_unless_a_model_was_called() {
    let no_time = || Limits {
        analysis_seconds: 0,
        ..one_at_a_time()
    };
    let (rules, model) = (Script::new, Script::with_model);
    for (name, limits, engine, quota, code, counts) in [
        (
            "answered",
            one_at_a_time(),
            model(Act::Find),
            None,
            "200",
            true,
        ),
        (
            "no quota",
            one_at_a_time(),
            model(Act::Find),
            Some(0),
            "QUOTA_EXCEEDED",
            false,
        ),
        (
            "the engine fails",
            one_at_a_time(),
            rules(Act::Fail),
            Some(1),
            "ANALYSIS_FAILED",
            false,
        ),
        (
            "the engine panics",
            one_at_a_time(),
            rules(Act::Panic),
            Some(1),
            "INTERNAL",
            false,
        ),
        (
            "the deadline",
            no_time(),
            rules(Act::Hang),
            Some(1),
            "ANALYSIS_TIMEOUT",
            false,
        ),
        (
            "the model fails",
            one_at_a_time(),
            model(Act::Fail),
            None,
            "ANALYSIS_FAILED",
            true,
        ),
        (
            "the engine panics during a call",
            one_at_a_time(),
            model(Act::Panic),
            None,
            "INTERNAL",
            true,
        ),
        (
            "the deadline cancels a call",
            no_time(),
            model(Act::Hang),
            None,
            "ANALYSIS_TIMEOUT",
            true,
        ),
    ] {
        let case = Case::new(limits, engine, quota).await;
        for (accept, before) in ACCEPTED.repeat(3).into_iter().zip(0..) {
            assert_eq!(case.review(accept).await, code, "{name}, {accept}");
            assert!(case.is_free().await, "{name}, {accept}: the slot");
            assert_eq!(
                case.counted().await,
                if counts { before + 1 } else { 0 },
                "{name}, {accept}: the quota"
            );
        }
    }
}

#[tokio::test]
async fn a_review_that_cannot_be_prepared_releases_slot_and_quota() {
    let case = Case::new(one_at_a_time(), Script::with_model(Act::Find), Some(1)).await;
    let database = &case.service.database;
    database
        .execute("ALTER TABLE review_guidelines RENAME TO hidden")
        .await;
    for accept in ACCEPTED.repeat(3) {
        let code = case.review(accept).await;
        assert!(code == "INTERNAL" || code == "NOT_READY", "{code}");
        assert!(case.is_free().await, "{accept}: the slot");
        assert_eq!(case.counted().await, 0, "{accept}: the quota");
    }
    database
        .execute("ALTER TABLE hidden RENAME TO review_guidelines")
        .await;
    assert_eq!(case.review(ACCEPTED[0]).await, "200");
}

#[tokio::test]
async fn a_disconnected_caller_releases_slot_and_quota() {
    let case = Case::new(one_at_a_time(), Script::new(Act::Hang), Some(1)).await;
    for accept in ACCEPTED.repeat(3) {
        let running = case.service.begin(|| case.request(accept)).await;
        assert_eq!(case.counted().await, 1);
        assert_eq!(case.review(accept).await, "TOO_MANY_REVIEWS");
        running.abort();
        // No response can wait for it, but the shutdown of the service does.
        let given_back = async {
            while !case.is_free().await || case.counted().await > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(TIMEOUT, given_back)
            .await
            .expect("both are released");
    }
}

#[tokio::test]
async fn when_the_grace_period_ends_all_are_answered_and_released_before_the_store_closes() {
    for accept in ACCEPTED {
        let limits = Limits {
            queue_seconds: 600,
            ..one_at_a_time()
        };
        let case = Case::new(limits, Script::new(Act::Hang), None).await;
        let end = async {
            case.service.engine.running(1).await;
            case.service.state.closing().cancel();
        };
        // One of them has the slot, and the other is waiting for it.
        let (one, other, ()) = tokio::join!(case.review(accept), case.review(accept), end);
        let mut codes = [one, other];
        codes.sort();
        assert_eq!(codes, ["ANALYSIS_TIMEOUT", "NOT_READY"], "{accept}");
        assert!(
            case.is_free().await && case.counted().await == 0,
            "{accept}"
        );
    }
    let case = Case::new(one_at_a_time(), Script::new(Act::Hang), None).await;
    case.service
        .begin(|| case.request(ACCEPTED[0]))
        .await
        .abort();
    case.service.engine.running(0).await;
    timeout(TIMEOUT, case.service.state.given_back())
        .await
        .expect("everything is released");
    assert!(case.is_free().await && case.counted().await == 0);
}

#[tokio::test]
async fn unfinished_requests_are_answered_after_the_grace_period() {
    let case = Case::new(one_at_a_time(), Script::new(Act::Nothing), None).await;
    // It never arrives.
    let body = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let mut request = case.request(ACCEPTED[0]);
    *request.body_mut() = body;
    let waits = tokio::spawn(case.service.router.clone().oneshot(request));
    case.service.state.closing().cancel();
    let response = timeout(TIMEOUT, waits)
        .await
        .expect("it is answered")
        .unwrap()
        .unwrap();
    assert_eq!(response.status().as_u16(), 503);
}
