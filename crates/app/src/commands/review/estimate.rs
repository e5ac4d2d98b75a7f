//! `--estimate`: the tokens that a review by the language model would use.

use llm::Estimate;
use review::output::{Format, counted, printable, printable_json};
use serde_json::json;

/// The planned calls of the model, and the budget of a review.
pub(super) struct Forecast<'m> {
    pub(super) model: &'m str,
    pub(super) estimate: Estimate,
    /// Tokens that one review may use.
    pub(super) review_tokens: u64,
}

impl Forecast<'_> {
    /// Describes the forecast in one sentence.
    pub(super) fn sentence(&self) -> String {
        let Estimate {
            calls,
            prompt_tokens,
            completion_tokens,
            cost,
        } = self.estimate;
        if calls == 0 {
            return format!(
                "{} would not be called: the change has nothing to review",
                printable(self.model)
            );
        }
        let cost = cost
            .map(|cost| format!(", at most {cost:.4} at the configured prices"))
            .unwrap_or_default();
        format!(
            "{} would be called {}: about {prompt_tokens} tokens sent, at most {completion_tokens} received{cost}",
            printable(self.model),
            counted(calls, "time")
        )
    }

    /// Why the model might not see the whole change.
    pub(super) fn shortage(&self) -> Option<String> {
        let sent = self.estimate.prompt_tokens;
        (sent > self.review_tokens).then(|| {
            format!(
                "llm.review_tokens allows {} tokens for a review, so the model would not see the whole change",
                self.review_tokens
            )
        })
    }
}

/// Renders the forecast as text or JSON; it is `None` if no model is configured.
pub(super) fn render(forecast: Option<&Forecast<'_>>, format: Format) -> String {
    if format == Format::Json {
        let Estimate {
            calls,
            prompt_tokens,
            completion_tokens,
            cost,
        } = forecast
            .map(|forecast| forecast.estimate)
            .unwrap_or_default();
        let estimate = json!({
            "model": forecast.map(|forecast| forecast.model),
            "calls": calls,
            "promptTokens": prompt_tokens,
            "maxCompletionTokens": completion_tokens,
            "maxCost": cost,
            "reviewTokens": forecast.map(|forecast| forecast.review_tokens),
        });
        return printable_json(format!("{:#}\n", json!({ "estimate": estimate })));
    }
    let Some(forecast) = forecast else {
        return "no language model is configured: the rules review this change, and no tokens are used\n".to_owned();
    };
    let shortage = forecast
        .shortage()
        .map(|shortage| shortage + "\n")
        .unwrap_or_default();
    format!("{}\n{shortage}", forecast.sentence())
}
