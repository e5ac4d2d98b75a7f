//! The result of a tool: structured data for programs, and the same as text for readers.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// The result of a tool.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What the tool's output schema describes.
    pub data: Value,
    /// The short form of it.
    pub text: String,
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = Self::success(vec![ContentBlock::text(answer.text)]);
        result.structured_content = Some(answer.data);
        result
    }
}

/// A failure that the agent can read, and do something about.
#[must_use]
pub fn refusal(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
