//! reviewdog's diagnostic format: a JSON object a line.

use serde_json::{Value, json};

use crate::diff::Diff;
use crate::finding::Priority;
use crate::output::json::{FindingBody, ReviewBody};
use crate::output::place::in_new_file;
use crate::output::rule_name::rule_name;
use crate::output::text::scrub;

/// The review as diagnostics, for `reviewdog -f=rdjsonl`.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    body.findings.iter().map(|finding| format!("{}\n", diagnostic(finding, diff))).collect()
}

fn diagnostic(finding: &FindingBody, diff: &Diff<'_>) -> Value {
    let place = in_new_file(finding, diff);
    let fix = finding.suggested_fix.as_deref().map(|fix| format!("\n{fix}")).unwrap_or_default();
    json!({
        "message": scrub(&format!("{}{fix}", finding.summary)),
        "location": { "path": place.path, "range": { "start": { "line": place.line } } },
        "severity": severity(finding.priority),
        "source": { "name": "hunkwise" },
        "code": { "value": rule_name(finding) },
    })
}

fn severity(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 | Priority::P1 => "ERROR",
        Priority::P2 => "WARNING",
        Priority::P3 => "INFO",
    }
}
