//! The review in this process; only the parsers are in worker processes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryFutureExt as _;
use review::chunk::{Sizes, plan};
use review::output::json::{self, ReviewBody};
use review::{Budget, Diff, Dropped, DroppedFinding, Options, Request, Review, Scope, Warning};

use super::interrupt::or_interrupted;
use super::progress::Progress;
use super::prompts::{self, Recorder};
use super::task::Task;
use super::{input, report};
use crate::commands::block_on;
use crate::engines::{self, Engines};
use crate::outcome::{Error, Exit, Outcome};
use crate::project::{Policy, Project, shown};
use crate::provider_calls::ProviderCalls;
use crate::settings::{Llm, Settings};
use crate::{models, out};

/// Reviews the change.
///
/// # Errors
/// An engine finished nothing, or could not be started.
pub(super) fn review(
    task: &Task,
    settings: &Settings,
    input: &input::Input,
    diff: &mut Diff<'_>,
    project: &Project,
) -> Result<ReviewBody, Error> {
    let started = Instant::now();
    let mut warnings = input.warnings.clone();
    warnings.extend(cut(settings, diff, project));
    let mut review = block_on(async {
        let engines = engines::start(settings, &project.files)?;
        let result = analyse(&engines, (diff, input.text.len()), task, settings, &project.policy).await;
        engines.stop().await;
        result
    })?;
    if task.show_dropped {
        name_dropped(&review.dropped);
    }
    warnings.append(&mut review.warnings);
    review.warnings = warnings;
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(json::body(&report::request_id(), None, &review, milliseconds))
}

/// Prints what the models would be sent.
///
/// # Errors
/// As with a review.
pub(super) fn show_prompts(
    task: &Task,
    settings: &Settings,
    llm: &Llm,
    (input, diff): (&input::Input, &mut Diff<'_>),
    project: &Project,
) -> Outcome {
    let left_out = cut(settings, diff, project);
    let recorder = Arc::new(Recorder::new(models::chain(llm, &ProviderCalls::default())?));
    let model = models::engine_of(llm, Arc::clone(&recorder) as Arc<dyn llm::ChatModel>)?;
    let options = options(task, settings, &project.policy);
    let estimate = model.estimate(&plan(diff, task.language, &options.sizes).chunks, &options.scope);
    let (review, prompts) = block_on(async {
        let engines = engines::assemble(settings.workers, &project.files, Some(model))?;
        let result = analyse(&engines, (diff, input.text.len()), task, settings, &project.policy).await;
        engines.stop().await;
        Ok((result?, recorder.prompts()))
    })?;
    for warning in left_out.iter().chain(&review.warnings) {
        let path = warning.file_path.as_deref().map(|path| format!("{path}: ")).unwrap_or_default();
        out::note(&format!("note: {}", shown(&format!("{path}{}", warning.message))));
    }
    task.result.write(&prompts::render(&prompts, task.result.format_of_prompts()?))?;
    out::note("note: nothing was sent; what a verifier is asked depends on the answers, so it is not shown");
    out::note(&format!("note: {}", prompts::forecast(&estimate)));
    Ok(Exit::Success)
}

/// Says that nothing changed, so that nothing would be sent.
///
/// # Errors
/// It cannot be written.
pub(super) fn show_no_prompt(task: &Task) -> Outcome {
    out::note("note: no changes to review, so nothing would be sent");
    task.result.write(&prompts::render(&[], task.result.format_of_prompts()?))
}

/// Says what was found and is not in the result.
fn name_dropped(dropped: &[Dropped]) {
    for Dropped { cause, count, findings } in dropped {
        let why = cause.as_str().replace('_', " ");
        for DroppedFinding { place, summary } in findings {
            out::note(&format!("dropped ({why}): {}", shown(&format!("{place}: {summary}"))));
        }
        let more = count.saturating_sub(findings.len());
        if more > 0 {
            out::note(&format!("dropped ({why}): {more} that are not named"));
        }
    }
}

/// Leaves out what is not to be reviewed.
fn cut(settings: &Settings, diff: &mut Diff<'_>, project: &Project) -> Vec<Warning> {
    let mut warnings = project.policy.cut(diff);
    warnings.extend(input::cut(diff, &settings.limits));
    warnings
}

async fn analyse(
    engines: &Engines,
    (diff, bytes): (&Diff<'_>, usize),
    task: &Task,
    settings: &Settings,
    policy: &Policy,
) -> Result<Review, Error> {
    let options = options(task, settings, policy);
    let progress = Progress::default();
    let bar = progress.clone();
    let mut observe = move |now: review::Progress| bar.advance(now);
    let deadline = tokio::time::sleep(Duration::from_secs(settings.limits.analysis_seconds));
    let (filter, budget) = (policy.filter(diff), Budget::of_bytes(bytes));
    let request = Request {
        diff,
        target_language: task.language,
        engines: engines.list(),
        filters: &[&filter],
        options: &options,
        budget: &budget,
    };
    let review = review::review(request, deadline, &mut observe).map_err(|failure| match engines.trouble() {
        Some(trouble) => Error::failure(format!("{failure}: {trouble}")),
        None => Error::failure(failure),
    });
    progress.beside(or_interrupted(review)).await
}

fn options(task: &Task, settings: &Settings, policy: &Policy) -> Options {
    let limits = &settings.limits;
    let least = task.min_confidence.or(policy.min_confidence());
    Options {
        max_findings: limits.findings,
        min_confidence: least.unwrap_or(settings.reviews.min_confidence),
        sizes: Sizes { line_bytes: limits.line_bytes, ..Default::default() },
        scope: Scope { guidelines: policy.guidelines().map(str::to_owned), ..Scope::default() },
    }
}
