//! The result in other formats, embedded in the page: nothing is stored, so it cannot be fetched later.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use review::Diff;
use review::output::json::ReviewBody;
use review::output::pretty::View;
use review::output::{Format, Gate, Subject};

use crate::rule_pages::RulePages;

/// A file to save.
pub(super) struct Download {
    /// The usual name of the format.
    pub(super) label: &'static str,
    pub(super) file: &'static str,
    /// A `data:` URL with its content.
    pub(super) url: String,
}

/// JSON, SARIF and Markdown.
pub(super) fn of(body: &ReviewBody, diff: &Diff<'_>, rules: Option<&RulePages>) -> Vec<Download> {
    let texts = |id: &str| rules.and_then(|rules| rules.text(id));
    let subject = Subject {
        body,
        diff,
        gate: Gate::OPEN,
        rules: &texts,
        // These formats do not quote lines of code.
        mask: |_, line| line.to_owned(),
    };
    let formats = [
        (Format::Json, "JSON", "review.json", "application/json"),
        (
            Format::Sarif,
            "SARIF",
            "review.sarif",
            "application/sarif+json",
        ),
        (Format::Markdown, "Markdown", "review.md", "text/markdown"),
    ];
    let download = |(format, label, file, media_type): (Format, _, _, &str)| {
        let content = STANDARD.encode(format.render(&subject, View::default()));
        Download {
            label,
            file,
            url: format!("data:{media_type};charset=utf-8;base64,{content}"),
        }
    };
    formats.map(download).into()
}
