//! The result of a tool: structured content for programs, and the same as text.

use serde_json::{Value, json};

use crate::paging::{RESULT_BYTES, shorten, size};

/// Maximum length of an error text, in characters.
const REFUSAL: usize = 4_000;
/// Limits for shortening a result that is too large, tried in order: characters per text, and entries per list.
const SHAPES: [(usize, usize); 3] = [(4_000, 100), (1_000, 20), (200, 5)];

/// The result of a tool.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Structured content, which matches the tool's output schema.
    pub data: Value,
    /// The text form of the structured content.
    pub text: String,
}

impl Answer {
    /// Shortens the answer to the size that agents accept. Tools return pages, so only an answer without a list can
    /// be too large.
    fn bounded(mut self) -> Self {
        for shape in SHAPES {
            if size(&self.data) + size(&self.text) <= RESULT_BYTES {
                return self;
            }
            shorten(&mut self.data, shape);
            self.text = clip(&self.text, 4 * shape.0);
        }
        self
    }
}

impl From<Answer> for Value {
    fn from(answer: Answer) -> Self {
        let answer = answer.bounded();
        json!({ "content": [text(&answer.text)], "structuredContent": answer.data, "isError": false })
    }
}

/// The result of a tool call that failed for a reason that the agent can fix.
#[must_use]
pub fn refusal(message: &str) -> Value {
    json!({ "content": [text(&clip(message, REFUSAL))], "isError": true })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// The first characters of a text, with an ellipsis if it was cut.
fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…\n", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Answer, refusal};

    #[test]
    fn a_result_is_never_larger_than_agents_accept() {
        for (data, text) in [
            (
                json!({ "why": "\u{1}é".repeat(100_000) }),
                "\u{1}\"".repeat(100_000),
            ),
            (
                json!({ "rules": vec!["\"\\".repeat(5_000); 200] }),
                String::new(),
            ),
            (Value::Null, "x\t".repeat(1_000_000)),
        ] {
            let result = serde_json::to_string(&Value::from(Answer { data, text })).unwrap();
            assert!(result.len() < 60_000, "{}", result.len());
        }
        let small = Answer {
            data: json!({ "why": "x".repeat(20_000) }),
            text: "y".repeat(20_000),
        };
        assert!(
            serde_json::to_string(&Value::from(small)).unwrap().len() > 40_000,
            "it is unchanged"
        );
        assert!(
            serde_json::to_string(&refusal(&"\u{1}".repeat(1_000_000)))
                .unwrap()
                .len()
                < 60_000
        );
    }
}
