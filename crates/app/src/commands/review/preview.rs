//! The previews of the language model's part of a review.

/// A preview, for which nothing is sent to the model.
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
