//! Reviews through a service.

use std::time::Duration;

use git::repository::CheckoutRepository;
use git::{Change, Git, GitError};
use review::expand::Room as DiffRoom;
use review::output::json::{ReviewBody, WarningBody};
use review::repository::Repository;
use review::{Diff, Language};
use settings::Settings;

use super::context_files::{Room, Selection, referred_to};
use super::progress::Progress;
use super::read_files::{Read, read_by_rules};
use super::task::{Service, Source, Task};
use crate::analysis::input::Input;
use crate::analysis::interrupt::or_interrupted;
use crate::client::{Client, ContextFile, ContextSearch, Request, ServiceLimits};
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
    (git, repository): (&Result<Git, GitError>, Option<&dyn Repository>),
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
        let checkout = match &task.source {
            Source::Checkout(checkout) if service.sends_context => Some(checkout),
            _ => None,
        };
        // Problems with the service are reported by the review request.
        let limits = match checkout {
            Some(_) => client.limits().await.unwrap_or_default(),
            None => ServiceLimits::default(),
        };
        let room = checkout.map(|_| room_for_diff(&limits));
        let whole = room.and_then(|room| input.expanded(diff, task.language, room));
        let text = whole.as_deref().unwrap_or(input.text());
        let has_whole_files = whole.is_some() || input.has_whole_files();
        let around = match checkout {
            Some(checkout) if limits.context_files > 0 => {
                let read = match repository {
                    Some(repository) => {
                        read_by_rules(task, settings, (input, diff), project, repository).await
                    }
                    None => Ok(Read::default()),
                };
                let git = git.as_ref().map_err(Clone::clone)?;
                surroundings((git, &checkout.change), &limits, (text, diff), read)?
            }
            _ => Surroundings::default(),
        };
        note_sent(
            whole.as_deref().is_some_and(|whole| whole != input.text()),
            &around,
        );
        let request = Request {
            diff: text,
            target_language: task.language.map(Language::name),
            diff_context: has_whole_files.then_some("files"),
            change_description: task.message.as_deref(),
            context_files: around.files,
            context_paths: around.paths,
            context_searches: around.searches,
        };
        progress
            .show_during(client.review(&service.organization, &request, watch))
            .await
    };
    let mut body = block_on(or_interrupted(asked))?;
    if let Some(least) = task.min_confidence.or(project.policy.min_confidence()) {
        body.findings.retain(|finding| {
            finding.confidence >= f64::from(least) || finding.reports_hidden_code()
        });
        body.metadata
            .suppressed_findings
            .retain(|finding| finding.confidence >= f64::from(least));
    }
    body.metadata
        .warnings
        .splice(0..0, input.warnings.iter().map(WarningBody::from));
    Ok(body)
}

/// The room for a diff with whole files. In JSON it may be twice as long.
fn room_for_diff(limits: &ServiceLimits) -> DiffRoom {
    DiffRoom {
        bytes: limits.diff_bytes.min(limits.body_bytes / 2),
        lines: limits.diff_lines,
    }
}

/// The parts of the repository around a change that are sent with it.
#[derive(Default)]
struct Surroundings {
    files: Vec<ContextFile>,
    paths: Option<String>,
    searches: Vec<ContextSearch>,
    /// How many files that the rules read here are not sent.
    left_out: usize,
}

/// Selects the parts to send: the files that the rules read here, those that a language model may look into, and, if the
/// rules read it, the list of all files.
fn surroundings(
    (git, change): (&Git, &Change),
    limits: &ServiceLimits,
    (text, diff): (&str, &Diff<'_>),
    read: Result<Read, Error>,
) -> Result<Surroundings, Error> {
    let read = read.unwrap_or_else(|error| {
        out::note(&format!(
            "note: the files that concern the change could not be found: {}",
            error.message
        ));
        Read::default()
    });
    let mut selection = Selection::new(diff, Room::of(limits, text));
    let mut left_out = 0;
    for (path, content) in read.texts {
        left_out += usize::from(!selection.add(path, |_| Some(content)));
    }
    let has_look_ups = limits.look_ups.is_some_and(|look_ups| look_ups > 0);
    let sends_list = read.has_listed && limits.context_paths > 0;
    let mut paths = None;
    if has_look_ups || sends_list {
        let repository = CheckoutRepository::of(git, change)?;
        if has_look_ups {
            for path in referred_to(&repository, diff) {
                selection.add(path, |path| repository.text(path).ok());
            }
        }
        if sends_list && let Ok(listed) = repository.paths() {
            let all = listed.iter().chain(&read.ignored).map(String::as_str);
            paths = selection.list(all, limits);
            if paths.is_none() {
                out::note(
                    "note: the list of files exceeds the limits and is not sent: the service does not report imports of \
                     missing files",
                );
            }
        }
    }
    let has_results = paths.is_some() && left_out == 0;
    Ok(Surroundings {
        files: selection.files(),
        paths,
        left_out,
        searches: if has_results {
            read.searches
        } else {
            Vec::new()
        },
    })
}

/// Notes which files are sent in addition to the change, and how many files that the rules read locally are not sent.
fn note_sent(has_whole_files: bool, around: &Surroundings) {
    let whole = has_whole_files.then(|| "the changed files are sent whole".to_owned());
    let others = match around.files.len() {
        0 => None,
        1 => Some("1 other file that concerns the change is sent along".to_owned()),
        n => Some(format!(
            "{n} other files that concern the change are sent along"
        )),
    };
    let sent: Vec<String> = whole.into_iter().chain(others).collect();
    if !sent.is_empty() {
        out::note(&format!(
            "note: {}; --no-context-files sends the change alone",
            sent.join(", and ")
        ));
    }
    let left_out = around.left_out;
    if left_out > 0 {
        out::note(&format!(
            "note: {left_out} further files that concern the change exceed the limits and are not sent: the service may \
             miss what the change breaks there"
        ));
    }
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
