//! Refusals that an agent can act on.

use mcp::refusal;
use serde_json::Value;
use store::UnixMillis;

use crate::error::{Code, Problem};
use crate::handlers::written;

/// A refusal as a tool result, if the caller can solve the problem or may try again with another change.
pub(super) fn tool_error(problem: &Problem, now: UnixMillis) -> Option<Value> {
    let of_the_change = matches!(problem.code, Code::AnalysisFailed | Code::AnalysisTimeout);
    if !of_the_change && !problem.code.status().is_client_error() {
        return None;
    }
    let again = problem
        .seconds_to_retry()
        .map_or_else(String::new, |seconds| {
            let millis = i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
            format!(
                " Try again in {seconds} seconds, at {}.",
                written(UnixMillis(now.0.saturating_add(millis)))
            )
        });
    Some(refusal(&format!(
        "{}: {}{again}",
        problem.code.as_str(),
        problem.detail
    )))
}
