//! An organization's language-model tokens: reserved, used, returned.

use std::sync::Arc;
use std::time::Duration;

use review::Scope;
use serde_json::json;
use server::{Limits, Settings};
use store::{Month, OrganizationId, ReservedTokens};
use tokio::sync::Semaphore;

use crate::support::{Act, CUT_OFF, DIFF, Script, Service, TOKENS, User};

const TODAY: &str = "2026-11-20";
const REVIEW: u64 = 30_000;

fn settings(organization_monthly_tokens: u64) -> Settings {
    Settings {
        review_tokens: REVIEW,
        organization_monthly_tokens,
        ..Settings::default()
    }
}

/// A service with a model, and a member who may review.
struct World {
    service: Service,
    user: User,
    path: String,
    organization: OrganizationId,
}

impl World {
    async fn new(settings: Settings, act: Act) -> Self {
        Self::of(Service::with_engine(settings, Script::with_model(act)).await).await
    }

    async fn of(service: Service) -> Self {
        let (user, path) = service.reviewer().await;
        let organization = path.split('/').nth(3).unwrap().parse().unwrap();
        Self {
            service,
            user,
            path,
            organization,
        }
    }

    /// Tokens of the organization's month, reviews of the member's month, and reviews and tokens in the usage.
    async fn charged(&self) -> [u64; 4] {
        let reviews = self
            .service
            .store
            .find_reviews_of_month(self.organization, self.user.id, TODAY)
            .await
            .unwrap();
        let path = format!("/v1/organizations/{}/usage", self.organization);
        let usage = self.service.get(&path).token(&self.user).send().await.ok();
        let count = |name: &str| {
            usage["total"][name]
                .as_u64()
                .unwrap_or_else(|| panic!("{name}: {usage}"))
        };
        let tokens = count("promptTokens") + count("completionTokens");
        [self.counted().await, reviews, count("reviews"), tokens]
    }

    /// Starts a review, and disconnects while the model is called.
    async fn hang_up(&self, accept: &str) {
        let request = self
            .service
            .review(&self.user, &self.path)
            .header("accept", accept)
            .into_request();
        let running = tokio::spawn(tower::ServiceExt::oneshot(
            self.service.router.clone(),
            request,
        ));
        self.service.engine.running(1).await;
        // Once a stream has begun there is a response, so its body is dropped.
        if accept == "text/event-stream" {
            drop(running.await)
        } else {
            running.abort()
        }
        self.service.engine.running(0).await;
    }

    async fn counted(&self) -> u64 {
        self.service
            .store
            .find_model_tokens(self.organization, TODAY)
            .await
            .unwrap()
    }

    /// The token budgets that the engines received.
    fn allowances(&self) -> Vec<Option<u64>> {
        self.service
            .engine
            .scopes()
            .into_iter()
            .map(|scope: Scope| scope.token_allowance)
            .collect()
    }

    /// Waits until this is charged.
    async fn recorded(&self, charged: [u64; 4]) {
        let recorded = async {
            while self.charged().await != charged {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), recorded)
            .await
            .expect("the review is charged");
    }
}

#[tokio::test]
async fn a_review_returns_unused_tokens() {
    let world = World::new(settings(40_000), Act::Find).await;
    for count in 1..=2 {
        world
            .service
            .review(&world.user, &world.path)
            .send()
            .await
            .ok();
        assert_eq!(
            world.counted().await,
            count * TOKENS,
            "when the answer has arrived"
        );
    }
    assert_eq!(world.allowances(), [Some(REVIEW), Some(REVIEW)]);
}

