//! The context of a request: its ID, its time of arrival and, after the checks, its caller and organization. The
//! outermost layer creates it, the checks add to it, and the log line and the response's header fields are derived
//! from it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::HeaderName;
use store::{OrganizationId, UnixMillis, UserId};
use uuid::Uuid;

use crate::Clock;
use crate::error::Problem;
use crate::rate_limiter::Allowance;
use crate::release_tasks::{Awaited, ReleaseTasks};

/// The response header field with the request's ID.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One request. Clones refer to the same one.
#[derive(Debug, Clone)]
pub(crate) struct Context(Arc<Known>);

#[derive(Debug)]
struct Known {
    request_id: String,
    clock: Clock,
    started: Duration,
    user: OnceLock<UserId>,
    organization: OnceLock<OrganizationId>,
    allowance: OnceLock<Allowance>,
    conceals_allowance: AtomicBool,
    rate_refusal: OnceLock<Problem>,
    release_tasks: Awaited,
}

impl Context {
    /// Creates the context of a request that arrives now.
    pub(crate) fn new(clock: &Clock, release_tasks: ReleaseTasks) -> Self {
        Self(Arc::new(Known {
            request_id: Uuid::new_v7(timestamp(clock.now())).to_string(),
            clock: clock.clone(),
            started: clock.monotonic(),
            user: OnceLock::new(),
            organization: OnceLock::new(),
            allowance: OnceLock::new(),
            conceals_allowance: AtomicBool::new(false),
            rate_refusal: OnceLock::new(),
            release_tasks: Awaited::by_answer(release_tasks),
        }))
    }

    /// The request's UUID (version 7).
    pub(crate) fn request_id(&self) -> &str {
        &self.0.request_id
    }

    /// Time since the request arrived.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.clock.monotonic().saturating_sub(self.0.started)
    }

    /// The release tasks that must finish before the request is answered.
    pub(crate) fn release_tasks(&self) -> ReleaseTasks {
        self.0.release_tasks.get()
    }

    /// Transfers the release tasks to a stream, which waits for them instead of the answer.
    pub(crate) fn take_over_release_tasks(&self) -> ReleaseTasks {
        self.0.release_tasks.take_over()
    }

    /// Records the caller.
    pub(crate) fn set_user(&self, user: UserId) {
        // It is set twice only if two checks of one request find the same caller.
        let _ = self.0.user.set(user);
    }

    /// Records the organization that the caller is a member of.
    pub(crate) fn set_organization(&self, organization: OrganizationId) {
        let _ = self.0.organization.set(organization);
    }

    /// Records how many requests the caller's token has left.
    pub(crate) fn set_allowance(&self, allowance: Allowance) {
        let _ = self.0.allowance.set(allowance);
    }

    /// Records that the caller's token has no requests left. The refusal is sent when its check is due.
    pub(crate) fn set_rate_refusal(&self, problem: Problem) {
        let _ = self.0.rate_refusal.set(problem);
    }

    /// The refusal for a token that has no requests left.
    pub(crate) fn rate_refusal(&self) -> Option<&Problem> {
        self.0.rate_refusal.get()
    }

    /// The caller, if a check has identified one.
    pub(crate) fn user(&self) -> Option<UserId> {
        self.0.user.get().copied()
    }

    /// The organization, if a check has granted access to it.
    pub(crate) fn organization(&self) -> Option<OrganizationId> {
        self.0.organization.get().copied()
    }

    /// Makes the response look like that of a path that does not exist, without rate-limit header fields.
    pub(crate) fn conceal_allowance(&self) {
        self.0.conceals_allowance.store(true, Ordering::Relaxed);
    }

    /// The number of requests that the caller's token has left, if it was counted and may be shown.
    pub(crate) fn allowance(&self) -> Option<&Allowance> {
        self.0
            .allowance
            .get()
            .filter(|_| !self.0.conceals_allowance.load(Ordering::Relaxed))
    }
}

fn timestamp(now: UnixMillis) -> uuid::Timestamp {
    let millis = u64::try_from(now.0).unwrap_or_default();
    let nanos = u32::try_from(millis % 1000).unwrap_or_default() * 1_000_000;
    uuid::Timestamp::from_unix(uuid::NoContext, millis / 1000, nanos)
}
