//! The same over TLS, with certificates created by each test.

use std::sync::Arc;

use axum::http::Request;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use server::{Tls, Transport};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{
    HEALTH, PREFACE, SETTINGS, SHORT, Server, TIMEOUT, probe, probe_on, read_to_end, short,
};

/// A self-signed certificate for `localhost`.
struct Identity(CertifiedKey<KeyPair>);

impl Identity {
    fn new() -> Self {
        Self(generate_simple_self_signed(["localhost".to_owned()]).unwrap())
    }

    fn pem(&self) -> (String, String) {
        (self.0.cert.pem(), self.0.signing_key.serialize_pem())
    }

    fn certificate(&self) -> &CertificateDer<'static> {
        self.0.cert.der()
    }

    fn tls(&self) -> Tls {
        let (certificate, key) = self.pem();
        Tls::new(certificate.as_bytes(), key.as_bytes()).unwrap()
    }

    /// Connects as a client that only trusts this identity and speaks these protocols.
    async fn connect(
        &self,
        server: &Server,
        protocols: &[&[u8]],
    ) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config))
            .connect(name, server.connect().await)
            .await
    }
}

async fn health(mut stream: TlsStream<TcpStream>) -> String {
    stream.write_all(HEALTH.as_bytes()).await.unwrap();
    read_to_end(&mut stream).await
}

#[tokio::test]
async fn both_protocols_are_served_over_tls() {
    let identity = Identity::new();
    let server = Server::start(Transport {
        tls: Some(identity.tls()),
        ..Transport::default()
    })
    .await;
    for protocols in [&[b"http/1.1".as_slice()][..], &[]] {
        let answer = health(identity.connect(&server, protocols).await.unwrap()).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let stream = identity
        .connect(&server, &[b"h2", b"http/1.1"])
        .await
        .unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::get("https://localhost/healthz").body(()).unwrap();
    let response = client.send_request(request, true).unwrap().0.await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    drop((client, response));
    drop(connection.await.unwrap());
    // A client without TLS gets no response.
    let (answer, _) = probe(server.address, HEALTH.into(), None).await;
    assert!(!answer.contains("HTTP/"), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn slow_clients_are_closed_in_time_over_tls() {
    let identity = Identity::new();
    let server = Server::start(Transport {
        tls: Some(identity.tls()),
        ..short()
    })
    .await;
    // A record that announces a ClientHello of 512 bytes.
    let hello = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01];
    for (start, drip) in [
        (Vec::new(), None),
        (hello.to_vec(), None),
        (hello.to_vec(), Some(0)),
    ] {
        let (_, took) = probe(server.address, start, drip).await;
        assert!(took < SHORT * 20, "{took:?}");
    }
    let big = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: {}\r\n\r\n",
        "a".repeat(1_000_000)
    );
    let probes: [(&str, Vec<u8>, Option<u8>, &str); 5] = [
        ("silent", Vec::new(), None, ""),
        ("half a preface", b"PRI * HTTP/2.0\r\n".to_vec(), None, ""),
        (
            "dripping header",
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ".to_vec(),
            Some(b'a'),
            "",
        ),
        ("idle HTTP/2", [PREFACE, SETTINGS].concat(), None, ""),
        ("1 MB header", big.into_bytes(), None, "HTTP/1.1 431"),
    ];
    for (name, start, drip, answer) in probes {
        let stream = identity.connect(&server, &[]).await.unwrap();
        let (got, took) = probe_on(stream, start, drip).await;
        assert!(got.starts_with(answer), "{name}: {got}");
        assert!(took < SHORT * 20, "{name}: {took:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed_over_tls() {
    let identity = Identity::new();
    let transport = Transport {
        connections: 1,
        write: SHORT,
        tls: Some(identity.tls()),
        ..Transport::default()
    };
    let server = Server::start(transport).await;
    let mut deaf = identity.connect(&server, &[]).await.unwrap();
    let many = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    // The server may close before it has read everything.
    let _ = deaf.write_all(many.as_bytes()).await;
    let next = timeout(TIMEOUT, identity.connect(&server, &[]))
        .await
        .expect("there is one place")
        .unwrap();
    assert!(health(next).await.starts_with("HTTP/1.1 200"));
    drop(deaf);
    server.stop().await;
}

#[tokio::test]
async fn a_certificate_is_replaced_without_dropping_a_connection() {
    let (first, second) = (Identity::new(), Identity::new());
    let tls = first.tls();
    let server = Server::start(Transport {
        tls: Some(tls.clone()),
        ..Transport::default()
    })
    .await;
    let open = first.connect(&server, &[]).await.unwrap();
    let ((first_certificate, _), (second_certificate, second_key)) = (first.pem(), second.pem());
    for (certificate, key) in [
        (first_certificate.as_str(), second_key.as_str()),
        ("", second_key.as_str()),
        (second_certificate.as_str(), ""),
        (
            second_certificate.as_str(),
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        ),
    ] {
        let refused = tls
            .replace(certificate.as_bytes(), key.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(!refused.contains("AAAA"), "{refused}");
        assert!(Tls::new(certificate.as_bytes(), key.as_bytes()).is_err());
        first
            .connect(&server, &[])
            .await
            .expect("the current certificate is kept");
    }
    tls.replace(second_certificate.as_bytes(), second_key.as_bytes())
        .unwrap();
    assert!(
        health(open).await.starts_with("HTTP/1.1 200"),
        "the open connection continues"
    );
    assert!(
        first.connect(&server, &[]).await.is_err(),
        "new connections get the new one"
    );
    assert!(
        health(second.connect(&server, &[]).await.unwrap())
            .await
            .starts_with("HTTP/1.1 200")
    );
    server.stop().await;
}
