//! reviewdog's diagnostic format: one JSON object per line.

use serde_json::{Value, json};

use crate::diff::Diff;
use crate::finding::Priority;
use crate::output::json::{FindingBody, ReplacementBody, ReviewBody};
use crate::output::place::{Place, byte_column, in_new_file, suppressed_by};
use crate::output::rule_name::rule_name;
use crate::output::text::scrub;

/// The review as diagnostics, for `reviewdog -f=rdjsonl`.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    body.shown_findings()
        .map(|finding| format!("{}\n", diagnostic(finding, diff)))
        .collect()
}

fn diagnostic(finding: &FindingBody, diff: &Diff<'_>) -> Value {
    let place = in_new_file(finding, diff);
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!("\n{fix}"))
        .unwrap_or_default();
    let suppressed = suppressed_by(finding)
        .map(|by| format!("\n({}, {by})", finding.priority))
        .unwrap_or_default();
    let mut diagnostic = json!({
        "message": scrub(&format!("{}{fix}{suppressed}", finding.summary)),
        "location": { "path": place.path, "range": range(finding, place, diff) },
        "severity": if finding.suppression.is_some() { "INFO" } else { severity(finding.priority) },
        "source": { "name": "hunkwise" },
        "code": { "value": rule_name(finding) },
    });
    if let Some(suggestion) = finding
        .replacement
        .as_ref()
        .and_then(|edit| suggestion(finding, edit, diff))
    {
        diagnostic["suggestions"] = json!([suggestion]);
    }
    diagnostic
}

fn suggestion(finding: &FindingBody, edit: &ReplacementBody, diff: &Diff<'_>) -> Option<Value> {
    let start = byte_column(finding, diff, (edit.start_line, edit.start_column))?;
    let end = byte_column(finding, diff, (edit.end_line, edit.end_column))?;
    Some(json!({
        "range": {
            "start": { "line": edit.start_line, "column": start },
            "end": { "line": edit.end_line, "column": end },
        },
        "text": edit.text,
    }))
}

/// reviewdog counts bytes, so columns that cannot be converted with the diff are omitted.
fn range(finding: &FindingBody, place: Place<'_>, diff: &Diff<'_>) -> Value {
    let columns = place.range.and_then(|range| {
        let start = byte_column(finding, diff, (place.line, range.start_column))?;
        Some((
            range.end_line,
            start,
            byte_column(finding, diff, (range.end_line, range.end_column))?,
        ))
    });
    match columns {
        None => json!({ "start": { "line": place.line } }),
        Some((end_line, start, end)) => json!({
            "start": { "line": place.line, "column": start },
            "end": { "line": end_line, "column": end },
        }),
    }
}

fn severity(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 | Priority::P1 => "ERROR",
        Priority::P2 => "WARNING",
        Priority::P3 => "INFO",
    }
}
