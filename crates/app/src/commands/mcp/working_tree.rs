//! `review_working_tree`: reviews the changes of a checkout.

use std::collections::BTreeSet;
use std::path::Path;

use git::repository::{Access, Surroundings};
use git::{Change, Git};
use mcp::{Answer, Page, ToolName, UNTRACKED};
use serde_json::{Map, Value};
use settings::Settings;

use super::arguments::{self, ReviewWorkingTree};
use super::client::Client;
use super::progress::Listener;
use super::review;
use super::roots::Roots;
use crate::analysis::Analysis;
use crate::analysis::input::{Input, of_checkout, of_checkout_with_untracked};
use crate::engines::{self, Engines};
use crate::outcome::Error;
use crate::project::{Project, Sources, State, Texts, changes};

/// The change and its repository.
struct Found {
    input: Input,
    /// The number of untracked files, which are not part of the review.
    untracked: usize,
    /// The repository's configuration and rules, unless its top is outside of the roots. With a base, they are read
    /// from the merge base.
    texts: Texts,
    /// The repository that the review may read. `None` if a part of the checkout is outside of the roots.
    repository: Option<Surroundings>,
}

/// The `review_working_tree` tool.
pub(super) async fn review(
    settings: &Settings,
    engines: &Engines,
    arguments: Map<String, Value>,
    (client, listener): (&Client, &mut Listener),
) -> Result<Answer, Error> {
    let arguments: ReviewWorkingTree = arguments::read(arguments)?;
    let language = arguments::language(arguments.language.as_deref())?;
    let min_confidence = arguments::confidence(arguments.min_confidence)?;
    let message = arguments::description(arguments.change_description)?;
    let page = arguments::page(arguments.cursor.as_deref(), arguments.limit)?;
    let change = change(arguments.base, arguments.staged)?;
    let roots = Roots::of(client).await?;
    let folder = roots.resolve(arguments.path.as_deref())?;
    let (limits, looks_up) = (settings.limits.clone(), settings.looks_up());
    let wanted = arguments.untracked.unwrap_or(true);
    let find = tokio::task::spawn_blocking(move || {
        find(&folder, (&change, wanted), &roots, (&limits, looks_up))
    });
    let found = find.await.map_err(Error::failure)??;
    let project = found.texts.check(settings.workers).await?;
    let message = message.as_deref();
    let repository = found.repository.as_ref().map(|around| around as _);
    let analysis = Analysis {
        settings,
        policy: &project.policy,
        language,
        min_confidence,
        message,
        repository,
    };
    let answer =
        with_rules_of(&project, &analysis, engines, (&found.input, page), listener).await?;
    Ok(with_untracked(answer, found.untracked))
}

fn change(base: Option<String>, staged: bool) -> Result<Change, Error> {
    match (base, staged) {
        (Some(_), true) => Err(Error::usage(
            "base and staged cannot be combined: pass only one of them",
        )),
        (Some(revision), false) => Ok(Change::Since(revision)),
        (None, true) => Ok(Change::Staged),
        (None, false) => Ok(Change::Uncommitted),
    }
}

/// Reads the change. Only the folder and its subfolders are considered, even if the checkout is larger.
fn find(
    folder: &Path,
    (change, untracked): (&Change, bool),
    roots: &Roots,
    (limits, looks_up): (&server::Limits, bool),
) -> Result<Found, Error> {
    let git = Git::open_for_review(folder)?.below_folder();
    let top = roots.top(&git);
    let commit = match change {
        Change::Since(revision) if top.is_some() => Some(git.at_merge_base(revision)?),
        _ => None,
    };
    let state = commit
        .as_ref()
        .map_or(State::Checkout(top.as_deref()), State::Commit);
    if commit.is_none() && top.is_some() {
        git.start_marks();
    }
    let texts = Sources::default().read(state)?;
    let skips = Sources::default().skips(Some(&texts), state);
    let (mut input, left_out) = match (change, untracked) {
        // Untracked files are not staged.
        (Change::Staged, _) => (of_checkout(&git, change, &skips, limits)?, 0),
        (_, true) => (of_checkout_with_untracked(&git, change, &skips, limits)?, 0),
        (_, false) => (
            of_checkout(&git, change, &skips, limits)?,
            git.untracked()?.count(),
        ),
    };
    if commit.is_some() {
        let changes = Sources::default().changes(&texts, state, top.as_deref(), &BTreeSet::new());
        input.warnings.extend(changes::warning(&changes, state));
    }
    let repository = top.and_then(|_| {
        Surroundings::of(
            &git,
            change,
            Access {
                model: looks_up,
                rules: true,
            },
        )
    });
    Ok(Found {
        input,
        untracked: left_out,
        texts,
        repository,
    })
}

/// A repository with custom rules gets separate workers.
async fn with_rules_of(
    project: &Project,
    analysis: &Analysis<'_>,
    engines: &Engines,
    (input, page): (&Input, Page),
    listener: &mut Listener,
) -> Result<Answer, Error> {
    let asked = (ToolName::ReviewWorkingTree, page);
    if project.files.is_empty() {
        return review::run(analysis, engines, input, asked, listener).await;
    }
    let engines = engines::start_for(input.text().len(), analysis.settings, &project.files)?;
    let answer = review::run(analysis, &engines, input, asked, listener).await;
    engines.stop().await;
    answer
}

/// Adds the number of untracked files, which are not part of the review.
fn with_untracked(mut answer: Answer, untracked: usize) -> Answer {
    if let Some(object) = answer.data.as_object_mut() {
        object.insert(UNTRACKED.to_owned(), untracked.into());
    }
    if untracked > 0 {
        let note = format!(
            "untracked\t{untracked} not reviewed; omit `untracked: false` to review them\n"
        );
        answer.text.insert_str(0, &note);
    }
    answer
}