#[tokio::test]
async fn the_last_tokens_of_a_month_are_shared_until_used_up() {
    let permits = Arc::new(Semaphore::new(0));
    let world = World::new(settings(40_000), Act::Wait(Arc::clone(&permits))).await;
    let review = || world.service.review(&world.user, &world.path).send();
    let release = async {
        world.service.engine.running(3).await;
        assert_eq!(world.counted().await, 40_000, "reserved tokens count");
        permits.add_permits(3);
    };
    let (first, second, third, ()) = tokio::join!(review(), review(), review(), release);
    for answer in [first, second, third] {
        answer.ok();
    }
    let mut allowances = world.allowances();
    allowances.sort();
    assert_eq!(allowances, [Some(0), Some(10_000), Some(REVIEW)]);
    assert_eq!(world.counted().await, 3 * TOKENS);
    let nothing = ReservedTokens {
        month: Month::of_day(TODAY).unwrap(),
        tokens: 0,
    };
    world
        .service
        .store
        .reconcile_model_tokens(world.organization, &nothing, 40_000)
        .await
        .unwrap();
    permits.add_permits(2);
    review().await.ok();
    world.service.advance(Duration::from_secs(11 * 86_400));
    review().await.ok();
    assert_eq!(
        world.allowances()[3..],
        [Some(0), Some(REVIEW)],
        "a new month has new tokens"
    );
}

#[tokio::test]
async fn without_a_limit_or_a_model_no_tokens_are_reserved() {
    let worlds = [
        World::new(settings(0), Act::Find).await,
        World::of(Service::with(settings(40_000), Act::Find).await).await,
    ];
    for world in worlds {
        world
            .service
            .review(&world.user, &world.path)
            .send()
            .await
            .ok();
        assert_eq!((world.allowances(), world.counted().await), (vec![None], 0));
    }
}

#[tokio::test]
async fn a_failed_review_is_charged_for_used_tokens() {
    let world = World::new(settings(40_000), Act::Fail).await;
    world
        .service
        .review(&world.user, &world.path)
        .send()
        .await
        .expect(502, "ANALYSIS_FAILED");
    assert_eq!(world.charged().await, [TOKENS, 1, 1, TOKENS]);
}

#[tokio::test]
async fn cancelled_calls_are_charged_by_estimate_up_to_the_reservation() {
    for (monthly, counted) in [(40_000, CUT_OFF), (5_000, 5_000)] {
        let late = Settings {
            limits: Limits {
                analysis_seconds: 0,
                ..Limits::default()
            },
            ..settings(monthly)
        };
        let world = World::new(late, Act::Hang).await;
        world
            .service
            .review(&world.user, &world.path)
            .send()
            .await
            .expect(504, "ANALYSIS_TIMEOUT");
        assert_eq!(world.charged().await, [counted, 1, 1, counted]);
    }
    let world = World::new(settings(40_000), Act::Panic).await;
    world
        .service
        .review(&world.user, &world.path)
        .send()
        .await
        .expect(500, "INTERNAL");
    world.recorded([CUT_OFF, 1, 1, CUT_OFF]).await;
}

#[tokio::test]
async fn a_disconnected_caller_is_charged_for_calls_in_progress() {
    for accept in ["application/json", "text/event-stream"] {
        for monthly in [40_000, 0] {
            let world = World::new(settings(monthly), Act::Hang).await;
            world.hang_up(accept).await;
            world
                .recorded([if monthly == 0 { 0 } else { CUT_OFF }, 1, 1, CUT_OFF])
                .await;
        }
    }
}

#[tokio::test]
async fn disconnecting_does_not_bypass_the_quota() {
    let world = World::new(settings(0), Act::Hang).await;
    world
        .service
        .entitle(world.organization, &world.user, Some(2))
        .await;
    for count in 1..=2 {
        world.hang_up("application/json").await;
        world.recorded([0, count, count, count * CUT_OFF]).await;
    }
    world
        .service
        .review(&world.user, &world.path)
        .send()
        .await
        .expect(429, "QUOTA_EXCEEDED");
    assert_eq!(world.allowances().len(), 2, "the model was called twice");
}

#[tokio::test]
async fn a_refused_review_reserves_no_tokens() {
    let world = World::new(settings(40_000), Act::Find).await;
    world
        .service
        .entitle(world.organization, &world.user, Some(0))
        .await;
    world
        .service
        .review(&world.user, &world.path)
        .send()
        .await
        .expect(429, "QUOTA_EXCEEDED");
    let body = json!({ "diff": DIFF, "difff": 1 });
    world
        .service
        .post(&world.path, &body)
        .token(&world.user)
        .send()
        .await
        .expect(400, "INVALID_REQUEST");
    assert_eq!((world.counted().await, world.allowances().len()), (0, 0));
}
