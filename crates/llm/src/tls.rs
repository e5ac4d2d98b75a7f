//! The one place that chooses who does the cryptography of TLS.

/// Makes *ring* the crypto provider of every TLS connection of this process. To be called before the first HTTP client is
/// made; calling it again changes nothing.
pub fn install_tls() {
    // An error says that a provider is installed already: this one.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
