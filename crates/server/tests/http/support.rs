//! The harness: a separate service for each test, requests in one line, and responses that are checked against the
//! contract.

mod contract;
mod database;
mod engine;
pub(crate) mod issuer;
mod logs;
pub(crate) mod rules;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use review::Engine;
use serde_json::{Value, json};
use server::{Clock, Limits, Settings, State};
use store::{
    Actor, EntitlementStatus, NewEntitlement, NewToken, OrganizationId, Role, Scope, Status, Store,
    TokenId, UnixMillis, UserId,
};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tower::ServiceExt;

pub(crate) use contract::Contract;
pub(crate) use database::{Database, VARIABLE};
pub(crate) use engine::{Act, CUT_OFF, Gate, LOOKED_INTO, Script, TOKENS};
pub(crate) use logs::Logs;
pub(crate) use world::World;

/// 2026-11-20T12:00:00Z
const START: i64 = 1_795_176_000_000;
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);
pub(crate) const PRODUCT: &str = "diff-review";

/// A diff with one added line, which [`Act::Find`] reports.
pub(crate) const DIFF: &str = "\
--- a/src/pay.py
+++ b/src/pay.py
@@ -1,2 +1,3 @@ def settle(order):
 first = 1
+second = 2
 third = 3
";

/// A service for a single test.
pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) state: State,
    pub(crate) store: Store,
    pub(crate) database: Database,
    pub(crate) engine: Arc<Script>,
    now: Arc<AtomicI64>,
}

/// A user with one token.
#[derive(Clone)]
pub(crate) struct User {
    pub(crate) id: UserId,
    pub(crate) token: String,
    pub(crate) token_id: TokenId,
}

impl Service {
    /// A service with the default settings and an engine that finds nothing.
    pub(crate) async fn start() -> Self {
        Self::with(Settings::default(), Act::Nothing).await
    }

    /// A service with these limits.
    pub(crate) async fn limited(limits: Limits, act: Act) -> Self {
        Self::with(
            Settings {
                limits,
                ..Settings::default()
            },
            act,
        )
        .await
    }

    pub(crate) async fn with(settings: Settings, act: Act) -> Self {
        Self::with_engine(settings, Script::new(act)).await
    }

    pub(crate) async fn with_engine(settings: Settings, engine: Script) -> Self {
        Self::with_engines(settings, None, engine).await
    }

    /// A service with an additional engine that runs before the other one.
    pub(crate) async fn with_engines(
        settings: Settings,
        first: Option<Script>,
        engine: Script,
    ) -> Self {
        Logs::capture();
        let database = Database::create().await;
        let store = Store::open(&database.url()).await.unwrap();
        let now = Arc::new(AtomicI64::new(START));
        let clock = Arc::clone(&now);
        let clock = Clock::new(move || UnixMillis(clock.load(Ordering::SeqCst)));
        let engine = Arc::new(engine);
        let mut engines: Vec<Arc<dyn Engine>> = first
            .map(|first| Arc::new(first) as Arc<dyn Engine>)
            .into_iter()
            .collect();
        engines.push(Arc::clone(&engine) as Arc<dyn Engine>);
        let state = State::new(store.clone(), engines, settings, clock);
        let router = server::router(state.clone());
        Self {
            router,
            state,
            store,
            database,
            engine,
            now,
        }
    }

    pub(crate) fn now(&self) -> UnixMillis {
        UnixMillis(self.now.load(Ordering::SeqCst))
    }

