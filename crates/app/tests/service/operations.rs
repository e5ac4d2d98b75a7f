//! Operating a running service: scraping metrics, leaving a load balancer, renewing the certificate.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rcgen::generate_simple_self_signed;
use rustix::process::Signal;

use crate::serve::{Fixture, body};
use crate::support::{Place, Process};

/// Longer than any operation takes; only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The metrics page.
pub(crate) fn scrape(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer
}

#[test]
fn metrics_have_a_separate_listener() {
    let fixture = Fixture::at(
        Place::new().variable("HUNKWISE_METRICS_BIND", "127.0.0.1:0"),
        &[],
    );
    let (status, _) = fixture
        .serving
        .send("POST", &fixture.path, &fixture.token, &body());
    assert_eq!(status, 200);
    assert_eq!(
        fixture
            .serving
            .send("GET", "/metrics", &fixture.token, "")
            .0,
        404
    );
    let (_, address) = fixture
        .serving
        .process
        .log
        .split_once("metrics at http://")
        .unwrap();
    let page = scrape(address.split('/').next().unwrap().parse().unwrap());
    for sample in [
        "hunkwise_build_info{version=\"",
        "hunkwise_review_duration_seconds_count{outcome=\"success\"} 1",
        "hunkwise_engine_chunk_duration_seconds_count{engine=\"rules\",outcome=\"success\"} 1",
        "hunkwise_findings_total{priority=\"",
        "hunkwise_database_up 1",
        "hunkwise_workers_busy 0",
        "hunkwise_workers_unavailable 0",
        "hunkwise_worker_starts_total ",
        "hunkwise_worker_failures_total 0",
        "hunkwise_reviews_rejected_total{reason=\"overloaded\"} 0",
        "process_start_time_seconds ",
        "process_cpu_seconds_total ",
        "process_resident_memory_bytes ",
        "process_open_fds ",
        "process_max_fds ",
    ] {
        assert!(page.contains(&format!("\n{sample}")), "{sample}: {page}");
    }
    assert!(!page.contains(&fixture.token));
    let documented = include_str!("../../../../docs/metrics.md");
    for (name, kind) in page
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
    {
        let ending = match kind {
            "counter" => "_total",
            "info" => "_info",
            _ => "",
        };
        assert!(
            documented.contains(&format!("`{name}{ending}`")),
            "docs/metrics.md does not document {name}{ending}"
        );
    }
}

#[test]
fn a_metrics_address_in_use_is_reported_with_advice() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = Place::new().refused(
        2,
        &["serve", "--bind", "127.0.0.1:0", "--metrics-bind", &address],
    );
    let words = "the address is in use; choose another with --metrics-bind, or none with --metrics-bind off";
    assert!(
        message.contains(&format!("cannot listen on {address}: {words}")),
        "{message}"
    );
}

