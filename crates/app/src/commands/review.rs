//! `hunkwise review`: a change, from wherever it is, through the review and onto the terminal.

mod input;
mod progress;
mod report;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use review::output::Format;
use review::output::json::{self, ReviewBody};
use review::{Diff, Language, Options, Priority, Review};

use super::{Context, Error, Outcome};
use crate::client::{Client, Request};
use crate::engines::{self, Engines};
use crate::git::Change;
use crate::out;
use crate::project::{self, Policy, Project};
use crate::settings::Settings;
use input::Input;
use progress::Progress;
use report::Report;

/// The service gets this much longer than the analysis may take: the diff travels, and may wait for its turn.
const TRAVEL: Duration = Duration::from_secs(90);

/// Review a change: a diff, or what changed in this git checkout
///
/// Without FILE, and in a git checkout: the uncommitted change against HEAD. Results go to stdout, everything else to
/// stderr.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  hunkwise review                             the uncommitted change of this checkout
  hunkwise review --staged --fail-on P0       in a pre-commit hook
  hunkwise review --base origin/main          in CI: all that this branch changed
  git diff HEAD~1 | hunkwise review -         a diff from a pipe
  hunkwise review fix.patch --format json     a file, with the result as JSON
  hunkwise review --rules our/rules           with rules of your own

Exit status: 0 nothing at or above --fail-on, 1 findings at or above it, 2 wrong usage or bad input,
3 the service or the analysis failed.")]
#[command(group(clap::ArgGroup::new("source").args(["file", "staged", "base", "commit"])))]
pub(crate) struct Args {
    /// A unified diff; - reads it from stdin
    file: Option<PathBuf>,

    /// The change that is staged for the next commit
    #[arg(long)]
    staged: bool,

    /// All changes since this branch left REV: committed, staged and neither
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// What one commit changed (a merge: against its first parent)
    #[arg(long, value_name = "REV")]
    commit: Option<String>,

    /// Language of files whose path does not tell, by GitHub Linguist's names and aliases, or auto
    #[arg(long, value_name = "LANGUAGE", default_value = "auto")]
    language: Target,

    /// What the result looks like
    #[arg(long, value_name = "FORMAT", default_value = "pretty", value_parser = format_parser())]
    format: Format,

    /// Write the result to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The least important finding that makes the exit status 1: P0, P1, P2, P3 or never
    #[arg(long, value_name = "PRIORITY", default_value = "P1")]
    fail_on: FailOn,

    /// Leave out findings that are less confident than this (0 to 1) [default: reviews.min_confidence]
    #[arg(long, value_name = "0..1", value_parser = confidence)]
    min_confidence: Option<f32>,

    #[command(flatten)]
    project: project::Sources,

    /// Have the service at this address review the change (access token: HUNKWISE_TOKEN)
    ///
    /// The service has rules of its own and knows none of yours; .hunkwise.toml is applied to what it finds.
    #[arg(long, value_name = "URL", requires = "organization", conflicts_with = "folders")]
    server: Option<String>,

    /// The organization in whose name the service reviews
    #[arg(long, value_name = "ID", requires = "server")]
    organization: Option<String>,
}

/// A language that was named, or none.
#[derive(Debug, Clone, Copy)]
struct Target(Option<Language>);

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Self(None));
        }
        named_language(text).map(|language| Self(Some(language)))
    }
}

/// A language by any of its names.
///
/// # Errors
/// There is none: says which names are near.
pub(super) fn named_language(name: &str) -> Result<Language, String> {
    Language::find(name).ok_or_else(|| match Language::nearest(name).as_slice() {
        [] => "not a language that GitHub Linguist knows".to_owned(),
        names => format!("unknown language; the nearest known: {}", names.join(", ")),
    })
}

/// The least important priority that fails a run, or none.
#[derive(Debug, Clone, Copy)]
struct FailOn(Option<Priority>);

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("never") {
            return Ok(Self(None));
        }
        text.parse().map(|priority| Self(Some(priority))).map_err(|known: String| format!("{known}, never"))
    }
}

/// What the arguments mean.
struct Task {
    source: Source,
    language: Option<Language>,
    min_confidence: Option<f32>,
    project: project::Sources,
    service: Option<Service>,
    result: Report,
}

/// Where the change is.
enum Source {
    Stdin,
    File(PathBuf),
    Checkout(Change),
}

/// The service that reviews in place of this process.
struct Service {
    server: String,
    organization: String,
}

