//! Reviews through a service.

use std::time::Duration;

use git::repository::CheckoutRepository;
use git::{Change, Git, GitError};
use review::output::json::{ReviewBody, WarningBody};
use review::{Diff, Language};
use settings::Settings;

use super::context_files::{Room, referred_to};
use super::progress::Progress;
use super::task::{Service, Source, Task};
use crate::analysis::input::Input;
use crate::analysis::interrupt::or_interrupted;
use crate::client::{Client, ContextFile, Request};
use crate::commands::{Context, block_on, token_for};
use crate::out;
use crate::outcome::Error;
use crate::project::Project;

/// Extra time for the service beyond the analysis: sending the diff and waiting in its queue.
const OVERHEAD: Duration = Duration::from_secs(90);

/// Requests a review of the change from the service.
///
/// # Errors
/// There is no token, or the service fails or cannot be reached.
pub(super) fn review(
    task: &Task,
    service: &Service,
    context: &Context,
    settings: &Settings,
    (input, diff): (&Input, &Diff<'_>),
    project: &Project,
    git: &Result<Git, GitError>,
) -> Result<ReviewBody, Error> {
    note_unused(project);
    let (token, _) = token_for(&crate::client::key(&service.server)?, &context.environment)?;
    let timeout = Duration::from_secs(settings.limits.analysis_seconds).saturating_add(OVERHEAD);
    let client = Client::new(&service.server, token, timeout, service.plain_http)?;
    let progress = Progress::default();
    let bar = progress.clone();
    let mut advance = move |now| bar.advance(now);
    let watch = Progress::is_shown().then_some(&mut advance as &mut crate::client::Watch<'_>);
    let asked = async {
        let context_files = match (&task.source, git) {
            (Source::Checkout(checkout), Ok(git)) if service.sends_context_files => {
                context_files(&client, git, &checkout.change, input.text(), diff).await?
            }
            _ => Vec::new(),
        };
        let request = Request {
            diff: input.text(),
            target_language: task.language.map(Language::name),
            diff_context: input.has_whole_files().then_some("files"),
            change_description: task.message.as_deref(),
            context_files,
        };
        progress
            .show_during(client.review(&service.organization, &request, watch))
            .await
    };
    let mut body = block_on(or_interrupted(asked))?;
    if let Some(least) = task.min_confidence.or(project.policy.min_confidence()) {
        body.findings
            .retain(|finding| finding.confidence >= f64::from(least));
        body.metadata
            .suppressed_findings
            .retain(|finding| finding.confidence >= f64::from(least));
    }
    body.metadata
        .warnings
        .splice(0..0, input.warnings.iter().map(WarningBody::from));
    Ok(body)
}

/// The files to send with the change: none unless the service looks into them.
async fn context_files(
    client: &Client,
    git: &Git,
    change: &Change,
    text: &str,
    diff: &Diff<'_>,
) -> Result<Vec<ContextFile>, Error> {
    // Problems with the service are reported by the review request.
    let limits = client.limits().await.unwrap_or_default();
    if limits.look_ups.is_none_or(|look_ups| look_ups == 0) {
        return Ok(Vec::new());
    }
    let files = referred_to(
        &CheckoutRepository::of(git, change)?,
        diff,
        Room::of(&limits, text),
    );
    match files.len() {
        0 => {}
        1 => out::note(
            "note: 1 file that the change refers to is sent along; --no-context-files leaves it out",
        ),
        n => out::note(&format!(
            "note: {n} files that the change refers to are sent along; --no-context-files leaves them out"
        )),
    }
    Ok(files)
}

/// Notes the parts of the repository's configuration that the service ignores.
fn note_unused(project: &Project) {
    match project.rules.len() {
        0 => (),
        1 => out::note("note: 1 rule of this repository is not used: the service has its own"),
        n => out::note(&format!(
            "note: {n} rules of this repository are not used: the service has its own"
        )),
    }
    if project.policy.guidelines().is_some() {
        out::note(
            "note: the guidelines of this repository are not used: the organization has its own on the service",
        );
    }
}
