//! Derives the exit status from a finished review.

use review::output::json::{ReviewBody, WarningBody};
use review::output::{Coverage, Gate, cut_before, missed, printable, unreviewed_source};

use crate::outcome::{Error, Exit, Outcome};

/// Maximum number of parts that a message names.
const NAMED: usize = 3;

/// The outcome of the run.
///
/// # Errors
/// Nothing could be reviewed, or with `strict`, not everything was. This takes precedence over the findings, which are
/// incomplete then. Or no returned finding fails the run, but one of those beyond the limit may.
pub(super) fn verdict(body: &ReviewBody, gate: Gate, strict: bool) -> Outcome {
    match Coverage::of(body) {
        Coverage::Nothing => Err(Error::failure(format!(
            "nothing was reviewed: {}",
            reasons(missed(body).collect())
        ))),
        Coverage::Part | Coverage::All if strict && unreviewed_source(body).next().is_some() => {
            let reasons = reasons(unreviewed_source(body).collect());
            Err(Error::failure(format!(
                "not all source code was reviewed, and --strict was given: {reasons}"
            )))
        }
        Coverage::Part | Coverage::All => {
            if body.findings.iter().any(|finding| gate.fails(finding)) {
                return Ok(Exit::Findings);
            }
            match cut_before(body, gate) {
                Some(cut) => Err(Error::failure(format!(
                    "the findings that were left out may fail the run, so review the change in parts: {}",
                    reason(cut)
                ))),
                None => Ok(Exit::Success),
            }
        }
    }
}

fn reasons(warnings: Vec<&WarningBody>) -> String {
    let more = warnings.len().saturating_sub(NAMED);
    let mut reasons: Vec<String> = warnings.into_iter().take(NAMED).map(reason).collect();
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    reasons.join("; ")
}

fn reason(warning: &WarningBody) -> String {
    let place = warning
        .file_path
        .as_deref()
        .map(|path| format!("{path}: "))
        .unwrap_or_default();
    printable(&format!("{place}{} [{}]", warning.message, warning.code)).replace('\n', " ")
}
