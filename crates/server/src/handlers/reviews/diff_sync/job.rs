//! A review that was let in: run it, count it, answer.

use std::time::Duration;

use futures_util::future::join;
use review::output::json::{self, ReviewBody};
use review::{Failure, Options, Priority, Progress, Review};
use store::{OrganizationId, UsageDelta};
use tracing::Instrument;

use super::allowance::Allowance;
use super::input::ReviewInput;
use super::reservation::Reservation;
use crate::State;
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::metrics::Underway;
use crate::offload::offload;
use crate::slots::Slot;
use crate::traces::TRACES;

/// A review that was let in. Dropping it, or the future that runs it, frees its slot and gives its quota and the tokens
/// that it did not use back.
pub(super) struct Job {
    pub(super) state: State,
    pub(super) context: Context,
    pub(super) reservation: Reservation,
    /// `None`: the engines' own settings are the only bound.
    pub(super) allowance: Option<Allowance>,
    pub(super) guidelines: Option<String>,
    pub(super) input: ReviewInput,
    pub(super) organization: OrganizationId,
    pub(super) underway: Underway,
    pub(super) slot: Slot,
}

impl Job {
    /// Runs the review to its answer, and counts it.
    pub(super) async fn run(mut self, observe: &mut (dyn FnMut(Progress) + Send)) -> Result<ReviewBody, Problem> {
        let limits = self.state.limits();
        let mut options = Options { max_findings: limits.findings, ..Options::default() };
        options.min_confidence = self.state.settings().min_confidence;
        options.budget.line_bytes = limits.line_bytes;
        options.scope.tenant = self.organization.to_string();
        options.scope.token_allowance = self.allowance.as_ref().map(Allowance::tokens);
        options.scope.guidelines = self.guidelines.take();
        let engines = self.state.engines();
        let engines = self.allowance.as_ref().map_or_else(|| engines.to_vec(), |allowance| allowance.watch(engines));
        let deadline = tokio::time::sleep(Duration::from_secs(limits.analysis_seconds));
        let (diff, language) = (self.input.diff.diff(), self.input.target_language);
        let review = review::review(diff, language, &engines, &options, deadline, observe);
        let span = tracing::info_span!(target: TRACES, "review", files = diff.files.len());
        let review = offload(review.instrument(span)).await;
        if let Some(allowance) = self.allowance.take() {
            allowance.settle().await;
        }
        let review = match review {
            Ok(review) => review,
            Err(failure) => {
                self.underway.failed(match failure {
                    Failure::Failed => "failed",
                    Failure::TimedOut => "timed_out",
                });
                let problem = self.failed(failure);
                join(self.reservation.give_back(), self.slot.give_back()).await;
                return Err(problem);
            }
        };
        let usage = usage(&review);
        self.underway.done(&usage);
        join(self.reservation.keep(usage), self.slot.give_back()).await;
        let reference = self.input.client_reference.as_deref();
        let millis = u64::try_from(self.context.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(json::body(self.context.request_id(), reference, &review, millis))
    }

    /// The request's ID and context, for who outlives the job.
    pub(super) fn context(&self) -> Context {
        self.context.clone()
    }

    fn failed(&self, failure: Failure) -> Problem {
        let seconds = self.state.limits().analysis_seconds;
        match failure {
            Failure::Failed => Problem::new(Code::AnalysisFailed, "An engine failed on every part of the diff."),
            Failure::TimedOut => {
                Problem::new(Code::AnalysisTimeout, format!("The analysis did not complete within {seconds} seconds."))
            }
        }
    }
}

/// What the review adds to the usage: counts, nothing of what was reviewed.
fn usage(review: &Review) -> UsageDelta {
    let of = |priority| review.findings.iter().filter(|finding| finding.priority() == priority).count() as u64;
    UsageDelta {
        findings: [Priority::P0, Priority::P1, Priority::P2, Priority::P3].map(of),
        prompt_tokens: review.usage.prompt_tokens,
        completion_tokens: review.usage.completion_tokens,
    }
}
