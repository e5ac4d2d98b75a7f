//! Random sequences of creating, reviewing, disconnecting, archiving, leaving and joining, on two replicas with
//! different clocks that jump. After every step the quotas are not exceeded, and usage equals the model's calls.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use review::{ChunkStatus, Engine, Event, Report, Task, TokenUsage};
use serde_json::{Value, json};
use server::{Clock, GrantOnCreate, Limits, Settings, State};
use store::{
    Actor, EntitlementChange, EntitlementStatus, Invited, NewToken, OrganizationId, Role, Scope,
    Store, UnixMillis, UserId,
};
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::support::{DIFF, Database, PRODUCT, review_path};

/// Organizations in which a user is entitled automatically.
const GRANTS: usize = 2;
/// Model tokens of an organization in a month.
const MONTHLY_TOKENS: u64 = 50_000;
/// Reviews of a member in a month.
const MONTHLY_REVIEWS: i64 = 4;
/// 2026-11-20T12:00:00Z
const START: i64 = 1_795_176_000_000;
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// A day of each month that the clocks reach.
const MONTHS: [&str; 6] = [
    "2026-10-01", "2026-11-01", "2026-12-01", "2027-01-01", "2027-02-01", "2027-03-01",
];

/// A model call as reserved, and as the provider reports it if the reply is received.
const RESERVED: TokenUsage = TokenUsage {
    prompt_tokens: 4_000,
    completion_tokens: 16_000,
    total_tokens: 20_000,
    estimated: true,
};
const USED: TokenUsage = TokenUsage {
    prompt_tokens: 4_000,
    completion_tokens: 5_000,
    total_tokens: 9_000,
    estimated: false,
};

/// An engine that calls its model once per review, if the tokens suffice.
struct Model {
    hangs: AtomicBool,
    /// Reviews that called the model, and their tokens.
    asked: AtomicU64,
    tokens: AtomicU64,
    in_progress: watch::Sender<usize>,
}

impl Model {
    async fn ask(&self, task: &Task<'_, '_>, report: &dyn Report) {
        let affordable = task
            .scope
            .token_allowance
            .is_none_or(|tokens| tokens >= RESERVED.total_tokens);
        let status = if affordable {
            let mut call = Call {
                model: self,
                report,
                usage: RESERVED,
            };
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.in_progress.send_modify(|calls| *calls += 1);
            if self.hangs.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            call.usage = USED;
            ChunkStatus::Done
        } else {
            ChunkStatus::OutOfTokens
        };
        for chunk in 0..task.chunks.len() {
            report.report(Event::Ended {
                chunk,
                status: status.clone(),
            });
        }
    }
}

impl Engine for Model {
    fn name(&self) -> &'static str {
        "model"
    }

    fn model(&self) -> Option<&str> {
        Some("model-1")
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        self.ask(task, report).boxed()
    }
}

/// A call, whose cost is reported when it ends.
struct Call<'a> {
    model: &'a Model,
    report: &'a dyn Report,
    usage: TokenUsage,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.report.report(Event::Used(self.usage));
        self.model
            .tokens
            .fetch_add(self.usage.total_tokens, Ordering::SeqCst);
        self.model.in_progress.send_modify(|calls| *calls -= 1);
    }
}

struct Replica {
    router: Mutex<Router>,
    store: Store,
    now: AtomicI64,
}

impl Replica {
    fn new(store: Store, model: &Arc<Model>) -> Self {
        Self {
            router: Mutex::new(router(&store, model, START)),
            store,
            now: AtomicI64::new(START),
        }
    }

    /// Restarts at this time. The tests' clocks also drive the rate limits, which do not tolerate a clock that is set
    /// back.
    fn restart_at(&self, now: i64, model: &Arc<Model>) {
        *self.router.lock().unwrap() = router(&self.store, model, now);
        self.now.store(now, Ordering::SeqCst);
    }

    fn router(&self) -> Router {
        self.router.lock().unwrap().clone()
    }
}

fn router(store: &Store, model: &Arc<Model>, now: i64) -> Router {
    let settings = Settings {
        limits: Limits {
            grants_per_user: u32::try_from(GRANTS).unwrap(),
            ..Limits::default()
        },
        grant_on_create: GrantOnCreate::Members,
        review_tokens: 30_000,
        organization_monthly_tokens: MONTHLY_TOKENS,
        ..Settings::default()
    };
    let engines = vec![Arc::clone(model) as Arc<dyn Engine>];
    server::router(State::new(
        store.clone(),
        engines,
        settings,
        Clock::new(move || UnixMillis(now)),
    ))
}

struct User {
    id: UserId,
    token: String,
}

/// Two replicas, two users, and a source of random numbers (SplitMix64).
struct World {
    store: Store,
    model: Arc<Model>,
    replicas: Vec<Replica>,
    users: Vec<User>,
    organizations: Mutex<Vec<(OrganizationId, usize)>>,
    random: AtomicU64,
    today: AtomicI64,
    _database: Database,
}

