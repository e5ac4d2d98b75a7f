//! What is shown of the language model's part instead of a review.

/// What is shown, without sending anything to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preview {
    Prompts,
    Estimate,
}

impl Preview {
    pub(super) fn option(self) -> &'static str {
        match self {
            Self::Prompts => "--show-prompt",
            Self::Estimate => "--estimate",
        }
    }
}
