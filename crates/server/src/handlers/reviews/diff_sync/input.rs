//! The diff and the other properties of a request: their shape is checked first, then the payload limits.

use axum::body::Body;
use axum::http::request::Parts;
use review::classify::counts_as_file;
use review::repository::RequestRepository;
use review::{Budget, Diff, Language, MAX_DESCRIPTION_CHARS, OwnedDiff, Unread, review_bytes};

use super::context::{self, Changed, GivenContext};
use crate::error::{Code, Problem};
use crate::extract::json::{self, Fields, Hold};
use crate::extract::{Input, MediaType, no_parameters};
use crate::{Limits, State};

/// A diff whose lines exceed the limit by this factor is not even parsed: a parsed line takes more memory than its
/// text.
const PARSED_LINES_FACTOR: usize = 4;

/// The body, and the objects of its lists.
const DEPTH: u8 = 2;

/// A checked request.
pub(crate) struct ReviewInput {
    pub(super) diff: OwnedDiff,
    /// `None` for `auto`.
    pub(crate) target_language: Option<Language>,
    /// Whether each hunk contains all of its file.
    pub(crate) has_whole_files: bool,
    pub(super) client_reference: Option<String>,
    /// The purpose of the change.
    pub(super) change_description: Option<String>,
    /// The repository around the change, as far as the request describes it.
    pub(super) repository: RequestRepository,
    /// The budget of the whole request.
    pub(super) budget: Budget,
    _hold: Option<Hold>,
}

impl Input for ReviewInput {
    const OFFERS: &'static [MediaType] = &[MediaType::Json, MediaType::EventStream];

    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let (input, hold) =
            json::read_to_depth(DEPTH, parts, body, state, no_parameters(parts), parse).await?;
        Ok(Self {
            _hold: Some(hold),
            ..input
        })
    }
}

impl ReviewInput {
    /// Maximum memory of the review, in bytes.
    pub(super) fn review_bytes(&self) -> usize {
        review_bytes(self.diff.text().len()).saturating_add(self.repository.bytes())
    }

    /// The request in a tool's arguments or a form's fields. `changed`: the handling of context files that are files of
    /// the diff. `has_whole_files`: whether each hunk contains all of its file.
    pub(crate) async fn of_fields(
        mut fields: Fields,
        hold: Hold,
        (changed, has_whole_files): (Changed, bool),
        state: &State,
    ) -> Result<Self, Problem> {
        let limits = state.limits().clone();
        let input = json::off_thread(move || {
            let context = context::take_files(&mut fields, changed);
            parse_with(fields, "language", (context, has_whole_files), &limits)
        })
        .await?;
        Ok(Self {
            _hold: Some(hold),
            ..input
        })
    }
}

fn parse(mut fields: Fields, limits: &Limits) -> Result<ReviewInput, Problem> {
    let client_reference = short_text(
        &mut fields, "clientReference", limits.client_reference_characters,
    );
    let has_whole_files = has_whole_files(&mut fields);
    let context = context::take(&mut fields);
    let parsed = parse_with(fields, "targetLanguage", (context, has_whole_files), limits)?;
    Ok(ReviewInput {
        client_reference,
        ..parsed
    })
}

fn parse_with(
    mut fields: Fields,
    language: &'static str,
    (context, has_whole_files): (GivenContext, bool),
    limits: &Limits,
) -> Result<ReviewInput, Problem> {
    let text = diff_text(&mut fields);
    let target_language = target_language(&mut fields, language);
    let change_description = short_text(&mut fields, "changeDescription", MAX_DESCRIPTION_CHARS);
    let bytes = text.as_ref().map_or(0, String::len);
    let lines = text.as_deref().map_or(0, count_lines);
    if fields.is_sound() && lines > limits.diff_lines.saturating_mul(PARSED_LINES_FACTOR) {
        return Err(too_many_lines(lines, limits));
    }
    let diff = match text.map(|text| OwnedDiff::parse_within(text, fields.budget())) {
        Some(Ok(diff)) => Some(diff),
        Some(Err(Unread::Invalid(error))) => {
            fields.fault(
                "diff",
                format!(
                    "line {} is not part of a unified diff: {}",
                    error.line, error.reason
                ),
            );
            None
        }
        Some(Err(Unread::Spent(spent))) => {
            return Err(Problem::new(Code::AnalysisTimeout, spent.to_string()));
        }
        None => None,
    };
    let parsed = diff.as_ref().map(OwnedDiff::diff);
    let repository = context::check(context, parsed, has_whole_files, &mut fields);
    let budget = fields.budget().clone();
    let diff = fields.finish(diff)?;
    check_limits(
        bytes,
        lines,
        repository.bytes(),
        diff.diff(),
        target_language,
        limits,
    )?;
    Ok(ReviewInput {
        diff,
        target_language,
        has_whole_files,
        client_reference: None,
        change_description,
        repository,
        budget,
        _hold: None,
    })
}

