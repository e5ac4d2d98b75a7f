//! Errors in a model's settings.

/// A wrong setting of a model. No variant contains a value, because it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The address is not valid.
    #[error(
        "base_url: expected an address like https://api.openai.com/v1, without a user name or a password"
    )]
    BaseUrl,
    /// The key cannot be sent.
    #[error("api_key: it contains characters that cannot be sent, such as a line break")]
    ApiKey,
    /// Both a key and a command that prints one are set.
    #[error("api_key and credential_command: keep one of the two")]
    TwoKeys,
    /// A parameter of the body that may not be overridden.
    #[error("extra_body: {pointer} cannot be set here because it comes from {setting}: remove it")]
    ExtraBody {
        /// A JSON pointer to the parameter.
        pointer: String,
        /// The setting that determines it.
        setting: &'static str,
    },
    /// A header cannot be sent.
    #[error("headers: {0:?} cannot be sent")]
    Header(String),
    /// The proxy's address is not valid.
    #[error("proxy: expected an address like http://proxy.example.com:3128")]
    Proxy,
    /// The certificates cannot be read.
    #[error("ca_file: expected certificates in PEM")]
    CertificateAuthority,
    /// TLS cannot be set up. Most often, this machine has no certificate authorities.
    #[error(
        "TLS cannot be set up: this machine may have no certificate authorities, or `ca_file` may contain none"
    )]
    Tls,
}
