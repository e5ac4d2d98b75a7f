//! How providers fail.

/// A way in which a provider fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// 429 without a word on how long to wait.
    RateLimited,
    /// 429 with `Retry-After` in seconds.
    RateLimitedFor(u64),
    /// 429 because the money is used up.
    QuotaSpent,
    /// 500.
    ServerError,
    /// 529.
    Overloaded,
    /// The request is read, and nothing happens.
    HangBeforeAnswer,
    /// The answer begins, and does not go on.
    HangInsideAnswer,
    /// The connection ends instead of an answer.
    CutBeforeAnswer,
    /// The connection ends inside the answer.
    CutInsideAnswer,
    /// The answer ends, as announced, in the middle of its JSON.
    HalfJson,
    /// The model's text stands between other text.
    ProseAroundText,
    /// The model's text is cut where the room for it ends.
    Length,
    /// An answer without a choice.
    NoChoices,
    /// The model declines.
    Refusal,
    /// A filter of the provider stops the answer.
    ContentFilter,
    /// The model is not known.
    WrongModel,
    /// The key is not known.
    WrongKey,
    /// The prompt is too long for the model.
    TooLong,
    /// The answer comes, a few bytes at a time, for longer than any call may take.
    SlowTokens,
    /// An answer of 50 MB.
    Huge,
    /// An error of 50 MB.
    HugeError,
    /// Nobody counted the tokens.
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

    /// Whether a call that meets it ends only when its time has run out.
    #[must_use]
    pub const fn lasts(self) -> bool {
        matches!(
            self,
            Self::HangBeforeAnswer | Self::HangInsideAnswer | Self::SlowTokens
        )
    }
}
