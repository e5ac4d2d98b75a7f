//! TLS with one certificate, which can be replaced while connections are open.
//!
//! There are no client certificates: tokens identify callers.

use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The supported protocols, in order of preference (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The server's side of TLS 1.2 and 1.3. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    current: Arc<Current>,
}

/// Why a certificate or a key cannot be used. No message quotes them.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// No certificate.
    #[error("the certificate file contains no PEM certificate")]
    Certificate,
    /// No key.
    #[error("the key file contains no PEM private key")]
    Key,
    /// They do not match.
    #[error(
        "the certificate and the private key do not match, or their type is not supported: {0}"
    )]
    Pair(#[source] rustls::Error),
    /// TLS could not be configured.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[source] rustls::Error),
}

#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(
            &self.0.read().unwrap_or_else(PoisonError::into_inner),
        ))
    }
}

impl Tls {
    /// Creates the server from this certificate, followed by its chain, and its private key, all in PEM.
    ///
    /// # Errors
    /// The certificate or the key cannot be used.
    pub fn new(certificates: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let current = Arc::new(Current(RwLock::new(pair(certificates, key, &provider)?)));
        let builder =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.map_err(TlsError::Setup)?.with_no_client_auth();
        let mut config = builder.with_cert_resolver(Arc::<Current>::clone(&current));
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            current,
        })
    }

    /// Replaces the certificate for new connections; open ones keep theirs.
    ///
    /// # Errors
    /// The certificate or the key cannot be used; nothing changes.
    pub fn replace(&self, certificates: &[u8], key: &[u8]) -> Result<(), TlsError> {
        let pair = pair(certificates, key, self.acceptor.config().crypto_provider())?;
        *self
            .current
            .0
            .write()
            .unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }

    pub(super) async fn accept(&self, socket: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(socket).await
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

fn pair(
    certificates: &[u8],
    key: &[u8],
    provider: &CryptoProvider,
) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificates).collect();
    let chain = chain
        .ok()
        .filter(|chain| !chain.is_empty())
        .ok_or(TlsError::Certificate)?;
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| TlsError::Key)?;
    CertifiedKey::from_der(chain, key, provider)
        .map(Arc::new)
        .map_err(TlsError::Pair)
}
