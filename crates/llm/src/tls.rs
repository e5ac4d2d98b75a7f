//! The only place that selects the crypto provider of TLS.

/// Makes *ring* the crypto provider of every TLS connection of this process. Call it before the first HTTP client is
/// created; repeated calls have no effect.
pub fn install_tls() {
    // An error means that a provider is already installed: this one.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
