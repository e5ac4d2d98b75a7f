//! Reasons to refuse an issuer's token.

/// Why a token was refused. For the log only: it names the failed check, and contains nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    #[error("it is too long")]
    TooLong,
    #[error("it is not a JWT")]
    Form,
    #[error("its header is not a JWT header")]
    Header,
    #[error("its type is not that of an access token")]
    Type,
    #[error("it has unsupported critical extensions")]
    Critical,
    #[error("its algorithm is not allowed")]
    Algorithm,
    #[error("the issuer has no matching key")]
    UnknownKey,
    #[error("the issuer's signing keys could not be fetched")]
    NoKeys,
    #[error("its signature is invalid")]
    Signature,
    #[error("its claims are not those of an access token")]
    Claims,
    #[error("it is from another issuer")]
    Issuer,
    #[error("it is for another audience")]
    Audience,
    #[error("it was not made for this attempt to sign in")]
    Nonce,
    #[error("it has expired")]
    Expired,
    #[error("it is not valid yet")]
    NotYet,
}
