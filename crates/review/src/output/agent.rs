//! For coding agents: one line per finding, then the parts not reviewed, then a summary line.
//!
//! The fields of a line are separated by tabs: place, priority, rule, problem, fix, related places. The size is bounded,
//! because the whole text enters a context window.

use crate::diff::Diff;
use crate::output::counts::{self, counted};
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::left_out::left_out;
use crate::output::place::{in_new_file, other_places, remark};
use crate::output::rule_name::rule_name;
use crate::output::text::{clip, plain};

/// Maximum number of lines for findings, and for parts that were not reviewed.
const LINES: usize = 100;
/// Maximum length of a field, in characters.
const FIELD: usize = 400;

/// The review, one line per finding.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let left_out: Vec<&WarningBody> = left_out(body).collect();
    let mut lines: Vec<String> = body
        .open_findings()
        .take(LINES)
        .map(|one| finding(one, diff))
        .collect();
    lines.extend(more(body.open_findings().count(), "finding"));
    let suppressed = &body.metadata.suppressed_findings;
    lines.extend(suppressed.iter().take(LINES).map(|one| finding(one, diff)));
    lines.extend(more(suppressed.len(), "suppressed finding"));
    lines.extend(left_out.iter().take(LINES).map(|one| missed(one)));
    lines.extend(more_parts(left_out.len()));
    lines.push(sum(body, diff));
    lines.join("\n") + "\n"
}

/// The line of a finding.
#[must_use]
pub fn finding(finding: &FindingBody, diff: &Diff<'_>) -> String {
    let place = in_new_file(finding, diff);
    let remark = remark(finding)
        .map(|remark| format!(" ({})", field(&remark)))
        .unwrap_or_default();
    let mut fields = vec![
        inert(format!("{}:{}", field(place.path), place.line)),
        finding.priority.to_string(),
        field(&rule_name(finding)),
        field(&finding.summary) + &remark,
    ];
    fields.extend(
        finding
            .suggested_fix
            .as_deref()
            .map(|fix| format!("fix: {}", field(fix))),
    );
    fields.extend(other_places(finding).map(|also| field(&also)));
    let prefix = if finding.suppression.is_some() {
        "suppressed\t"
    } else {
        ""
    };
    format!("{prefix}{}", fields.join("\t"))
}

/// The line of a part that was not reviewed.
#[must_use]
pub fn missed(warning: &WarningBody) -> String {
    let place = warning
        .file_path
        .as_deref()
        .map_or_else(|| "the change".to_owned(), field);
    format!(
        "not reviewed\t{place}\t{} [{}]",
        field(&warning.message),
        field(&warning.code)
    )
}

fn more(count: usize, noun: &str) -> Option<String> {
    let more = count.checked_sub(LINES).filter(|more| *more > 0)?;
    Some(format!(
        "more\t{}; the json format has them all",
        counted(more, noun)
    ))
}

fn more_parts(count: usize) -> Option<String> {
    let more = count.checked_sub(LINES).filter(|more| *more > 0)?;
    Some(format!(
        "more\t{} not reviewed; the json format has them all",
        counted(more, "part")
    ))
}

/// The last line: counts, and whether the language model failed.
#[must_use]
pub fn sum(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let (findings, left_out) = (counts::findings(body), left_out(body).count());
    let failed = counts::rules_only(body)
        .map(|why| format!(", {why}"))
        .unwrap_or_default();
    format!(
        "sum\t{findings} in {}, {left_out} not reviewed{failed}",
        counts::files(body, diff)
    )
}

fn field(text: &str) -> String {
    clip(&plain(text), FIELD)
}

/// The start of a line must not be read as a workflow command, which begins with two colons.
fn inert(place: String) -> String {
    if place.trim_start().starts_with("::") {
        format!("./{place}")
    } else {
        place
    }
}
