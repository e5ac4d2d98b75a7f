//! Reviews one document and locates the findings in its text.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use git::Git;
use git::repository::{Access, Surroundings};
use review::output::json::{FindingBody, ReviewBody};
use review::output::{Range, in_new_file, related_in_new_file};
use review::{Diff, Language, WarningCode};

use super::change::{self, Change};
use super::repositories::{Repositories, Repository};
use crate::analysis::input::Input;
use crate::analysis::{self, Analysis};
use crate::outcome::Error;

/// A document to review.
pub(super) struct Job {
    pub(super) file: PathBuf,
    pub(super) text: Arc<str>,
    /// The editor's name for the language.
    pub(super) language: String,
    /// The revision to compare with instead of HEAD.
    pub(super) base: Option<String>,
}

/// A reviewed text.
#[derive(Clone)]
pub(super) struct Reviewed {
    pub(super) text: Arc<str>,
    /// The language of the file, if known.
    pub(super) language: Option<Language>,
    pub(super) findings: Vec<Located>,
}

/// A finding and its place in the text.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub(super) finding: FindingBody,
    /// The line, from 1.
    pub(super) line: u32,
    /// The code on it, if known.
    pub(super) range: Option<Range>,
    /// The lines of the related places.
    pub(super) related: Vec<u32>,
    /// The URI of its rule's page.
    pub(super) page: Option<String>,
}

/// The result of a review.
pub(super) struct Outcome {
    pub(super) findings: Vec<Located>,
    /// A message for the log.
    pub(super) log: Option<String>,
    /// A message for the user: why there was no review, or a different one than requested.
    pub(super) failure: Option<String>,
}

impl Outcome {
    fn of(findings: Vec<Located>) -> Self {
        Self {
            findings,
            log: None,
            failure: None,
        }
    }

    fn without(nothing: change::Nothing) -> Self {
        match nothing {
            change::Nothing::Unchanged => Self::of(Vec::new()),
            change::Nothing::Because(why) => Self {
                log: Some(why),
                ..Self::of(Vec::new())
            },
            change::Nothing::Failed(why) => Self {
                failure: Some(why),
                ..Self::of(Vec::new())
            },
        }
    }
}

/// The language of a file, by its path, its first line, or the editor's name for it.
pub(super) fn language_of(path: &str, text: &str, editors: &str) -> Option<Language> {
    let by_path = Language::of_path(path, || text.to_owned());
    let by_line = || Language::of_shebang(text.lines().next().unwrap_or_default());
    by_path.or_else(by_line).or_else(|| Language::find(editors))
}

/// Reviews the changes of a document. Dropping the future ends the work.
pub(super) async fn review(repositories: &Repositories, job: Job) -> Outcome {
    let (limit, language) = (
        repositories.settings().limits.diff_bytes,
        Language::find(&job.language),
    );
    let find = move || change::of(&job.file, &job.text, job.base.as_deref(), limit);
    let (git, change) = match tokio::task::spawn_blocking(find).await {
        Ok(Ok(found)) => found,
        Ok(Err(nothing)) => return Outcome::without(nothing),
        Err(error) => return Outcome::without(change::Nothing::Failed(error.to_string())),
    };
    let reviewed = match repositories.at(&change.top, &change.texts).await {
        Ok(repository) => run(repositories, &repository, (&git, &change), language)
            .await
            .map_err(|error| error.message),
        Err(error) => Err(error),
    };
    reviewed.unwrap_or_else(|why| Outcome::without(change::Nothing::Failed(why)))
}

async fn run(
    repositories: &Repositories,
    repository: &Repository,
    (git, change): (&Git, &Change),
    language: Option<Language>,
) -> Result<Outcome, Error> {
    let (started, settings) = (Instant::now(), repositories.settings());
    let policy = &repository.project.policy;
    let access = Access {
        model: settings.looks_up(),
        rules: true,
    };
    let list = repositories.list_of(&change.top);
    let surroundings = || {
        Surroundings::of(git, &git::Change::Uncommitted, access)
            .map(|around| around.with_list(&list))
    };
    let analysis = Analysis {
        settings,
        policy,
        language,
        min_confidence: None,
        message: None,
        repository: None,
    };
    let input = Input::of(
        change.path.clone(),
        change.diff.clone().into_bytes(),
        &settings.limits,
    )?;
    let input = input.of_text(change.text.clone());
    let mut diff = change.parse(&input, &settings.limits)?;
    let warnings = analysis.cut(&mut diff);
    let files = input.with_files(&diff, language);
    let review = async |around: Option<&Surroundings>| {
        let analysis = Analysis {
            repository: around.map(|around| around as _),
            ..analysis
        };
        analysis.run(&repository.engines, &files, &mut |_| {}).await
    };
    let around = surroundings();
    let mut reviewed = review(around.as_ref()).await?;
    // Otherwise a file that was created since the list was read could be reported as missing.
    if !reviewed.findings.is_empty()
        && let Some(around) = &around
        && around.has_outdated_list().await
    {
        reviewed = review(surroundings().as_ref()).await?;
    }
    let body = analysis::body(warnings, reviewed, started);
    let address = |rule: &str| repositories.rule_pages().address(rule, &repository.project);
    let (log, findings) = (left_out(&body, &change.path), located(body, &diff, address));
    Ok(Outcome {
        findings,
        log,
        failure: change.without_base.clone(),
    })
}

/// The log message for a file that was too large to review.
fn left_out(body: &ReviewBody, path: &str) -> Option<String> {
    let too_large = WarningCode::FileSkippedTooLarge.as_str();
    let warning = body
        .metadata
        .warnings
        .iter()
        .find(|warning| warning.code == too_large)?;
    Some(format!("{path}: {}", warning.message))
}

fn located(
    body: ReviewBody,
    diff: &Diff<'_>,
    address: impl Fn(&str) -> Option<String>,
) -> Vec<Located> {
    // The page of a rule is looked up once, even if the rule has several findings.
    let mut pages: HashMap<String, Option<String>> = HashMap::new();
    let mut page = |rule: &str| {
        pages
            .entry(rule.to_owned())
            .or_insert_with(|| address(rule))
            .clone()
    };
    let locate = |finding: FindingBody| {
        let (line, range) = {
            let place = in_new_file(&finding, diff);
            (place.line, place.range)
        };
        let related = finding
            .related_locations
            .iter()
            .map(|one| related_in_new_file(one, diff).line)
            .collect();
        let page = finding.rule_id.as_deref().and_then(&mut page);
        Located {
            finding,
            line,
            range,
            related,
            page,
        }
    };
    body.findings.into_iter().map(locate).collect()
}
