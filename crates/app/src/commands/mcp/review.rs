//! `review_diff`, and the code that it shares with `review_working_tree`.

use std::time::Instant;

use mcp::{Answer, Page, ToolName, review_page};
use review::Diff;
use review::repository::{Repository, RequestRepository};
use serde_json::{Map, Value};
use settings::Settings;

use super::arguments::{self, ReviewDiff};
use super::context_files;
use super::progress::Listener;
use crate::analysis::input::Input;
use crate::analysis::{self, Analysis};
use crate::engines::Engines;
use crate::outcome::Error;
use crate::project::Policy;

/// The `review_diff` tool. The diff can be from anywhere, so no repository configuration applies, and only the files that
/// the client sends with it are read.
pub(super) async fn diff(
    settings: &Settings,
    engines: &Engines,
    arguments: Map<String, Value>,
    listener: &mut Listener,
) -> Result<Answer, Error> {
    let arguments: ReviewDiff = arguments::read(arguments)?;
    let input = Input::of(
        "diff".to_owned(),
        arguments.diff.into_bytes(),
        &settings.limits,
    )?;
    if input.is_empty() {
        return Err(Error::usage(
            "diff: is blank; pass a unified diff, as `git diff` prints it",
        ));
    }
    let message = arguments::description(arguments.change_description)?;
    let page = arguments::page(arguments.cursor.as_deref(), arguments.limit)?;
    let around = match arguments.context_files {
        Some(files) => context_files::repository(files, &input.parse(&settings.limits)?)?,
        None => RequestRepository::default(),
    };
    let analysis = Analysis {
        settings,
        policy: &Policy::default(),
        language: arguments::language(arguments.language.as_deref())?,
        min_confidence: arguments::confidence(arguments.min_confidence)?,
        message: message.as_deref(),
        repository: (!around.is_empty()).then_some(&around as &dyn Repository),
    };
    run(
        &analysis,
        engines,
        &input,
        (ToolName::ReviewDiff, page),
        listener,
    )
    .await
}

/// Reviews a change for a tool and returns a page of the review.
///
/// # Errors
/// The diff is invalid or exceeds the limits, or the analysis failed.
pub(super) async fn run(
    analysis: &Analysis<'_>,
    engines: &Engines,
    input: &Input,
    (tool, page): (ToolName, Page),
    listener: &mut Listener,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let limits = &analysis.settings.limits;
    let mut diff = if input.is_empty() {
        Diff { files: Vec::new() }
    } else {
        input.parse(limits)?
    };
    let mut warnings = input.warnings.clone();
    warnings.extend(analysis.cut(&mut diff));
    let work = async |sender: super::progress::Sender| {
        let mut observe = move |now| {
            sender.send_replace(Some(now));
        };
        let change = input.with_files(&diff, analysis.language);
        analysis.run(engines, &change, &mut observe).await
    };
    let body = analysis::body(warnings, listener.during(work).await?, started);
    Ok(review_page(tool, &body, &diff, page))
}
