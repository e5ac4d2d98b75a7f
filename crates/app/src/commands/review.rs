//! `hunkwise review`: reads a change, reviews it and prints the result.

mod baselines;
mod context_files;
mod estimate;
mod fix;
mod input;
mod local;
mod pre_commit;
mod preview;
mod progress;
mod prompts;
mod read_files;
mod remote;
mod report;
mod source;
mod targets;
mod task;
mod verdict;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use git::repository::{Access, Surroundings};
use git::snapshot::Snapshot;
use git::{Git, GitError};
use review::output::Gate;
use review::output::json::{ReviewBody, WarningBody};
use review::repository::Repository;
use review::{Diff, Language};
use settings::Settings;
use tokio::runtime::Runtime;
use worker::EarlyWorker;

use super::Context;
use super::values::{change_message, named_language};
use crate::analysis::cut::leave_out_unwritten;
use crate::analysis::interrupt::or_interrupted;
use crate::client::PlainHttp;
use crate::engines;
use crate::out;
use crate::outcome::{Error, Exit, Outcome};
use crate::project::{self, Project, State};
use baselines::Baselines;
use fix::{Fix, Fixed};
pub(crate) use pre_commit::file_like_an_option;
use preview::Preview;
use report::Report;
use targets::TargetParser;
use task::{FileContext, Service, Task};

/// The error for `--show-prompt` without a model.
const NO_MODEL: &str = "--show-prompt: no model is configured, so nothing would be sent; add [[llm.models]] to the \
                        configuration file (docs/models.md shows how), and name the file with --config or HUNKWISE_CONFIG";

/// Review a change: a diff, or the changes in this git checkout
///
/// Without arguments, in a git checkout: the uncommitted change against HEAD. Results go to stdout, everything else to
/// stderr.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  hunkwise review                             the uncommitted change of this checkout
  hunkwise review --staged --fail-on P0       in a pre-commit hook
  hunkwise review --base origin/main          in CI: all changes of this branch
  hunkwise review src                         the changes below src
  hunkwise review app.py                      the changes in a file, or the whole file if it is unchanged
  hunkwise review v1.2..v1.3                  from one commit to another
  git diff HEAD~1 | hunkwise review -         a diff from a pipe
  hunkwise review fix.patch --format json     a file, with the result as JSON
  hunkwise review --format github --format sarif=out.sarif
                                              annotations on stdout, and a file for code scanning
  hunkwise review --write-baseline known.json the current findings; later --baseline known.json
  hunkwise review --fix                       apply fixes; with --diff: print a patch
  hunkwise review --rules our/rules           with custom rules
  hunkwise review --show-prompt               the prompts for the language model
  hunkwise review --estimate                  the tokens that the language model would use, and their price

