//! Handles models that fail: retries where that may help, and falls back to the next model.
//!
//! - A transient error is retried, up to [`RetryPolicy::attempts`] attempts in all. The waits grow exponentially with
//!   full jitter (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015), so that calls that
//!   failed together are not retried together.
//! - If the provider sets a retry delay, the wait is slightly longer than that, up to
//!   [`RetryPolicy::longest_retry_after`]. For a longer delay the next model is used.
//! - A call that timed out is not retried while another model is left: the same prompt would most likely time out
//!   again.
//! - Every other error falls back to the next model. A prompt that was too long only goes to a model with a larger
//!   window.
//! - A model that keeps failing for a tenant is skipped for that tenant for a while: see [`breaker`].
//!
//! When no model answers, the last error of a model that was actually called is returned. The exception is a prompt
//! that was too long for one of them: that error is kept, because the caller can act on it.

mod breaker;
mod retry_policy;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

pub use self::retry_policy::RetryPolicy;

use self::breaker::Breaker;
use crate::model::{Call, CallError, ChatModel, Prompt, Reply, Window};

/// Returns a random number between 0 and 1.
pub type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Several models as one, in fallback order.
pub struct Chain {
    first: Link,
    rest: Vec<Link>,
    policy: RetryPolicy,
    jitter: Jitter,
}

struct Link {
    model: Arc<dyn ChatModel>,
    breaker: Breaker,
}

/// Why a model gave no reply, and whether it was called at all.
#[derive(Clone, Copy)]
struct Failure {
    error: CallError,
    asked: bool,
}

impl Failure {
    /// The error to report for two models that both failed.
    fn or(self, later: Self) -> Self {
        if self.error == CallError::TooLong || (self.asked && !later.asked) {
            self
        } else {
            later
        }
    }
}

impl Chain {
    /// Combines the models, in fallback order; `None` if there are none.
    #[must_use]
    pub fn new(
        models: Vec<Arc<dyn ChatModel>>,
        policy: RetryPolicy,
        jitter: Jitter,
    ) -> Option<Self> {
        let mut links = models.into_iter().map(|model| Link {
            model,
            breaker: Breaker::new(policy),
        });
        Some(Self {
            first: links.next()?,
            rest: links.collect(),
            policy,
            jitter,
        })
    }

    async fn call(&self, call: &Call<'_>, prompt: &Prompt) -> Result<Reply, CallError> {
        let mut rest = self.links().enumerate().skip(call.skip);
        // If all models are skipped, the last one has already been called.
        let (mut place, mut link) = rest.next().ok_or(CallError::Garbled)?;
        let mut failure = None::<Failure>;
        let mut too_small = 0;
        loop {
            call.asks(place);
            let is_last = place + 1 == self.count();
            let later = match self.ask(link, call, prompt, is_last).await {
                Ok(reply) => return Ok(reply),
                Err(later) => later,
            };
            if later.error == CallError::TooLong {
                too_small = too_small.max(link.model.window().context);
            }
            let so_far = failure.map_or(later, |earlier| earlier.or(later));
            let Some(next) = rest.find(|(_, link)| link.model.window().context > too_small) else {
                return Err(so_far.error);
            };
            failure = Some(so_far);
            (place, link) = next;
        }
    }

    /// Calls one model, with retries. `last` is whether it is the only one left.
    async fn ask(
        &self,
        link: &Link,
        call: &Call<'_>,
        prompt: &Prompt,
        last: bool,
    ) -> Result<Reply, Failure> {
        let mut attempts = 0;
        let mut failure = None;
        loop {
            let permit = link.breaker.admit(call.tenant);
            let permit = permit.map_err(|error| {
                failure.unwrap_or(Failure {
                    error,
                    asked: false,
                })
            })?;
            let outcome = call.track(link.model.complete(prompt)).await;
            permit.finish(outcome.as_ref().err().copied());
            let error = match outcome {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            attempts += 1;
            tracing::debug!(model = link.model.name(), attempts, %error, "a model did not answer");
            let failed = Failure { error, asked: true };
            let again = last || error != CallError::TimedOut;
            let wait = self
                .policy
                .wait(error, attempts, (self.jitter)())
                .filter(|_| again);
            tokio::time::sleep(wait.ok_or(failed)?).await;
            failure = Some(failed);
        }
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    fn smallest(&self, of: impl Fn(Window) -> u64) -> u64 {
        self.links()
            .map(|link| of(link.model.window()))
            .min()
            .unwrap_or_default()
    }
}

impl ChatModel for Chain {
    /// The first model's name.
    fn name(&self) -> &str {
        self.first.model.name()
    }

    /// The smallest window: what fits it can be sent to any of them.
    fn window(&self) -> Window {
        Window {
            context: self.smallest(|window| window.context),
            output: self.smallest(|window| window.output),
        }
    }

    /// Without a tenant.
    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        async move { self.call(&Call::default(), prompt).await }.boxed()
    }

    fn count(&self) -> usize {
        1 + self.rest.len()
    }

    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.call(call, prompt).boxed()
    }
}
