//! What a token of the issuer can fail at.

/// Why a token is refused. It is for the log: it says which check failed, and nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    #[error("it is too long")]
    TooLong,
    #[error("it is not a JWT")]
    Form,
    #[error("its header is not one of a JWT")]
    Header,
    #[error("its type is not that of an access token")]
    Type,
    #[error("it has critical extensions, and none is known")]
    Critical,
    #[error("its algorithm is not allowed")]
    Algorithm,
    #[error("the issuer has no such key")]
    UnknownKey,
    #[error("the issuer's keys were not to be had")]
    NoKeys,
    #[error("its signature is wrong")]
    Signature,
    #[error("its claims are not those of an access token")]
    Claims,
    #[error("it is of another issuer")]
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