Exit status: 0 nothing at or above --fail-on, 1 findings at or above it, 2 wrong usage or bad input,
3 nothing could be reviewed, or the service or the analysis failed, 130 interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: source::Selection,

    /// Language of files that cannot be recognized by their path: a name or alias of GitHub Linguist, or auto
    #[arg(long, value_name = "LANGUAGE", default_value = "auto")]
    language: Target,

    /// Output format, with an optional file to write instead of stdout; may be given several times [default: pretty]
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = TargetParser)]
    format: Vec<targets::Target>,

    /// Write the result to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// In pretty: print the confidence of each finding, and why its priority is lower than its impact
    #[arg(long)]
    verbose: bool,

    /// Exit with status 1 if a finding has this priority or a higher one: P0, P1, P2, P3 or never [default: fail_on of
    /// .hunkwise.toml, otherwise P1]
    ///
    /// P1:0.8 also requires a confidence of 0.8.
    #[arg(long, value_name = "PRIORITY")]
    fail_on: Option<Gate>,

    /// Exit with status 3 unless all source code of the change was reviewed
    ///
    /// Lock files, pictures and the like don't count. Suppression comments don't apply to P0 and P1 if the change adds or
    /// edits the comment or the line that it covers.
    #[arg(long)]
    strict: bool,

    /// Baseline: the findings in this file do not fail the run; they are counted, and marked in json and sarif
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, as a baseline for the next runs
    ///
    /// They no longer fail this run. Equal lines of a file are counted individually.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["show_prompt", "estimate"])]
    write_baseline: Option<PathBuf>,

    /// Apply the replacements of findings to the files of this checkout, and report the remaining ones
    ///
    /// Only code that the change added is replaced, and only if the file matches the diff. A review follows each pass
    /// until nothing more can be fixed, at most 10 times.
    #[arg(long, conflicts_with_all = ["show_prompt", "estimate", "write_baseline"])]
    fix: bool,

    /// With --fix: print the edits as a patch instead, and change no file
    #[arg(long, requires = "fix", conflicts_with_all = ["format", "output"])]
    diff: bool,

    /// Leave out findings that are less confident than this (0 to 1) [default: reviews.min_confidence]
    #[arg(long, value_name = "0..1", value_parser = confidence)]
    min_confidence: Option<f32>,

    #[command(flatten)]
    project: project::Sources,

    /// Where .hunkwise.toml, rules and the baseline are read from, if the change may modify them: base (the merge base)
    /// or checkout [default: base with --base, otherwise checkout]
    #[arg(
        long,
        value_name = "base|checkout",
        hide_possible_values = true,
        requires_if("base", "base")
    )]
    config_from: Option<ConfigFrom>,

    /// Have the service at this address review the change (access token: HUNKWISE_TOKEN, or hunkwise login)
    ///
    /// The service uses its own rules and none of yours; .hunkwise.toml is applied to its findings.
    #[arg(
        long,
        value_name = "URL",
        requires = "organization",
        conflicts_with = "folders"
    )]
    server: Option<String>,

    /// The organization on whose behalf the service reviews
    #[arg(long, value_name = "ID", requires = "server")]
    organization: Option<String>,

    /// With --server: send only the hunks of the change, without any other line of the repository
    ///
    /// Otherwise, the changed files are sent whole, and files that use what the change breaks or define what it uses are
    /// sent too, for the service's rules and its language model. Files that usually hold secrets are never among them.
    #[arg(long, requires = "server")]
    no_context_files: bool,

    #[command(flatten)]
    plain_http: PlainHttp,

    /// Purpose of the change, as data for the language model; at most 4,000 characters
    #[arg(long, value_name = "TEXT", value_parser = change_message)]
    message: Option<String>,

    /// Print the prompts for the language model, and send nothing
    ///
    /// With --format json: {"prompts": [{"system", "user", "schema", "maxOutputTokens"}]}.
    #[arg(long, conflicts_with = "server")]
    show_prompt: bool,

    /// Print how many tokens the language model would use for this change, and their cost; send nothing
    ///
    /// With --format json: {"estimate": {"model", "calls", "promptTokens", "maxCompletionTokens", "maxCost"}}; without
    /// a configured model, model is null and the counts are 0.
    #[arg(long, conflicts_with_all = ["server", "show_prompt"])]
    estimate: bool,

    /// List the dropped findings with reasons on stderr
    ///
    /// A service reports only their number.
    #[arg(long, conflicts_with = "server")]
    show_dropped: bool,
}

/// The state of the repository that decides about the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ConfigFrom {
    Base,
    Checkout,
}

/// A language, or automatic detection.
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