#[test]
fn a_service_reports_not_ready_before_it_stops_listening() {
    let mut fixture = Fixture::at(
        Place::new().variable("HUNKWISE_SHUTDOWN_DELAY_SECONDS", "3600"),
        &[],
    );
    assert_eq!(fixture.serving.send("GET", "/readyz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    fixture.serving.process.stderr_until("stopping");
    let began = Instant::now();
    while fixture.serving.send("GET", "/readyz", "", "").0 != 503 {
        assert!(began.elapsed() < TIMEOUT, "still ready");
    }
    assert_eq!(fixture.serving.send("GET", "/healthz", "", "").0, 200);
    let (status, review) = fixture
        .serving
        .send("POST", &fixture.path, &fixture.token, &body());
    assert_eq!(status, 200, "{review}");
    fixture.serving.process.signal(Signal::TERM);
    assert_eq!(fixture.serving.process.end().status, 3);
}

#[test]
fn the_log_line_of_a_request_has_its_id_once() {
    let mut fixture = Fixture::at(Place::new().variable("HUNKWISE_LOG_LEVEL", "info"), &[]);
    let (status, review) = fixture
        .serving
        .send("POST", &fixture.path, &fixture.token, &body());
    assert_eq!(status, 200, "{review}");
    let id = review["requestId"].as_str().unwrap();
    let line = fixture.serving.process.stderr_until(id);
    assert_eq!(line.matches(id).count(), 1, "{line}");
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (
            line["message"].as_str(),
            line["span"]["request_id"].as_str()
        ),
        (Some("request"), Some(id)),
        "{line}"
    );
}

#[test]
fn an_unread_log_does_not_block_requests() {
    // A pipe on Linux (pipe(7)) holds far fewer lines.
    const REQUESTS: usize = 600;
    let mut fixture = Fixture::at(Place::new().variable("HUNKWISE_LOG_LEVEL", "info"), &[]);
    for _ in 0..REQUESTS {
        assert_eq!(fixture.serving.send("GET", "/nothing", "none", "").0, 404);
    }
    fixture.serving.process.signal(Signal::TERM);
    fixture.serving.process.stderr_until("stopping");
    let ended = fixture.serving.process.end();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(
        ended.stderr.matches("\"status\":404").count(),
        REQUESTS,
        "queued lines are written when stderr is read again"
    );
}

/// Sends a request over TLS, trusting only this certificate; `None` if the handshake fails.
fn health(address: &str, certificate: &str) -> Option<u16> {
    llm::install_tls();
    let certificate = reqwest::Certificate::from_pem(certificate.as_bytes()).unwrap();
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([certificate])
        .timeout(TIMEOUT)
        .build()
        .unwrap();
    let port = address.rsplit_once(':').unwrap().1;
    let ask = async {
        Some(
            client
                .get(format!("https://localhost:{port}/healthz"))
                .send()
                .await
                .ok()?
                .status()
                .as_u16(),
        )
    };
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(ask)
}

#[test]
fn a_certificate_is_renewed_while_the_service_runs() {
    let place = Place::new();
    let [first, second] =
        [(); 2].map(|()| generate_simple_self_signed(["localhost".to_owned()]).unwrap());
    let renew = |identity: &rcgen::CertifiedKey<rcgen::KeyPair>| {
        place.write("key.pem", &identity.signing_key.serialize_pem());
        place.write("cert.pem", &identity.cert.pem());
    };
    renew(&first);
    place.write(
        "a.toml",
        "[tls]\ncertificate_file = 'cert.pem'\nkey_file = 'key.pem'\n",
    );
    let serve = ["serve", "--bind", "127.0.0.1:0", "--config", "a.toml"];
    let mut process = Process::start(place.command(&serve));
    let line = process.stderr_until("listening on");
    let address = line
        .split("https://")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(health(&address, &first.cert.pem()), Some(200));
    assert_eq!(health(&address, &second.cert.pem()), None);
    place.write("key.pem", "canary");
    process.signal(Signal::HUP);
    let line = process.stderr_until("was not reloaded");
    assert!(
        line.contains("cert.pem and key.pem: the key file contains no PEM private key"),
        "{line}"
    );
    assert!(!line.contains("canary"), "{line}");
    assert_eq!(health(&address, &first.cert.pem()), Some(200));
    // No signal is needed: the service polls the files.
    renew(&second);
    process.stderr_until("was reloaded");
    assert_eq!(health(&address, &second.cert.pem()), Some(200));
    process.signal(Signal::TERM);
    assert_eq!(process.end().status, 0);
    place.write("key.pem", &first.signing_key.serialize_pem());
    let message = place.refused(2, &serve);
    assert!(
        message.contains(
            "[tls] cert.pem and key.pem: the certificate and the private key do not match"
        ),
        "{message}"
    );
    std::fs::remove_file(place.path("key.pem")).unwrap();
    assert!(
        place
            .refused(2, &serve)
            .contains("tls.key_file: cannot read key.pem: No such file")
    );
}

#[test]
fn sighup_does_not_end_a_service_without_a_certificate() {
    let fixture = Fixture::at(Place::new(), &[]);
    fixture.serving.process.signal(Signal::HUP);
    assert_eq!(fixture.serving.send("GET", "/readyz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    assert_eq!(fixture.serving.process.end().status, 0);
}
