//! What is done when a model does not answer: wait and ask again where that helps, or ask the next one.
//!
//! - An error that a moment may mend is asked again, at most [`RetryPolicy::attempts`] times in all. The waits grow
//!   exponentially and are drawn from the whole range between nothing and the bound ("full jitter": Marc Brooker, "Exponential Backoff
//!   And Jitter", AWS Architecture Blog, 2015), so that calls that failed together do not come back together.
//! - A provider that says how long to wait is waited for that long and a little longer, up to
//!   [`RetryPolicy::longest_retry_after`]. A longer wait is for another model.
//! - A call that took all its time is not asked again while there is another model: the same prompt would most likely take it again.
//! - Every other error goes to the next model. A prompt that was too long only goes to one with a larger window.
//! - A model that keeps failing for a tenant is left alone by that tenant for a while: see [`breaker`].
//!
//! When no model answers, the last error of a model that was really asked is returned, except that a prompt that was too
//! long for one stays so: the caller can do something about that.

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

/// A number between 0 and 1, another one every time.
pub type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Models in the order of fallback, as one.
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

/// Why a model gave no reply, and whether it was asked at all.
#[derive(Clone, Copy)]
struct Failure {
    error: CallError,
    asked: bool,
}

impl Failure {
    /// What to say of two models that both failed.
    fn or(self, later: Self) -> Self {
        if self.error == CallError::TooLong || (self.asked && !later.asked) {
            self
        } else {
            later
        }
    }
}

impl Chain {
    /// The models in the order of fallback; `None` when there are none.
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
        // Who skips all models has asked the last one already.
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

    /// Asks one model, as often as it is worth it. `last` is whether it is the only one left.
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
    /// The first model's.
    fn name(&self) -> &str {
        self.first.model.name()
    }

    /// The smallest one: what fits it can be sent to any of them.
    fn window(&self) -> Window {
        Window {
            context: self.smallest(|window| window.context),
            output: self.smallest(|window| window.output),
        }
    }

    /// As for a tenant without a name.
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
