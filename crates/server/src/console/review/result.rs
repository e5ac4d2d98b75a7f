//! The result of a review as a part of a page.

use askama::Template;
use review::output::json::{ReviewBody, WarningBody};
use review::output::{Coverage, counted, left_out, remarks};
use review::{Category, Diff, Language, Priority};

use super::diff_view::{FileView, FolderView, files, tree};
use super::downloads::{self, Download};
use super::finding_view::{FindingView, in_words};
use crate::console::shown::Shown;
use crate::rule_pages::RulePages;

#[derive(Template)]
#[template(path = "review/result.html")]
struct ResultView<'a> {
    title: String,
    priorities: Vec<(&'static str, usize)>,
    categories: Vec<(&'static str, String, usize)>,
    chunks: u64,
    milliseconds: u64,
    model: Option<&'a str>,
    request_id: &'a str,
    nothing_reviewed: bool,
    left_out: Vec<Note<'a>>,
    remarks: Vec<Note<'a>>,
    folders: Vec<FolderView<'a>>,
    files: Vec<FileView<'a>>,
    lost: Vec<FindingView<'a>>,
    downloads: Vec<Download>,
}

/// Something that the review left out or could not do.
struct Note<'a> {
    path: Option<Shown<'a>>,
    message: Shown<'a>,
}

impl<'a> From<&'a WarningBody> for Note<'a> {
    fn from(warning: &'a WarningBody) -> Self {
        Self { path: warning.file_path.as_deref().map(Shown), message: Shown(&warning.message) }
    }
}

/// The result as HTML.
pub(super) fn render(
    body: &ReviewBody,
    diff: &Diff<'_>,
    language: Option<Language>,
    rules: Option<&RulePages>,
) -> String {
    let (files, lost) = files(diff, body, language, rules);
    let of_priority = |priority: &Priority| {
        (priority.as_str(), body.findings.iter().filter(|finding| finding.priority == *priority).count())
    };
    let of_category = |category: &Category| {
        let count = body.findings.iter().filter(|finding| finding.category == *category).count();
        (category.as_str(), in_words(category.as_str()), count)
    };
    let result = ResultView {
        title: format!("{} in {}", counted(body.findings.len(), "finding"), counted(files.len(), "file")),
        priorities: Priority::ALL.iter().map(of_priority).filter(|(_, count)| *count > 0).collect(),
        categories: Category::ALL.iter().map(of_category).filter(|(_, _, count)| *count > 0).collect(),
        chunks: body.metadata.chunks_analyzed,
        milliseconds: body.metadata.processing_ms,
        model: body.metadata.model.as_deref(),
        request_id: &body.request_id,
        nothing_reviewed: Coverage::of(body) == Coverage::Nothing,
        left_out: left_out(body).map(Note::from).collect(),
        remarks: remarks(body).map(Note::from).collect(),
        folders: tree(&files),
        files,
        lost,
        downloads: downloads::of(body, diff, rules),
    };
    result.render().unwrap_or_else(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "a review was not rendered");
        String::new()
    })
}
