//! What is done when a model does not answer: wait and ask again where that helps, or ask the next one.
//!
//! - An error that a moment may mend is asked again, at most [`Patience::attempts`] times in all. The waits grow
//!   exponentially and are drawn from the whole range between nothing and the bound ("full jitter": Marc Brooker, "Exponential Backoff
//!   And Jitter", AWS Architecture Blog, 2015), so that calls that failed together do not come back together.
//! - A provider that says how long to wait is waited for that long and a little longer, up to
//!   [`Patience::longest_retry_after`]. A longer wait is for another model.
//! - A call that took all its time is not asked again while there is another model: the same prompt would most likely take it again.
//! - Every other error goes to the next model. A prompt that was too long only goes to one with a larger window.
//! - A model that keeps failing is left alone for a while: see [`breaker`].
//!
//! When no model answers, the last error of a model that was really asked is returned, except that a prompt that was too
//! long for one stays so: the caller can do something about that.

mod breaker;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use self::breaker::Breaker;
use crate::model::{CallError, ChatModel, Prompt, Reply, Window};

/// A number between 0 and 1, another one every time.
pub type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;

/// How long to bear with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Calls of one prompt to one model at most.
    pub attempts: u32,
    /// The bound of the first wait.
    pub first_wait: Duration,
    /// By how much the bound grows from one wait to the next.
    pub factor: u32,
    /// What the bound grows to at most.
    pub longest_wait: Duration,
    /// The longest wait that a provider may ask for.
    pub longest_retry_after: Duration,
    /// Failures in a row after which a model is left alone.
    pub failures: u32,
    /// For how long it is left alone.
    pub rest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_millis(500),
            factor: 2,
            longest_wait: Duration::from_secs(30),
            longest_retry_after: Duration::from_secs(60),
            failures: 5,
            rest: Duration::from_secs(30),
        }
    }
}

impl Patience {
    /// How long to wait before the next attempt, after `attempts` have failed; `None` is not at all.
    fn wait(&self, error: CallError, attempts: u32, jitter: f64) -> Option<Duration> {
        if !error.is_transient() || attempts >= self.attempts {
            return None;
        }
        match error.retry_after() {
            Some(asked) if asked > self.longest_retry_after => None,
            Some(asked) => Some(asked + drawn(self.first_wait, jitter)),
            None => Some(drawn(self.bound(attempts), jitter)),
        }
    }

    fn bound(&self, attempts: u32) -> Duration {
        let growth = self.factor.saturating_pow(attempts.saturating_sub(1));
        self.first_wait.saturating_mul(growth).min(self.longest_wait)
    }
}

fn drawn(bound: Duration, jitter: f64) -> Duration {
    let jitter = if jitter.is_nan() { 0.0 } else { jitter };
    bound.mul_f64(jitter.clamp(0.0, 1.0))
}

/// Models in the order of fallback, as one.
pub struct Chain {
    first: Link,
    rest: Vec<Link>,
    patience: Patience,
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
        if self.error == CallError::TooLong || (self.asked && !later.asked) { self } else { later }
    }
}

impl Chain {
    /// The models in the order of fallback; `None` when there are none.
    #[must_use]
    pub fn new(models: Vec<Arc<dyn ChatModel>>, patience: Patience, jitter: Jitter) -> Option<Self> {
        let mut links = models.into_iter().map(|model| Link { model, breaker: Breaker::new(patience) });
        Some(Self { first: links.next()?, rest: links.collect(), patience, jitter })
    }

    async fn call(&self, prompt: &Prompt) -> Result<Reply, CallError> {
        let mut link = &self.first;
        let mut rest = self.rest.iter();
        let mut failure = None::<Failure>;
        let mut too_small = 0;
        loop {
            let later = match self.ask(link, prompt, rest.len() == 0).await {
                Ok(reply) => return Ok(reply),
                Err(later) => later,
            };
            if later.error == CallError::TooLong {
                too_small = too_small.max(link.model.window().context);
            }
            let so_far = failure.map_or(later, |earlier| earlier.or(later));
            let Some(next) = rest.find(|link| link.model.window().context > too_small) else {
                return Err(so_far.error);
            };
            failure = Some(so_far);
            link = next;
        }
    }

    /// Asks one model, as often as it is worth it. `last` is whether it is the only one left.
    async fn ask(&self, link: &Link, prompt: &Prompt, last: bool) -> Result<Reply, Failure> {
        let mut attempts = 0;
        let mut failure = None;
        loop {
            let permit = link.breaker.admit();
            let permit = permit.map_err(|error| failure.unwrap_or(Failure { error, asked: false }))?;
            let outcome = link.model.complete(prompt).await;
            permit.settle(outcome.as_ref().err().copied());
            let error = match outcome {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            attempts += 1;
            tracing::debug!(model = link.model.name(), attempts, %error, "a model did not answer");
            let failed = Failure { error, asked: true };
            let again = last || error != CallError::TimedOut;
            let wait = self.patience.wait(error, attempts, (self.jitter)()).filter(|_| again);
            tokio::time::sleep(wait.ok_or(failed)?).await;
            failure = Some(failed);
        }
    }

    fn smallest(&self, of: impl Fn(Window) -> u64) -> u64 {
        self.rest.iter().map(|link| of(link.model.window())).fold(of(self.first.model.window()), u64::min)
    }
}

impl ChatModel for Chain {
    /// The first model's.
    fn name(&self) -> &str {
        self.first.model.name()
    }

    /// The smallest one: what fits it can be sent to any of them.
    fn window(&self) -> Window {
        Window { context: self.smallest(|window| window.context), output: self.smallest(|window| window.output) }
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.call(prompt).boxed()
    }
}
