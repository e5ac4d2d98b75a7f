//! SARIF 2.1.0, within the limits of GitHub's code scanning.
//!
//! The log is built as JSON values. `serde-sarif` would add about forty crates for its generated types, and its builders do
//! not support GitHub's properties, which are half of the output.

mod level;
mod rules;
mod uri;

use serde_json::{Value, json};

use crate::finding::Reference;
use crate::output::json::{
    BaselineState, FindingBody, RelatedLocation, ReplacementBody, WarningBody,
};
use crate::output::left_out::{Coverage, left_out};
use crate::output::place::{Place, in_new_file, related_in_new_file, remark};
use crate::output::rule_name::rule_name;
use crate::output::subject::Subject;
use crate::output::text::scrub;
use crate::output::unique::Unique;
use level::level;
use rules::Rules;
use uri::{ROOT, location_of};

/// The number of results that GitHub reads per run.
const MAX_RESULTS: usize = 25_000;
/// Our own key: GitHub's uploader computes `primaryLocationLineHash` itself and warns about any other value.
const FINGERPRINT: &str = "hunkwise/v1";
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The review as a SARIF log.
#[must_use]
pub fn render(subject: &Subject<'_>) -> String {
    let mut rules = Rules::new(subject.rules);
    let suppressed = &subject.body.metadata.suppressed_findings;
    let findings = subject
        .body
        .findings
        .iter()
        .chain(suppressed)
        .take(MAX_RESULTS);
    let mut fingerprints = Unique::default();
    let mut results = Vec::new();
    for finding in findings {
        results.push(result(
            finding,
            subject,
            &mut rules,
            &fingerprints.name(&finding.fingerprint),
        ));
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(rules) },
            "invocations": [invocation(subject)],
            "originalUriBaseIds": { ROOT: { "description": { "text": "The root of the repository." } } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn driver(rules: Rules<'_>) -> Value {
    json!({
        "name": "Hunkwise",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.into_list(),
    })
}

fn result(
    finding: &FindingBody,
    subject: &Subject<'_>,
    rules: &mut Rules<'_>,
    fingerprint: &str,
) -> Value {
    let place = in_new_file(finding, subject.diff);
    let mut result = json!({
        "ruleId": rule_name(finding),
        "ruleIndex": rules.index_of(finding),
        "level": level(finding.priority),
        "rank": (finding.confidence * 1_000.0).round() / 10.0,
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": location_of(place.path),
            "region": region(place),
        } }],
        "partialFingerprints": { FINGERPRINT: fingerprint },
        "properties": {
            "priority": finding.priority,
            "category": finding.category,
            "confidence": finding.confidence,
            "lineSide": finding.line_side,
        },
    });
    let mut others: Vec<Value> = finding
        .related_locations
        .iter()
        .map(|one| related(one, subject))
        .collect();
    others.extend(finding.references.iter().map(reference));
    for (id, other) in (1..).zip(&mut others) {
        other["id"] = json!(id);
    }
    if !others.is_empty() {
        result["relatedLocations"] = json!(others);
    }
    if let Some(edit) = &finding.replacement {
        result["fixes"] = json!([fix(finding, edit, place.path)]);
    }
    if let Some(state) = finding.baseline_state {
        result["baselineState"] = json!(match state {
            BaselineState::New => "new",
            BaselineState::Unchanged => "unchanged",
        });
    }
    if let Some(comment) = &finding.suppression {
        result["suppressions"] = json!([{
            "kind": "inSource",
            "status": "accepted",
            "justification": inert(&comment.reason),
            "location": { "physicalLocation": {
                "artifactLocation": location_of(place.path),
                "region": { "startLine": comment.line_number },
            } },
        }]);
    }
    if finding.is_in_baseline() {
        let why = "The baseline has this finding.";
        result["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": why }]);
    }
    result
}

fn fix(finding: &FindingBody, edit: &ReplacementBody, path: &str) -> Value {
    let mut fix = json!({
        "artifactChanges": [{
            "artifactLocation": location_of(path),
            "replacements": [{
                "deletedRegion": {
                    "startLine": edit.start_line,
                    "startColumn": edit.start_column,
                    "endLine": edit.end_line,
                    "endColumn": edit.end_column,
                },
                "insertedContent": { "text": edit.text },
            }],
        }],
    });
    if let Some(text) = &finding.suggested_fix {
        fix["description"] = json!({ "text": inert(text) });
    }
    fix
}

fn region(place: Place<'_>) -> Value {
    match place.range {
        None => json!({ "startLine": place.line }),
        Some(range) => json!({
            "startLine": place.line,
            "startColumn": range.start_column,
            "endLine": range.end_line,
            "endColumn": range.end_column,
        }),
    }
}

/// A line outside the diff.
fn reference(one: &Reference) -> Value {
    json!({
        "message": { "text": "It is used here." },
        "physicalLocation": {
            "artifactLocation": location_of(&one.file_path),
            "region": { "startLine": one.line_number.max(1) },
        },
    })
}

fn related(one: &RelatedLocation, subject: &Subject<'_>) -> Value {
    let place = related_in_new_file(one, subject.diff);
    json!({
        "message": { "text": "The same defect is here." },
        "physicalLocation": {
            "artifactLocation": location_of(place.path),
            "region": region(place),
        },
    })
}

fn message(finding: &FindingBody) -> String {
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!("Fix: {fix}"));
    let parts = [
        Some(finding.summary.clone()),
        fix,
        remark(finding).map(|remark| format!("({remark})")),
    ];
    inert(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

/// SARIF's plain text turns `[text](target)` into a link; a space between the two prevents that.
fn inert(text: &str) -> String {
    scrub(text).replace("](", "] (")
}

/// The run's status: the warnings of the review, and whether results were truncated.
fn invocation(subject: &Subject<'_>) -> Value {
    let left_out: Vec<&WarningBody> = left_out(subject.body).collect();
    let warnings = subject.body.metadata.warnings.iter();
    let mut notifications: Vec<Value> = warnings
        .map(|warning| {
            notification(
                warning,
                left_out.iter().any(|one| std::ptr::eq(*one, warning)),
            )
        })
        .collect();
    let cut = (subject.body.findings.len() + subject.body.metadata.suppressed_findings.len())
        .saturating_sub(MAX_RESULTS);
    if cut > 0 {
        let message = format!(
            "{cut} findings of lower rank are not in this log: it has at most {MAX_RESULTS}"
        );
        let warning = WarningBody {
            code: "FINDINGS_TRUNCATED".to_owned(),
            message,
            file_path: None,
            model_only: false,
        };
        notifications.push(notification(&warning, true));
    }
    let successful = Coverage::of(subject.body) != Coverage::Nothing;
    json!({ "executionSuccessful": successful, "toolExecutionNotifications": notifications })
}

fn notification(warning: &WarningBody, left_out: bool) -> Value {
    let mut value = json!({
        "descriptor": { "id": warning.code },
        "level": if left_out { "warning" } else { "note" },
        "message": { "text": inert(&warning.message) },
    });
    if let Some(path) = &warning.file_path {
        value["locations"] =
            json!([{ "physicalLocation": { "artifactLocation": location_of(path) } }]);
    }
    value
}
