//! The review as server-sent events.
//!
//! The review runs in a task of its own that ends with the stream: a client that goes away takes it along. Progress goes
//! through a cell that keeps the latest only, so a slow reader costs no memory. The findings of the rules follow as soon as they are placed.

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

/// Proxies close a connection on which nothing moves for long; many do after 30 or 60 seconds.
const COMMENT_EVERY: Duration = Duration::from_secs(15);

/// How a stream tells what happens in a review.
pub(crate) trait Events: Send + 'static {
    /// What the review is answered with.
    type Answer: Send + 'static;

    /// The event for a progress, if it is worth one.
    fn progress(&mut self, progress: Progress) -> Option<Event>;

    /// The event for findings before the end of the review, if there is one.
    fn findings(&mut self, _: Vec<FindingBody>) -> Option<Event> {
        None
    }

    /// The last event: the answer, or why there is none.
    fn last(&mut self, result: Result<Self::Answer, Problem>, request_id: &str) -> Event;
}

/// Those of the API, whatever the review is answered with.
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

/// Marks the event stream of a review. Whoever gets one was allowed to review.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReviewStream;

/// A stream that proxies pass on event by event: nginx buffers an answer without this header.
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
    // One message for each engine but the first, so a slow reader costs no more memory than a few answers.
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
    // What compresses it asks once more after its end.
    unbuffered(Sse::new(stream.fuse()).keep_alive(KeepAlive::new().interval(COMMENT_EVERY)))
}

/// A review under way.
struct Running<E: Events> {
    progress: watch::Receiver<Option<Progress>>,
    early: mpsc::UnboundedReceiver<Vec<FindingBody>>,
    review: AbortOnDropHandle<Result<E::Answer, Problem>>,
    state: State,
    context: Context,
    release_tasks: ReleaseTasks,
    events: E,
}

/// What happened.
enum Step<T> {
    Progress(Option<Progress>),
    Findings(Vec<FindingBody>),
    End(Result<T, Problem>),
}

impl<E: Events> Running<E> {
    /// The next event, and what follows it; nothing follows the last.
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
        // The senders live in the task: when they are gone, everything was seen and the result is there.
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
