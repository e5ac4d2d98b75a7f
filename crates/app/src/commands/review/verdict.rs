//! Derives the exit status from a finished review.

use review::output::json::{ReviewBody, WarningBody};
use review::output::{Coverage, Gate, missed, printable, unreviewed_source};

use crate::outcome::{Error, Exit, Outcome};

/// Maximum number of parts that a message names.
const NAMED: usize = 3;

/// The outcome of the run.
///
/// # Errors
/// Nothing could be reviewed, or with `strict`, not everything was. This takes precedence over the findings, which are
/// incomplete then.
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
            let failing = body.findings.iter().any(|finding| gate.fails(finding));
            Ok(if failing {
                Exit::Findings
            } else {
                Exit::Success
            })
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