impl World {
    async fn new(seed: u64) -> Self {
        let database = Database::create().await;
        let store = Store::open(&database.url()).await.unwrap();
        let model = Arc::new(Model {
            hangs: AtomicBool::new(false),
            asked: AtomicU64::new(0),
            tokens: AtomicU64::new(0),
            in_progress: watch::Sender::new(0),
        });
        let mut replicas = Vec::new();
        for _ in 0..2 {
            replicas.push(Replica::new(
                Store::open(&database.url()).await.unwrap(),
                &model,
            ));
        }
        let mut users = Vec::new();
        for name in ["Ada", "Ben"] {
            let id = store
                .insert_user(name, false, UnixMillis(START))
                .await
                .unwrap()
                .id;
            let new = NewToken {
                user: id,
                name: "test".to_owned(),
                scopes: Scope::ALL.to_vec(),
                organization: None,
                expires_at: None,
            };
            let (_, secret) = store.issue_token(new, UnixMillis(START)).await.unwrap();
            users.push(User {
                id,
                token: secret.expose().to_owned(),
            });
        }
        Self {
            store,
            model,
            replicas,
            users,
            organizations: Mutex::default(),
            random: AtomicU64::new(seed),
            today: AtomicI64::new(START),
            _database: database,
        }
    }

    fn below(&self, bound: usize) -> usize {
        let state = self
            .random
            .fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::SeqCst);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    fn replica(&self) -> &Replica {
        &self.replicas[self.below(2)]
    }

    /// One of the latest organizations whose creator was entitled in it, and the creator.
    fn organization(&self) -> Option<(OrganizationId, &User)> {
        let made = self.organizations.lock().unwrap();
        let latest = &made[made.len().saturating_sub(2 * GRANTS)..];
        let (organization, user) = *latest.get(self.below(latest.len().max(1)))?;
        Some((organization, &self.users[user]))
    }

    async fn send(
        &self,
        replica: &Replica,
        user: &User,
        request: (Method, String, Value),
    ) -> (StatusCode, Value) {
        let response = replica
            .router()
            .oneshot(self.request(user, request))
            .await
            .unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    fn request(&self, user: &User, (method, path, body): (Method, String, Value)) -> Request<Body> {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("authorization", format!("Bearer {}", user.token));
        request
            .header("content-type", "application/json")
            .body(body.to_string().into())
            .unwrap()
    }

    /// One random step. Its name is for failure messages.
    async fn step(&self) -> &'static str {
        let step = self.below(14);
        if let 0..3 = step {
            self.create().await;
            return "create";
        }
        let Some((organization, user)) = self.organization() else {
            return "nothing";
        };
        match step {
            3..6 => {
                self.review(organization, user).await;
                "review"
            }
            6..9 => {
                self.hang_up(organization, user).await;
                "hang up"
            }
            9 => {
                let request = (
                    Method::DELETE,
                    format!("/v1/organizations/{organization}"),
                    Value::Null,
                );
                self.send(self.replica(), user, request).await;
                "archive"
            }
            10 => {
                self.leave(organization, user).await;
                "leave"
            }
            11 => {
                self.join(organization, user).await;
                "join"
            }
            _ => {
                self.move_a_clock();
                "move a clock"
            }
        }
    }

    async fn create(&self) {
        let (replica, index) = (self.replica(), self.below(2));
        let user = &self.users[index];
        let request = (
            Method::POST,
            "/v1/organizations".to_owned(),
            json!({ "name": "Acme" }),
        );
        let (status, made) = self.send(replica, user, request).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let organization: OrganizationId =
            made["organizationId"].as_str().unwrap().parse().unwrap();
        let change = EntitlementChange {
            product: PRODUCT.to_owned(),
            status: EntitlementStatus::Active,
            expires_at: None,
            monthly_review_limit: Some(Some(MONTHLY_REVIEWS)),
        };
        let now = UnixMillis(replica.now.load(Ordering::SeqCst));
        if self
            .store
            .find_active_entitlement(organization, user.id, PRODUCT, now)
            .await
            .unwrap()
            .is_some()
        {
            self.organizations
                .lock()
                .unwrap()
                .push((organization, index));
            self.store
                .change_entitlement(organization, user.id, change, Actor::CommandLine, now)
                .await
                .unwrap();
        }
    }

    async fn review(&self, organization: OrganizationId, user: &User) {
        let request = (
            Method::POST,
            review_path(organization),
            json!({ "diff": DIFF }),
        );
        self.send(self.replica(), user, request).await;
    }

