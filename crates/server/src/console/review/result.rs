//! The result of a review as a fragment of a page.

use askama::Template;
use review::output::json::{Metadata, ReviewBody, WarningBody};
use review::output::{Coverage, counted, left_out, model_failure, remarks, sent};
use review::{Category, Diff, Language, Priority};

use super::diff_view::{FileView, FolderView, files, tree};
use super::downloads::{self, Download};
use super::finding_view::{FindingView, in_words};
use crate::rule_pages::RulePages;
use crate::web::shown::Shown;

#[derive(Template)]
#[template(path = "review/result.html")]
struct ResultView<'a> {
    title: String,
    priorities: Vec<(&'static str, usize)>,
    categories: Vec<(&'static str, String, usize)>,
    chunks: String,
    milliseconds: u64,
    reviewers: String,
    /// A summary of the data sent to language models.
    sent: Option<String>,
    request_id: &'a str,
    nothing_reviewed: bool,
    left_out: Vec<Note<'a>>,
    /// Parts that the rules reviewed and the language model did not.
    left_out_by_model: Vec<Note<'a>>,
    remarks: Vec<Note<'a>>,
    folders: Vec<FolderView<'a>>,
    files: Vec<FileView<'a>>,
    lost: Vec<FindingView<'a>>,
    downloads: Vec<Download>,
}

/// Something that the review skipped or could not do.
struct Note<'a> {
    path: Option<Shown<'a>>,
    message: Shown<'a>,
}

impl<'a> From<&'a WarningBody> for Note<'a> {
    fn from(warning: &'a WarningBody) -> Self {
        Self {
            path: warning.file_path.as_deref().map(Shown),
            message: Shown(&warning.message),
        }
    }
}

/// Which reviewers reviewed how much of the change.
fn reviewers(body: &ReviewBody) -> String {
    let Metadata {
        model,
        chunks_by_model,
        chunks_analyzed,
        ..
    } = &body.metadata;
    let Some(model) = model else {
        return "by the rules".to_owned();
    };
    match model_failure(body) {
        Some(reason) => format!("by the rules only: the language model failed ({reason})"),
        None if *chunks_analyzed > 0 && *chunks_by_model == 0 => {
            "by the rules only: the budget of language-model tokens is used up".to_owned()
        }
        None if chunks_by_model < chunks_analyzed => {
            format!("by the rules, and in part by {model}")
        }
        None => format!("by the rules and {model}"),
    }
}

/// The numbers of findings and files. A suppressed finding is not a finding, but not nothing either.
fn title(body: &ReviewBody, files: usize) -> String {
    let (findings, files) = (
        counted(body.findings.len(), "finding"),
        counted(files, "file"),
    );
    match body.metadata.suppressed_findings.len() {
        0 => format!("{findings} in {files}"),
        n => {
            let suppressed = counted(n, "suppressed finding");
            format!("{findings} and {suppressed} in {files}")
        }
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
        (
            priority.as_str(),
            body.shown_findings()
                .filter(|finding| finding.priority == *priority)
                .count(),
        )
    };
    let of_category = |category: &Category| {
        let count = body
            .shown_findings()
            .filter(|finding| finding.category == *category)
            .count();
        (category.as_str(), in_words(category.as_str()), count)
    };
    let result = ResultView {
        title: title(body, files.len()),
        priorities: Priority::ALL
            .iter()
            .map(of_priority)
            .filter(|(_, count)| *count > 0)
            .collect(),
        categories: Category::ALL
            .iter()
            .map(of_category)
            .filter(|(_, _, count)| *count > 0)
            .collect(),
        chunks: counted(
            usize::try_from(body.metadata.chunks_analyzed).unwrap_or(usize::MAX),
            "part",
        ),
        milliseconds: body.metadata.processing_ms,
        reviewers: reviewers(body),
        sent: sent(body),
        request_id: &body.request_id,
        nothing_reviewed: Coverage::of(body) == Coverage::Nothing,
        left_out: left_out(body)
            .filter(|warning| !warning.model_only)
            .map(Note::from)
            .collect(),
        left_out_by_model: left_out(body)
            .filter(|warning| warning.model_only)
            .map(Note::from)
            .collect(),
        remarks: remarks(body).map(Note::from).collect(),
        folders: tree(&files),
        files,
        lost,
        downloads: downloads::of(body, diff, rules),
    };
    result.render().unwrap_or_else(|error| {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "a review was not rendered"
        );
        String::new()
    })
}

#[cfg(test)]
#[path = "../../../../review/src/output/tests/properties.rs"]
mod properties;

#[cfg(test)]
mod tests {
    use review::Diff;
    use review::output::json::{ReviewBody, WarningBody};
    use serde_json::json;

    use super::{properties, render};

    const DIFF: &str = "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n a\n+b\n";

