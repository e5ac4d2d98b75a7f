//! How providers fail.

/// A way in which a provider fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// 429 without a retry delay.
    RateLimited,
    /// 429 with `Retry-After` in seconds.
    RateLimitedFor(u64),
    /// 429 because the credit is used up.
    QuotaSpent,
    /// 500.
    ServerError,
    /// 529.
    Overloaded,
    /// The request is read, and no answer follows.
    HangBeforeAnswer,
    /// The answer begins but does not continue.
    HangInsideAnswer,
    /// The connection is closed instead of an answer.
    CutBeforeAnswer,
    /// The connection is closed inside the answer.
    CutInsideAnswer,
    /// The answer ends in the middle of its JSON, at its announced length.
    HalfJson,
    /// The model's text is embedded in other text.
    ProseAroundText,
    /// The model's text is cut off at the token limit.
    Length,
    /// An answer without a choice.
    NoChoices,
    /// The model declines.
    Refusal,
    /// A filter of the provider stops the answer.
    ContentFilter,
    /// The model does not exist.
    WrongModel,
    /// The key is unknown.
    WrongKey,
    /// The prompt is too long for the model.
    TooLong,
    /// The answer arrives a few bytes at a time, for longer than any call may take.
    SlowTokens,
    /// An answer of 50 MB.
    Huge,
    /// An error of 50 MB.
    HugeError,
    /// The tokens are not counted.
    NoUsage,
    /// A redirect to another address.
    Redirect,
}

impl FaultKind {
    /// Every fault once.
    pub const ALL: [Self; 23] = [
        Self::RateLimited,
        Self::RateLimitedFor(2),
        Self::QuotaSpent,
        Self::ServerError,
        Self::Overloaded,
        Self::HangBeforeAnswer,
        Self::HangInsideAnswer,
        Self::CutBeforeAnswer,
        Self::CutInsideAnswer,
        Self::HalfJson,
        Self::ProseAroundText,
        Self::Length,
        Self::NoChoices,
        Self::Refusal,
        Self::ContentFilter,
        Self::WrongModel,
        Self::WrongKey,
        Self::TooLong,
        Self::SlowTokens,
        Self::Huge,
        Self::HugeError,
        Self::NoUsage,
        Self::Redirect,
    ];

    /// Whether a call with this fault ends only by its timeout.
    #[must_use]
    pub const fn lasts(self) -> bool {
        matches!(
            self,
            Self::HangBeforeAnswer | Self::HangInsideAnswer | Self::SlowTokens
        )
    }
}