    /// Disconnects while the model is called, unless the review ends earlier.
    async fn hang_up(&self, organization: OrganizationId, user: &User) {
        self.model.hangs.store(true, Ordering::SeqCst);
        let request = self.request(
            user,
            (
                Method::POST,
                review_path(organization),
                json!({ "diff": DIFF }),
            ),
        );
        let mut review = tokio::spawn(self.replica().router().oneshot(request));
        let mut calls = self.model.in_progress.subscribe();
        tokio::select! {
            _ = calls.wait_for(|calls| *calls == 1) => review.abort(),
            _ = &mut review => {}
        }
        calls.wait_for(|calls| *calls == 0).await.unwrap();
        self.model.hangs.store(false, Ordering::SeqCst);
    }

    /// Another user remains as an owner.
    async fn leave(&self, organization: OrganizationId, user: &User) {
        let other = self.users.iter().find(|other| other.id != user.id).unwrap();
        let now = UnixMillis(self.today.load(Ordering::SeqCst));
        // Refused if the other user is already a member.
        let _ = self
            .store
            .add_member(organization, other.id, Role::Owner, now)
            .await;
        let path = format!("/v1/organizations/{organization}/members/{}", user.id);
        self.send(self.replica(), user, (Method::DELETE, path, Value::Null))
            .await;
    }

    /// The user joins again, through an invitation of the other owner.
    async fn join(&self, organization: OrganizationId, user: &User) {
        let other = self.users.iter().find(|other| other.id != user.id).unwrap();
        let now = UnixMillis(self.today.load(Ordering::SeqCst));
        let later = now + Duration::from_secs(20 * 24 * 60 * 60);
        let invited = self
            .store
            .insert_invitation(organization, other.id, Role::Owner, later, now)
            .await
            .unwrap();
        if let Invited::Done(_, code) = invited {
            let body = json!({ "code": code.expose() });
            self.send(
                self.replica(),
                user,
                (Method::POST, "/v1/invitations/accept".to_owned(), body),
            )
            .await;
        }
    }

    /// Advances the time and sets one clock, which is right, seconds off, or weeks ahead.
    fn move_a_clock(&self) {
        let passed = [0, 3, 6][self.below(3)] * DAY;
        let today = self.today.fetch_add(passed, Ordering::SeqCst) + passed;
        let offset = [0, 0, 3_000, -3_000, 15 * DAY][self.below(5)];
        self.replica().restart_at(today + offset, &self.model);
    }

    /// Waits until all model calls are counted, and checks the quotas.
    async fn check(&self, trace: &str) {
        let settled = async {
            while self.counted().await != self.asked() {
                tokio::task::yield_now().await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(30), settled)
            .await
            .is_err()
        {
            panic!(
                "counted {:?}, but called {:?}{trace}",
                self.counted().await,
                self.asked()
            );
        }
        let made = self.organizations.lock().unwrap().clone();
        for month in MONTHS {
            let mut used = [HashSet::new(), HashSet::new()];
            for (organization, index) in &made {
                let user = self.users[*index].id;
                let tokens = self
                    .store
                    .find_model_tokens(*organization, month)
                    .await
                    .unwrap();
                let reviews = self
                    .store
                    .find_reviews_of_month(*organization, user, month)
                    .await
                    .unwrap();
                assert!(
                    tokens <= MONTHLY_TOKENS,
                    "{month}: {organization} used {tokens} tokens{trace}"
                );
                assert!(
                    reviews <= MONTHLY_REVIEWS.unsigned_abs(),
                    "{month}: {reviews} in {organization}{trace}"
                );
                if tokens > 0 || reviews > 0 {
                    used[*index].insert(*organization);
                }
            }
            assert!(
                used.iter().all(|used| used.len() <= GRANTS),
                "{month}: {used:?}{trace}"
            );
        }
    }

    /// Tokens of the organizations' months, and tokens in the usage.
    async fn counted(&self) -> (u64, u64) {
        let mut counted = (0, 0);
        let made = self.organizations.lock().unwrap().clone();
        for (organization, _) in made {
            for month in MONTHS {
                counted.0 += self
                    .store
                    .find_model_tokens(organization, month)
                    .await
                    .unwrap();
            }
            let days = self
                .store
                .list_usage_of_days(organization, "2026-01-01", "2027-12-31")
                .await
                .unwrap();
            counted.1 += days
                .iter()
                .map(|day| day.usage.prompt_tokens + day.usage.completion_tokens)
                .sum::<u64>();
        }
        counted
    }

    fn asked(&self) -> (u64, u64) {
        let tokens = self.model.tokens.load(Ordering::SeqCst);
        (tokens, tokens)
    }
}

#[tokio::test]
async fn random_sequences_on_two_replicas_never_exceed_a_quota() {
    let mut asked = 0;
    for seed in 0..6 {
        let world = World::new(seed).await;
        let mut trace = format!(" (seed {seed})");
        for _ in 0..60 {
            let step = world.step().await;
            trace += &format!(", {step}");
            world.check(&trace).await;
        }
        asked += world.model.asked.load(Ordering::SeqCst);
    }
    assert!(asked > 30, "the sequences call the model {asked} times");
}
