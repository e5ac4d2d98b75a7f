//! What can be wrong with a model's settings.

/// Which setting of a model is wrong. No variant holds a value: it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The address is not valid.
    #[error(
        "base_url: expected an address like https://api.openai.com/v1, without a user name or a password"
    )]
    BaseUrl,
    /// The key cannot be sent.
    #[error("api_key: it holds characters that cannot be sent, a line break perhaps")]
    ApiKey,
    /// There is a key, and a command that gives one.
    #[error("api_key and credential_command: keep one of the two")]
    TwoKeys,
    /// The body of a request may not be changed like this.
    #[error("extra_body: {pointer} cannot be set here, it comes from {setting}: remove it")]
    ExtraBody {
        /// A JSON pointer to the parameter.
        pointer: String,
        /// What decides it instead.
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
    /// TLS cannot be set up with what is configured; most often, this machine has no certificate authorities.
    #[error(
        "TLS cannot be set up: there may be no certificate authorities on this machine, or `ca_file` holds none"
    )]
    Tls,
}