fn diff_text(fields: &mut Fields) -> Option<String> {
    let text = fields.required_text("diff")?;
    if text.trim().is_empty() {
        fields.fault("diff", "must not be blank");
        return None;
    }
    Some(text)
}

/// Takes the language of a property; `None` for `auto`.
pub(crate) fn target_language(fields: &mut Fields, property: &'static str) -> Option<Language> {
    let name = fields.optional_text(property)?;
    if name.trim().eq_ignore_ascii_case("auto") {
        return None;
    }
    let found = Language::find(&name);
    if found.is_none() {
        let near: Vec<String> = Language::nearest(&name)
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; near it are {}", near.join(", "))
        };
        fields.fault(
            property,
            format!("is not a language known to GitHub Linguist, and not `auto`{hint}"),
        );
    }
    found
}

/// Whether each hunk contains all of its file.
fn has_whole_files(fields: &mut Fields) -> bool {
    match fields.optional_text("diffContext").as_deref() {
        None | Some("hunks") => false,
        Some("files") => true,
        Some(_) => {
            fields.fault("diffContext", "must be `hunks` or `files`");
            false
        }
    }
}

fn short_text(fields: &mut Fields, property: &'static str, limit: usize) -> Option<String> {
    let text = fields.optional_text(property)?;
    let characters = text.chars().count();
    if characters > limit {
        fields.fault(
            property,
            format!("must have at most {limit} characters, not {characters}"),
        );
    }
    Some(text)
}

fn check_limits(
    bytes: usize,
    lines: usize,
    context_bytes: usize,
    diff: &Diff<'_>,
    language: Option<Language>,
    limits: &Limits,
) -> Result<(), Problem> {
    if bytes > limits.diff_bytes {
        return Err(Problem::too_large(
            "diffBytes",
            format!("{} bytes", limits.diff_bytes),
            format!("{bytes} bytes"),
        ));
    }
    if lines > limits.diff_lines {
        return Err(too_many_lines(lines, limits));
    }
    let memory = review_bytes(bytes).saturating_add(context_bytes);
    if let Some(limit) = limits.review_memory.filter(|limit| memory > *limit) {
        let sent = format!("a change whose review needs {memory} bytes");
        return Err(Problem::too_large(
            "reviewMemory",
            format!("{limit} bytes"),
            sent,
        ));
    }
    let extent = diff.extent();
    // Classifying files takes longer than counting them.
    let is_in_doubt = extent.files > limits.diff_files;
    let files = if is_in_doubt {
        diff.files
            .iter()
            .filter(|file| counts_as_file(file, language))
            .count()
    } else {
        0
    };
    if files > limits.diff_files {
        return Err(Problem::too_large(
            "diffFiles",
            format!("{} files", limits.diff_files),
            format!("{files} files"),
        ));
    }
    limits.exceeded_by(&extent).map_or(Ok(()), |beyond| {
        Err(Problem::new(Code::PayloadTooLarge, beyond.to_string()))
    })
}

fn too_many_lines(lines: usize, limits: &Limits) -> Problem {
    Problem::too_large(
        "diffLines",
        format!("{} lines", limits.diff_lines),
        format!("{lines} lines"),
    )
}

/// Lines as an editor counts them, including an unterminated last one.
fn count_lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count() + usize::from(!text.ends_with('\n'))
}
