//! The review as server-sent events.
//!
//! The review runs in a task of its own that ends with the stream: a client that goes away takes it along. Progress goes
//! through a cell that keeps the latest only, so a slow reader costs no memory.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use review::output::json::ReviewBody;
use serde::Serialize;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::job::Job;
use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::give_backs::GiveBacks;
use crate::wire::problem::ProblemBody;
use crate::wire::review::ProgressBody;

/// Proxies close a connection on which nothing moves for long; many do after 30 or 60 seconds.
const COMMENT_EVERY: Duration = Duration::from_secs(15);

/// Starts the review and answers with its events.
pub(super) fn respond(job: Job) -> Response {
    let (sender, progress) = watch::channel(None);
    let (state, context) = (job.state(), job.context());
    let give_backs = context.take_over_give_backs();
    let run = async move { job.run(&mut |progress| sender.send_modify(|cell| *cell = Some(progress.into()))).await };
    let review = AbortOnDropHandle::new(tokio::spawn(run.in_current_span()));
    let events = Events { progress, review, state, context, give_backs };
    let stream = stream::unfold(Some(events), |events| async {
        let (event, rest) = events?.next().await;
        Some((Ok::<_, Infallible>(event), rest))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(COMMENT_EVERY)).into_response()
}

/// A review under way.
struct Events {
    progress: watch::Receiver<Option<ProgressBody>>,
    review: AbortOnDropHandle<Result<ReviewBody, Problem>>,
    state: State,
    context: Context,
    give_backs: GiveBacks,
}

/// What happened.
enum Step {
    Progress(Option<ProgressBody>),
    End(Result<ReviewBody, Problem>),
}

impl Events {
    /// The next event, and what follows it; nothing follows the last.
    async fn next(mut self) -> (Event, Option<Self>) {
        let state = self.state.clone();
        let step = tokio::select! {
            biased;
            step = self.step() => step,
            () = state.last_words() => {
                self.review.abort();
                Step::End(Err(Problem::stopping()))
            }
        };
        let result = match step {
            Step::Progress(progress) => return (event("progress", &progress), Some(self)),
            Step::End(result) => result,
        };
        self.give_backs.done().await;
        let last = match result {
            Ok(review) => event("review", &review),
            Err(problem) => event("error", &ProblemBody::new(&problem, self.context.request_id())),
        };
        (last, None)
    }

    async fn step(&mut self) -> Step {
        // The sender lives in the task: when it is gone, every progress was seen and the result is there.
        if self.progress.changed().await.is_ok() {
            return Step::Progress(*self.progress.borrow_and_update());
        }
        Step::End((&mut self.review).await.unwrap_or_else(|_| Err(Problem::panicked())))
    }
}

fn event(name: &str, data: &impl Serialize) -> Event {
    // Wire types have string keys and no failing parts, so they always serialize.
    Event::default().event(name).json_data(data).unwrap_or_default()
}