impl From<Args> for Task {
    fn from(args: Args) -> Self {
        let source = match (args.file, args.base, args.commit) {
            (Some(file), ..) if file.as_os_str() == "-" => Source::Stdin,
            (Some(file), ..) => Source::File(file),
            (None, Some(revision), _) => Source::Checkout(Change::Since(revision)),
            (None, None, Some(revision)) => Source::Checkout(Change::Commit(revision)),
            (None, None, None) if args.staged => Source::Checkout(Change::Staged),
            (None, None, None) => Source::Checkout(Change::Uncommitted),
        };
        let service = args.server.zip(args.organization);
        Self {
            source,
            language: args.language.0,
            min_confidence: args.min_confidence,
            project: args.project,
            service: service.map(|(server, organization)| Service { server, organization }),
            result: Report { format: args.format, file: args.output, fail_on: args.fail_on.0 },
        }
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.as_str())).try_map(|name| name.parse::<Format>())
}

fn confidence(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads the change, reviews it, shows the result.
pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    let task = Task::from(args);
    let input = input::read(&task.source, &settings.limits)?;
    if input.is_empty() {
        return task.result.nothing();
    }
    let mut diff = input.parse()?;
    let root = project::root();
    let project = super::block_on(task.project.open(root.as_deref(), settings.workers))?;
    if project.is_something() {
        project::note_changes(&diff);
    }
    let body = match &task.service {
        Some(service) => {
            let mut body = remotely(&task, service, context, &settings, &input, &project)?;
            project.policy.apply(&mut body, &mut diff);
            body
        }
        None => here(&task, &settings, &input, &mut diff, &project)?,
    };
    task.result.show(&body, &diff)
}

/// Reviews in this process; only the parsers are in worker processes.
fn here(
    task: &Task,
    settings: &Settings,
    input: &Input,
    diff: &mut Diff<'_>,
    project: &Project,
) -> Result<ReviewBody, Error> {
    let started = Instant::now();
    let limits = &settings.limits;
    let mut warnings = input.warnings.clone();
    warnings.extend(project.policy.cut(diff));
    warnings.extend(input::cut(diff, limits));
    let least = task.min_confidence.or(project.policy.min_confidence());
    let options = Options {
        max_findings: limits.findings,
        min_confidence: least.unwrap_or(settings.reviews.min_confidence),
        budget: review::chunk::Budget { line_bytes: limits.line_bytes, ..Default::default() },
        ..Options::default()
    };
    let time = Duration::from_secs(limits.analysis_seconds);
    let mut review = super::block_on(async {
        let engines = engines::start(settings, &project.files)?;
        let result = analyse(&engines, diff, task.language, &options, time, &project.policy).await;
        engines.stop().await;
        result
    })?;
    warnings.append(&mut review.warnings);
    review.warnings = warnings;
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(json::body(&report::request_id(), None, &review, milliseconds))
}

async fn analyse(
    engines: &Engines,
    diff: &Diff<'_>,
    language: Option<Language>,
    options: &Options,
    time: Duration,
    policy: &Policy,
) -> Result<Review, Error> {
    let progress = Progress::default();
    let bar = progress.clone();
    let mut observe = move |now: review::Progress| bar.advance(now);
    let deadline = tokio::time::sleep(time);
    let governed: Vec<_> = engines.list().iter().map(|engine| policy.over(engine, diff)).collect();
    let review = review::review(diff, language, &governed, options, deadline, &mut observe);
    let result = progress.beside(review).await;
    result.map_err(|failure| match engines.trouble() {
        Some(trouble) => Error::failure(format!("{failure}: {trouble}")),
        None => Error::failure(failure),
    })
}

/// Has the service review.
fn remotely(
    task: &Task,
    service: &Service,
    context: &Context,
    settings: &Settings,
    input: &Input,
    project: &Project,
) -> Result<ReviewBody, Error> {
    if !project.rules.is_empty() {
        let are = match project.rules.len() {
            1 => "1 rule of this repository is".to_owned(),
            n => format!("{n} rules of this repository are"),
        };
        out::note(&format!("note: {are} not used: the service has its own"));
    }
    let token = context.environment.token().map_err(Error::usage)?;
    let missing = "--server needs an access token in HUNKWISE_TOKEN, or in the file that HUNKWISE_TOKEN_FILE names";
    let token = token.ok_or_else(|| Error::usage(missing))?;
    let timeout = Duration::from_secs(settings.limits.analysis_seconds).saturating_add(TRAVEL);
    let client = Client::new(&service.server, token, timeout)?;
    let request = Request { diff: &input.text, target_language: task.language.map(Language::name) };
    let review = client.review(&service.organization, &request);
    let mut body = super::block_on(Progress::default().beside(review))?;
    if let Some(least) = task.min_confidence.or(project.policy.min_confidence()) {
        body.findings.retain(|finding| finding.confidence >= f64::from(least));
    }
    body.metadata.warnings.splice(0..0, input.warnings.iter().cloned());
    Ok(body)
}
