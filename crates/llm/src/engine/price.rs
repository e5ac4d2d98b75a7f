//! The price of tokens.

use review::TokenUsage;

use crate::settings::ModelSettings;

/// The price of a million tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Price {
    pub(super) input: f64,
    pub(super) output: f64,
}

impl Price {
    /// The price of a model; two zeros mean that it has none.
    pub(super) fn of(model: &ModelSettings) -> Option<Self> {
        let (input, output) = (
            model.price_input_per_million, model.price_output_per_million,
        );
        (input > 0.0 || output > 0.0).then_some(Self { input, output })
    }

    /// The price of tokens.
    pub(super) fn cost(self, usage: TokenUsage) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a number of tokens is far below 2^52"
        )]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        millions(usage.prompt_tokens) * self.input + millions(usage.completion_tokens) * self.output
    }
}
