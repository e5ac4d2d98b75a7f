//! The review as server-sent events.
//!
//! The review runs in a separate task that ends with the stream, so a disconnecting client cancels it. Progress goes
//! through a cell that only keeps the latest value, so a slow reader costs no memory. The rules' findings are sent as
//! soon as they are placed.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::time::Duration;

use axum::Extension;
use axum::http::HeaderName;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use review::output::json::{FindingBody, ReviewBody};
use review::{Diff, Progress};
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::job::{EarlyFindings, Job};
use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::release_tasks::ReleaseTasks;
use crate::wire::problem::ProblemBody;
use crate::wire::review::{FindingsBody, ProgressBody};

/// Proxies close connections without traffic, many of them after 30 or 60 seconds.
const COMMENT_EVERY: Duration = Duration::from_secs(15);

/// Converts the progress of a review into events.
pub(crate) trait Events: Send + 'static {
    /// The answer of the review.
    type Answer: Send + 'static;

    /// The event for a progress, if there is one.
    fn progress(&mut self, progress: Progress) -> Option<Event>;

    /// The event for early findings, if there is one.
    fn findings(&mut self, _: Vec<FindingBody>) -> Option<Event> {
        None
    }

    /// The last event: the answer, or a problem.
    fn last(&mut self, result: Result<Self::Answer, Problem>, request_id: &str) -> Event;
}

/// The API's events, for any type of answer.
pub(crate) struct ApiEvents<A>(PhantomData<fn() -> A>);

impl<A> ApiEvents<A> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A: Serialize + Send + 'static> Events for ApiEvents<A> {
    type Answer = A;

    fn progress(&mut self, progress: Progress) -> Option<Event> {
        Some(event("progress", &ProgressBody::from(progress)))
    }

    fn findings(&mut self, findings: Vec<FindingBody>) -> Option<Event> {
        Some(event("findings", &FindingsBody { findings }))
    }

    fn last(&mut self, result: Result<A, Problem>, request_id: &str) -> Event {
        match result {
            Ok(review) => event("review", &review),
            Err(problem) => event("error", &ProblemBody::new(&problem, request_id)),
        }
    }
}

/// Marks the event stream of a review. Its caller was authorized to review.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReviewStream;

/// A stream that proxies forward event by event. Without this header field nginx buffers the response.
fn unbuffered(stream: impl IntoResponse) -> Response {
    (
        [(HeaderName::from_static("x-accel-buffering"), "no")],
        Extension(ReviewStream),
        stream,
    )
        .into_response()
}

/// Starts the review and answers with its events. `answer` is as in [`Job::run`].
pub(crate) fn respond<E: Events>(
    job: Job,
    answer: impl FnOnce(ReviewBody, &Diff<'_>) -> E::Answer + Send + 'static,
    events: E,
) -> Response {
    let (sender, progress) = watch::channel(None);
    // There is one message for each engine but the first, so a slow reader only costs the memory of a few answers.
    let (early_sender, early) = mpsc::unbounded_channel();
    let job = Job {
        early: Some(EarlyFindings(early_sender)),
        ..job
    };
    let (state, context) = (job.state(), job.context());
    let release_tasks = context.take_over_release_tasks();
    let run = async move {
        job.run(
            &mut |progress| sender.send_modify(|cell| *cell = Some(progress)),
            answer,
        )
        .await
    };
    let review = AbortOnDropHandle::new(tokio::spawn(run.in_current_span()));
    let running = Running {
        progress,
        early,
        review,
        state,
        context,
        release_tasks,
        events,
    };
    let stream = stream::unfold(Some(running), |running| async {
        let (event, rest) = running?.next().await;
        Some((Ok::<_, Infallible>(event), rest))
    });
    // The compression layer polls once more after the end.
    unbuffered(Sse::new(stream.fuse()).keep_alive(KeepAlive::new().interval(COMMENT_EVERY)))
}

/// A running review.
struct Running<E: Events> {
    progress: watch::Receiver<Option<Progress>>,
    early: mpsc::UnboundedReceiver<Vec<FindingBody>>,
    review: AbortOnDropHandle<Result<E::Answer, Problem>>,
    state: State,
    context: Context,
    release_tasks: ReleaseTasks,
    events: E,
}

/// A step of a running review.
enum Step<T> {
    Progress(Option<Progress>),
    Findings(Vec<FindingBody>),
    End(Result<T, Problem>),
}

impl<E: Events> Running<E> {
    /// The next event and the rest of the stream; `None` after the last event.
    async fn next(mut self) -> (Event, Option<Self>) {
        let state = self.state.clone();
        let result = loop {
            let step = tokio::select! {
                biased;
                step = self.step() => step,
                () = state.last_words() => {
                    self.review.abort();
                    Step::End(Err(Problem::stopping()))
                }
            };
            match step {
                Step::Progress(progress) => {
                    if let Some(event) =
                        progress.and_then(|progress| self.events.progress(progress))
                    {
                        return (event, Some(self));
                    }
                }
                Step::Findings(findings) => {
                    if let Some(event) = self.events.findings(findings) {
                        return (event, Some(self));
                    }
                }
                Step::End(result) => break result,
            }
        };
        self.release_tasks.done().await;
        (self.events.last(result, self.context.request_id()), None)
    }

    async fn step(&mut self) -> Step<E::Answer> {
        // The task holds the senders. When they are dropped, every event was seen and the result is available.
        tokio::select! {
            biased;
            Some(findings) = self.early.recv() => return Step::Findings(findings),
            Ok(()) = self.progress.changed() => return Step::Progress(*self.progress.borrow_and_update()),
            else => {}
        }
        Step::End(
            (&mut self.review)
                .await
                .unwrap_or_else(|_| Err(Problem::panicked())),
        )
    }
}

fn event(name: &str, data: &impl Serialize) -> Event {
    // Wire types have string keys and no failing parts, so they always serialize.
    Event::default()
        .event(name)
        .json_data(data)
        .unwrap_or_default()
}