    /// Advances the clock.
    pub(crate) fn advance(&self, by: Duration) {
        self.now
            .fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the clock back.
    pub(crate) fn set_back(&self, by: Duration) {
        self.now
            .fetch_sub(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// A user whose token has every scope.
    pub(crate) async fn user(&self) -> User {
        let id = self
            .store
            .insert_user("Someone", false, self.now())
            .await
            .unwrap()
            .id;
        self.user_with(id, Scope::ALL, None, None).await
    }

    /// An operator whose token has every scope.
    pub(crate) async fn operator(&self) -> User {
        let id = self
            .store
            .insert_user("Operator", true, self.now())
            .await
            .unwrap()
            .id;
        self.user_with(id, Scope::ALL, None, None).await
    }

    /// Another token of a user, created as the operator, without a limit on their number.
    pub(crate) async fn user_with(
        &self,
        user: UserId,
        scopes: &[Scope],
        organization: Option<OrganizationId>,
        expires_at: Option<UnixMillis>,
    ) -> User {
        let new = NewToken {
            user,
            name: "test".to_owned(),
            scopes: scopes.to_vec(),
            organization,
            expires_at,
        };
        let (token, secret) = self.store.issue_token(new, self.now()).await.unwrap();
        User {
            id: user,
            token: secret.expose().to_owned(),
            token_id: token.id,
        }
    }

    /// An organization of this owner.
    pub(crate) async fn organization(&self, owner: &User) -> OrganizationId {
        self.store
            .insert_organization("Acme", owner.id, None, self.now())
            .await
            .unwrap()
            .id
    }

    pub(crate) async fn join(&self, organization: OrganizationId, user: &User, role: Role) {
        self.store
            .add_member(organization, user.id, role, self.now())
            .await
            .unwrap();
    }

    pub(crate) async fn set_status(&self, organization: OrganizationId, status: Status) {
        self.store
            .set_organization_status(organization, status, Actor::CommandLine, self.now())
            .await
            .unwrap();
    }

    pub(crate) async fn entitle(
        &self,
        organization: OrganizationId,
        user: &User,
        monthly_review_limit: Option<i64>,
    ) {
        let new = NewEntitlement {
            product: PRODUCT.to_owned(),
            expires_at: None,
            monthly_review_limit,
        };
        self.store
            .grant_entitlement(organization, user.id, &new, Actor::CommandLine, self.now())
            .await
            .unwrap();
    }

    pub(crate) async fn suspend_entitlement(&self, organization: OrganizationId, user: &User) {
        let (status, actor) = (EntitlementStatus::Suspended, Actor::CommandLine);
        self.store
            .set_entitlement_status(organization, user.id, PRODUCT, status, actor, self.now())
            .await
            .unwrap();
    }

    /// An entitled owner, and the path for their reviews.
    pub(crate) async fn reviewer(&self) -> (User, String) {
        let user = self.user().await;
        let organization = self.organization(&user).await;
        self.entitle(organization, &user, None).await;
        (user, review_path(organization))
    }

    pub(crate) fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Call<'_> {
        self.call(Method::POST, path)
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    /// With a JSON body, or without one if it is `null`.
    pub(crate) async fn send(
        &self,
        user: &User,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Answer {
        let call = self.call(method, path).token(user);
        let call = match body {
            Value::Null => call,
            body => call
                .header("content-type", "application/json")
                .body(body.to_string()),
        };
        call.send().await
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Call<'_> {
        self.call(Method::PATCH, path)
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    pub(crate) fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::DELETE, path)
    }

    pub(crate) fn call(&self, method: Method, path: &str) -> Call<'_> {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap();
        Call {
            service: self,
            request,
        }
    }

    /// Starts a review. A slot that replicas share is released shortly after the end of its review, so there the
    /// request is repeated until it runs.
    pub(crate) async fn begin(&self, review: impl Fn() -> Request<Body>) -> JoinHandle<()> {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let response = self.router.clone().oneshot(review());
            let client = async { to_bytes(response.await.unwrap().into_body(), usize::MAX).await };
            let mut client = tokio::spawn(async { drop(client.await.unwrap()) });
            tokio::select! {
                () = self.engine.running(1) => return client,
                refused = &mut client => refused.unwrap(),
            }
            assert!(
                Database::is_postgres(),
                "a slot that is not shared is free immediately"
            );
            assert!(Instant::now() < deadline, "the slot is free again");
        }
    }

    /// Reviews [`DIFF`].
    pub(crate) fn review(&self, user: &User, path: &str) -> Call<'_> {
        self.post(path, &json!({ "diff": DIFF })).token(user)
    }
}

pub(crate) fn review_path(organization: OrganizationId) -> String {
    format!("/v1/organizations/{organization}/reviews/diff/sync")
}

/// The items of a list, page by page.
pub(crate) async fn pages(
    service: &Service,
    user: &User,
    path: &str,
    name: &str,
    limit: usize,
) -> Vec<Value> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service
            .get(&format!("{path}?limit={limit}{cursor}"))
            .token(user)
            .send()
            .await
            .ok();
        let items = page[name].as_array().unwrap();
        assert!(items.len() <= limit);
        seen.extend(items.iter().cloned());
        let Some(next) = page["nextCursor"].as_str() else {
            return seen;
        };
        cursor = format!("&cursor={next}");
    }
}

/// A request to be sent.
pub(crate) struct Call<'a> {
    service: &'a Service,
    request: Request<Body>,
}

impl Call<'_> {
    pub(crate) fn token(self, user: &User) -> Self {
        self.header("authorization", &format!("Bearer {}", user.token))
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request
            .headers_mut()
            .append(name, value.parse().unwrap());
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self
    }

    /// Sends it, reads the whole response and checks it against the contract.
    pub(crate) async fn send(self) -> Answer {
        let (method, path) = (
            self.request.method().clone(),
            self.request.uri().path().to_owned(),
        );
        let response = self
            .service
            .router
            .clone()
            .oneshot(self.request)
            .await
            .unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        };
        Contract::get().check(&method, &path, &answer);
        answer
    }

    /// Sends it and reads the whole response, for pages, which the OpenAPI document does not describe.
    pub(crate) async fn visit(self) -> Answer {
        let response = self
            .service
            .router
            .clone()
            .oneshot(self.request)
            .await
            .unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    /// The request itself, for tests that send it differently.
    pub(crate) fn into_request(self) -> Request<Body> {
        self.request
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The problem's code, or the status if the response is not a problem.
    pub(crate) fn code(&self) -> String {
        if self.status.is_success() {
            return self.status.as_u16().to_string();
        }
        self.json()["code"].as_str().unwrap().to_owned()
    }

    /// The problem's faults: location and detail.
    pub(crate) fn faults(&self) -> Vec<(String, String)> {
        let json = self.json();
        let faults = json["errors"]
            .as_array()
            .unwrap_or_else(|| panic!("no errors in {json}"));
        let text = |fault: &Value, name: &str| fault[name].as_str().map(str::to_owned);
        let place = |fault: &Value| {
            ["pointer", "parameter", "header"]
                .iter()
                .find_map(|name| text(fault, name))
                .unwrap()
        };
        faults
            .iter()
            .map(|fault| (place(fault), text(fault, "detail").unwrap()))
            .collect()
    }

    /// Fails unless the response is this problem with this status.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16, code: &str) -> &Self {
        assert_eq!(
            (self.status.as_u16(), self.code().as_str()),
            (status, code),
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        self
    }

    /// Fails unless the response is a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!(
            self.status.is_success(),
            "{} {}",
            self.status,
            String::from_utf8_lossy(&self.body)
        );
        self.json()
    }
}
