//! Certificates of providers.

use super::*;
use crate::model::CertificateFault;

/// A server with this certificate.
fn acceptor(certificate: &rcgen::Certificate, key: &KeyPair) -> TlsAcceptor {
    crate::tls::install_tls();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder().with_no_client_auth();
    let config = config
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

fn for_host(host: &str) -> CertificateParams {
    CertificateParams::new(vec![host.to_owned()]).unwrap()
}

/// The certificate of an unknown authority, and a server that it vouches for.
fn unknown_authority(server: &CertificateParams) -> (Vec<u8>, TlsAcceptor) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = authority.self_signed(&key).unwrap().pem().into_bytes();
    let issuer = Issuer::new(authority, key);
    let key = KeyPair::generate().unwrap();
    let server = server.signed_by(&key, &issuer).unwrap();
    (pem, acceptor(&server, &key))
}

/// A server that vouches for itself, and its certificate.
fn self_signed(is_ca: IsCa) -> (Vec<u8>, TlsAcceptor) {
    let mut server = for_host("localhost");
    server.is_ca = is_ca;
    let key = KeyPair::generate().unwrap();
    let server = server.self_signed(&key).unwrap();
    (server.pem().into_bytes(), acceptor(&server, &key))
}

/// The reply through a server, for a client that trusts this authority.
async fn ask(acceptor: TlsAcceptor, trusted: Option<Vec<u8>>) -> Result<Reply, CallError> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let script = Script::always(Turn::say(TEXT));
    let provider = ScriptedProvider::start(Protocol::OpenAi, script).await;
    let provider = provider.unwrap();
    let port = listener.local_addr().unwrap().port();
    let backend = provider.base_url().trim_start_matches("http://").to_owned();
    let tunnel = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut backend = tokio::net::TcpStream::connect(&backend).await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut backend).await;
        }
    });
    let settings = ModelSettings {
        base_url: format!("https://localhost:{port}"),
        ca_pem: trusted,
        ..provider.settings()
    };
    let model = HttpModel::new(&settings, LONG).unwrap();
    let answer = model.complete(&prompt()).await;
    tunnel.abort();
    answer
}

#[tokio::test]
async fn only_configured_and_system_certificate_authorities_are_trusted() {
    let (pem, acceptor) = unknown_authority(&for_host("localhost"));
    let untrusted = Err(CallError::Certificate(CertificateFault::Issuer));
    assert_eq!(ask(acceptor.clone(), None).await, untrusted);
    assert_eq!(
        ask(acceptor, Some(pem)).await,
        Ok(reply(TEXT, Finish::Stop))
    );
}

#[tokio::test]
async fn a_certificate_that_vouches_for_itself_must_not_be_that_of_an_authority() {
    let (pem, acceptor) = self_signed(IsCa::ExplicitNoCa);
    assert_eq!(
        ask(acceptor, Some(pem)).await,
        Ok(reply(TEXT, Finish::Stop))
    );
    // `openssl req -x509` makes one of an authority by default.
    let (pem, acceptor) = self_signed(IsCa::Ca(BasicConstraints::Unconstrained));
    let error = ask(acceptor, Some(pem)).await.unwrap_err();
    assert_eq!(error, CallError::Certificate(CertificateFault::Authority));
    assert!(!error.is_transient() && error.advice().contains("CA:FALSE"));
    assert_eq!(
        error.to_string(),
        "the provider's certificate was rejected: it is the certificate of an authority, and not of a server"
    );
}

#[tokio::test]
async fn a_certificate_is_for_the_host_and_for_this_time() {
    let (pem, acceptor) = unknown_authority(&for_host("provider.example"));
    let other_host = Err(CallError::Certificate(CertificateFault::Host));
    assert_eq!(ask(acceptor, Some(pem)).await, other_host);
    let mut old = for_host("localhost");
    old.not_after = rcgen::date_time_ymd(2020, 1, 1);
    let (pem, acceptor) = unknown_authority(&old);
    let expired = Err(CallError::Certificate(CertificateFault::Time));
    assert_eq!(ask(acceptor, Some(pem)).await, expired);
}