/// Interprets the arguments.
///
/// # Errors
/// They conflict, or the baseline is unusable.
fn task(args: Args, commit: Option<&Snapshot<'_>>, context: &Context) -> Result<Task, Error> {
    let source = source::of(&args.selection, &context.environment)?;
    let context_of_files = args.selection.context();
    let service = args.server.zip(args.organization);
    let fix = if args.fix {
        Some(fix_of(&source, args.diff)?)
    } else {
        None
    };
    let result = Report {
        targets: targets::resolve(args.format, args.output)?,
        gate: args.fail_on,
        strict: args.strict,
        step_summary: context.environment.step_summary(),
        verbose: args.verbose,
    };
    Ok(Task {
        source,
        context: context_of_files,
        language: args.language.0,
        min_confidence: args.min_confidence,
        message: args.message,
        project: args.project,
        preview: match (args.show_prompt, args.estimate) {
            (true, _) => Some(Preview::Prompts),
            (_, true) => Some(Preview::Estimate),
            _ => None,
        },
        show_dropped: args.show_dropped,
        baselines: Baselines::open(args.baseline, args.write_baseline, commit)?,
        fix,
        service: service.map(|(server, organization)| Service {
            server,
            organization,
            plain_http: args.plain_http,
            sends_context: !args.no_context_files,
        }),
        result,
    })
}

fn fix_of(source: &task::Source, print: bool) -> Result<Fix, Error> {
    match source {
        task::Source::Checkout(_) => Ok(Fix {
            root: fix::root(project::root().as_deref())?,
            print,
        }),
        task::Source::File(_) | task::Source::Code(_) | task::Source::Stdin => Err(Error::usage(
            "--fix changes files of a checkout: leave out FILE, or run it in the checkout of FILE",
        )),
    }
}

fn confidence(text: &str) -> Result<f32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads the change, reviews it and shows the result.
pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    let is_of_checkout = args.selection.is_of_checkout();
    let git = if is_of_checkout {
        Git::open_for_review(Path::new("."))
    } else {
        Git::open(Path::new("."))
    };
    let base = args
        .selection
        .base()
        .filter(|_| args.config_from != Some(ConfigFrom::Checkout));
    let commit = base
        .map(|base| git.as_ref().map_err(Clone::clone)?.at_merge_base(base))
        .transpose()?;
    if let (true, None, Ok(git)) = (is_of_checkout, &commit, &git) {
        git.start_marks();
    }
    let task = task(args, commit.as_ref(), context)?;
    if let Some(preview) = task.preview {
        task.result.format_of_preview(preview)?;
    }
    if task.preview == Some(Preview::Prompts) && settings.llm.is_none() {
        return Err(Error::usage(NO_MODEL));
    }
    let mut fixed = Fixed::default();
    let mut passes = 1;
    loop {
        let may_fix = task.fix.is_some() && passes < fix::MAX_PASSES;
        if let Some(exit) = review_once(
            &task,
            context,
            &settings,
            (&git, commit.as_ref()),
            may_fix.then_some(&mut fixed),
        )? {
            fix::summarize(&fixed);
            return Ok(exit);
        }
        passes += 1;
    }
}

/// The repository that a review in this process may read. For a service, the rules find the files to send.
fn repository(
    task: &Task,
    settings: &Settings,
    git: &Result<Git, GitError>,
) -> Option<Surroundings> {
    match (&task.source, git) {
        (task::Source::Checkout(checkout), Ok(git)) => {
            let rules = matches!(task.context, None | Some(FileContext::Repository));
            let access = Access {
                model: task.service.is_none() && settings.looks_up(),
                rules,
            };
            Surroundings::of(git, &checkout.change, access)
        }
        _ => None,
    }
}

