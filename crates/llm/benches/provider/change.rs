//! The changes under review, and the model's answers to them.

use std::fmt::Write as _;
use std::time::Duration;

use llm::testing::{Request, Script, Turn};
use serde_json::json;

/// Lines that each file adds.
const LINES: usize = 40;
/// The line that the model reports.
const QUOTE: &str = "    order.total = order.price * order.count";

/// A new file. The number makes it unique.
pub(crate) fn file(number: usize) -> String {
    let mut diff = format!(
        "--- /dev/null\n+++ b/{}\n@@ -0,0 +1,{LINES} @@\n+def settle(order):\n+{QUOTE}\n",
        path(number)
    );
    for line in 2..LINES {
        // Writing to a string does not fail.
        let _ = writeln!(diff, "+    rate_{line} = rate_of(order, {line}, {number})");
    }
    diff
}

fn path(number: usize) -> String {
    format!("src/module{number}.py")
}

/// The number of the change in a request.
pub(crate) fn number(request: &Request) -> Option<usize> {
    let (_, rest) = request.user.split_once("## FILE src/module")?;
    rest.split_once(".py")?.0.parse().ok()
}

/// A model that takes `latency` for a change and reports one finding.
pub(crate) fn answers(latency: Duration) -> Script {
    Script::answering(move |request| {
        let finding = json!({
            "file": path(number(request).unwrap_or_default()), "line": "NEW:2", "quote": QUOTE, "priority": "P2",
            "category": "LOGIC_BUG", "summary": "The price may be absent.", "fix": "Ask before.", "confidence": 0.9,
        });
        Turn::After(
            latency,
            Box::new(Turn::say(json!({ "findings": [finding] }).to_string())),
        )
    })
}
