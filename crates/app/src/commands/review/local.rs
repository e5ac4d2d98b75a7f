//! Reviews in this process; only the parsers run in worker processes.

use std::sync::Arc;
use std::time::Instant;

use llm::ChatModel;
use review::chunk::plan;
use review::output::json::ReviewBody;
use review::repository::Repository;
use review::{Diff, Dropped, DroppedFinding, Review, Warning};
use settings::Settings;
use tokio::runtime::Runtime;
use worker::EarlyWorker;

use super::estimate::{self, Forecast};
use super::preview::Preview;
use super::progress::Progress;
use super::prompts::{self, Recorder};
use super::task::Task;
use crate::analysis::input::{Input, WithFiles};
use crate::analysis::interrupt::or_interrupted;
use crate::analysis::{self, Analysis};
use crate::commands::block_on;
use crate::engines::{self, Engines};
use crate::outcome::{Error, Exit, Outcome};
use crate::project::Project;
use crate::provider_calls::ProviderCalls;
use crate::{models, out};

/// Reviews the change, using the early worker if there is one.
///
/// # Errors
/// An engine completed no chunk, or could not be started.
pub(super) fn review(
    task: &Task,
    settings: &Settings,
    (input, diff): (&Input, &mut Diff<'_>),
    project: &Project,
    repository: Option<&dyn Repository>,
    (runtime, worker): (&Runtime, Option<EarlyWorker>),
) -> Result<ReviewBody, Error> {
    let started = Instant::now();
    let mut warnings = input.warnings.clone();
    let analysis = analysis(task, settings, project, repository);
    warnings.extend(analysis.cut(diff));
    let review = runtime.block_on(async {
        let change = input.with_files(diff, task.language);
        let engines = engines::start_for(change.bytes, settings, &project.files)?;
        if let Some(worker) = worker {
            engines.pool().adopt(worker).await;
        }
        let result = analyse(&engines, &change, &analysis).await;
        engines.stop().await;
        result
    })?;
    if task.show_dropped {
        name_dropped(&review.dropped);
    }
    Ok(analysis::body(warnings, review, started))
}

/// Prints the prompts for the language model, or the number of tokens it would use.
///
/// # Errors
/// As for a review.
pub(super) fn preview(
    task: &Task,
    preview: Preview,
    settings: &Settings,
    (input, diff): (&Input, &mut Diff<'_>),
    project: &Project,
    repository: Option<&dyn Repository>,
) -> Outcome {
    let format = task.result.format_of_preview(preview)?;
    let analysis = analysis(task, settings, project, repository);
    let left_out = analysis.cut(diff);
    let Some(llm) = &settings.llm else {
        return task.result.write(&estimate::render(None, format));
    };
    let recorder = Arc::new(Recorder::new(models::chain(
        llm,
        &ProviderCalls::default(),
    )?));
    let model = models::engine_of(llm, Arc::clone(&recorder) as Arc<dyn ChatModel>)?;
    let options = analysis.options();
    let plan = plan(diff, task.language, &options.sizes);
    let forecast = Forecast {
        model: recorder.name(),
        estimate: model.estimate(&plan.chunks, &options.scope),
        review_tokens: llm.engine.review_tokens,
    };
    if preview == Preview::Estimate {
        name_left_out(left_out.iter().chain(&plan.warnings));
        return task
            .result
            .write(&estimate::render(Some(&forecast), format));
    }
    let (review, prompts) = block_on(async {
        let engines = engines::assemble(settings.workers, &project.files, Some(model))?;
        let change = input.with_files(diff, task.language);
        let result = analyse(&engines, &change, &analysis).await;
        engines.stop().await;
        Ok((result?, recorder.prompts()))
    })?;
    name_left_out(left_out.iter().chain(&review.warnings));
    task.result.write(&prompts::render(&prompts, format))?;
    out::note("note: nothing was sent");
    out::note(&format!("note: {}", forecast.sentence()));
    Ok(Exit::Success)
}

/// Prints the preview of a review without a change.
///
/// # Errors
/// It cannot be written.
pub(super) fn preview_nothing(task: &Task, preview: Preview, settings: &Settings) -> Outcome {
    let format = task.result.format_of_preview(preview)?;
    out::note("note: no changes to review, so nothing would be sent");
    let Some(llm) = settings
        .llm
        .as_ref()
        .filter(|_| preview == Preview::Estimate)
    else {
        return task.result.write(&match preview {
            Preview::Prompts => prompts::render(&[], format),
            Preview::Estimate => estimate::render(None, format),
        });
    };
    let model = models::chain(llm, &ProviderCalls::default())?;
    let (estimate, review_tokens) = (llm::Estimate::default(), llm.engine.review_tokens);
    let forecast = Forecast {
        model: model.name(),
        estimate,
        review_tokens,
    };
    task.result
        .write(&estimate::render(Some(&forecast), format))
}

fn name_left_out<'w>(warnings: impl Iterator<Item = &'w Warning>) {
    for warning in warnings {
        let path = warning
            .file_path
            .as_deref()
            .map(|path| format!("{path}: "))
            .unwrap_or_default();
        out::note(&format!("note: {path}{}", warning.message));
    }
}

/// Lists the findings that are not in the result.
fn name_dropped(dropped: &[Dropped]) {
    for Dropped {
        cause,
        count,
        findings,
    } in dropped
    {
        let why = cause.as_str().replace('_', " ");
        for DroppedFinding { place, summary } in findings {
            out::note(&format!("dropped ({why}): {place}: {summary}"));
        }
        let more = count.saturating_sub(findings.len());
        if more > 0 {
            out::note(&format!("dropped ({why}): {more} more"));
        }
    }
}

fn analysis<'a>(
    task: &'a Task,
    settings: &'a Settings,
    project: &'a Project,
    repository: Option<&'a dyn Repository>,
) -> Analysis<'a> {
    Analysis {
        settings,
        policy: &project.policy,
        language: task.language,
        min_confidence: task.min_confidence,
        message: task.message.as_deref(),
        repository,
    }
}

/// Runs the engines and shows their progress until they are done or interrupted.
async fn analyse(
    engines: &Engines,
    change: &WithFiles<'_, '_>,
    analysis: &Analysis<'_>,
) -> Result<Review, Error> {
    let progress = Progress::default();
    let bar = progress.clone();
    let mut observe = move |now: review::Progress| bar.advance(now);
    let review = analysis.run(engines, change, &mut observe);
    progress.show_during(or_interrupted(review)).await
}