/// Reviews the change in its current state and fixes findings if allowed. `None`: something was fixed, so the change
/// must be reviewed again.
fn review_once(
    task: &Task,
    context: &Context,
    settings: &Settings,
    (git, commit): (&Result<Git, GitError>, Option<&Snapshot<'_>>),
    fixed: Option<&mut Fixed>,
) -> Result<Option<Exit>, Error> {
    if let (task::Source::Checkout(_), Err(error)) = (&task.source, git) {
        return Err(error.clone().into());
    }
    super::with_runtime(|runtime| {
        let root = project::root_of(git);
        let state = commit.map_or(State::Checkout(root.as_deref()), State::Commit);
        let texts = task.project.read(state);
        let has_no_rules = texts.as_ref().is_ok_and(|texts| !texts.have_rules());
        let worker = if has_no_rules {
            early_worker(task, settings, runtime)?
        } else {
            None
        };
        let skips = task.project.skips(texts.as_ref().ok(), state);
        let input = input::read((&task.source, task.context), git, &skips, &settings.limits)?;
        if input.is_unchanged() {
            if let Some(preview) = task.preview {
                return local::preview_nothing(task, preview, settings).map(Some);
            }
            task.baselines.write_empty()?;
            return task.result.nothing().map(Some);
        }
        let mut diff = input.parse(&settings.limits)?;
        let not_written = if task.source.is_whole() {
            leave_out_unwritten(&mut diff, task.language)
        } else {
            Vec::new()
        };
        let texts = texts?;
        let changed = project::changes::paths(&diff, &input.warnings);
        let mut changes = task
            .project
            .changes(&texts, state, root.as_deref(), &changed);
        changes.extend(task.baselines.changed(state, git.as_ref().ok(), &changed));
        let changes = project::changes::warning(&changes, state);
        let project = runtime.block_on(or_interrupted(texts.check(settings.workers)))?;
        let repository = repository(task, settings, git);
        let repository = repository.as_ref().map(|around| around as &dyn Repository);
        if let Some(preview) = task.preview {
            changes
                .iter()
                .for_each(|warning| out::note(&format!("note: {}", warning.message)));
            return local::preview(
                task,
                preview,
                settings,
                (&input, &mut diff),
                &project,
                repository,
            )
            .map(Some);
        }
        let mut body = match &task.service {
            Some(_) if input.is_empty() => report::empty(input.warnings.clone()),
            Some(service) => {
                let mut body = remote::review(
                    task,
                    service,
                    context,
                    settings,
                    (&input, &diff),
                    &project,
                    (git, repository),
                )?;
                project.policy.apply(&mut body, &mut diff);
                body
            }
            None => local::review(
                task,
                settings,
                (&input, &mut diff),
                &project,
                repository,
                (runtime, worker),
            )?,
        };
        body.metadata.warnings.splice(
            0..0,
            changes.iter().chain(&not_written).map(WarningBody::from),
        );
        conclude(task, body, (&diff, commit), &project, fixed)
    })
}

/// Marks the findings in the baseline, then fixes or shows the rest. `None`: something was fixed.
fn conclude(
    task: &Task,
    mut body: ReviewBody,
    (diff, commit): (&Diff<'_>, Option<&Snapshot<'_>>),
    project: &Project,
    fixed: Option<&mut Fixed>,
) -> Result<Option<Exit>, Error> {
    if task.result.strict {
        body.reinstate_serious();
    }
    task.baselines.mark(&mut body, diff, commit)?;
    if let Some((fix, fixed)) = task.fix.as_ref().zip(fixed) {
        if fix.print {
            return task
                .result
                .show_patch(&fix.patch(&body, diff), &body, project)
                .map(Some);
        }
        if fix.apply(&body, diff, fixed)? {
            return Ok(None);
        }
    }
    task.result.show(&body, diff, project).map(Some)
}

/// A worker that starts while git creates the diff. Only for a change without custom rules, which a worker needs at its
/// start.
///
/// # Errors
/// The path of this binary is unknown.
fn early_worker(
    task: &Task,
    settings: &Settings,
    runtime: &Runtime,
) -> Result<Option<EarlyWorker>, Error> {
    let is_of_git = matches!(task.source, task::Source::Checkout(_));
    if !is_of_git || task.service.is_some() || task.preview.is_some() {
        return Ok(None);
    }
    let _on_this_runtime = runtime.enter();
    engines::early_worker(settings.workers).map(Some)
}
