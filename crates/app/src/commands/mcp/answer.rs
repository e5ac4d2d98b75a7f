//! What a tool answers: data for programs, and the same for whoever reads.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::outcome::Error;

/// The result of a tool.
pub(super) struct Answer {
    pub(super) data: Value,
    pub(super) text: String,
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = Self::success(vec![ContentBlock::text(answer.text)]);
        result.structured_content = Some(answer.data);
        result
    }
}

/// A failure that the agent can read, and do something about.
pub(super) fn refusal(error: &Error) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.message.clone())])
}
