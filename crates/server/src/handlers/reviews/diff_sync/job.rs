//! An admitted review: runs it, counts it, and returns the answer.

use std::time::Duration;

use review::output::json::{self, FindingBody, ReviewBody};
use review::repository::{Repository, RequestRepository};
use review::{
    Diff, DiffContext, Event, Failure, Filter, Finding, Options, Priority, Progress, Request,
    Review, TokenUsage,
};
use store::{OrganizationId, UsageDelta};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::timeout;
use tracing::Instrument;

use super::admission::Admission;
use super::allowance::Allowance;
use super::input::ReviewInput;
use crate::State;
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::metrics::ReviewTimer;
use crate::offload::offload;
use crate::traces::TRACES;

/// An admitted review. Dropping it, or the future that runs it, releases its resources, except for those used: once a
/// model was called, the review and its tokens count.
pub(crate) struct Job {
    pub(super) state: State,
    pub(super) context: Context,
    pub(super) admission: Admission,
    pub(super) guidelines: Option<String>,
    pub(super) input: ReviewInput,
    pub(super) organization: OrganizationId,
    pub(super) in_flight: ReviewTimer,
    /// Receives findings before the review ends.
    pub(super) early: Option<EarlyFindings>,
}

/// Sends findings before the review ends.
pub(super) struct EarlyFindings(pub(super) UnboundedSender<Vec<FindingBody>>);

impl Filter for EarlyFindings {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        Some(event)
    }

    fn placed(&self, findings: &[Finding]) {
        // The receiver is gone if the caller has disconnected; then the review ends, too.
        let _left = self.0.send(json::findings(findings));
    }
}

impl Job {
    /// Runs the review, counts it, and returns what `answer` makes of it and its diff.
    pub(crate) async fn run<T>(
        mut self,
        observe: &mut (dyn FnMut(Progress) + Send),
        answer: impl FnOnce(ReviewBody, &Diff<'_>) -> T,
    ) -> Result<T, Problem> {
        let limits = self.state.limits();
        let mut options = Options {
            max_findings: limits.findings,
            ..Options::default()
        };
        options.min_confidence = self.state.settings().min_confidence;
        options.sizes.line_bytes = limits.line_bytes;
        options.scope.tenant = self.organization.to_string();
        options.scope.token_allowance = self.admission.allowance.as_ref().map(Allowance::tokens);
        options.scope.guidelines = self.guidelines.take();
        options.scope.change_description = self.input.change_description.take();
        let observer = self.state.metrics().chunks().observe();
        let mut filters: Vec<&dyn Filter> = vec![&observer];
        if self.state.asks_models() {
            filters.push(&*self.admission.meter);
        }
        filters.extend(self.early.as_ref().map(|early| early as &dyn Filter));
        let closing = self.state.closing().clone();
        let time = Duration::from_secs(limits.analysis_seconds);
        // If the service stops earlier, the caller gets a partial result.
        let deadline = async move {
            let _either = timeout(time, closing.cancelled()).await;
        };
        let diff = self.input.diff.diff();
        let request = Request {
            diff,
            context: if self.input.has_whole_files {
                DiffContext::Files
            } else {
                DiffContext::Hunks
            },
            target_language: self.input.target_language,
            engines: self.state.engines(),
            filters: &filters,
            options: &options,
            repository: repository(&self.input.repository),
            budget: &self.input.budget,
            mask: self.state.settings().mask,
        };
        let span = tracing::info_span!(target: TRACES, "review", files = diff.files.len());
        let review = offload(review::review(request, deadline, observe).instrument(span)).await;
        drop(filters);
        let review = match review {
            Ok(review) => review,
            Err(failure) => {
                self.in_flight.failed(match failure {
                    Failure::Failed(_) => "failed",
                    Failure::TimedOut => "timed_out",
                });
                return Err(self.failed(failure));
            }
        };
        let metered = self
            .state
            .asks_models()
            .then(|| self.admission.meter.used());
        let usage = usage(&review, metered.unwrap_or(review.usage));
        self.in_flight.done(&usage, &review.dropped);
        self.admission.reservation.keep(usage);
        let reference = self.input.client_reference.as_deref();
        let millis = u64::try_from(self.context.elapsed().as_millis()).unwrap_or(u64::MAX);
        // A page or a report of a large review takes long to render.
        Ok(offload(async {
            answer(
                json::body(self.context.request_id(), reference, &review, millis),
                diff,
            )
        })
        .await)
    }

    /// The server's state, for code that outlives the job.
    pub(super) fn state(&self) -> State {
        self.state.clone()
    }

    /// The request's ID and context, for code that outlives the job.
    pub(super) fn context(&self) -> Context {
        self.context.clone()
    }

    fn failed(&self, failure: Failure) -> Problem {
        let seconds = self.state.limits().analysis_seconds;
        match failure {
            Failure::Failed(reason) => Problem::new(
                Code::AnalysisFailed,
                format!("The analysis failed on every part of the diff: {reason}."),
            ),
            Failure::TimedOut => Problem::new(
                Code::AnalysisTimeout,
                format!("The analysis did not complete within {seconds} seconds."),
            ),
        }
    }
}

/// The repository, if the request describes any of it.
fn repository(sent: &RequestRepository) -> Option<&dyn Repository> {
    if sent.is_empty() { None } else { Some(sent) }
}

/// The usage to record for the review: only counts, no reviewed content.
fn usage(review: &Review, tokens: TokenUsage) -> UsageDelta {
    let of = |priority| {
        review
            .findings
            .iter()
            .filter(|finding| finding.priority() == priority)
            .count() as u64
    };
    UsageDelta {
        findings: [Priority::P0, Priority::P1, Priority::P2, Priority::P3].map(of),
        prompt_tokens: tokens.prompt_tokens,
        completion_tokens: tokens.completion_tokens,
    }
}
