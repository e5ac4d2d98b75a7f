//! GitLab's Code Quality report: a JSON array, `[]` without findings.

use serde_json::{Value, json};

use crate::diff::Diff;
use crate::finding::{Category, Priority};
use crate::output::json::{FindingBody, ReviewBody};
use crate::output::place::{Place, in_new_file, suppressed_by};
use crate::output::rule_name::rule_name;
use crate::output::text::scrub;
use crate::output::unique::Unique;

/// The review as a report.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let mut fingerprints = Unique::default();
    let findings = body.shown_findings();
    let issues: Vec<Value> = findings
        .map(|finding| issue(finding, diff, &fingerprints.name(&finding.fingerprint)))
        .collect();
    let mut text = serde_json::to_string_pretty(&issues).unwrap_or_default();
    text.push('\n');
    text
}

fn issue(finding: &FindingBody, diff: &Diff<'_>, fingerprint: &str) -> Value {
    let place = in_new_file(finding, diff);
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!(" {fix}"))
        .unwrap_or_default();
    let suppressed = suppressed_by(finding)
        .map(|by| format!(" ({}, {by})", finding.priority))
        .unwrap_or_default();
    json!({
        "type": "issue",
        "description": scrub(&format!("{}{fix}{suppressed}", finding.summary)),
        "check_name": rule_name(finding),
        "categories": [category(finding.category)],
        "severity": if finding.suppression.is_some() { "info" } else { severity(finding.priority) },
        "fingerprint": fingerprint,
        "location": location(place),
    })
}

/// A location has either lines or positions.
fn location(place: Place<'_>) -> Value {
    match place.range {
        None => json!({ "path": place.path, "lines": { "begin": place.line } }),
        Some(range) => json!({ "path": place.path, "positions": {
            "begin": { "line": place.line, "column": range.start_column },
            "end": { "line": range.end_line, "column": range.end_column },
        } }),
    }
}

fn severity(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 => "blocker",
        Priority::P1 => "critical",
        Priority::P2 => "major",
        Priority::P3 => "minor",
    }
}

/// The closest of Code Climate's categories.
fn category(category: Category) -> &'static str {
    match category {
        Category::Security | Category::SecretExposure => "Security",
        Category::Performance | Category::ResourceLeak => "Performance",
        Category::ApiCompatibility => "Compatibility",
        Category::Maintainability | Category::Testing | Category::Configuration => "Clarity",
        Category::LogicBug
        | Category::NullSafety
        | Category::ErrorHandling
        | Category::Concurrency
        | Category::DataIntegrity => "Bug Risk",
    }
}