    /// The result of a review in two parts, of which the model reviewed this many. Each warning concerns only the model
    /// or not.
    fn page(model: Option<&str>, by_model: u64, warnings: &[(&str, &str, bool)]) -> String {
        let body = json!({ "requestId": "r", "clientReference": null, "findings": [], "metadata": {
            "processingMs": 7, "chunksAnalyzed": 2, "warnings": [], "engines": ["rules"], "model": model,
            "tokenUsage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0, "estimated": false },
        } });
        let mut body: ReviewBody = serde_json::from_value(body).unwrap();
        body.metadata.chunks_by_model = by_model;
        let warning = |(code, message, model_only): &(&str, &str, bool)| WarningBody {
            code: (*code).to_owned(),
            message: (*message).to_owned(),
            file_path: None,
            model_only: *model_only,
        };
        body.metadata.warnings = warnings.iter().map(warning).collect();
        render(&body, &Diff::parse(DIFF).unwrap(), None, None)
    }

    #[test]
    fn the_head_shows_the_reviewers_and_why_the_model_failed() {
        let failed = (
            "MODEL_FAILED",
            "the language model reviewed nothing: it did not finish in time",
            true,
        );
        let spent = (
            "TOKEN_BUDGET_REACHED",
            "this part was not reviewed by the language model",
            true,
        );
        for (model, by_model, warnings, expected) in [
            (None, 0, &[][..], "by the rules."),
            (Some("m<1>"), 2, &[], "by the rules and m&#60;1&#62;."),
            (Some("m"), 1, &[spent], "by the rules, and in part by m."),
            (
                Some("m"),
                0,
                &[failed],
                "by the rules only: the language model failed (it did not finish in time).",
            ),
            (
                Some("m"),
                0,
                &[spent, spent],
                "by the rules only: the budget of language-model tokens is used up.",
            ),
        ] {
            let page = page(model, by_model, warnings);
            assert!(
                page.contains(&format!("2 parts reviewed in 7 ms {expected}")),
                "{expected}: {page}"
            );
        }
    }

    #[test]
    fn parts_not_reviewed_by_the_model_have_their_own_section() {
        const BOTH: &str = "<h2 id=\"left-out\">Not reviewed</h2>";
        const MODEL: &str = "<h2 id=\"left-out-by-model\">Not reviewed by the language model</h2>";
        let headings = |warnings: &[_]| {
            let page = page(Some("m"), 1, warnings);
            (page.contains(BOTH), page.contains(MODEL))
        };
        let (rules, model) = (
            ("CHUNK_FAILED", "why", false),
            ("CHUNK_FAILED", "why", true),
        );
        assert_eq!(headings(&[]), (false, false));
        assert_eq!(headings(&[model]), (false, true));
        assert_eq!(headings(&[rules]), (true, false));
        assert_eq!(headings(&[rules, model]), (true, true));
    }

    /// The properties that the page leaves out. It offers all of them as JSON.
    const NOT_ON_PAGE: properties::LeftOut<'_> = &[
        ("clientReference", "the page sends none"),
        ("metadata.engines[]", "the page says who reviewed how much"),
        ("metadata.testFiles[]", DOWNLOADED),
        (
            "metadata.tokenUsage.totalTokens",
            "the sum of two numbers that are shown",
        ),
        (
            "metadata.suppressedFindings[].finding.baselineState",
            "the service has no baselines",
        ),
        ("findings[].startColumn", "the finding is below its line"),
        (
            "metadata.suppressedFindings[].finding.startColumn",
            "the finding is below its line",
        ),
        ("findings[].endLine", "the finding is below its line"),
        (
            "metadata.suppressedFindings[].finding.endLine",
            "the finding is below its line",
        ),
        ("findings[].endColumn", "the finding is below its line"),
        (
            "metadata.suppressedFindings[].finding.endColumn",
            "the finding is below its line",
        ),
        ("findings[].oldLineNumber", "shown in the diff"),
        (
            "metadata.suppressedFindings[].finding.oldLineNumber",
            "shown in the diff",
        ),
        ("findings[].fingerprint", DOWNLOADED),
        (
            "metadata.suppressedFindings[].finding.fingerprint",
            DOWNLOADED,
        ),
        ("findings[].replacement.*", DOWNLOADED),
        (
            "metadata.suppressedFindings[].finding.replacement.*",
            DOWNLOADED,
        ),
    ];
    const DOWNLOADED: &str = "for programs, which read the JSON";

    #[test]
    fn the_page_shows_each_property_or_leaves_it_out_on_purpose() {
        let diff = Diff::parse(properties::DIFF).unwrap();
        let page = |value: &serde_json::Value| {
            let mut body: ReviewBody = serde_json::from_value(value.clone()).ok()?;
            body.metadata.chunks_by_model = body.metadata.chunks_analyzed;
            let page = render(&body, &diff, None, None);
            let (start, rest) = page.split_once("<p class=\"actions\">")?;
            let (_, end) = rest.split_once("</p>")?;
            Some(format!("{start}{end}"))
        };
        properties::check("the page", NOT_ON_PAGE, page);
    }
}
